"""YAML of any shape is read as text, lists and mappings, or refused by name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.crawlers.packages import metadata
from thresher.errors import SourceError


def test_scalars_stay_text():
    found = metadata.mapping("a: 1.50\nb: no\nc: 2024-01-01\nd:\ne: [1, x]\n", "problem.yaml")
    assert found == {"a": "1.50", "b": "no", "c": "2024-01-01", "d": "", "e": ["1", "x"]}


@pytest.mark.parametrize("content", ["", "# only a comment\n", "---\n"])
def test_an_empty_file_says_nothing(content):
    assert metadata.mapping(content, "problem.yaml") == {}


@pytest.mark.parametrize(
    "content",
    ["- a\n- b\n", "text", "a: [", "a: {%b%}", "? [1]\n: 2\n", "a: b: c", "[" * 1200, "*a"],
)
def test_what_is_no_mapping_is_refused(content):
    with pytest.raises(SourceError) as refused:
        metadata.mapping(content, "problem.yaml")
    assert refused.value.reason == "bad-yaml"
    assert "problem.yaml" in str(refused.value)


def test_objects_are_not_made():
    found = metadata.mapping("a: !!python/object/apply:os.getcwd []\n", "problem.yaml")
    assert found == {"a": []}


def test_mappings_that_merge_each_other_end():
    lines = ["a0: &a0 {x: 1}"]
    lines += [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 30)]
    assert len(metadata.mapping("\n".join(lines), "problem.yaml")) == 30


@pytest.mark.parametrize(
    ("value", "word", "words"),
    [
        (" a b ", "a b", ["a", "b"]),
        (["x y", "z"], "x y", ["x y", "z"]),
        ([{"name": "N", "url": "u"}, "z"], "N", ["z"]),
        ({"name": "N"}, "N", []),
        ({"name": ["N"]}, "N", []),
        ([], "", []),
        ([[["deep"]]], "", []),
        (None, "", []),
    ],
)
def test_words_are_what_there_is_of_them(value, word, words):
    assert metadata.word(value) == word
    assert metadata.words(value) == words


@pytest.mark.parametrize(
    ("value", "number"),
    [("2", 2.0), ("0.5", 0.5), ("0", None), ("-1", None), ("x", None), ("inf", None), ("nan", None)]
    + [([], None), (None, None), ("", None)],
)
def test_numbers_are_positive(value, number):
    assert metadata.number(value) == number


@pytest.mark.parametrize(
    ("yaml", "spdx", "evidence"),
    [
        (
            "name: x\nlicense: cc by-sa\nrights_owner: Ida\n",
            "CC-BY-SA-4.0",
            "problem.yaml, line 2: license: cc by-sa; rights owner: Ida",
        ),
        (
            "license: CC BY\nauthor: Ida and Bo\nsource: A contest\n",
            "CC-BY-4.0",
            "problem.yaml, line 1: license: CC BY; rights owner: Ida and Bo",
        ),
        (
            "license: cc0\ncredits:\n  authors: [Ida, Bo]\n",
            "CC0-1.0",
            "problem.yaml, line 1: license: cc0; rights owner: Ida",
        ),
        (
            "license: cc0\nsource:\n- name: A contest\n  url: u\n",
            "CC0-1.0",
            "problem.yaml, line 1: license: cc0; rights owner: A contest",
        ),
        ("license: public domain\n", "CC-PDM-1.0", "problem.yaml, line 1: license: public domain"),
        ("license: permission\n", "unknown", "problem.yaml, line 1: license: permission"),
        ("license: educational\n", "unknown", "problem.yaml, line 1: license: educational"),
        ("license: unknown\n", "unknown", "problem.yaml, line 1: license: unknown"),
        ("license: MIT\n", "unknown", "problem.yaml, line 1: license: MIT"),
        ("license:\n", "unknown", "problem.yaml states no licence"),
        ("name: x\n", "unknown", "problem.yaml states no licence"),
    ],
)
def test_a_licence_is_told_with_its_line(yaml, spdx, evidence):
    assert metadata.licence(metadata.mapping(yaml, "problem.yaml"), yaml) == (spdx, evidence)


@given(st.text("ab:{}[]&*!-\n \"'|>%@#?,", max_size=40))
def test_broken_yaml_raises_nothing_else(content):
    try:
        found = metadata.mapping(content, "problem.yaml")
    except SourceError as error:
        assert error.reason == "bad-yaml"
    else:
        assert isinstance(metadata.licence(found, content)[0], str)
