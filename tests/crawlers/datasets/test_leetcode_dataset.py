"""Rows of LeetCodeDataset, of its first and of its later versions; the problems are invented."""

import json

import pytest

from tests.store.builders import source
from thresher.crawlers.datasets import leetcode_dataset
from thresher.crawlers.functions import problems
from thresher.crawlers.statement import Call, Statement
from thresher.errors import SourceError
from thresher.store.records import Comparator

TEXT = (
    "Given a list of books, return the places of two of them that are k wide together.\n"
    "You can return the answer in any order.\n\xa0\nExample 1:\n\n"
    "Input: shelf = [2,5], k = 7\nOutput: [0,1]\nExplanation: Both.\n\n\xa0\nConstraints:\n\n2 <= k"
)
STARTER = (
    "class Solution:\n    def evenPairs(self, shelf: List[int], k: int) -> List[int]:\n        "
)
ROW = {
    "task_id": "even-pairs",
    "question_id": 9001,
    "difficulty": "Easy",
    "tags": ["Array"],
    "problem_description": TEXT,
    "starter_code": STARTER,
    "prompt": "from typing import *\n",
    "completion": STARTER + "return [0, len(shelf) - 1]\n",
    "entry_point": "Solution().evenPairs",
    "test": (
        "def check(candidate):\n    assert candidate(shelf = [2, 5],k = 7) == [0, 1]\n"
        "    assert candidate(shelf = [1, 1, 3],k = 4) == [0, 2]\n"
    ),
    "input_output": [{"input": "shelf = [2,5], k = 7", "output": "[0, 1]"}],
    "query": "…",
    "response": "…",
}


def read(tmp_path, *rows):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return [found.statement for found in leetcode_dataset.COLLECTION.read(path)]


def reason(tmp_path, **changes):
    (found,) = read(tmp_path, ROW | changes)
    assert isinstance(found, SourceError)
    return found.reason


def test_a_row(tmp_path):
    (found,) = read(tmp_path, ROW)
    assert (found.key, found.title) == ("even-pairs", "Even Pairs")
    assert found.text.endswith("You can return the answer in any order.\n\nConstraints:\n\n2 <= k")
    assert "Input" not in found.text
    assert found.calls == (Call({"shelf": [2, 5], "k": 7}, [0, 1]),)
    assert found.hidden_calls == (Call({"shelf": [1, 1, 3], "k": 4}, [0, 2]),)
    assert found.comparator == Comparator(kind="unordered")
    assert (found.flags, found.tags) == (("any_order",), ("Easy", "Array"))
    assert (found.licence, found.url) == ("unknown", "https://leetcode.com/problems/even-pairs/")
    assert "MIT" in found.licence_evidence


def test_powers_get_their_signs_back(tmp_path):
    text = (
        "There are 105 books. Return the count modulo 109 + 7.\n\nConstraints:\n\n"
        "1 <= n <= 2 * 105\n-231 <= books[i] <= 231 - 1\n1 <= k <= 1000\nk <= 1018\n"
    )
    (found,) = read(tmp_path, ROW | {"problem_description": text})
    assert found.text.strip() == (
        "There are 105 books. Return the count modulo 10^9 + 7.\n\nConstraints:\n\n"
        "1 <= n <= 2 * 10^5\n-2^31 <= books[i] <= 2^31 - 1\n1 <= k <= 1000\nk <= 10^18"
    )
    signed = text.replace("109 + 7", "10^9 + 7")
    (found,) = read(tmp_path, ROW | {"problem_description": signed})
    assert found.text.strip() == signed.strip()


def test_an_error_that_is_allowed_is_a_power(tmp_path):
    text = "Return the mean. Answers within 10-5 of it are accepted."
    (found,) = read(tmp_path, ROW | {"problem_description": text})
    assert "10^-5" in found.text


def test_infinite_answers_are_left_out(tmp_path):
    test = ROW["test"] + "    assert candidate(shelf = [],k = 4) == -inf\n"
    (found,) = read(tmp_path, ROW | {"test": test})
    assert len(found.hidden_calls) == 1


def test_it_becomes_a_problem(tmp_path):
    (found,) = read(tmp_path, ROW)
    problem = problems.problem(found, source())
    assert problem.canonical_solution == "    return [0, len(shelf) - 1]\n"
    assert [case.shown for case in problem.cases] == [True, False]
    assert "import *" not in problem.prompt


def test_the_first_versions(tmp_path):
    row = {key: ROW[key] for key in ("task_id", "completion", "entry_point", "test")}
    meta = {"question_id": 1, "question_title": TEXT, "lang_code": STARTER, "difficulty": "Hard"}
    first, today = read(tmp_path, row | {"meta": meta}, ROW)
    assert isinstance(first, Statement)
    assert (first.calls, first.hidden_calls, first.text) == (
        today.calls,
        today.hidden_calls,
        today.text,
    )
    assert first.tags == ("Hard",)


def test_nodes_are_lists(tmp_path):
    starter = "class Solution:\n    def drop(self, head: Optional[ListNode]) -> Optional[ListNode]:"
    test = (
        "def check(candidate):\n"
        "    assert is_same_list(candidate(head = list_node([1, 2])), list_node([2]))\n"
        "    assert is_same_list(candidate(head = list_node([])), list_node([]))\n"
    )
    text = "Drop it.\n\nExample 1:\n\nInput: head = [1,2]\nOutput: [2]"
    changes = {"starter_code": starter, "test": test, "problem_description": text}
    (found,) = read(tmp_path, ROW | changes | {"entry_point": "Solution().drop"})
    assert found.calls == (Call({"head": [1, 2]}, [2]),)
    assert found.hidden_calls == (Call({"head": []}, []),)
    assert found.flags == ("linked_list",)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        (
            {"test": "def check(candidate):\n    assert candidate(shelf=[1], k=1) == None\n"},
            "no-results",
        ),
        (
            {"test": "def check(candidate):\n    assert len(candidate(shelf=[1], k=1)) == 2\n"},
            "opaque-test",
        ),
        ({"test": "def check(candidate):\n    pass\n"}, "no-tests"),
        ({"test": "def check("}, "bad-python"),
        ({"entry_point": "Solution().other"}, "no-signature"),
        ({"problem_description": TEXT.replace("[0,1]", "0 and 1")}, "example-unreadable"),
        ({"problem_description": TEXT.replace("Output", "Input")}, "samples-unpaired"),
        ({"completion": None}, "bad-row"),
    ],
)
def test_rows_that_can_not_be_used(tmp_path, changes, code):
    assert reason(tmp_path, **changes) == code
