"""Statements of programs become problems, or are set aside by a reason."""

import ast

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store import builders
from thresher.crawlers import programs
from thresher.crawlers.statement import Sample, Solution, Statement
from thresher.errors import SourceError
from thresher.store.records import Comparator, Problem

TWICE = Statement(
    site="demo",
    key="1A",
    url="https://example.org/1A",
    title="Twice",
    kind="stdio",
    text="Print twice the number.\n\nInput: a number \\(n\\).",
    samples=(Sample("3\n", "6\n"), Sample("\n  4\n\n5\n", "8\n10\n")),
    hidden=(Sample("7\n", "14\n"),),
    comparator=Comparator(kind="tokens"),
    time_limit=1.5,
    memory_limit=256,
    solutions=(
        Solution("python", "print 2 * input()"),
        Solution("cpp", "int main() {}"),
        Solution("python", "print(0)", right=False),
        Solution("python", "\ufeffimport re\r\nprint(2 * int(input()))\r\n\r\n"),
        Solution("python", "print(int(input()) * 2)"),
    ),
)


def made(**changed: object) -> Problem:
    statement = msgspec.structs.replace(TWICE, **changed)
    return programs.problem(statement, builders.source())


def reason(**changed: object) -> str:
    with pytest.raises(SourceError) as caught:
        made(**changed)
    assert str(caught.value).startswith("demo/1A ")
    return caught.value.reason


def test_a_statement_becomes_a_problem() -> None:
    problem = made()
    assert problem.prompt == (
        '"""Twice\n'
        "\n"
        "Print twice the number.\n"
        "\n"
        "Input: a number \\\\(n\\\\).\n"
        "\n"
        "Time limit: 1.5 s. Memory limit: 256 MiB.\n"
        "\n"
        "Example 1:\n"
        "\n"
        "Input:\n"
        "    3\n"
        "Output:\n"
        "    6\n"
        "\n"
        "Example 2:\n"
        "\n"
        "Input:\n"
        "\n"
        "      4\n"
        "\n"
        "    5\n"
        "Output:\n"
        "    8\n"
        "    10\n"
        '"""\n'
    )
    assert problem.canonical_solution == "import re\nprint(2 * int(input()))\n"
    assert [(c.args, c.expected, c.origin, c.shown) for c in problem.cases] == [
        (("3\n",), "6\n", "statement", True),
        (("\n  4\n\n5\n",), "8\n10\n", "statement", True),
        (("7\n",), "14\n", "judge", False),
    ]
    assert (problem.style, problem.entry_point, problem.source) == ("stdio", "solve", "demo")
    assert problem.task_id.startswith("demo/1A-")
    assert problem.derivation.how == "3 of 3 cases, 2 of the statement"
    assert problem.derivation.file == "https://example.org/1A"


def test_a_problem_without_a_known_solution_has_none() -> None:
    for solutions in ((), TWICE.solutions[:3]):
        problem = made(solutions=solutions, time_limit=None, memory_limit=None)
        assert problem.canonical_solution == ""
        assert "limit" not in problem.prompt
    assert problem.task_id != made().task_id


@pytest.mark.parametrize(
    ("text", "right"),
    [("print(1)", True), ("print 1", False), ("", False), ("# nothing", False), ("\0", False),
     ("print('\\d')", True), ("(" * 9999, False)],
)  # fmt: skip
def test_what_is_python(text: str, right: bool) -> None:
    assert programs.is_python(text) is right


@pytest.mark.parametrize("kind", ["interactive", "sql", "locked", "listing"])
def test_other_kinds_are_set_aside_by_name(kind: str) -> None:
    assert reason(kind=kind, samples=(), hidden=()) == kind


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"samples": (), "hidden": ()}, "no-samples"),
        ({"text": " \n"}, "no-statement"),
        ({"flags": ("truncated_statement",)}, "truncated-statement"),
        ({"flags": ("image", "multiple_answers")}, "several-answers"),
        ({"flags": ("checker", "multiple_answers")}, "needs-checker"),
        ({"comparator": Comparator(kind="checker")}, "needs-checker"),
        ({"hidden": (Sample("3\n", "7\n"),)}, "samples-contradict"),
    ],
)
def test_what_is_no_problem_is_set_aside_by_its_reason(
    changed: dict[str, object], why: str
) -> None:
    assert reason(**changed) == why


def test_cases_are_few_short_and_none_twice() -> None:
    hidden = [Sample("3\n", "6 \n"), Sample("x" * 100_000, "y\n")]
    hidden += [Sample(f"{n}\n", f"{2 * n}\n") for n in range(100, 200)]
    problem = made(hidden=tuple(hidden))
    assert len(problem.cases) == 2 + 50
    assert problem.cases[2].args == ("100\n",)
    assert problem.derivation.how == "52 of 104 cases, 2 of the statement"


def test_hidden_cases_are_enough() -> None:
    problem = made(samples=())
    assert [case.shown for case in problem.cases] == [False]
    assert "Example" not in problem.prompt


@pytest.mark.parametrize(("kind", "meant"), [("exact", "lines"), ("float", "tokens")])
def test_comparators_of_values_have_a_meaning_for_text(kind: str, meant: str) -> None:
    problem = made(comparator=Comparator(kind=kind, absolute=0.5))
    assert problem.comparator == Comparator(kind=meant, absolute=0.5)


def test_flags_become_tags() -> None:
    assert made(flags=("score", "image")).tags == ("image", "score")


TEXTS = st.text(st.characters() | st.sampled_from("\\\"'\n\r\t\0\ud800"), max_size=30)


@given(TEXTS, TEXTS, st.tuples(TEXTS, TEXTS))
def test_any_text_makes_a_docstring_that_says_it(
    title: str, text: str, sample: tuple[str, str]
) -> None:
    text = f"{text}\nThat is all."
    problem = made(title=title, text=text, samples=(Sample(*sample),), hidden=())
    problem.prompt.encode()
    said = ast.literal_eval(problem.prompt)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "replace").decode()
    assert all(line.strip() in said for line in lines.strip().split("\n"))
