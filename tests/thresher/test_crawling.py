"""`thresher crawl` and `thresher probe` as a user runs them, from loopback sites to the export."""

import contextlib
import gzip
import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from tests.crawlers.engine.test_sites import COPIES
from tests.crawlers.judges import loopback
from tests.crawlers.server import serve
from thresher import cli
from thresher.errors import UsageError

ADD = "print(sum(map(int, input().split())))\n"
KITE = "class Solution:\n    def kiteHeight(self, a, b):\n        return a + b\n"
SAME = "print(input())\n"
MADE = {
    "atcoder": ["abc901_a", "abc901_b", "abc902_a", "abc902_b", "arc801_a", "arc801_b"],
    "codeforces": ["11A", "11B", "12C1"],
    "cses": ["2001", "2002", "2003"],
    "kattis": ["geese", "hens2", "owls", "rooks", "swans"],
    "leetcode": ["high-kites", "low-kites"],
}


def thresher(*arguments, code=0, env=None):
    done = subprocess.run(
        [sys.executable, "-m", "thresher", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env=env,
    )
    assert done.returncode == code, done.stderr + done.stdout
    assert "Traceback" not in done.stderr
    return done


def shown(*arguments, code=0):
    return json.loads(thresher(*arguments, "--json", code=code).stdout)


def solutions(folder):
    """Write a right solution of every problem but one, for which there is a wrong one."""
    for site, keys in MADE.items():
        (folder / site).mkdir(parents=True)
        for key in keys:
            text = KITE if site == "leetcode" else SAME if key == "owls" else ADD
            (folder / site / f"{key}.py").write_text(text)
    return folder


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("crawled")
    own = solutions(folder / "own")
    workspace = folder / "workspace"
    with contextlib.ExitStack() as stack:
        servers = {site.name: stack.enter_context(serve(copy())) for site, copy in COPIES}
        mirrors = [f"--mirror={name}={server.home}" for name, server in servers.items()]
        command = ["crawl", *servers, *mirrors, "--contact", "me@example.org", "--delay", 0]
        command += ["--solutions", own, "-w", workspace]
        first = shown(*command)
        asked = sum(len(server.log) for server in servers.values())
        again = shown(*command)
        asked_again = sum(len(server.log) for server in servers.values()) - asked
    return workspace, first, again, asked_again


def test_every_statement_is_decided(crawled):
    _, first, _, _ = crawled
    assert (first["made"], first["aside"], first["known"]) == (18, 1, 0)
    rows = {name: (row["found"], row["problems"]) for name, row in first["by_source"].items()}
    assert rows == {
        "atcoder": (6, 6),
        "codeforces": (3, 3),
        "cses": (3, 3),
        "kattis": (5, 4),
        "leetcode": (2, 2),
    }
    (stage,) = first["stages"]
    assert (stage["name"], stage["lost"]) == ("statements", {"solution-disagrees": 1})


def test_a_rerun_asks_for_nothing_and_decides_nothing(crawled):
    _, _, again, asked = crawled
    assert (again["made"], again["aside"], again["known"]) == (0, 0, 19)
    assert again["pages"]["fetched"] == 0
    assert asked == 0


def test_what_disagrees_is_explained(crawled):
    found = shown("audit", "show", "kattis/owls", "-w", crawled[0])
    (decision,) = found["decisions"]
    assert decision["reason"] == "solution-disagrees"
    assert r"solve('4 5\n') gives '9\n'" in decision["evidence"]
    assert r"'4 5\n'" in decision["evidence"].partition("own solution")[2]


def test_they_are_filtered_and_exported_by_licence(crawled, tmp_path):
    workspace = crawled[0]
    samples = tmp_path / "samples.jsonl"
    found = thresher("audit", "funnel", "-w", workspace).stdout
    assert "19 = 18 kept + 1 dropped" in found
    names = problems(workspace)
    body = "    return str(sum(map(int, stdin.split()))) + '\\n'\n"
    rows = [
        {"task_id": name, "completion": "    return a + b\n" if "leetcode" in name else body}
        for name in names
    ]
    samples.write_text("".join(json.dumps(row) + "\n" for row in rows))
    # Not for their licence, and not for being the same sum: they are to be exported.
    chosen = tmp_path / "filters.toml"
    chosen.write_text('filters = ["reference", "trivial", "stable", "solvable"]\n')
    model = ("--model", f"recorded:{samples}", "--samples", 1, "--config", chosen)
    thresher("filter", "-w", workspace, *model)
    out = tmp_path / "out.jsonl.gz"
    done = shown("export", out, "-w", workspace)
    # The tasks of CSES show one sample each, which a constant answers rightly.
    assert (done["kept"], done["written"]) == (15, 0)
    assert done["withheld"] == {"licence unknown": 11, "licence CC-BY-SA-4.0": 4}
    done = shown("export", out, "--any-licence-from", "kattis", "-w", workspace)
    assert done["written"] == 4
    done = shown("export", out, "--any-licence", "-w", workspace)
    assert done["written"] == 15
    rows = [json.loads(line) for line in gzip.decompress(out.read_bytes()).splitlines()]
    for row in rows:  # our own text, all of it
        space = {}
        exec(row["prompt"] + row["canonical_solution"] + "\n" + row["test"], space)
        space["check"](space[row["entry_point"]])
    thresher("audit", "verify", "-w", workspace)


def problems(workspace):
    from thresher.store.records import Problem
    from thresher.store.workspace import open_reader

    with open_reader(workspace) as opened:
        return [problem.task_id for problem in opened.current(Problem)]


def test_a_site_wants_a_contact(tmp_path):
    done = thresher("crawl", "cses", "-w", tmp_path, code=2)
    assert "--contact me@example.org" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nosuch"], "there is no source 'nosuch'"),
        (["humaneval"], "name the place of its files"),
        (["problem-packages:./none"], "./none does not exist"),
        (["cses", "--mirror", "cses=example.org"], "write SITE=http://"),
        (["cses:"], "behind the colon"),
        (["cses", "--mirror", "csess=http://127.0.0.1"], "no site that is asked for"),
        (["cses", "--contact", "me@example.org", "--mirror", "cses=http://[::1"], "no address"),
        (["codeforces:word"], "'word' names no problem of codeforces"),
        (["cses:\x1b[2J"], r"'\x1b[2J' names no problem"),
        (["exercism", "kattis"], "--contact me@example.org"),
        (["humaneval:.", "humaneval:./none"], "./none does not exist"),
        (["exercism", "--from-files", "."], "crawl exercism on its own"),
        (["cses", "--delay", "nan"], "write a number"),
    ],
)
def test_wrong_use_is_a_sentence(tmp_path, arguments, said):
    done = CliRunner().invoke(cli.cli, ["crawl", *arguments, "-w", str(tmp_path)])
    wrong = done.exception if isinstance(done.exception, UsageError) else None
    assert done.exit_code == (1 if wrong else 2)  # the former becomes 2 where it is said
    assert said in (str(wrong) if wrong else done.stderr)


def test_what_failed_is_counted_and_said(tmp_path):
    (tmp_path / "empty").mkdir()
    pages = {"/problemset/list/": b'<a href="/problemset/task/1">x</a>', "/robots.txt": b""}
    with serve(lambda asked: pages.get(asked.path)) as server:
        mirror = ["--mirror", f"cses={server.home}", "--contact", "me@example.org", "--delay", 0]
        done = shown("crawl", "cses", *mirror, "-w", tmp_path / "w", code=1)
        assert (done["pages"]["fetched"], done["pages"]["failed"]) == (1, {"http-404": 1})
        place = f"humaneval:{tmp_path / 'empty'}"
        done = thresher("crawl", "cses", place, *mirror, "-w", tmp_path / "w", code=1)
    assert "1 failed\n      1   http-404\n" in done.stdout
    assert f"failed: {place}: there is no data set at" in done.stdout


def test_the_sources_are_listed_and_documented(pytestconfig):
    listed = shown("crawl", "--list")["sources"]
    names = {source["name"] for source in listed}
    on = {source["name"] for source in listed if source["crawled"] == "always"}
    assert on == {"exercism", "kattis", "library-checker"}
    page = (pytestconfig.rootpath / "docs" / "sources.md").read_text()
    assert {name for name in names if f"`{name}`" not in page} == set()


def test_more_cases_come_from_a_folder_of_secret_ones(tmp_path):
    package = tmp_path / "sums"
    for name, text in {
        "problem.yaml": "name: Sums\nlicense: cc0\n",
        "problem_statement/problem.md": "Print the sum of all numbers.\n",
        "data/sample/1.in": "1 2\n",
        "data/sample/1.ans": "3\n",
        "submissions/accepted/a.py": ADD,
        "more/big.in": "10 20 30\n",
        "more/big.ans": "60\n",
        "more/none.in": "0\n",
        "more/none.ans": "0\n",
        "more/long.in": "1" * 100_001,
        "more/long.ans": "1\n",
        "more/secret.ans": "1\n",
        "outside": "private\n",
    }.items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    workspace = tmp_path / "w"
    assert shown("crawl", f"problem-packages:{package}", "-w", workspace)["made"] == 1
    (name,) = problems(workspace)
    (package / "more" / "secret.in").symlink_to(package / "outside")
    done = shown("probe", name.rpartition("-")[0], "--secret", package / "more", "-w", workspace)
    assert (done["before"], done["found"], done["stopped"]) == (1, 2, "")
    assert problems(workspace) == [name]
    found = shown("audit", "show", name, "-w", workspace)
    origins = [case["origin"] for case in found["problem"]["cases"]]
    assert origins == ["statement", "judge", "judge"]
    thresher("audit", "verify", "-w", workspace)
    none = thresher("probe", name, "--secret", package / "data" / "sample" / "..", "-w", workspace)
    assert "found" in none.stdout
    wrong = thresher("probe", "nothing", "--secret", package, "-w", workspace, code=2)
    assert "is no name of one problem" in wrong.stderr


def test_the_session_is_the_users(tmp_path):
    assert loopback.SESSION  # set in no environment here
    workspace = tmp_path / "w"
    page = tmp_path / "pages" / "leetcode" / "kites.json"
    page.parent.mkdir(parents=True)
    from tests.crawlers.engine.test_sites import leetcode_question

    question = {"data": {"question": leetcode_question("high-kites")}}
    page.write_text(json.dumps(question))
    thresher("crawl", "leetcode", "--from-files", tmp_path / "pages", "-w", workspace)
    done = thresher("probe", "leetcode/high-kites", "-w", workspace, code=2)
    assert "THRESHER_LEETCODE_SESSION" in done.stderr


def test_only_problems_of_leetcode_are_asked_of_it(crawled):
    env = {"THRESHER_LEETCODE_SESSION": "mine", "THRESHER_LEETCODE_CSRF": "mine"}
    for task, home, said in [
        ("kattis/geese", "http://127.0.0.1:9", "isn't of LeetCode"),
        ("leetcode/high-kites", "file:///etc", "is no address"),
        ("leetcode/high-kites", "--secret", "isn't about a program"),
    ]:
        place = ["--secret", str(crawled[0])] if home == "--secret" else ["--home", home]
        arguments = ["probe", task, *place, "-w", str(crawled[0])]
        done = CliRunner().invoke(cli.cli, arguments, env=env)
        assert said in str(done.exception)
