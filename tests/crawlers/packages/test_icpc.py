"""Problem packages become statements with samples, secret cases and programs."""

import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.crawlers.packages.packages import RIGHT, WRONG, YAML, package
from tests.crawlers.packages.put import put
from thresher.crawlers.packages.icpc import COLLECTION
from thresher.crawlers.statement import Sample, Solution, Statement
from thresher.errors import SourceError
from thresher.store.records import Comparator


def read(path):
    """Return what is found, by its key."""
    return {found.name: found.statement for found in COLLECTION.read(path)}


def only(root, yaml=YAML, files=None):
    """Return what is found in one package."""
    return read(put(root / "twopiles", package(yaml, **(files or {}))))["twopiles"]


def test_a_package_is_a_statement(tmp_path):
    assert only(tmp_path) == Statement(
        site="problem-packages",
        key="twopiles",
        title="Two Piles",
        kind="stdio",
        text=(
            "Ida has two piles of stones. How many stones are there?\n\n"
            "## Input\n\nTwo integers on one line.\n\n"
            "## Output\n\nTheir sum, or `NONE` where it is $0$.\n"
        ),
        samples=(Sample("1 2\n", "3\n"),),
        hidden=(Sample("0 0\n", "NONE\n"), Sample("1000000 2000000\n", "3000000\n")),
        comparator=Comparator(kind="tokens-ignoring-case"),
        comparator_evidence="the default output validator, without flags",
        tags=("sums", "easy"),
        flags=("case_insensitive",),
        licence="CC-BY-SA-4.0",
        licence_evidence="problem.yaml, line 2: license: cc by-sa; rights owner: Ida",
        solutions=(Solution("python", RIGHT), Solution("python", WRONG, right=False)),
    )


def test_the_new_format_is_read(tmp_path):
    yaml = (
        "problem_format_version: 2025-09\nname: {sv: Högar}\ntype: pass-fail\nlicense: cc0\n"
        "credits: Ida\nlimits: {time_limit: 1.5, memory: 512}\nkeywords: [a sum, easy]\n"
    )
    files = {
        "problem_statement/problem.en.tex": None,
        "statement/problem.sv.md": "Hur många?\n",
        "data/secret/test_group.yaml": "output_validator_args: [case_sensitive]\n",
        "data/sample/test_group.yaml": "output_validator_args: [case_sensitive]\n",
    }
    found = only(tmp_path, yaml, files)
    assert (found.title, found.language, found.text) == ("Högar", "sv", "Hur många?\n")
    assert (found.time_limit, found.memory_limit) == (1.5, 512)
    assert found.tags == ("a sum", "easy")
    assert found.comparator == Comparator(kind="tokens")
    assert found.comparator_evidence == "the default output validator, case_sensitive"
    assert found.flags == ()
    assert found.licence == "CC0-1.0"


@pytest.mark.parametrize(
    ("files", "seconds"),
    [
        ({".timelimit": "3\n"}, 3.0),
        ({"domjudge-problem.ini": "color='#fff'\ntimelimit = '2.5'\n"}, 2.5),
        ({"domjudge-problem.ini": "timelimit=4\n"}, 4.0),
        ({".timelimit": "soon\n"}, None),
        ({}, None),
    ],
)
def test_a_time_limit_may_stand_beside_the_metadata(tmp_path, files, seconds):
    assert only(tmp_path, files=files).time_limit == seconds


def test_tolerances_are_those_of_the_flags(tmp_path):
    found = only(tmp_path, YAML + "validator_flags: float_tolerance 1e-6\n")
    assert found.comparator == Comparator(kind="tokens-ignoring-case", relative=1e-6, absolute=1e-6)
    assert found.comparator_evidence == "the default output validator, float_tolerance 1e-6"


def test_a_validator_of_its_own_is_told(tmp_path):
    found = only(
        tmp_path,
        YAML + "validation: custom score\n",
        {"output_validators/check.py": "exit(42)\n"},
    )
    assert found.kind == "stdio"
    assert found.comparator == Comparator(kind="checker")
    assert found.flags == ("checker", "multiple_answers", "score")
    assert found.samples


@pytest.mark.parametrize("validation", ["custom interactive", "custom multi-pass"])
def test_interactive_problems_are_recognised(tmp_path, validation):
    files = {"data/sample/1.interaction": "<1\n>2\n", "data/sample/1.in": None}
    found = only(tmp_path, YAML + f"validation: {validation}\n", files)
    assert (found.kind, found.samples, found.hidden) == ("interactive", (), ())
    assert found.flags == ()


def test_images_are_told(tmp_path):
    files = {"problem_statement/problem.en.tex": "\\includegraphics{map} See the map."}
    assert only(tmp_path, files=files).flags == ("case_insensitive", "image")


def test_left_out_cases_are_counted(tmp_path):
    many = {f"data/secret/{n}.{end}": f"{n}\n" for n in range(30) for end in ("in", "ans")}
    found = only(tmp_path, files=many)
    assert len(found.hidden) == 20
    assert found.comparator_evidence.endswith("; 12 cases left out, many or large")


def test_cases_without_answers_are_passed_over(tmp_path):
    files = {
        "data/sample/2.in": "5 5\n",
        "data/secret/03.ans": "1\n",
        "data/secret/x/y/4.in": "1 1\n",
    }
    found = only(tmp_path, files=files | {"data/secret/x/y/4.ans": "2\n"})
    assert found.samples == (Sample("1 2\n", "3\n"),)
    assert Sample("1 1\n", "2\n") in found.hidden
    assert len(found.hidden) == 3


@pytest.mark.parametrize(
    ("yaml", "files", "reason"),
    [
        (YAML + "embargo_until: 2999-12-31\n", {}, "embargoed"),
        ("problem_format_version: 2025-09\ntype: submit-answer\n", {}, "submit-answer"),
        ("name: {%title%}\n", {}, "bad-yaml"),
        ("- a\n", {}, "bad-yaml"),
        (YAML, {"problem.yaml": b"\xff"}, "no-text"),
        (YAML, {"problem.yaml": b"# " + b"x" * 70_000}, "too-large"),
        (YAML, {"problem_statement/problem.en.tex": None}, "no-statement"),
        (
            YAML,
            {
                "data/sample/1.in": None,
                "data/secret/01-zero.ans": None,
                "data/secret/02-large.in": None,
            },
            "no-cases",
        ),
        (YAML, {"include/python3/helper.py": "x = 1\n"}, "needs-files"),
        (YAML, {"data/secret/01-zero.files/a": "x"}, "needs-files"),
        (
            YAML,
            {"data/secret/testdata.yaml": "output_validator_flags: case_sensitive\n"},
            "mixed-validation",
        ),
        (YAML + "validator_flags: fuzzy\n", {}, "bad-validator-flags"),
        (YAML, {"data/sample/1.ans": b"\xff\n"}, "no-text"),
    ],
)
def test_what_cant_be_used_is_set_aside_by_name(tmp_path, yaml, files, reason):
    found = only(tmp_path, yaml, files)
    assert isinstance(found, SourceError)
    assert found.reason == reason


def test_an_embargo_that_is_over_keeps_nothing_back(tmp_path):
    assert isinstance(only(tmp_path, YAML + "embargo_until: 2001-01-01\n"), Statement)


def test_many_packages_are_read_in_order_and_a_bad_one_stops_no_other(tmp_path):
    put(tmp_path / "b" / "stones", package())
    put(tmp_path / "a" / "piles", package("- a\n"))
    put(tmp_path / "c", {"README.md": ""})
    found = read(tmp_path)
    assert list(found) == ["a/piles", "b/stones"]
    assert found["a/piles"].reason == "bad-yaml"
    assert found["b/stones"].key == "b/stones"


def test_files_from_outside_of_the_package_are_not_read(tmp_path):
    put(tmp_path, {"outside.ans": "secret\n"})
    put(tmp_path / "twopiles", package(**{"data/sample/1.ans": None}))
    (tmp_path / "twopiles" / "data" / "sample" / "1.ans").symlink_to("../../../outside.ans")
    found = list(COLLECTION.read(tmp_path / "twopiles"))[0]
    assert found.statement.reason == "outside-package"
    assert b"secret" not in found.raw


@pytest.mark.parametrize("name", ["data/secret/-rf.in", "data/secret/a b.in", "data/secret/é.in"])
def test_oddly_named_files_are_as_if_they_werent_there(tmp_path, name):
    files = {name: "7 7\n", name.replace(".in", ".ans"): "14\n"}
    assert only(tmp_path, files=files) == only(tmp_path / "other")


def test_the_bytes_that_were_read_are_kept(tmp_path):
    (found,) = COLLECTION.read(put(tmp_path / "twopiles", package()))
    assert RIGHT.encode() in found.raw
    assert found.raw == next(COLLECTION.read(tmp_path / "twopiles")).raw


def test_nothing_is_executed(tmp_path):
    trap = f"open({str(tmp_path / 'trap')!r}, 'w')\n"
    files = {f"{folder}/x.py": trap for folder in ("output_validators", "input_validators")}
    only(tmp_path, files=files | {"submissions/accepted/sum.py": trap})
    assert not (tmp_path / "trap").exists()


SHAPES = ["", "[]", "x", "1e999", "[[1]]", "{a: {b: c}}", "!!int x"]
KEYS = ["name", "license", "rights_owner", "source", "credits", "limits", "validation", "type"]
KEYS += ["validator_flags", "keywords", "constants", "embargo_until", "problem_format_version"]


@pytest.mark.parametrize(("key", "shape"), list(itertools.product(KEYS, SHAPES)))
def test_values_of_the_wrong_shape_raise_nothing(tmp_path, key, shape):
    lines = [line for line in YAML.splitlines() if not line.startswith(f"{key}:")]
    found = only(tmp_path, "\n".join([*lines, f"{key}: {shape}\n"]))
    assert isinstance(found, (Statement, SourceError))


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(sorted(package())), st.data())
def test_broken_files_raise_nothing(tmp_path, name, data):
    content = package()[name].encode()
    at = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(at, min(len(content), at + 40)))
    junk = data.draw(
        st.binary(max_size=4) | st.sampled_from([b"{" * 100, b"[", b"\\", b": *", b"$"])
    )
    broken = package() | {name: content[:at] + junk + content[end:]}
    for found in COLLECTION.read(put(tmp_path / "twopiles", broken)):
        assert isinstance(found.statement, (Statement, SourceError))
