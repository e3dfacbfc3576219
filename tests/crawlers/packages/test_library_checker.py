"""Problems of Library Checker become statements where the outputs of their samples were made."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.crawlers.packages.put import put
from tests.crawlers.packages.test_licence import APACHE
from thresher.crawlers.packages.library_checker import COLLECTION
from thresher.crawlers.statement import Sample, Solution, Statement
from thresher.errors import SourceError
from thresher.store.records import Comparator

INFO = """\
title = 'Pile Sum'
timelimit = 2.0
[[tests]]
    name = "example.in"
    number = 1
[[solutions]]
    name = "wrong.py"
    expect = "WA"
[[solutions]]
    name = "slow.py"
    expect = "TLE"
[[solutions]]
    name = "part.cpp"
    function = true
[params]
    N_MAX = 1_000
"""
TASK = """\
## @{keyword.statement}

@{lang.en}
Print the sum of $N$ stones.
@{lang.ja}
石の和を出力してください。
@{lang.end}

## @{keyword.constraints}

- $1 \\leq N \\leq @{param.N_MAX}$

## @{keyword.input}

```
$N$
```

## @{keyword.sample}

@{example.example_00}
"""


def problem(**more):
    """Return the files of a problem; None leaves one out."""
    files = {
        "info.toml": INFO,
        "task.md": TASK,
        "checker.cpp": 'int main() {\n    setName("compare sequences of tokens");\n}\n',
        "gen/example_00.in": "1\n2\n",
        "in/example_00.in": "1\n2\n",
        "out/example_00.out": "2\n",
        "in/random_00.in": "2\n3 4\n",
        "out/random_00.out": "7\n",
        "in/random_01.in": "1\n9\n",
        "sol/correct.cpp": "int main() {}\n",
        "sol/correct.py": "print(2)\n",
        "sol/wrong.py": "print(3)\n",
        "sol/slow.py": "print(4)\n",
        "sol/part.cpp": "int solve() {}\n",
        "sol/notes.txt": "",
    }
    return {name: content for name, content in (files | more).items() if content is not None}


def repository(root, problems):
    """Write a checkout of the repository with problems by name."""
    put(root, {"LICENSE": APACHE, "categories.toml": ""})
    for name, files in problems.items():
        put(root / "sums" / name, files)
    return root


def read(path):
    """Return what is found, by its key."""
    return {found.name: found.statement for found in COLLECTION.read(path)}


def only(root, **more):
    """Return what is found in one problem."""
    return read(repository(root, {"pile_sum": problem(**more)}))["pile_sum"]


def test_a_problem_is_a_statement(tmp_path):
    assert only(tmp_path) == Statement(
        site="library-checker",
        key="pile_sum",
        url="https://judge.yosupo.jp/problem/pile_sum",
        title="Pile Sum",
        kind="stdio",
        text=(
            "## Problem Statement\n\nPrint the sum of $N$ stones.\n\n"
            "## Constraints\n\n- $1 \\leq N \\leq 1000$\n\n## Input\n\n```\n$N$\n```\n"
        ),
        samples=(Sample("1\n2\n", "2\n"),),
        hidden=(Sample("2\n3 4\n", "7\n"),),
        comparator=Comparator(kind="tokens"),
        comparator_evidence="checker.cpp compares words",
        time_limit=2.0,
        tags=("sums",),
        licence="Apache-2.0",
        licence_evidence="LICENSE, line 2: Apache License",
        solutions=(
            Solution("python", "print(2)\n"),
            Solution("python", "print(3)\n", right=False),
            Solution("c++", "int main() {}\n"),
        ),
    )


def test_a_checker_of_its_own_is_told(tmp_path):
    found = only(tmp_path, **{"checker.cpp": "int main() {}\n"})
    assert found.comparator == Comparator(kind="checker")
    assert found.flags == ("checker", "multiple_answers")
    assert found.comparator_evidence == "checker.cpp is its own"


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"out/example_00.out": None}, "sample-without-output"),
        ({"in/example_00.in": None}, "sample-without-output"),
        ({"checker.cpp": None}, "no-file"),
        ({"task.md": None}, "no-file"),
        ({"task.md": b"\xff"}, "no-text"),
        ({"task.md": "@{param.K}"}, "bad-info"),
        ({"info.toml": "title = "}, "bad-info"),
        ({"info.toml": "params = 1"}, "bad-info"),
    ],
)
def test_what_cant_be_used_is_set_aside_by_name(tmp_path, files, reason):
    found = only(tmp_path, **files)
    assert isinstance(found, SourceError)
    assert found.reason == reason


def test_it_says_how_to_make_the_outputs(tmp_path):
    found = only(tmp_path, **{"out/example_00.out": None})
    assert "`generate.py -p pile_sum`" in str(found)


@pytest.mark.parametrize(
    "info",
    [
        "title = 1\ntimelimit = 'x'\nsolutions = 3\n[params]\nN_MAX = 1\n",
        "timelimit = -1\nsolutions = [1, {name = 2}, {name = 'wrong.py', wrong = [1]}]\n"
        "[params]\nN_MAX = '1'\n",
        "timelimit = nan\nsolutions = [{name = 'wrong.py', expect = {a = 1}}]\n"
        "[params]\nN_MAX = 0.5\n",
    ],
)
def test_values_of_the_wrong_shape_are_passed_over(tmp_path, info):
    found = only(tmp_path, **{"info.toml": info})
    assert isinstance(found, Statement)
    assert (found.title, found.time_limit) == ("pile_sum", None)


def test_a_bad_problem_stops_no_other(tmp_path):
    found = read(repository(tmp_path, {"b": problem(), "a": problem(**{"info.toml": "x"})}))
    assert list(found) == ["a", "b"]
    assert found["a"].reason == "bad-info"
    assert isinstance(found["b"], Statement)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(sorted(problem())), st.data())
def test_broken_files_raise_nothing(tmp_path, name, data):
    content = problem()[name].encode()
    at = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(at, min(len(content), at + 40)))
    junk = data.draw(st.binary(max_size=4) | st.sampled_from([b"[" * 500, b"@{", b"@{param.X}"]))
    broken = problem() | {name: content[:at] + junk + content[end:]}
    for found in COLLECTION.read(put(tmp_path / "pile_sum", broken)):
        assert isinstance(found.statement, (Statement, SourceError))
