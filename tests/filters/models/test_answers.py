"""Where a completion ends, what is taken off it, and what is counted."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import ModelError
from thresher.filters.models import Completion, answers

STOPS = ("\ndef", "\n#")


def body(text: str, **more: object) -> bytes:
    return json.dumps({"choices": [{"text": text, **more}]}).encode()


def test_cut_at_the_earliest_stop():
    assert answers.cut("\n  return 1\n# a\ndef b", STOPS) == "\n  return 1"
    assert answers.cut("\n  return 1", STOPS) == "\n  return 1"
    assert answers.cut("\ndef b", STOPS) == ""


@pytest.mark.parametrize(
    ("prompt", "generated", "program"),
    [
        ('def f():\n    """D"""\n', "\n    return 1", 'def f():\n    """D"""\n    return 1'),
        ('def f():\n    """D"""', "\n    return 1", 'def f():\n    """D"""\n    return 1'),
        ("def f():\n    ", "\n    return 1", "def f():\n    return 1"),
        ("def f():\n    ", "\n        return 1", "def f():\n        return 1"),
        ("def f():\n\n", "\n    return 1", "def f():\n\n    return 1"),
        ("def f():\n", "  # one\n    return 1", "def f():\n  # one\n    return 1"),
        ("def f():", " return 1", "def f(): return 1"),
    ],
)
def test_prompt_and_text_make_the_program(prompt: str, generated: str, program: str):
    stem, tail = answers.split(prompt)
    assert stem + tail == prompt
    text = answers.read(body(generated), tail, STOPS, "m").text
    assert prompt + text == program
    compile(program, "program", "exec")


@given(st.text(), st.text(alphabet=" \n\t", max_size=5), st.text())
def test_the_tail_is_never_doubled(stem: str, tail: str, rest: str):
    assert answers.read(body(tail + rest), tail, (), "m").text == rest


def test_log_probabilities_of_what_is_kept():
    lists = {"tokens": ["\n", "a", "\ndef", "b"], "token_logprobs": [-1.0, -2.0, -4.0, -8.0]}
    assert answers.read(body("\na\ndefb", logprobs=lists), "\n", STOPS, "m") == Completion(
        "a", 4, -3.0, -1.5, "stop", raw="a\ndefb"
    )


def test_log_probabilities_as_llama_cpp_gives_them():
    content = [{"token": "a", "logprob": -0.5, "id": 1}, {"token": "b", "logprob": None}]
    answer = body("ab", logprobs={"content": content}, finish_reason="length")
    assert answers.read(answer, "", STOPS, "m") == Completion("ab", 2, -0.5, -0.5, "length")


def test_without_log_probabilities_there_are_none():
    answer = b'{"choices": [{"text": "a", "logprobs": null}], "usage": {"completion_tokens": 7}}'
    assert answers.read(answer, "", STOPS, "m") == Completion("a", 7, None, None, "unknown")


def test_answers_of_a_chat():
    tokens = [{"token": "Hi", "logprob": -0.5}, {"token": "!", "logprob": -1.5}]
    answer = {
        "model": "m-2026-01-02",
        "system_fingerprint": "fp_1",
        "usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11},
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": "Hi!", "refusal": None},
                "logprobs": {"content": tokens, "refusal": None},
                "finish_reason": "stop",
            }
        ],
    }
    assert answers.read(json.dumps(answer).encode(), "", (), "m") == Completion(
        "Hi!", 2, -2.0, -1.0, "stop", 9, None, "m-2026-01-02 fp_1"
    )


def test_a_chat_that_refuses_says_nothing():
    answer = b'{"choices": [{"message": {"content": null}, "finish_reason": "content_filter"}]}'
    assert answers.read(answer, "", (), "m") == Completion("", 0, None, None, "content_filter")


@pytest.mark.parametrize(
    "junk",
    [
        b"",
        b"<html>",
        b"\xff",
        b"[" * 99_999,
        b"[]",
        b"{}",
        b'{"choices": []}',
        b'{"choices": [{"text": 1}]}',
        b'{"choices": [{}]}',
    ],
)
def test_junk_names_who_sent_it(junk: bytes):
    with pytest.raises(ModelError, match="http://x#m sent something that isn't a completion"):
        answers.read(junk, "", STOPS, "http://x#m")
