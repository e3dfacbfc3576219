"""Batch files written and read back, and the verbs for them."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from tests.store import builders
from thresher.batch_verbs import batch as verbs
from thresher.filters.models import Sampling, batch, forms, seed_of
from thresher.filters.models.recorded import open_recorded

ODD = 'odd/"a b" #ü\\n\n-00000001'
PROMPT = 'def double(x):\n    """Return twice `x`."""\n'


def result(name: str, body: object, status: int = 200) -> dict[str, Any]:
    return {
        "id": "batch_req_1",
        "custom_id": name,
        "response": {"status_code": status, "request_id": "1", "body": body},
        "error": None,
    }


def completion(text: str) -> dict[str, Any]:
    usage = {"prompt_tokens": 12, "completion_tokens": 5}
    return {"choices": [{"text": text, "finish_reason": "stop"}], "usage": usage, "model": "m-1"}


def chat(text: str) -> dict[str, Any]:
    return {"choices": [{"message": {"role": "assistant", "content": text}, "logprobs": None}]}


def lines(*rows: object) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


@given(st.text(), st.integers(0, 10**12))
def test_names_hold_task_and_index_exactly(task_id: str, index: int):
    name = json.loads(json.dumps(batch.custom_id(task_id, index)))
    assert batch.sample_of(name) == (task_id, index)


@pytest.mark.parametrize("name", ["", "a", "a#", "a#x", "a#-1", "a#01", "a#1 ", "a#" + "9" * 9999])
def test_names_of_others_are_none(name: str):
    assert batch.sample_of(name) is None


def test_requests_of_completions():
    (line,) = batch.requests(
        [builders.problem("a")], "m", range(3, 4), Sampling(), forms.COMPLETIONS
    )
    assert json.loads(line) == {
        "custom_id": "a#3",
        "method": "POST",
        "url": "/v1/completions",
        "body": {
            "model": "m",
            "prompt": 'def double(x):\n    """Return twice `x`."""',
            "stop": ["\nclass", "\ndef", "\n#", "\nif"],
            "logprobs": 1,
            "max_tokens": 160,
            "temperature": 0.8,
            "top_p": 0.95,
            "seed": seed_of("a", 3),
        },
    }


def test_requests_of_a_chat_ask_for_the_function_of_a_program():
    (line,) = batch.requests([builders.program()], "m", [0], Sampling(), forms.CHAT)
    found = json.loads(line)
    assert found["url"] == "/v1/chat/completions"
    assert "def solve(stdin: str) -> str:" in found["body"]["messages"][0]["content"]


def test_known_samples_are_not_asked_for():
    made = batch.requests(
        [builders.problem("a")], "m", range(3), Sampling(), forms.CHAT, {("a", 0)}
    )
    assert [json.loads(line)["custom_id"] for line in made] == ["a#1", "a#2"]


def test_files_keep_to_the_bounds():
    assert list(batch.files([b"1\n"] * 5, most=2)) == [[b"1\n"] * 2, [b"1\n"] * 2, [b"1\n"]]
    assert list(batch.files([b"1\n"] * 3, most_bytes=5)) == [[b"1\n"] * 2, [b"1\n"]]
    assert list(batch.files([])) == []


def test_results_become_samples_in_order():
    problems = {name: builders.problem(name) for name in ("a", ODD)}
    content = lines(
        result(f"{ODD}#0", chat("```\nreturn x\n```")),
        result("a#10", completion("\n    return 2 * x\nprint(1)")),
        result("a#9", completion("\n    return x")),
    )
    found = batch.read(content, problems, Sampling())
    assert found.failed == []
    assert found.rows == [
        {
            "task_id": "a",
            "index": 9,
            "completion": "    return x",
            "tokens": 5,
            "finish_reason": "stop",
            "prompt_tokens": 12,
            "revision": "m-1",
        },
        {
            "task_id": "a",
            "index": 10,
            "completion": "    return 2 * x",
            "tokens": 5,
            "finish_reason": "stop",
            "prompt_tokens": 12,
            "raw": "    return 2 * x\nprint(1)",
            "revision": "m-1",
        },
        {
            "task_id": ODD,
            "index": 0,
            "completion": "    return x\n",
            "raw": "```\nreturn x\n```",
            "tokens": 0,
            "finish_reason": "unknown",
            "prompt_tokens": 0,
        },
    ]


def test_failed_rows_are_named():
    refusal = {"error": {"message": "Rate limit reached", "code": "rate_limit"}}
    expired = {"code": "batch_expired", "message": "This request could not be executed in time."}
    good = result("a#0", completion("    return x"))
    content = lines(
        good,
        result("a#1", refusal, status=429),
        result("a#2", {"choices": []}),
        {"custom_id": "a#3", "response": None, "error": expired},
        {"custom_id": "a#4", "response": None, "error": None},
        result("b#0", completion("x")),
        good,
        result("a#5", "<html>", status=502),
    )
    content += b'{"custom_id": \n'
    found = batch.read(content, {"a": builders.problem("a")}, Sampling())
    assert [row["index"] for row in found.rows] == [0]
    assert [(each.line, each.custom_id) for each in found.failed] == [
        (2, "a#1"),
        (3, "a#2"),
        (4, "a#3"),
        (5, "a#4"),
        (6, "b#0"),
        (7, "a#0"),
        (8, "a#5"),
        (9, ""),
    ]
    reasons = [each.reason for each in found.failed]
    assert reasons[0] == "answered 429: Rate limit reached"
    assert "isn't a completion" in reasons[1]
    assert reasons[2:7] == [
        "This request could not be executed in time.",
        "has no response",
        "there is no such problem",
        "is there twice; the first was taken",
        'answered 502: "<html>"',
    ]
    assert "isn't a result" in reasons[7]


def test_there_and_back_through_the_verbs(tmp_path: Path):
    workspace = builders.store(tmp_path / "w", [builders.problem(ODD), builders.problem("a")])
    requests, samples = tmp_path / "requests.jsonl", tmp_path / "samples.jsonl"
    common = ["-w", str(workspace)]

    def run(*arguments: object, code: int = 0) -> str:
        done = CliRunner().invoke(verbs, [*map(str, arguments), *common])
        assert done.exit_code == code, done.output
        return done.output

    chosen = ("--model", "m", "--chat", "--samples", 2, "--temperature", 0.2)
    said = run("write", requests, *chosen)
    assert said == f"4 requests in {requests}\nfor 2 problems\n"
    asked = [json.loads(line) for line in requests.read_bytes().splitlines()]
    assert [each["custom_id"] for each in asked] == ["a#0", "a#1", f"{ODD}#0", f"{ODD}#1"]
    assert {each["body"]["max_tokens"] for each in asked} == {1024}
    assert {each["body"]["temperature"] for each in asked} == {0.2}

    output, errors = tmp_path / "output.jsonl", tmp_path / "errors.jsonl"
    answers = [result(each["custom_id"], chat(f"return {n}")) for n, each in enumerate(asked)]
    output.write_bytes(lines(*answers[:3]))
    errors.write_bytes(lines(result(f"{ODD}#1", {"error": {"message": "no"}}, status=500)))
    said = run("read", samples, output, errors, code=1)
    assert said.endswith(f"#1: answered 500: no\n3 samples in {samples}, 1 failed\n")

    said = run("write", requests, *chosen, "--known", samples)
    assert said.startswith("1 requests in")
    output.write_bytes(lines(answers[3]))
    run("read", samples, output)
    model = open_recorded(f"recorded:{samples}")
    texts = [each.text for each in model.complete(ODD, PROMPT, [0, 1], Sampling())]
    assert texts == ["    return 2", "    return 3"]
    assert len(model.complete("a", PROMPT, [0, 1], Sampling())) == 2
    assert run("write", requests, *chosen, "--known", samples).startswith("0 requests in")
    assert requests.read_bytes() == b""


def test_packed_samples_stay_and_what_is_no_samples_is_not_written_over(tmp_path: Path):
    workspace = builders.store(tmp_path / "w", [builders.problem("a")])
    samples, output = tmp_path / "samples.jsonl.gz", tmp_path / "output.jsonl"
    common = ["-w", str(workspace)]
    for index in (0, 1):
        output.write_bytes(lines(result(f"a#{index}", completion("\n    return 1"))))
        done = CliRunner().invoke(verbs, ["read", str(samples), str(output), *common])
        assert (done.exit_code, done.output) == (0, f"1 samples in {samples}, 0 failed\n")
    model = open_recorded(f"recorded:{samples}")
    assert len(model.complete("a", PROMPT, [0, 1], Sampling())) == 2

    for wrong in (
        ["read", str(output), str(output)],
        ["write", str(tmp_path / "r"), "--model", "m", "--known", str(output)],
    ):
        done = CliRunner().invoke(verbs, [*wrong, *common])
        assert "output.jsonl isn't a sample" in str(done.exception)
    assert output.read_bytes() == lines(result("a#1", completion("\n    return 1")))
    assert not (tmp_path / "r").exists()
