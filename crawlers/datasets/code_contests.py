"""CodeContests, and data sets of its form: contest problems with many cases and solutions.

The fields are those of its `contest_problem.proto`, as JSON Lines or Parquet: cases either as two
lists or as a list of pairs, languages and sources as the numbers of its enumerations or by name.
"""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import msgspec

from thresher.crawlers.datasets import bounds, rows
from thresher.crawlers.site import Collection, Found
from thresher.crawlers.statement import Sample, Solution, Statement
from thresher.errors import SourceError
from thresher.store import wording

NAME = "code-contests"
TERMS = (
    "CodeContests is offered under CC-BY-4.0; the statements belong to the sites they are from. "
    "Its valid and test parts are benchmarks."
)
EVIDENCE = "CodeContests is offered under CC-BY-4.0; the row itself states no licence, {}"
SOURCES = ("", "CODECHEF", "CODEFORCES", "HACKEREARTH", "CODEJAM", "ATCODER", "AIZU")
PYTHON3 = (3, "PYTHON3")
STANDARD = ("", "stdin", "stdout", "standard input", "standard output")


class Case(msgspec.Struct):
    """One case of the form that lists pairs."""

    input: str
    output: str


class Cases(msgspec.Struct):
    """Cases in two lists of the same length."""

    input: list[str] = []
    output: list[str] = []


class Program(msgspec.Struct):
    """One solution of the form that lists pairs."""

    language: int | str
    solution: str


class Programs(msgspec.Struct):
    """Solutions and their languages in two lists of the same length."""

    language: list[int | str] = []
    solution: list[str] = []


class Duration(msgspec.Struct):
    """A time limit; 64-bit numbers are texts in the JSON of protocol buffers."""

    seconds: int | str = 0
    nanos: int | str = 0


class Row(msgspec.Struct):
    """The fields that are read."""

    name: str
    description: str
    public_tests: Cases | list[Case] | None = None
    private_tests: Cases | list[Case] | None = None
    generated_tests: Cases | list[Case] | None = None
    solutions: Programs | list[Program] | None = None
    incorrect_solutions: Programs | list[Program] | None = None
    source: int | str | None = 0
    cf_contest_id: int | str | None = 0
    cf_index: str | None = ""
    cf_tags: list[str] | None = None
    time_limit: Duration | None = None
    memory_limit_bytes: int | str | None = 0
    input_file: str | None = ""
    output_file: str | None = ""


def read(path: Path) -> Iterator[Found]:
    """Yield the problems of a file, or of the files in a folder; see `rows.collect`."""
    return rows.collect(path, Row, statement)


def statement(row: Row) -> Statement:
    """Make a row a statement.

    Raises:
        SourceError: ``no-statement``, ``file-io``, ``samples-unpaired`` or ``bad-row``.
    """
    if not row.description.strip():
        raise SourceError("no-statement", f"{row.name!r} has no description")
    if {row.input_file or "", row.output_file or ""} - set(STANDARD):
        message = f"{row.name!r} reads {row.input_file!r} and writes {row.output_file!r}"
        raise SourceError("file-io", message)
    said = wording.read(row.description)
    given = bounds.split(row.description, _cases(row.public_tests))
    others = chain(_cases(row.public_tests), _cases(row.private_tests), _cases(row.generated_tests))
    hidden = bounds.hidden(dict.fromkeys(case for case in others if case not in given.shown))
    image = ("image",) if "<image>" in row.description else ()
    site = _site(row)
    return Statement(
        site=NAME,
        key=row.name,
        url=_url(row, site),
        title=row.name.partition(". ")[2] or row.name,
        kind="interactive" if said.interactive else "stdio",
        text=given.text,
        samples=given.shown,
        hidden=hidden,
        comparator=said.comparator,
        comparator_evidence=said.evidence,
        time_limit=_seconds(row.time_limit),
        memory_limit=_number(row.memory_limit_bytes) // 2**20 or None,
        tags=tuple(filter(None, row.cf_tags or ())),
        flags=tuple(sorted({*said.flags, *image})),
        licence="CC-BY-4.0",
        licence_evidence=EVIDENCE.format(f"nor does it say what {site or 'its site'} allows"),
        solutions=_solutions(row),
    )


def _cases(tests: Cases | list[Case] | None) -> Iterator[Sample]:
    if isinstance(tests, Cases):
        if len(tests.input) != len(tests.output):
            raise SourceError(
                "samples-unpaired", "the lists of inputs and outputs differ in length"
            )
        tests = [Case(*pair) for pair in zip(tests.input, tests.output, strict=True)]
    for case in tests or ():
        yield bounds.sample(case.input, case.output)


def _solutions(row: Row) -> tuple[Solution, ...]:
    wrong = bounds.solutions(_python(row.incorrect_solutions), right=False)
    return bounds.solutions(_python(row.solutions)) + wrong


def _python(programs: Programs | list[Program] | None) -> Iterator[str]:
    if isinstance(programs, Programs):
        pairs = zip(programs.language, programs.solution, strict=False)
        programs = [Program(*pair) for pair in pairs]
    return (each.solution for each in programs or () if each.language in PYTHON3)


def _site(row: Row) -> str:
    if isinstance(row.source, str):
        return row.source.upper()
    return SOURCES[row.source] if row.source and 0 <= row.source < len(SOURCES) else ""


def _url(row: Row, site: str) -> str:
    if site != "CODEFORCES" or not _number(row.cf_contest_id):
        return ""
    return f"https://codeforces.com/problemset/problem/{row.cf_contest_id}/{row.cf_index or ''}"


def _seconds(limit: Duration | None) -> float | None:
    if limit is None:
        return None
    return _number(limit.seconds) + _number(limit.nanos) / 1e9 or None


def _number(value: int | str | None) -> int:
    try:
        return int(value or 0)
    except ValueError:
        raise SourceError("bad-row", f"{value!r} is no number") from None


COLLECTION = Collection(name=NAME, terms=TERMS, read=read)
