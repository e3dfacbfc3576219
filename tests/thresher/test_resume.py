"""Killed at any moment and started again, the job ends with the same bytes."""

import json
import random
import signal
import subprocess
import sys
import time

import pytest

from tests.store.builders import case, problem, source, store
from thresher.store.records import Execution
from thresher.store.workspace import open_reader

KILLS = 10
LONGEST = 3600  # seconds that a whole quickstart may take on a busy machine


def problems(count):
    """Make problems of which every third has a wrong reference and every fifth no solution."""
    for number in range(count):
        cases = tuple(case(n, expected=number * n) for n in (2, 3))
        body = f"    return {number + (number % 3 == 0)} * x\n"
        yield problem(f"pypi/demo/1.0/demo.f{number:03}-00000000", body, cases)


def recorded(path, count):
    """Write samples of which the seventh solves the problem, unless its number divides by 5."""
    with path.open("w") as file:
        for number in range(count):
            for index in range(32):
                solves = index == 7 and number % 5
                text = f"    return x * {number}\n" if solves else f"    return {index}\n"
                name = f"pypi/demo/1.0/demo.f{number:03}-00000000"
                file.write(json.dumps({"task_id": name, "completion": text}) + "\n")


def start(*arguments):
    command = [sys.executable, "-m", "thresher", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def finish(*arguments):
    assert start(*arguments).wait(LONGEST) == 0


def kill_at_random(arguments, moments):
    """Start a command again and again, killing it after each of some seconds; then let it end."""
    killed = 0
    for seconds in moments:
        process = start(*arguments)
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
    finish(*arguments)
    return killed


def test_a_filter_run_killed_ten_times_exports_the_same_bytes(tmp_path):
    samples = tmp_path / "samples.jsonl"
    recorded(samples, 40)
    exported = []
    for name in ("undisturbed", "killed"):
        workspace = store(tmp_path / name, [source(), *problems(40)])
        command = ("filter", "-w", workspace, "--model", f"recorded:{samples}", "--samples", 32)
        if name == "killed":
            chance = random.Random(1)
            moments = [chance.uniform(0.3, 1.5) for _ in range(KILLS)]
            assert kill_at_random(command, moments) >= KILLS / 2
        else:
            finish(*command)
        finish("export", tmp_path / f"{name}.jsonl.gz", "-w", workspace)
        finish("audit", "verify", "-w", workspace)
        exported.append((tmp_path / f"{name}.jsonl.gz").read_bytes())
        with open_reader(workspace) as opened:
            # Done once, whatever happened: three runs of each reference that passes.
            ran = opened.select(Execution, "purpose = 'reference'")
            assert sum(e.verdict == "pass" for e in ran) == 3 * 26
    assert exported[0] == exported[1]


@pytest.mark.slow
@pytest.mark.timeout(4 * LONGEST)
def test_a_quickstart_killed_ten_times_exports_the_same_bytes(tmp_path):
    first, second = tmp_path / "undisturbed", tmp_path / "killed"
    finish("quickstart", "-w", first)
    samples = tmp_path / "samples.jsonl"
    finish("export", "--samples", samples, "-w", first)
    chance = random.Random()
    moments = [chance.uniform(1, 60) for _ in range(KILLS)]
    print("killed after", [round(moment) for moment in moments], "seconds")
    command = ("quickstart", "-w", second, "--model", f"recorded:{samples}")
    killed = kill_at_random(command, moments)
    finish("audit", "verify", "-w", second)
    names = ("humaneval.jsonl.gz",)
    assert [(first / n).read_bytes() for n in names] == [(second / n).read_bytes() for n in names]
    assert killed >= KILLS / 2
