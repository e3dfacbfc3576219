import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.store.licence import PERMISSIVE, UNKNOWN, is_permissive, named_in, names, normalise

# text: what it is normalised to, and whether that is permissive
EXPRESSIONS = [
    ("MIT", "MIT", True),
    (" mit\n", "MIT", True),
    ("Apache-2.0 or MIT", "Apache-2.0 OR MIT", True),
    ("GPL-3.0-only", "GPL-3.0-only", False),
    ("GPL-2.0+", "GPL-2.0-or-later", False),
    ("MPL-2.0", "MPL-2.0", False),
    ("MIT AND GPL-3.0-only", "MIT AND GPL-3.0-only", False),
    ("MIT OR GPL-3.0-only", "MIT OR GPL-3.0-only", True),
    ("MIT AND (GPL-2.0-only OR ISC)", "MIT AND (GPL-2.0-only OR ISC)", True),
    ("MIT OR Apache-2.0 AND GPL-2.0-only", "MIT OR (Apache-2.0 AND GPL-2.0-only)", True),
    ("(MIT OR ISC) AND GPL-2.0-only", "(MIT OR ISC) AND GPL-2.0-only", False),
    ("Apache-2.0 WITH LLVM-exception", "Apache-2.0 WITH LLVM-exception", False),
]
NO_EXPRESSIONS = [
    "",
    "unknown",
    "BSD",
    "MIT License",
    "MIT/X11",
    "(MIT",
    "((((",
    "()",
    "(OR 0",
    "\x00",
]


@pytest.mark.parametrize(("text", "normal", "permissive"), EXPRESSIONS)
def test_expressions(text: str, normal: str, permissive: bool) -> None:
    assert normalise(text) == normal
    assert is_permissive(normal) is permissive


@pytest.mark.parametrize("text", NO_EXPRESSIONS)
def test_anything_else_is_unknown_and_not_permissive(text: str) -> None:
    assert normalise(text) == UNKNOWN
    assert is_permissive(text) is False


@pytest.mark.parametrize("licence", sorted(PERMISSIVE))
def test_each_permissive_licence_is_known(licence: str) -> None:
    assert is_permissive(licence)
    assert is_permissive(f"{licence} AND GPL-3.0-only") is False


@given(st.text(st.sampled_from("MITGPL-3.0() ANDORWITH+/\n\x00é"), max_size=40) | st.text())
def test_no_text_raises(text: str) -> None:
    normal = normalise(text)
    assert normalise(normal) == normal
    assert is_permissive(normal) in (True, False)


@given(st.lists(st.sampled_from(["MIT", "ISC", "GPL-3.0-only", "MPL-2.0"]), min_size=1))
def test_and_needs_all_and_or_needs_one(licences: list[str]) -> None:
    permissive = [licence in PERMISSIVE for licence in licences]
    assert is_permissive(" AND ".join(licences)) is all(permissive)
    assert is_permissive(" OR ".join(licences)) is any(permissive)


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("MIT", {"MIT"}),
        ("MIT OR (Apache-2.0 AND LicenseRef-x)", {"MIT", "Apache-2.0", "LicenseRef-x"}),
        ("", set()),
        ("(", set()),
    ],
)
def test_the_licences_in_an_expression(expression, found):
    assert names(expression) == found


@pytest.mark.parametrize("named", ["kattis", "Kattis", "KATTIS/"])
def test_sources_are_named_in_any_case(named):
    assert named_in("kattis/hello-1234", ["other", named]) == named
    assert named_in("kattis-other/hello-1234", [named]) is None
