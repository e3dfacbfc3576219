"""Solutions as completions: the program with the prompt before it runs, its text is kept."""

import pytest

from thresher.crawlers.functions import solutions
from thresher.errors import SourceError

PROMPT = 'from typing import List\n\n\ndef total(nums: List[int], k: int) -> int:\n    """Sum."""\n'
METHOD = "class Solution:\n    def total(self, nums, k):\n        "
KNOWN = ("List", "total")


def body(code, parameters=("nums", "k"), imports=()):
    """Complete the prompt, run the program (all of it is ours), and return the completion."""
    completion = solutions.of_function(code, "total", parameters, KNOWN)
    space: dict = {}
    exec("\n".join([*completion.imports, PROMPT]) + completion.text, space)
    assert space["total"]([1, 2, 3], 2) == 8
    assert completion.imports == imports
    return completion.text


def refused(call, *arguments):
    with pytest.raises(SourceError) as caught:
        call(*arguments)
    return caught.value.reason


def test_the_class_is_dropped_and_comments_stay():
    code = """\
class Solution:
    def total(self, nums: List[int], k: int) -> int:
        # all of them
        found = 0
        for each in nums:
            found += each  # one by one

        return found + k
"""
    assert body(code) == (
        "    # all of them\n    found = 0\n    for each in nums:\n"
        "        found += each  # one by one\n\n    return found + k\n"
    )


@pytest.mark.parametrize(
    "code",
    [
        "def total(nums, k):\n    return sum(nums) + k\n",
        "def total(nums, k): return sum(nums) + k",
        "class Solution(object):\n  def total(self, nums, k):\n    return sum(nums) + k",
        "class Solution:\r\n\tdef total(self, nums, k):\r\n\t\treturn sum(nums) + k\r\n",
        'class Solution:\n     """Five blanks."""\n     def total(self, nums, k):\n'
        '          """Its own."""\n          return sum(nums) + k\n',
    ],
)
def test_any_indentation_becomes_four_blanks(code):
    assert body(code) == "    return sum(nums) + k\n"


def test_lines_inside_a_text_are_not_moved():
    code = (
        METHOD + 'shown = """\n        a\n      b"""\n'
        "        return sum(nums) + k + shown.index('a') - 9\n"
    )
    assert '"""\n        a\n      b"""\n' in body(code)


def test_methods_that_are_called_stand_in_the_body():
    code = """\
class Solution:
    def total(self, nums, k):
        return self.add(nums, 0) + k

    @cache
    def one(self):
        return 1

    def add(
        self, nums, at,
    ):
        # from the end
        return 0 if at == len(nums) else nums[at] + self.add(nums, at + self.one())
"""
    assert (
        body(code, imports=("from functools import cache",))
        == """\
    @cache
    def one():
        return 1

    def add(
        nums, at,
    ):
        # from the end
        return 0 if at == len(nums) else nums[at] + add(nums, at + one())

    return add(nums, 0) + k
"""
    )


def test_a_method_that_calls_itself():
    code = (
        "class Solution:\n    def total(self, nums, k):\n"
        "        return nums[0] + self.total(nums[1:], k) if nums else k\n"
    )
    assert body(code) == "    return nums[0] + total(nums[1:], k) if nums else k\n"


def test_what_stands_beside_the_class_follows_the_body():
    code = """\
from functools import cache
from typing import *
import os, collections as c

BASE = 1
MORE = BASE - 1


class Box:
    size = len(c.Counter())


@cache
def more(x: int) -> int:
    return x + MORE + Box.size


class Solution:
    def total(self, nums, k):
        return more(sum(nums)) + k
"""
    assert (
        body(code, imports=("import collections as c", "from functools import cache"))
        == """\
    return more(sum(nums)) + k


BASE = 1
MORE = BASE - 1


class Box:
    size = len(c.Counter())


@cache
def more(x: int) -> int:
    return x + MORE + Box.size
"""
    )


def test_names_that_the_site_has_imported_are_imported():
    code = (
        METHOD + "heap = [-inf]\n"
        "        heapq.heapify(heap)\n        heappush(heap, bisect_left([1], 1))\n"
        "        cut = bisect.bisect([1], 1) - 1\n        return reduce(add, nums) + k + cut\n"
    )
    imports = (
        *("import bisect", "import heapq", "from bisect import bisect_left"),
        *("from functools import reduce", "from heapq import heappush", "from math import inf"),
        "from operator import add",
    )
    assert body(code, imports=imports).startswith("    heap = [-inf]\n")


def test_names_are_imported_from_where_they_belong():
    code = METHOD + "found = defaultdict(int, Counter())\n        return sum(nums) + k\n"
    assert body(
        code, imports=("from collections import Counter", "from collections import defaultdict")
    )


def test_parameters_of_other_names():
    code = "class Solution:\n    def total(self, A, extra):\n        return sum(A) + extra\n"
    assert body(code) == "    A, extra = nums, k\n    return sum(A) + extra\n"
    code = "class Solution:\n    def total(self, A, k):\n        return sum(A) + k\n"
    assert body(code) == "    A = nums\n    return sum(A) + k\n"


def test_classes_that_the_prompt_has_are_left_out():
    code = "class List:\n    pass\n\ndef total(nums, k):\n    return sum(nums) + k\n"
    assert body(code) == "    return sum(nums) + k\n"


def test_methods_called_in_formats():
    code = (
        METHOD
        + "return int(f'{self.plus(sum(nums), k)}')\n    def plus(self, a, b): return a + b\n"
    )
    assert "return int(f'{plus(sum(nums), k)}')\n" in body(code)


def test_names_are_bytes_and_letters():
    code = (
        "class Solution:\n    def total(self, nums, k):\n"
        "        größe = 'ß'; return self.plus(sum(nums), k) if größe else 0\n"
        "    def plus(self, é, ü): return é + ü\n"
    )
    assert "größe = 'ß'; return plus(sum(nums), k) if größe else 0\n" in body(code)


@pytest.mark.parametrize(
    "code",
    [
        "",
        "def total(nums, k:\n",
        "print 'two'",
        "def other(nums, k):\n    return 1\n",
        "class Solution:\n    def other(self, nums, k):\n        return 1\n",
        "class Solution:\n    def total(self, nums):\n        return 1\n",
        METHOD + "self.k = k\n        return self.k\n",
        "class Solution:\n    K = 2\n    def total(self, nums, k):\n        return self.K\n",
        "class Solution:\n    @cache\n    def total(self, nums, k):\n        return k\n",
        "class Solution:\n    @staticmethod\n    def total(nums, k):\n        return k\n",
        METHOD + "return helper(self, k)\n",
        METHOD + "return Solution().total(nums, k)\n",
        METHOD + "dfs = self.dfs\n        return dfs(k)\n    def dfs(self, k):\n        return k\n",
        METHOD + "return self.max(nums) + max(nums)\n    def max(self, k):\n        return 1\n",
        METHOD + "return mystery(k)\n",
        METHOD + "return f'{k}{self .total(1, 2)}'\n",
    ],
)
def test_what_is_no_function_is_refused_by_name(code):
    assert refused(solutions.of_function, code, "total", ("nums", "k"), KNOWN) == (
        "solution-not-a-function"
    )


@pytest.mark.parametrize(
    "code",
    [
        "import numpy as np\ndef total(nums, k):\n    return np.sum(nums)\n",
        "from sortedcontainers import SortedList as S\ndef total(nums, k):\n    return S(nums)\n",
        METHOD + "return SortedList(nums)\n",
        "from . import own\ndef total(nums, k):\n    return own(nums)\n",
    ],
)
def test_libraries_are_refused_by_name(code):
    assert refused(solutions.of_function, code, "total", ("nums", "k"), KNOWN) == (
        "solution-needs-library"
    )


def test_an_import_that_nobody_uses_is_left_out():
    code = "import numpy\nimport os\ndef total(nums, k):\n    return sum(nums) + k\n"
    assert body(code) == "    return sum(nums) + k\n"


SHELF = """\
from collections import deque


class Book:
    def __init__(self, name):
        self.name = name


class Shelf:
    \"\"\"Own words.\"\"\"

    def __init__(self, width: int):
        self.books: deque[Book] = deque()

    def put(self, book: Book) -> List[Book]:
        self.books.append(book)
        return heappop([[book]])
"""


def test_a_class_is_completed_by_its_body_and_its_imports_go_to_the_prompt():
    completion = solutions.of_class(SHELF, "Shelf", ("List", "Shelf"))
    assert completion.imports == ("from collections import deque", "from heapq import heappop")
    assert (
        completion.text
        == """\
    def __init__(self, width: int):
        self.books: deque[Book] = deque()

    def put(self, book: 'Book') -> 'List[Book]':
        self.books.append(book)
        return heappop([[book]])


class Book:
    def __init__(self, name):
        self.name = name
"""
    )


@pytest.mark.parametrize(
    "code",
    [
        "class Other:\n    pass\n",
        "class Base:\n    pass\n\nclass Shelf(Base):\n    x = 1\n",
        "@final\nclass Shelf:\n    x = 1\n",
        "def wrap(f):\n    return f\n\nclass Shelf:\n    @wrap\n    def put(self):\n        pass\n",
        "SIZE = 1\n\nclass Shelf:\n    width = SIZE\n",
    ],
)
def test_classes_that_do_not_stand_alone_are_refused(code):
    assert refused(solutions.of_class, code, "Shelf", ("Shelf",)) == "solution-not-a-function"
