"""Programs as functions: what the form does, and which programs have none."""

import ast
import inspect
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store import builders
from thresher.store.programs import asked, docstring, function_form


def solve(body: str) -> Callable[[str], str]:
    """Return the function that a program (one of ours) becomes."""
    form = function_form(builders.program(body))
    assert form is not None
    namespace: dict[str, Any] = {}
    exec(form.prompt + form.canonical_solution, namespace)
    return namespace["solve"]


def test_the_form_is_a_function_that_runs_the_program() -> None:
    text = "'''\n  kept\n'''"
    body = (
        "import sys\n\n\ndef main():\n    # twice\n    n = int(input())\n"
        f"    print(2 * n, {text}, sep='')\n\n\nif __name__ == \"__main__\":\n    main()\n"
    )
    form = function_form(builders.program(body))
    assert form is not None
    assert (form.style, form.entry_point, form.task_id) == (
        "function",
        "solve",
        "site/double-00000001",
    )
    assert form.prompt == (
        "def solve(stdin: str) -> str:\n"
        '    """Print twice the number that is read.\n'
        "\n"
        "    The whole input is given as `stdin`; return what is to be printed.\n"
        '    """\n'
    )
    assert form.canonical_solution == (
        "    import io\n"
        "    import sys\n"
        "\n"
        "    def program():\n"
        "        import sys\n"
        "\n"
        "\n"
        "        def main():\n"
        "            # twice\n"
        "            n = int(input())\n"
        "            print(2 * n, '''\n"
        "  kept\n"
        "''', sep='')\n"
        "\n"
        "\n"
        "        main()\n"
        "\n"
        "    standard = sys.stdin, sys.stdout\n"
        "    sys.stdin, sys.stdout = io.StringIO(stdin), io.StringIO()\n"
        "    try:\n"
        "        program()\n"
        "        return sys.stdout.getvalue()\n"
        "    finally:\n"
        "        sys.stdin, sys.stdout = standard\n"
    )


GOOD = {
    "lines": "import sys\nfor line in sys.stdin:\n    print(2 * int(line))\n",
    "readline": "import sys\ninput = sys.stdin.readline\nprint(2 * int(input()))\n",
    "from sys": "from sys import stdin, stdout\nstdout.write(f'{2 * int(stdin.read())}\\n')\n",
    "buffers": "import sys\nn = int(sys.stdin.buffer.read())\n"
    "sys.stdout.buffer.write(b'%d\\n' % (2 * n))\n",
    "mixed": "import sys\nprint(2 * int(sys.stdin.buffer.read()))\n",
    "open": "print(2 * int(open(0).read()))\n",
    "open for reading": "for line in open(0, 'r'):\n    print(2 * int(line))\n",
    "open bytes": "print(2 * int(open(0, 'rb').read()))\n",
    "with open": "with open(0) as f:\n    print(2 * int(f.read()))\n",
    "exit": "print(2 * int(input()))\nexit()\n",
    "sys.exit": "import sys\nprint(2 * int(input()))\nsys.exit(0)\nprint('no')\n",
    "global": "n = 0\ndef f():\n    global n\n    n += int(input())\nf()\nprint(2 * n)\n",
    "global, above": "global n\nn = int(input())\nprint(2 * n)\n",
    "two guards": "x = 2\nif __name__ == '__main__':\n    n = int(input())\n"
    "if __name__ == '__main__': print(x * n)\n",
    "tabs": "if __name__ == '__main__':\n\tfor _ in range(1):\n\t\tprint(2 * int(input()))\n",
    "classes": "class A:\n    k = 2\n    def f(self, n):\n        return self.k * n\n"
    "print(A().f(int(input())))\n",
    "recursion": "def f(n):\n    return n and 2 + f(n - 1)\nprint(f(int(input())))\n",
    "comprehension": "k = 2\nprint(*[k * n for n in map(int, input().split()) if k])\n",
    "own solve": "def solve(stdin):\n    return 2 * int(stdin)\nprint(solve(input()))\n",
    "shadow": "sum = 0\nfor n in input().split():\n    sum += 2 * int(n)\nprint(sum)\n",
    "in a loop": "for _ in range(1):\n    max = int(input())\n    print(2 * max)\n",
    "joined": "import threading\nt = threading.Thread(target=lambda: print(2 * int(input())))\n"
    "t.start()\nt.join()\n",
    "future": "from __future__ import division, print_function\nprint(2 * int(input()))\n",
    "f-string": "n = int(input())\nprint(f'''{2 * n\n}''')\n",
    "continued": "n = int(input())\nprint(2 \\\n* n)\n",
    "after text": "'''About.\n\nIt.'''\nprint(2 * int(input()))\n",
    "no line break": "print(2 * int(input()))",
    "utf-8": "é = 2; print(é * int(open(0).read())); 'é'\n",
}


@pytest.mark.parametrize("name", GOOD)
def test_the_form_prints_what_the_program_does_each_time(name: str) -> None:
    run = solve(GOOD[name])
    assert [run("2\n"), run("21\n"), run("2\n")] == ["4\n", "42\n", "4\n"]


def test_text_in_strings_is_not_indented() -> None:
    body = (
        "a = '''x\n y\n'''\nif __name__ == '__main__':\n    b = '''p\n    q'''\n    print(a + b)\n"
    )
    assert solve(body)("") == "x\n y\np\n    q\n"


def test_errors_and_failing_exits_come_out() -> None:
    with pytest.raises(ZeroDivisionError):
        solve("1 / int(input())\n")("0\n")
    with pytest.raises(SystemExit):
        solve("import sys\nsys.exit(1)\n")("")


BAD = {
    "none": " \n",
    "no Python": "print 1\n",
    "null": "print('\0')\n",
    "descriptors": "import os\nos.write(1, b'4')\n",
    "descriptor of a stream": "import sys\nprint(sys.stdin.fileno())\n",
    "fdopen": "from os import fdopen\nprint(fdopen(0).read())\n",
    "descriptor by name": "print(open('/dev/stdin').read())\n",
    "descriptor in a variable": "n = 0\nprint(open(n).read())\n",
    "output opened": "print(4, file=open(1, 'w'))\n",
    "open passed on": "print(*map(lambda f: f(0).read(), [open]))\n",
    "other name": "import os as o\no.write(1, b'4')\n",
    "at exit": "import atexit\natexit.register(print, 4)\n",
    "_exit": "import os\nprint(4, flush=True)\nos._exit(0)\n",
    "thread": "import threading\nthreading.Thread(target=print).start()\n",
    "process": "import subprocess\nsubprocess.run(['echo'])\n",
    "everything": "from math import *\nprint(floor(4.5))\n",
    "globals": "x = 4\nprint(globals()['x'])\n",
    "exec": "exec('print(4)')\n",
    "own name": "print(__name__)\n",
    "guard with else": "if __name__ == '__main__':\n    print(4)\nelse:\n    print(5)\n",
    "new output": "import io, sys\nsys.stdout = io.StringIO()\n",
    "built-in and own": "a = [4]\nsum = sum(a)\nprint(sum)\n",
    "maybe built-in": "try:\n    input = raw_input\nexcept NameError:\n    pass\nprint(input())\n",
    "built-in before": "def f():\n    return max(1, 4)\nprint(f())\nmax = 5\n",
    "class finds module's": "x = 4\nclass A:\n    x = x\nprint(A.x)\n",
    "global behind a local": "x = 1\ndef f():\n    x = 2\n    def g():\n        global x\n"
    "        x = 4\n    g()\nf()\nprint(x)\n",
    "global of its own": "def f():\n    global x\n    x = 4\nf()\nprint(x)\n",
    "annotations": "from __future__ import annotations\nprint(4)\n",
    "too deep": f"print({'(' * 3000}4{')' * 3000})\n",
}


@pytest.mark.parametrize("name", BAD)
def test_programs_that_would_do_something_else_have_no_form(name: str) -> None:
    assert function_form(builders.program(BAD[name])) is None


@given(st.text() | st.sampled_from([*GOOD.values(), *BAD.values()]).flatmap(
    lambda text: st.integers(0, len(text)).map(lambda at: text[:at] + text[at + 1 :])
))  # fmt: skip
def test_any_text_has_a_form_or_none(text: str) -> None:
    form = function_form(builders.program(text))
    assert form is None or ast.parse(form.prompt + form.canonical_solution)


def test_a_model_is_asked_for_a_function_that_is_not_written_yet() -> None:
    made = builders.program(body="")
    problem = asked(made)
    assert (problem.canonical_solution, problem.style) == ("", "function")
    assert problem.prompt == asked(builders.program()).prompt
    assert problem.cases == made.cases


@given(st.text(st.characters() | st.sampled_from('\\"\n\t\r\0\x1b')))
def test_a_docstring_has_its_text_as_value(text: str) -> None:
    source = docstring(text)
    assert ast.literal_eval(source) == f"{text}\n"
    source.encode()


@given(st.lists(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1), min_size=1))
def test_the_statement_is_the_functions_docstring(lines: list[str]) -> None:
    text = "\n".join(lines)
    problem = asked(builders.program(prompt=docstring(text)))
    (function,) = ast.parse(f"{problem.prompt}    pass\n").body
    assert isinstance(function, ast.FunctionDef)
    assert (ast.get_docstring(function) or "").startswith(inspect.cleandoc(text))
