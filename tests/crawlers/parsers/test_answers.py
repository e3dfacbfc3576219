import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.crawlers.parsers import answers
from thresher.errors import SourceError


class Row(msgspec.Struct):
    code: str
    limit: float | None = None


def test_an_answer_is_told_from_a_page():
    assert answers.is_json(b'{"code": 1}')
    assert answers.is_json(b"\xef\xbb\xbf \n[1]")
    assert not answers.is_json(b"<html>{}</html>")
    assert not answers.is_json(b"")


def test_numbers_may_be_strings_and_other_fields_are_skipped():
    assert answers.read(b'{"code": "X", "limit": "0.5", "more": [1]}', Row) == Row("X", 0.5)


def test_a_byte_order_mark_is_no_harm():
    assert answers.read(b'\xef\xbb\xbf{"code": "X"}', Row) == Row("X")


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (b"", "broken-json"),
        (b'{"code": "X"', "broken-json"),
        (b'{"code": "\xff"}', "broken-json"),
        (b'{"limit": 1}', "not-a-problem"),
        (b'{"code": 1}', "not-a-problem"),
        (b'[{"code": "X"}]', "not-a-problem"),
        (b'{"code": "X", "more": ' + b"[" * 100_000, "broken-json"),
        (b'{"code": "X"}' + b" " * 2**23, "page-too-large"),
    ],
)
def test_anything_else_is_refused_by_name(page, reason):
    with pytest.raises(SourceError) as refused:
        answers.read(page, Row)
    assert refused.value.reason == reason
    assert answers.read_list(page, Row) is None


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(page):
    assert answers.read_list(page, Row) is None or answers.is_json(page)
