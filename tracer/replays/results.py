"""What test runners say of a run: read from the summaries that they print at its end."""

import re
from typing import NamedTuple

# The whole grammar of the line, since tests print as they like: "== 1 failed, 2 passed in 3.4s".
PYTEST_SUMMARY = re.compile(
    r"^(?:=+ )?((?:\d+ [a-z ]+, )*\d+ [a-z ]+) in \d[\d.]*(?:s| seconds)\b", re.MULTILINE
)
PYTEST_COUNT = re.compile(r"(\d+) (passed|failed|errors?|skipped)(?![a-z ])")
UNITTEST_SUMMARY = re.compile(
    r"^Ran (\d+) tests? in [\d.]+s$(?:\n\n(?:OK|FAILED) \(([^)\n]*)\))?", re.MULTILINE
)
UNITTEST_COUNT = re.compile(r"\b(?<!expected )(failures|errors|skipped)=(\d+)")
ZOPE_SUMMARY = re.compile(
    r"^\s*Ran (\d+) tests with (\d+) failures, (\d+) errors(?: and|,) (\d+) skipped in ",
    re.MULTILINE,
)
COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


class Results(NamedTuple):
    """How many tests passed, failed (or had an error) and were skipped."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def count(output: str) -> Results:
    """Add up the summaries of pytest, unittest and what prints alike, and zope.testrunner."""
    output = COLOUR.sub("", output).replace("\r\n", "\n")
    found = [
        *map(_pytest, PYTEST_SUMMARY.findall(output)),
        *(_unittest(int(ran), said) for ran, said in UNITTEST_SUMMARY.findall(output)),
        *(_zope(*map(int, numbers)) for numbers in ZOPE_SUMMARY.findall(output)),
    ]
    return Results(*map(sum, zip(*found, strict=True))) if found else Results()


def _pytest(summary: str) -> Results:
    counts = {word.rstrip("s"): int(number) for number, word in PYTEST_COUNT.findall(summary)}
    failed = counts.get("failed", 0) + counts.get("error", 0)
    return Results(counts.get("passed", 0), failed, counts.get("skipped", 0))


def _unittest(ran: int, said: str) -> Results:
    counts = {word: int(number) for word, number in UNITTEST_COUNT.findall(said)}
    skipped = counts.get("skipped", 0)
    failed = counts.get("failures", 0) + counts.get("errors", 0)
    # Skipped parts of tests that ran are counted too, so that there may be more than tests.
    passed = ran - failed - (skipped if skipped <= ran else 0)
    return Results(max(passed, 0), failed, skipped)


def _zope(ran: int, failures: int, errors: int, skipped: int) -> Results:
    return Results(max(ran - failures - errors - skipped, 0), failures + errors, skipped)
