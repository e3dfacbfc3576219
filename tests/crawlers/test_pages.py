import json

import pytest

from tests.crawlers import pages

PAGE = b"""<h1>Task</h1>
<ul class="task-constraints"><li>Time limit: 1.00 s<li>Memory limit: 512 MB</ul><p>Print it.</p>
<h1 id="example">Example</h1><p>Input:</p><pre>1</pre><p>Output:</p><pre>2</pre>"""
RIGHT = {
    "file": "a.html",
    "site": "cses",
    "title": "Task",
    "kind": "stdio",
    "n_samples": 1,
    "samples": [{"input": "1\n", "output": "2\n"}],
    "time_limit_ms": 1000,
    "memory_limit_mb": 512,
    "tags": [],
    "flags": [],
    "licence": "name no licence",
    "lang": "en",
}


@pytest.fixture
def check(tmp_path, capsys):
    def run(*lines, sites=()):
        (tmp_path / "a.html").write_bytes(PAGE)
        (tmp_path / "b.html").write_bytes(b"<p>nothing")
        text = "\n".join(map(json.dumps, lines))
        (tmp_path / "expected.jsonl").write_text(text, encoding="utf-8")
        code = pages.main([str(tmp_path), *sites])
        return code, capsys.readouterr().out.splitlines()

    return run


def test_a_page_that_comes_out_right(check):
    assert check(RIGHT) == (0, ["right   a.html", "1 of 1 right"])


@pytest.mark.parametrize(
    ("name", "wrong", "ours"),
    [
        ("kind", "interactive", "'stdio'"),
        ("title", "Other", "'Task'"),
        ("n_samples", 2, "1"),
        ("samples", [], "[{'input': '1\\n', 'output': '2\\n'}]"),
        ("function_samples", [{"args": {}, "out": 1}], "[]"),
        ("signature", "f(a: int) -> int", "None"),
        ("time_limit_ms", None, "1000"),
        ("memory_limit_mb", 256, "512"),
        ("tags", ["x"], "[]"),
        ("flags", ["image"], "[]"),
        ("licence", "MIT", "'The pages of CSES name no licence.'"),
        ("lang", "ja", "'en'"),
    ],
)
def test_what_differs_is_shown(check, name, wrong, ours):
    code, lines = check({**RIGHT, name: wrong})
    assert code == 1
    assert lines == [
        "differs a.html",
        f"  {name}: {ours}, but right is {wrong!r}",
        "0 of 1 right",
    ]


@pytest.mark.parametrize("name", ["title", "samples"])
def test_null_is_not_compared(check, name):
    assert check({**RIGHT, name: None})[0] == 0


def test_a_refused_page_differs(check):
    code, lines = check({**RIGHT, "file": "b.html"}, RIGHT)
    assert code == 1
    assert lines[0] == "differs b.html"
    assert lines[1].startswith("  refused as not-a-problem: ")
    assert lines[2:] == ["right   a.html", "1 of 2 right"]


def test_only_the_named_sites_are_checked(check):
    assert check(RIGHT, sites=["aoj"]) == (0, ["0 of 0 right"])
