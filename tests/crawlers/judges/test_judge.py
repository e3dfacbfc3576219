import pytest

from tests.crawlers.judges.problems import case, problem, stdio
from thresher.crawlers.judges.judge import Report, case_of
from thresher.errors import SourceError


def test_a_report_on_a_function_has_a_line_for_each_argument() -> None:
    found = case_of(problem(), Report("wrong", "[3,4]\n5\n", "2"))
    assert found == case([3, 4], 5, expected=2, origin="judge")
    assert (found.origin, found.shown) == ("judge", False)


def test_texts_null_and_booleans_are_read_as_json() -> None:
    prompt = 'def f(a: str, b: bool) -> str:\n    """."""\n'
    made = problem(prompt, "", [], entry_point="f")
    found = case_of(made, Report("wrong", '"x,\\n[y"\ntrue', '""'))
    assert found == case("x,\n[y", True, expected="", origin="judge")


def test_a_report_on_a_program_has_its_texts() -> None:
    found = case_of(stdio(), Report("wrong", " 3 4 \r\n", "7"))
    assert found == case(" 3 4\n", expected="7\n", origin="judge")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("[1,2,3", "1"),
        ("[1,2,3]\n4\n5", "1"),
        ("[1,2,3]", "1"),
        ("[1,2,3]\n4", "many"),
        ("[1,2,3]\n4", "1.5"),
        ("[1,2,...]\n4", "1"),
        ("[1,2]\n__import__('os')", "1"),
    ],
)
def test_what_is_cut_or_of_another_type_is_refused(given: str, expected: str) -> None:
    with pytest.raises(SourceError) as caught:
        case_of(problem(), Report("wrong", given, expected))
    assert caught.value.reason == "example-unreadable"
