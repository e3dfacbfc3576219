"""What a judge is: it takes a program, and of a wrong one it may show the case that it fails."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from thresher.crawlers.datasets import bounds
from thresher.crawlers.functions import literals, nodes, signatures
from thresher.store.records import Problem, TestCase, Tree

LANGUAGE = "python3"


class Report(NamedTuple):
    """What a judge says of a program.

    Attributes:
        verdict: ``wrong`` where it shows a case with the answer that it expects, ``failed`` where
            it only says that the program isn't right.
        input: of the case, as text: what a program reads, or a line for each argument.
        expected: the answer, as text.
        said: the judge's own words.
    """

    verdict: Literal["accepted", "wrong", "failed"]
    input: str = ""
    expected: str = ""
    said: str = ""


class Judge(Protocol):
    """Anything that judges programs."""

    def submit(self, program: str, language: str) -> Report:
        """Judge a program in the form of the problem: its prompt with a completion.

        Raises:
            InfrastructureError: the judge can't be asked now.
            UsageError: it can't be asked until the user does something.
        """


def case_of(problem: Problem, report: Report) -> TestCase:
    """Return the case that a report shows.

    Raises:
        SourceError: ``example-unreadable``, its text isn't the data that the problem asks for, for
            example because the judge cuts long texts.
    """
    if problem.style == "stdio":
        sample = bounds.sample(report.input, report.expected)
        return _case((sample.input,), sample.output)
    signature = signatures.from_python(problem.prompt + "    pass\n", problem.entry_point)
    lines = report.input.strip().split("\n")
    if len(lines) != len(signature.parameters):
        raise literals.unreadable(report.input, "doesn't have a line for each argument")
    pairs = zip(lines, (each.annotation for each in signature.parameters), strict=True)
    args = [_tree(line, annotation) for line, annotation in pairs]
    return _case(args, _tree(report.expected, signature.returns))


def _case(args: Sequence[Tree], expected: Tree) -> TestCase:
    return TestCase(
        args=tuple(args), kwargs={}, expected=expected, raises=None, origin="judge", shown=False
    )


def _tree(text: str, annotation: str) -> Tree:
    return nodes.encode(literals.value(text, annotation), annotation)
