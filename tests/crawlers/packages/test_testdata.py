"""Cases are chosen by size, and read as text."""

import pytest

from tests.crawlers.packages.put import put
from thresher.crawlers.packages.package import opened
from thresher.crawlers.packages.testdata import Case, arguments, choose, with_cases
from thresher.crawlers.statement import Sample, Statement
from thresher.errors import SourceError


def cases(names):
    """Return cases by the names of their files without endings."""
    return [Case(f"{name}.in", f"{name}.ans") for name in names]


def pair(name, given, wanted="1\n"):
    """Return the two files of a case."""
    return {f"{name}.in": given, f"{name}.ans": wanted}


def test_the_smallest_secret_cases_are_taken_first(tmp_path):
    put(tmp_path, pair("c", "123\n") | pair("a", "12345\n") | pair("b", "123\n"))
    chosen = choose(opened(tmp_path, {}), [], cases("abc"))
    assert [case.given for case in chosen.hidden] == ["b.in", "c.in", "a.in"]
    assert (chosen.samples, chosen.left_out, chosen.besides()) == ([], 0, "")


def test_twenty_secret_cases_are_enough(tmp_path):
    names = [f"{n:02}" for n in range(25)]
    for name in names:
        put(tmp_path, pair(name, "x" * int(name)))
    chosen = choose(opened(tmp_path, {}), [], cases(names))
    assert [case.given for case in chosen.hidden] == [f"{n:02}.in" for n in range(20)]
    assert chosen.besides() == "; 5 cases left out, many or large"


def test_large_cases_are_left_out(tmp_path):
    put(tmp_path, pair("a", "x" * 65_534) | pair("b", "x" * 65_535) | pair("c", "1", "x" * 70_000))
    chosen = choose(opened(tmp_path, {}), cases("bc"), cases("abc"))
    assert [case.given for case in chosen.hidden] == ["a.in"]
    assert (list(chosen.samples), chosen.left_out) == ([], 2)


def test_all_cases_together_stay_small(tmp_path):
    for name in "abcdef":
        put(tmp_path, pair(name, "x" * 60_000))
    chosen = choose(opened(tmp_path, {}), [], cases("abcdef"))
    assert (len(chosen.hidden), chosen.left_out) == (4, 2)


def test_samples_keep_the_order_of_their_names(tmp_path):
    put(tmp_path, pair("2", "x") | pair("1", "xxx"))
    chosen = choose(opened(tmp_path, {}), cases("21"), [])
    assert [case.given for case in chosen.samples] == ["1.in", "2.in"]


def test_a_case_that_isnt_there_is_left_out(tmp_path):
    chosen = choose(opened(tmp_path, {}), cases("a"), cases("b"))
    assert (list(chosen.samples), list(chosen.hidden), chosen.left_out) == ([], [], 1)


def test_text_is_normalised_and_each_case_kept_once(tmp_path):
    put(tmp_path, pair("a", "1 2 \r\n 3\n\n", "5") | pair("b", "1 2\n 3", "5\n") | pair("c", ""))
    files = {}
    package = opened(tmp_path, files)
    statement = Statement(site="s", key="k", title="t", kind="stdio", text="")
    found = with_cases(statement, package, choose(package, cases("a"), cases("bcc")))
    assert found.samples == (Sample("1 2\n 3\n", "5\n"),)
    assert found.hidden == (Sample("", "1\n"),)
    assert set(files) == {"a.in", "a.ans", "b.in", "b.ans", "c.in", "c.ans"}


def test_what_is_no_text_is_refused(tmp_path):
    put(tmp_path, pair("a", b"\xff"))
    package = opened(tmp_path, {})
    statement = Statement(site="s", key="k", title="t", kind="stdio", text="")
    with pytest.raises(SourceError) as refused:
        with_cases(statement, package, choose(package, cases("a"), []))
    assert refused.value.reason == "no-text"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, ()),
        ({"data/testdata.yaml": "output_validator_flags: case_sensitive\n"}, ("case_sensitive",)),
        (
            {
                "data/testdata.yaml": "output_validator_flags: case_sensitive\n",
                "data/secret/testdata.yaml": "output_validator_flags: float_tolerance 1e-3\n",
                "data/secret/g/testdata.yaml": "on_reject: break\n",
            },
            ("float_tolerance", "1e-3"),
        ),
        (
            {"data/secret/g/test_group.yaml": "output_validator_args: [float_tolerance, '1e-3']\n"},
            ("float_tolerance", "1e-3"),
        ),
        (
            {
                "data/secret/g/test_group.yaml": "output_validator_args: [case_sensitive]\n",
                "data/secret/g/1.yaml": "output_validator_args: []\n",
            },
            (),
        ),
        ({"data/testdata.yaml": "output_validator_flags: {name: v, flags: a b}\n"}, ("a", "b")),
        ({"data/other/testdata.yaml": "output_validator_flags: case_sensitive\n"}, ()),
    ],
)
def test_the_nearest_flags_count(tmp_path, files, expected):
    put(tmp_path, pair("data/secret/g/1", "x") | files)
    assert arguments(opened(tmp_path, {}), *cases(["data/secret/g/1"])) == expected


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"data/secret/1.yaml": "args: [--fast]\n"}, "needs-files"),
        ({"data/secret/test_group.yaml": "args: [--fast]\n"}, "needs-files"),
        ({"data/secret/1.files/map.txt": "x"}, "needs-files"),
        ({"data/secret/1.yaml": "[]x"}, "bad-yaml"),
    ],
)
def test_cases_with_more_than_text_are_refused(tmp_path, files, reason):
    put(tmp_path, pair("data/secret/1", "x") | files)
    with pytest.raises(SourceError) as refused:
        arguments(opened(tmp_path, {}), *cases(["data/secret/1"]))
    assert refused.value.reason == reason
