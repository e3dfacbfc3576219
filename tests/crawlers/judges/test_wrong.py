import ast
from collections.abc import Callable, Iterator

import msgspec
import pytest

from tests.crawlers.judges.problems import ADDING, PROMPT, case, problem, stdio
from thresher.crawlers.judges import wrong
from thresher.crawlers.judges.wrong import Wrong
from thresher.errors import SourceError
from thresher.judging import Judges
from thresher.store.records import Problem


def kinds(made: Problem) -> list[str]:
    return [each.kind for each in wrong.programs(made)]


def body(program: Wrong) -> str:
    """Return the last statement of the function in a wrong program."""
    function = ast.parse(program.program).body[-1]
    assert isinstance(function, ast.FunctionDef)
    return ast.unparse(function.body[-1])


def test_kinds_come_in_turn() -> None:
    made = problem(cases=[case([], 1, expected=0), case([1], 5, expected=1)])
    assert kinds(made)[:7] == [
        *("constant", "echo", "off by one", "mutant"),
        *("constant", "echo", "off by one"),
    ]


def test_constants_are_answers_that_are_known_and_echoes_are_parameters() -> None:
    made = list(wrong.programs(problem(solution="")))
    assert [(each.kind, each.how, body(each)) for each in made] == [
        ("constant", "always None", "return None"),
        ("echo", "returns nums", "return nums"),
        ("constant", "always 1", "return 1"),
        ("echo", "returns most", "return most"),
    ]


def test_no_more_than_three_constants() -> None:
    cases = [case([n], 9, expected=n) for n in (1, 2, 2, 3, 4)]
    made = wrong.programs(problem(solution="", cases=cases))
    constants = [body(each) for each in made if each.kind == "constant"]
    assert constants == ["return None", "return 1", "return 2"]


def test_a_reference_is_changed_in_one_place_at_a_time() -> None:
    made = {each.how: each.kind for each in wrong.programs(problem())}
    assert {how: kind for how, kind in made.items() if kind in ("off by one", "mutant")} == {
        "line 3: 1": "off by one",
        "line 3: -1": "off by one",
        "line 5: n <= most": "mutant",
        "line 5: if not n < most:\n    count += 1": "mutant",
        "line 6: 2": "off by one",
        "line 6: 0": "off by one",
        "line 6: count -= 1": "mutant",
    }


def test_the_prompt_stays_as_it_is() -> None:
    prompt = 'LIMIT = 7\n\n\ndef f(x: int = 3) -> int:\n    """Add."""\n'
    made = problem(prompt, "    return x + LIMIT\n", [case(1, expected=8)], entry_point="f")
    for each in wrong.programs(made):
        assert "LIMIT = 7" in each.program
        assert "x: int=3" in each.program


def test_wrong_programs_that_print() -> None:
    made = {each.how: each for each in wrong.programs(stdio(solution=""))}
    assert list(made) == ["always ''", "prints what it reads", "always '3\\n'"]
    assert made["always '3\\n'"].program.endswith("print('3\\n', end='')\n")


def test_no_program_comes_twice_and_none_is_the_reference() -> None:
    made = [each.program for each in wrong.programs(problem())]
    assert len(made) == len(set(made))
    assert (
        ast.unparse(ast.parse(problem().prompt + problem().canonical_solution)) + "\n" not in made
    )


@pytest.fixture(scope="module")
def judged() -> Iterator[Callable[[Problem, str], str]]:
    with Judges(1) as judges:
        yield lambda made, program: judges.verdict(made, program).verdict


def test_a_function_that_knows_cases_is_right_on_them_alone(
    judged: Callable[[Problem, str], str],
) -> None:
    given = [case([1, 5], 3, expected=1), case([], 0, expected=0)]
    program = f"{PROMPT}    return 99\n"
    knowing = wrong.knowing(problem(), program, given)
    other = case([9], 1, expected=99)
    assert judged(problem(cases=[*given, other]), knowing) == "pass"
    assert judged(problem(cases=given), program) == "fail"


def test_a_program_that_knows_cases_is_right_on_them_alone(
    judged: Callable[[Problem, str], str],
) -> None:
    given = [case("1 2\n", expected="3\n"), case("", expected="0\n")]
    knowing = wrong.knowing(
        stdio(), '"""Doc."""\nfrom __future__ import annotations\n' + ADDING, given
    )
    more = [case("1   2", expected="3\n"), case("5 6\n", expected="11\n")]
    assert judged(stdio(*given, *more), knowing) == "pass"
    assert judged(stdio(*given), ADDING) == "fail"


def test_a_program_that_knows_cases_can_read_in_every_way(
    judged: Callable[[Problem, str], str],
) -> None:
    for reading in ("sys.stdin.read()", "sys.stdin.buffer.read().decode()", "input()"):
        program = f"import sys\nprint(int({reading}) + 1)\n"
        knowing = wrong.knowing(stdio(), program, [case("0\n", expected="7\n")])
        cases = [case("0\n", expected="7\n"), case("1\n", expected="2\n")]
        assert judged(stdio(*cases), knowing) == "pass"


@pytest.mark.parametrize(
    "changes",
    [
        {"kwargs": {"most": 1}},
        {"raises": "ValueError"},
        {"after": {"0": [1]}},
        {"expected": {"instance": ["ListNode", [["val", 1]]]}},
        {"args": ({"decimal": ["1.5"]},)},
    ],
)
def test_other_than_plain_calls_are_refused(changes: dict[str, object]) -> None:
    odd = msgspec.structs.replace(case([1], 1, expected=1), **changes)
    with pytest.raises(SourceError) as caught:
        wrong.check(problem(cases=[odd]))
    assert caught.value.reason == "no-plain-calls"


def test_classes_to_be_designed_are_refused() -> None:
    with pytest.raises(SourceError, match="plain arguments"):
        wrong.check(msgspec.structs.replace(problem(), tags=("design_class",)))


def test_a_prompt_that_ends_in_no_function_is_refused() -> None:
    with pytest.raises(SourceError, match="ends in no function"):
        list(wrong.programs(problem('"""Count."""\n', "def countBelow(a, b):\n    return 1\n")))


def test_a_problem_without_its_function_is_refused() -> None:
    with pytest.raises(SourceError, match="no function other"):
        list(wrong.programs(problem(entry_point="other")))
