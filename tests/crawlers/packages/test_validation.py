"""How answers are compared is read from a package's flags."""

import pytest

from thresher.crawlers.packages.validation import Validation, comparator, validation
from thresher.errors import SourceError
from thresher.store.records import Comparator


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("", Comparator(kind="tokens-ignoring-case")),
        ("case_sensitive", Comparator(kind="tokens")),
        (
            "float_tolerance 1e-6",
            Comparator(kind="tokens-ignoring-case", relative=1e-6, absolute=1e-6),
        ),
        (
            "case_sensitive float_relative_tolerance 1E-4",
            Comparator(kind="tokens", relative=1e-4),
        ),
        (
            "float_absolute_tolerance 0.01 float_relative_tolerance 1e-9",
            Comparator(kind="tokens-ignoring-case", relative=1e-9, absolute=0.01),
        ),
        ("space_change_sensitive case_sensitive", Comparator(kind="lines")),
        ("space_change_sensitive", Comparator(kind="lines")),
    ],
)
def test_the_default_validator_compares_as_its_flags_say(arguments, expected):
    assert comparator(arguments.split()) == expected


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("float_tolerance", "bad-validator-flags"),
        ("float_tolerance x", "bad-validator-flags"),
        ("float_tolerance nan", "bad-validator-flags"),
        ("float_tolerance 7", "bad-validator-flags"),
        ("float_tolerance -1", "bad-validator-flags"),
        ("case", "bad-validator-flags"),
        ("space_change_sensitive float_tolerance 1e-6", "mixed-validation"),
    ],
)
def test_flags_that_mean_nothing_are_refused(arguments, reason):
    with pytest.raises(SourceError) as refused:
        comparator(arguments.split())
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("said", "own", "custom", "interactive", "score"),
    [
        ({}, False, False, False, False),
        ({"validation": "default"}, True, False, False, False),
        ({}, True, False, False, False),
        ({"validation": "custom"}, True, True, False, False),
        ({"validation": "custom interactive"}, True, True, True, False),
        ({"validation": "custom score"}, True, True, False, True),
        ({"validation": "custom multi-pass"}, True, True, True, False),
        ({"problem_format_version": "legacy-icpc"}, True, False, False, False),
        ({"problem_format_version": "2023-07"}, False, False, False, False),
        ({"problem_format_version": "2023-07-draft"}, True, True, False, False),
        ({"problem_format_version": "2025-09", "type": "interactive"}, True, True, True, False),
        (
            {"problem_format_version": "2025-09", "type": ["scoring", "multi-pass"]},
            True,
            True,
            True,
            False,
        ),
        ({"problem_format_version": "2025-09", "type": {"x": 1}}, False, False, False, False),
    ],
)
def test_what_judges_is_told(said, own, custom, interactive, score):
    assert validation(said, own) == Validation(custom, interactive, score)


def test_answers_without_a_program_are_refused():
    with pytest.raises(SourceError) as refused:
        validation({"problem_format_version": "2025-09", "type": "pass-fail submit-answer"}, False)
    assert refused.value.reason == "submit-answer"
