"""The command line as a user meets it: help, exit codes, and one sentence for every trouble."""

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from tests.store.builders import case, problem, source, store
from thresher.cli import cli
from thresher.store.export import PIPELINE

GOOD = problem(cases=(case(2, expected=4), case("ab", expected="abab")))
VERBS = ["crawl", "probe", "synth", "trace", "filter", "export", "doctor", "quickstart"]
VERBS += ["audit show", "audit verify", "audit funnel"]


def thresher(*arguments, cwd=None):
    return subprocess.run(
        [sys.executable, "-m", "thresher", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
    )


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_an_example(verb):
    result = CliRunner().invoke(cli, [*verb.split(), "--help"])
    assert result.exit_code == 0
    assert "Example" in result.output
    assert f"thresher {verb}" in result.output


def said(done, code):
    """Return the one sentence a failing command says."""
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    line = done.stderr.strip().splitlines()[-1]
    assert line.startswith("thresher: ")
    return line


def test_no_workspace(tmp_path):
    line = said(thresher("audit", "show", "x", "-w", tmp_path / "none"), 2)
    assert "there is no workspace in" in line
    assert "thresher trace pypi:NAME" in line


def test_a_corrupt_workspace(tmp_path):
    (tmp_path / "workspace.duckdb").write_bytes(b"no database" * 999)
    for verb in (("audit", "verify"), ("filter",), ("trace", "pypi:six")):
        line = said(thresher(*verb, "-w", tmp_path), 2)
        assert "workspace.duckdb can't be read" in line
        assert "move it away" in line


def test_an_unknown_model_and_a_missing_file(tmp_path):
    store(tmp_path, [GOOD, source()])
    line = said(thresher("filter", "-w", tmp_path, "--model", "nonsense"), 2)
    assert "known: chat+http, chat+https, embedded, http, https, recorded" in line
    line = said(thresher("filter", "-w", tmp_path, "--model", "recorded:/none.jsonl"), 2)
    assert "/none.jsonl can't be read" in line


def test_a_wrong_option_is_wrong_use():
    done = thresher("filter", "--nonsense")
    assert (done.returncode, "No such option" in done.stderr) == (2, True)


def test_an_unreachable_model_leaves_the_problems_undecided(tmp_path):
    store(tmp_path, [GOOD, source()])
    done = thresher("filter", "-w", tmp_path, "--model", "http://127.0.0.1:9#none", "--json")
    assert done.returncode == 1
    assert "can't be reached" in json.loads(done.stdout)["failed"][GOOD.task_id]
    assert "Traceback" not in done.stderr


def test_filter_export_and_audit_in_sequence(tmp_path):
    store(tmp_path, [GOOD, source()])
    samples = tmp_path / "samples.jsonl"
    row = {"task_id": GOOD.task_id, "completion": "    return x + x\n"}
    samples.write_text(f"{json.dumps(row)}\n" * 16)
    done = thresher("filter", "-w", tmp_path, "--model", f"recorded:{samples}")
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert "filter solvable" in done.stdout
    assert "1 = 1 kept + 0 dropped" in done.stdout

    exported = tmp_path / "out.jsonl"
    done = thresher("export", exported, "-w", tmp_path)
    assert done.stdout.startswith("1 kept = 1 written + 0 withheld")
    assert json.loads(exported.read_text())["task_id"] == GOOD.task_id

    done = thresher("audit", "show", GOOD.task_id, "-w", tmp_path)
    assert f"{PIPELINE} (overall): keep, kept" in done.stdout
    assert "out.jsonl" in done.stdout
    done = thresher("audit", "verify", "-w", tmp_path)
    assert (done.returncode, "unchanged" in done.stdout) == (0, True)
    blob = next(path for path in (tmp_path / "blobs").rglob("*") if path.is_file())
    blob.write_bytes(b"edited")
    done = thresher("audit", "verify", "-w", tmp_path)
    assert (done.returncode, "in blobs/ were changed" in done.stdout) == (1, True)


def test_doctor_tries_every_part():
    result = CliRunner().invoke(cli, ["doctor", "--json"])
    findings = json.loads(result.stdout)
    assert {name for name, found in findings.items() if not found["works"]} == set()
    assert findings["sandbox wall"]["detail"].startswith("bubblewrap 0.")


def test_an_export_never_replaces_what_is_no_ordinary_file_or_the_workspace(tmp_path):
    workspace = store(tmp_path / "w", [GOOD, source()])
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    assert "not an ordinary file" in said(thresher("export", fifo, "-w", workspace), 2)
    own = workspace / "workspace.duckdb"
    assert "is the workspace itself" in said(thresher("export", own, "-w", workspace), 2)
    assert thresher("audit", "verify", "-w", workspace).returncode == 0


@pytest.mark.parametrize("verb", [("export", "x.jsonl"), ("filter",)])
def test_only_trace_makes_a_workspace(tmp_path, verb):
    line = said(thresher(*verb, "-w", "typo", cwd=tmp_path), 2)
    assert "there is no workspace in typo" in line
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path):
    workspace = store(tmp_path / "w", [GOOD, source()])
    (tmp_path / "file").write_text("")
    line = said(thresher("export", tmp_path / "file" / "x", "-w", workspace), 2)
    assert "name another place" in line
    line = said(thresher("trace", "pypi:six", "-w", tmp_path / "file" / "x"), 2)
    assert "name another place" in line


@pytest.mark.parametrize("number", ["0", "-1"])
def test_numbers_below_one_are_wrong_use(number):
    for option in ("--samples", "--candidates"):
        assert thresher("filter", option, number).returncode == 2


def test_a_stranger_s_words_do_not_command_the_terminal(tmp_path):
    hostile = problem(task_id="site/\x1b[2J\u202ename-00000001", cases=GOOD.cases)
    store(tmp_path, [source(), hostile])
    shown = thresher("audit", "show", "site/", "-w", tmp_path)
    assert shown.returncode == 0
    assert shown.stdout.startswith("site/\\x1b[2J\\u202ename-00000001\n")
    missing = thresher("audit", "show", "\x1b[2J", "-w", tmp_path)
    assert missing.stderr.startswith("thresher: nothing is known of")
    assert "\x1b" not in missing.stderr
