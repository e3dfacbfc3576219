import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.crawlers.text import limits


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("time limit per test 1 second", 1.0),
        ("2.5 seconds", 2.5),
        ("Time limit: 1.00 s", 1.0),
        ("1,5 секунды", 1.5),
        ("2 секунды", 2.0),
        ("1 s.", 1.0),
        ("500 ms", 0.5),
        ("1500 milliseconds", 1.5),
        ("250 мс", 0.25),
        ("2 sec", 2.0),
        ("3 秒", 3.0),
        ("0 seconds", None),
        ("none", None),
        ("12 sheep", None),
    ],
)
def test_times(text, right):
    assert limits.seconds(text) == right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("memory limit per test 256 megabytes", 256),
        ("Memory limit: 512 MB", 512),
        ("1024 MiB", 1024),
        ("64 мегабайта", 64),
        ("1 GB", 1024),
        ("1.5 gigabytes", 1536),
        ("65536 KB", 64),
        ("131072 килобайта", 128),
        ("1 kilobyte", None),
        ("none", None),
    ],
)
def test_sizes(text, right):
    assert limits.mebibytes(text) == right


@given(st.text())
def test_any_text_can_be_read(text):
    limits.seconds(text)
    limits.mebibytes(text)


def test_endless_digits_are_no_infinity():
    assert limits.seconds("9" * 5000 + " s") < 1e13
    assert limits.mebibytes("9" * 5000 + " GB") < 1e17
