import itertools
from collections.abc import Iterator

import msgspec
import pytest

from tests.crawlers.judges.problems import Played, case, problem, stdio
from thresher.crawlers.judges.collect import Budget, collect
from thresher.crawlers.judges.judge import Report
from thresher.crawlers.judges.local import Local
from thresher.errors import InfrastructureError, SourceError, UsageError
from thresher.judging import Judges

SECRET = (
    case([1, 5], 3, expected=1),
    case([], 7, expected=0),
    case([2, 2, 2], 2, expected=0),
    case([-1, -2, 0], 1, expected=3),
)
SECRET_TEXTS = (
    case("1 2\n", expected="3\n"),
    case("0\n", expected="0\n"),
    case("10 20 30\n", expected="60\n"),
)
NEVER = Report("failed", said="Runtime Error")


@pytest.fixture(scope="module")
def judges() -> Iterator[Judges]:
    with Judges(1) as pool:
        yield pool


def numbered() -> Iterator[Report]:
    """Yield reports on ever new cases."""
    return (Report("wrong", f"[{n}]\n{n}", "0") for n in itertools.count(100))


def test_a_local_judge_gives_its_secret_cases_of_a_function(judges: Judges) -> None:
    made = problem()
    found = list(collect(made, Local(made, SECRET, judges)))
    inputs = [each.args for each in found]
    assert sorted(map(repr, inputs)) == sorted(repr(each.args) for each in SECRET[1:])
    assert {(each.origin, each.shown) for each in found} == {("judge", False)}
    assert {repr(each.args): each.expected for each in found} == {
        repr(each.args): each.expected for each in SECRET[1:]
    }


def test_a_local_judge_gives_its_secret_cases_of_a_program(judges: Judges) -> None:
    made = stdio()
    found = list(collect(made, Local(made, SECRET_TEXTS, judges)))
    assert [(each.args, each.expected) for each in found] == [
        (("0\n",), "0\n"),
        (("10 20 30\n",), "60\n"),
    ]


def test_cases_are_found_without_a_reference_too(judges: Judges) -> None:
    made = stdio(solution="")
    assert len(list(collect(made, Local(made, SECRET_TEXTS, judges)))) == 2


def test_a_mutant_finds_the_case_that_tells_it_from_the_reference(judges: Judges) -> None:
    """Only ``n <= most`` fails on the last case, and on no other."""
    made = problem()
    boundary = case([2, 2, 2], 2, expected=0)
    judge = Local(made, (SECRET[0], boundary), judges)
    lines: list[str] = []
    assert [each.args for each in collect(made, judge, say=lines.append)] == [boundary.args]
    assert lines[0].startswith("constant, always None: wrong returned None")


def test_the_submissions_are_numbered() -> None:
    reports = numbered()
    judge = Played(lambda program: next(reports))
    found = list(collect(problem(), judge, Budget(submissions=5)))
    assert (len(found), len(judge.sent)) == (5, 5)


def test_the_time_ends() -> None:
    ticks = iter(range(0, 1000, 10))
    reports = numbered()
    judge = Played(lambda program: next(reports))
    budget = Budget(submissions=99, seconds=35.0)
    assert len(list(collect(problem(), judge, budget, clock=lambda: next(ticks)))) == 3


def test_nothing_is_asked_without_a_budget() -> None:
    judge = Played(lambda program: NEVER)
    assert list(collect(problem(), judge, Budget(submissions=0))) == []
    assert list(collect(problem(), judge, Budget(seconds=0.0))) == []
    assert judge.sent == []


def test_two_constants_that_pass_end_it() -> None:
    judge = Played(lambda program: Report("accepted"))
    assert list(collect(problem(), judge)) == []
    assert ["return None" in sent for sent in judge.sent] == [True, False, False, False, False]
    assert "return 1\n" in judge.sent[-1]


def test_one_constant_that_passes_may_be_the_answer_of_the_other_cases(judges: Judges) -> None:
    secret = (case([1, 5], 3, expected=1), case([2], 3, expected=1), case([0], 1, expected=1))
    made = problem()
    assert len(list(collect(made, Local(made, secret, judges)))) == 2


def test_a_mutant_that_passes_is_not_sent_again() -> None:
    def answer(program: str) -> Report:
        return NEVER if "return 1" in program or "return nums" in program else Report("accepted")

    judge = Played(answer)
    assert list(collect(problem(), judge, Budget(submissions=99))) == []
    assert len(judge.sent) == len(set(judge.sent)) == 11


def test_each_program_knows_what_was_found_before_it() -> None:
    reports = numbered()
    judge = Played(lambda program: next(reports))
    list(collect(problem(), judge, Budget(submissions=3)))
    assert [sent.count("[100]") for sent in judge.sent] == [0, 1, 1]
    assert "(([1, 5], 3), 1)" in judge.sent[0]


def test_a_case_that_is_known_is_not_given_again() -> None:
    judge = Played(lambda program: Report("wrong", "[1,5]\n3", "1"))
    assert list(collect(problem(), judge, Budget(submissions=99))) == []
    assert len(judge.sent) == 11


def test_a_report_that_cannot_be_read_is_told_and_passed_over() -> None:
    lines: list[str] = []
    judge = Played(lambda program: Report("wrong", "[1,5,...]\n3", "1"))
    assert list(collect(problem(), judge, Budget(submissions=2), lines.append)) == []
    assert lines[1].startswith("The example '[1,5,...]'")


@pytest.mark.parametrize("stop", [KeyboardInterrupt, InfrastructureError, UsageError])
def test_what_was_found_before_the_end_is_there(stop: type[BaseException]) -> None:
    reports = iter([*itertools.islice(numbered(), 2)])

    def answer(program: str) -> Report:
        for report in reports:
            return report
        raise stop("the end")

    found = []
    with pytest.raises(stop):
        for each in collect(problem(), Played(answer)):
            found.append(each)
    assert [each.args[1] for each in found] == [100, 101]


def test_odd_problems_are_refused_before_anything_is_sent() -> None:
    odd = msgspec.structs.replace(case([1], 1, expected=1), raises="ValueError")
    judge = Played(lambda program: NEVER)
    with pytest.raises(SourceError, match="no judge is asked"):
        list(collect(problem(cases=[odd]), judge))
    assert judge.sent == []


def test_a_local_judge_says_what_it_cannot_show(judges: Judges) -> None:
    made = stdio()
    report = Local(made, SECRET_TEXTS, judges).submit("print(", "python3")
    assert report.verdict in ("failed", "wrong")
    report = Local(made, SECRET_TEXTS, judges).submit("print(3)", "python3")
    assert (report.verdict, report.input, report.expected) == ("wrong", "0\n", "0\n")
    report = Local(problem(), SECRET, judges).submit("1 / 0", "python3")
    assert (report.verdict, report.input) == ("failed", "")
    assert "ZeroDivisionError" in report.said


def test_a_local_judge_without_cases_is_a_fault_not_a_verdict(judges: Judges) -> None:
    with pytest.raises(InfrastructureError, match="the problem has no cases"):
        Local(problem(), (), judges).submit("", "python3")
