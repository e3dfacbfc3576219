"""Statements become problems that their own solutions pass, or are set aside with the reason."""

from collections.abc import Iterator

import msgspec
import pytest

from tests.store.builders import source
from thresher.crawlers import assemble
from thresher.crawlers.statement import (
    Call,
    Parameter,
    Sample,
    Signature,
    Solution,
    Statement,
)
from thresher.errors import InfrastructureError, SourceError
from thresher.judging import Judged, Judges
from thresher.store import data
from thresher.store.records import Decision, Problem, Record, Source

RAW = source()
SUM = "a, b = map(int, input().split())\nprint(a + b)\n"
PRODUCT = "a, b = map(int, input().split())\nprint(a * b)\n"


@pytest.fixture(scope="module")
def judges() -> Iterator[Judges]:
    with Judges(1) as pool:
        yield pool


def program(*solutions: str, **changes: object) -> Statement:
    fields: dict[str, object] = {
        "site": "demo",
        "key": "add",
        "title": "Add",
        "kind": "stdio",
        "text": "Print the sum of two numbers.",
        "samples": (Sample("1 2\n", "3\n"), Sample("2 2\n", "4\n")),
        "solutions": tuple(Solution("python", text) for text in solutions),
        **changes,
    }
    return Statement(**fields)  # type: ignore[arg-type]


def function(solution: str, out: int = 6) -> Statement:
    return Statement(
        site="demo",
        key="double",
        title="Double",
        kind="function",
        text="Return twice the number.",
        signature=Signature("double", (Parameter("n", "int"),), "int"),
        calls=(Call({"n": 1}, 2), Call({"n": 3}, out)),
        solutions=(Solution("python", solution),),
    )


def untyped(solution: str, *calls: Call, site: str = "exercism") -> Statement:
    return Statement(
        site=site,
        key="f",
        title="F",
        kind="function",
        text="Do it.",
        calls=calls[:1],
        hidden_calls=calls[1:],
        signature=Signature("f", (Parameter("n"),)),
        solutions=(Solution("python", solution),),
    )


def made(found: Statement | SourceError, judges: Judges) -> tuple[list[Record], Decision]:
    *records, decision = assemble.make("demo/page.html", found, RAW, judges)
    assert isinstance(decision, Decision)
    return records, decision


def test_a_program_with_its_solution_is_a_problem(judges: Judges) -> None:
    (kept, problem), decision = made(program(SUM), judges)
    assert kept == RAW
    assert isinstance(problem, Problem)
    assert (problem.style, problem.entry_point) == ("stdio", "solve")
    assert problem.canonical_solution == SUM
    assert [case.shown for case in problem.cases] == [True, True]
    assert (decision.subject, decision.filter, decision.keep, decision.reason) == (
        "demo/add",
        "crawl",
        True,
        "made",
    )
    assert decision.evidence.startswith(f"{problem.task_id}: ")
    assert "the solution passes 2 cases, 2 of them shown" in decision.evidence


def test_a_function_with_its_solution_is_a_problem(judges: Judges) -> None:
    (_, problem), decision = made(function("def double(n):\n    return 2 * n\n"), judges)
    assert isinstance(problem, Problem)
    assert (problem.style, problem.entry_point, decision.keep) == ("function", "double", True)


def test_the_line_that_disagrees_is_named(judges: Judges) -> None:
    (_,), decision = made(program(PRODUCT), judges)
    assert (decision.subject, decision.keep, decision.reason) == (
        "demo/add",
        False,
        "solution-disagrees",
    )
    assert r"case 1 of 2: solve('1 2\n') gives '3\n'" in decision.evidence
    assert r"'2\n'" in decision.evidence  # what the solution printed
    (_,), decision = made(function("def double(n):\n    return 2 * n\n", out=7), judges)
    assert "case 2 of 2: double(3) gives 7, its own solution: fail: returned 6" in decision.evidence


def test_the_first_solution_that_is_right_counts(judges: Judges) -> None:
    (_, problem), _ = made(program("print 'old'\n", PRODUCT, SUM), judges)
    assert isinstance(problem, Problem)
    assert problem.canonical_solution == SUM


def test_a_solution_that_can_be_exported_comes_first(judges: Judges) -> None:
    descriptors = "import os\nprint(sum(map(int, os.read(0, 99).split())))\n"
    (_, problem), _ = made(program(descriptors, SUM), judges)
    assert isinstance(problem, Problem)
    assert problem.canonical_solution == SUM
    (_, problem), _ = made(program(descriptors), judges)
    assert isinstance(problem, Problem)
    assert problem.canonical_solution == descriptors


def test_a_problem_without_a_solution_is_kept_and_says_so(judges: Judges) -> None:
    wrong = Solution("python", PRODUCT, right=False)
    old = Solution("python", "print input()\n")
    (_, problem), decision = made(
        program(solutions=(wrong, old, Solution("c++", "int main;"))), judges
    )
    assert isinstance(problem, Problem)
    assert (problem.canonical_solution, decision.keep) == ("", True)
    assert "no solution is known" in decision.evidence


@pytest.mark.parametrize("kind", ["interactive", "sql", "listing", "locked"])
def test_other_kinds_are_set_aside_by_name(kind: str, judges: Judges) -> None:
    (_,), decision = made(program(kind=kind, samples=()), judges)
    assert (decision.subject, decision.keep, decision.reason) == ("demo/add", False, kind)


def test_a_page_without_a_statement_keeps_its_source(judges: Judges) -> None:
    (kept,), decision = made(SourceError("not-a-problem", "a list of contests"), judges)
    assert isinstance(kept, Source)
    assert (decision.subject, decision.reason, decision.evidence) == (
        "demo/page.html",
        "not-a-problem",
        "a list of contests",
    )


def test_a_stated_licence_makes_a_source_of_its_own(judges: Judges) -> None:
    stated = program(SUM, licence="CC0-1.0", licence_evidence="the page says CC0")
    (kept, problem), _ = made(stated, judges)
    assert isinstance(kept, Source)
    assert isinstance(problem, Problem)
    assert (kept.licence, kept.licence_evidence) == ("CC0-1.0", "the page says CC0")
    assert kept.id == problem.source != RAW.id
    assert kept.sha256 == RAW.sha256


def test_a_sandbox_that_fails_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = Judged("infrastructure_error", None, "no sandbox", 0.0, 0.0)
    with Judges(1) as judges:
        monkeypatch.setattr(judges, "verdict", lambda *_: failed)
        with pytest.raises(InfrastructureError, match="no sandbox"):
            assemble.make("demo/page", program(SUM), RAW, judges)


def test_answers_that_are_equal_for_python_are_those_of_the_solution(judges: Judges) -> None:
    code = "def f(n):\n    return [n / 1, {n: n}]\n"
    calls = (Call({"n": 8}, [8, {8: 8}]), Call({"n": 9}, [9.0, {9: 9}]), Call({"n": "a"}, 0))
    raising = msgspec.structs.replace(calls[2], raises="TypeError")
    (_, problem), decision = made(untyped(code, *calls[:2], raising), judges)
    assert isinstance(problem, Problem)
    assert "Output: [8.0, {8: 8}]" in problem.prompt
    assert [data.render(case.expected) for case in problem.cases[:2]] == [
        "[8.0, {8: 8}]",
        "[9.0, {9: 9}]",
    ]
    assert "the == of the source's tests" in decision.evidence


def test_a_dictionary_may_be_of_a_class_of_its_own(judges: Judges) -> None:
    code = "from collections import Counter\n\n\ndef f(n):\n    return Counter(n)\n"
    (_, problem), _ = made(untyped(code, Call({"n": "aab"}, {"a": 2, "b": 1})), judges)
    assert isinstance(problem, Problem)
    assert "Output: Counter({'a': 2, 'b': 1})" in problem.prompt


@pytest.mark.parametrize(
    ("answer", "given"), [(8, "8.5"), (True, "1"), ([8], "(8,)"), ({"a": 1}, "{'b': 1.0}")]
)
def test_other_answers_disagree(judges: Judges, answer: object, given: str) -> None:
    code = f"def f(n):\n    return {given}\n"
    (_,), decision = made(untyped(code, Call({"n": 1}, answer)), judges)
    assert decision.reason == "solution-disagrees"


def test_types_of_other_sources_are_kept(judges: Judges) -> None:
    found = untyped("def f(n):\n    return n / 1\n", Call({"n": 8}, 8), site="demo")
    (_,), decision = made(found, judges)
    assert decision.reason == "solution-disagrees"
    given = msgspec.structs.replace(found, site="humaneval", prompt="def f(n):\n")
    (_,), decision = made(given, judges)
    assert decision.reason == "solution-disagrees"
