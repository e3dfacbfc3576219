"""Programs run whole: what they can read and print, and how they end."""

import pytest

from thresher.judging import CODEC
from thresher.sandbox.judge import Call, Judge, Outcome, Printed
from thresher.sandbox.remote import CellLimits

QUICK = CellLimits(cpu=2.0, wall=20.0)


@pytest.fixture(scope="module")
def judge(wall):
    with Judge(CODEC, wall=wall) as running:
        yield running


def run(judge, program, stdin="21\n", limits=QUICK):
    return judge.run_program(program, stdin, limits)


WAYS = {
    "input": "print(2 * int(input()))",
    "a prompt": "print(int(input('4')) - 19)",
    "sys.stdin": "import sys\nsys.stdout.write(f'{2 * int(sys.stdin.read())}\\n')",
    "lines": "import sys\nfor line in sys.stdin:\n    print(2 * int(line))",
    "buffers": "import sys\nn = int(sys.stdin.buffer.readline())\n"
    "sys.stdout.buffer.write(b'%d\\n' % (2 * n))",
    "open(0)": "print(2 * int(open(0).read()), file=open(1, 'w'))",
    "os": "import os\nos.write(1, b'%d\\n' % (2 * int(os.read(0, 99))))",
    "fstat": "import io, os\nf = io.BytesIO(os.read(0, os.fstat(0).st_size))\n"
    "print(2 * int(f.readline()))",
    "mmap": "import mmap\nprint(2 * int(mmap.mmap(0, 0, access=mmap.ACCESS_READ).readline()))",
    "seek": "import sys\ninput()\nsys.stdin.seek(0)\nprint(2 * int(input()))",
    "main": "def main():\n    print(42)\nif __name__ == '__main__':\n    main()",
    "itself": "import __main__\nx = 42\nprint(__main__.x)",
    "exit": "print(42)\nexit()\nprint(43)",
    "quit": "print(42)\nquit(0)",
    "sys.exit": "import sys\nprint(42)\nsys.exit()",
    "os._exit": "import os\nprint(42, flush=True)\nos._exit(0)",
    "atexit": "import atexit\natexit.register(print, 42)",
    "unclosed": "import os\nout = os.fdopen(1, 'w')\nout.write('42\\n')",
    "replaced": "import io, os, sys\nsys.stdout = io.TextIOWrapper(io.FileIO(1, 'w'))\nprint(42)",
    "on the way out": "class Late:\n    def __del__(self):\n        print(42)\nlate = Late()",
    "thread": "import threading, time\n"
    "threading.Thread(target=lambda: (time.sleep(0.1), print(42))).start()",
    "deep": "import sys, threading\nsys.setrecursionlimit(10**6)\nthreading.stack_size(1 << 27)\n"
    "def f(n):\n    return n and 1 + f(n - 1)\n"
    "threading.Thread(target=lambda: print(f(20042) - 20000)).start()",
    "child": "import subprocess\nsubprocess.run(['echo', '42'])",
    "noise": "import sys\nsys.stderr.write('x' * 10**7)\nprint(42)",
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_read_and_print_works(judge, way):
    result = run(judge, WAYS[way])
    assert result.outcomes == (Printed(value="42\n"),)
    assert result.ended.reason == "stopped"


@pytest.mark.parametrize(
    ("program", "outcome"),
    [
        ("print(1)\n1 / 0", Outcome(raises="ZeroDivisionError", message="division by zero")),
        ("input(); input()", Outcome(raises="EOFError", message="EOF when reading a line")),
        ("import sys; sys.exit(3)", Outcome(raises="SystemExit", message="3")),
        ("import sys; sys.exit('no')", Outcome(raises="SystemExit", message="no")),
        ("exit(True)", Outcome(raises="SystemExit", message="True")),
        ("import os; os._exit(4)", Outcome(refused="ended with exit status 4")),
        ("x = [0] * 10**11", Outcome(raises="MemoryError")),
        ("import os; print(1); os.close(1); os.close(3)",
         Outcome(refused="ended with exit status 1")),
    ],
)  # fmt: skip
def test_a_program_that_fails_says_how(judge, program, outcome):
    assert run(judge, program).outcomes == (outcome,)


def test_what_is_no_python_fails(judge):
    (outcome,) = run(judge, "print 1").outcomes
    assert outcome.raises == "SyntaxError"


@pytest.mark.parametrize(
    ("program", "seconds", "reason"),
    [("while True: pass", 30, "cpu"), ("while True: print('x' * 10**5)", 30, "output"),
     ("import time; time.sleep(60)", 1, "wall")],
)  # fmt: skip
def test_programs_are_limited(judge, program, seconds, reason):
    result = run(judge, program, limits=CellLimits(cpu=0.5, wall=seconds))
    assert (result.outcomes, result.ended.reason) == ((), reason)


def test_text_goes_in_and_out_as_utf_8(judge):
    text = "é日本\U0001f600\n\n  x\n"
    assert run(judge, "print(open(0).read(), end='')", text).outcomes == (Printed(value=text),)


def test_what_is_no_text_is_never_taken_for_some(judge):
    (outcome,) = run(judge, "import sys; sys.stdout.buffer.write(b'\\xff')").outcomes
    assert outcome.value == "\udcff"


def test_much_is_read_and_printed(judge):
    text = "0123456789\n" * 300_000
    assert run(judge, "print(open(0).read(), end='')", text).outcomes[0].value == text


def test_no_file_is_left_of_the_input(judge):
    assert run(judge, "import os; print(os.listdir('/tmp'))").outcomes[0].value == "[]\n"


def test_closing_output_is_not_the_end(judge):
    program = "import os, time\nprint(42, flush=True)\nos.close(1)\ntime.sleep(0.5)\n"
    result = run(judge, program)
    assert result.outcomes == (Printed(value="42\n"),)


def test_a_failure_told_by_a_lie_is_a_failure(judge):
    program = "import os\nos.write(1, b'x\\0{\"value\": 5}')\nos._exit(1)"
    (outcome,) = run(judge, program).outcomes
    assert outcome == Outcome(raises="an exception")


def test_functions_are_judged_in_between(judge):
    assert run(judge, "print(1)").outcomes[0].value == "1\n"
    result = judge.run("def f(x):\n    print(x)\n    return x\n", "f", [Call([7], {})])
    assert result.outcomes == (Outcome(value=7),)
    assert run(judge, "print(2)").outcomes[0].value == "2\n"
