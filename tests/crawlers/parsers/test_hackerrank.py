import json

import pytest
from hypothesis import given, settings

from tests.crawlers import broken
from thresher.crawlers.parsers import hackerrank
from thresher.crawlers.statement import Sample
from thresher.errors import SourceError

URL = "https://www.hackerrank.com/rest/contests/master/challenges/hens"
PART = """<div class='challenge_{0}'><div class='msB challenge_{0}_title'>
<p><strong>{1}</strong></p></div>
<div class='msB challenge_{0}_body'><div class='hackdown-content'>{2}</div></div></div>"""
DRAWN = """<span class="MathJax_SVG" id="MathJax-Element-1-Frame"><svg width="2ex">{0}
<g><path d="M234 637Q231 637"></path></g></svg></span>"""
GLYPHS = '<svg style="display: none;"><defs id="MathJax_SVG_glyphs"></defs></svg>'


def body(count="them", samples=1):
    parts = [
        "<div class='challenge_problem_statement'><div class='msB'><div class='hackdown-content'>"
        f"{GLYPHS}<p>Count {count} all.</p></div></div></div>",
        PART.format("input_format", "Input Format", "<p>A number.</p>"),
        PART.format("output_format", "Output Format", "<p>Print it.</p>"),
    ]
    for n in range(samples):
        name = f" {n}" if samples > 1 else ""
        block = "<pre><code>{0}\n</code></pre>"
        parts += [
            PART.format("sample_input", f"Sample Input{name}", block.format(f"{n} 1")),
            PART.format("sample_output", f"Sample Output{name}", block.format(n)),
            PART.format("explanation", f"Explanation{name}", "<p>Why.</p><pre>no</pre>"),
        ]
    return "".join(parts)


def answer(html=None, **more):
    model = {
        "id": 9,
        "slug": "hens",
        "name": "Hens",
        "kind": "code",
        "languages": ["c", "cpp", "python3"],
        "track": {"id": 1, "name": "Warmup", "slug": "warmup", "track_name": "Algorithms"},
        "body_html": body() if html is None else html,
        **more,
    }
    return json.dumps({"status": True, "model": model}).encode()


def test_an_answer():
    found = hackerrank.parse(answer(), URL)
    assert (found.key, found.title, found.kind) == ("hens", "Hens", "stdio")
    assert found.samples == (Sample("0 1\n", "0\n"),)
    assert (found.tags, found.flags) == (("Algorithms", "Warmup"), ())
    assert found.text == (
        "Count them all.\n\nInput Format\n\nA number.\n\nOutput Format\n\nPrint it."
    )


def test_several_samples():
    found = hackerrank.parse(answer(body(samples=2)), URL)
    assert found.samples == (Sample("0 1\n", "0\n"), Sample("1 1\n", "1\n"))


def test_the_function_in_the_editor_is_no_matter():
    stub = "<p><strong>Function Description</strong></p><p>Complete the function hens.</p>"
    found = hackerrank.parse(answer(stub + body()), URL)
    assert "Complete" not in found.text
    assert "Print it." in found.text


def test_formulas_that_are_only_drawn_are_pictures():
    found = hackerrank.parse(answer(body(DRAWN.format(""))), URL)
    assert found.text.startswith("Count [image: formula] all.")
    assert found.flags == ("image",)


def test_formulas_with_a_title_are_read():
    found = hackerrank.parse(answer(body(DRAWN.format("<title>n^2</title>"))), URL)
    assert found.text.startswith("Count $n^2$ all.")
    assert found.flags == ()


def test_challenges_for_databases():
    found = hackerrank.parse(answer(languages=["mysql", "oracle", "tsql", "db2"]), URL)
    assert (found.kind, found.samples) == ("sql", ())


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (answer(languages=["bash"]), "other-language"),
        (answer(kind="multiple_choice"), "not-a-problem"),
        (answer(""), "not-a-problem"),
        (b'{"status": false, "message": "not found"}', "not-a-problem"),
        (b'{"models": [], "total": 0}', "not-a-problem"),
        (b"<html>", "broken-json"),
    ],
)
def test_other_answers_are_refused(source, reason):
    with pytest.raises(SourceError) as refused:
        hackerrank.parse(source, URL)
    assert refused.value.reason == reason


@settings(max_examples=25, deadline=None)
@given(broken.pages(answer(body(DRAWN.format(""), samples=2))))
def test_broken_answers_are_read_or_refused(source):
    try:
        assert hackerrank.parse(source, "").site == "hackerrank"
    except SourceError as error:
        assert error.reason


@settings(max_examples=25, deadline=None)
@given(broken.pages(body(DRAWN.format("<title>n</title>"), samples=2).encode()))
def test_broken_statements_are_read_or_refused(html):
    try:
        assert hackerrank.parse(answer(html.decode("utf-8", "ignore")), "").site == "hackerrank"
    except SourceError as error:
        assert error.reason
