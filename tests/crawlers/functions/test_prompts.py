"""Prompts begin with the imports that their solutions need; the rest is in `test_problems`."""

from tests.crawlers.functions.test_problems import (
    RIGHT_AND_WRONG,
    judges,
    made,
    signature,
    verdicts,
)

__all__ = ["judges"]  # the fixture


def test_what_a_solution_imports_is_at_the_top_of_the_prompt(judges):
    code = (
        "from math import prod, gcd\nimport heapq\nfrom typing import Dict, List\n\nBASE = 2\n\n\n"
        "def area(sides):\n    heapq.heapify(sides)\n    found: Dict = {}\n"
        "    return gcd(prod(sides), prod(sides)) * BASE\n"
    )
    problem = made(signature("area", "int", sides="List[int]"), [({"sides": [2, 3]}, 12)], code)
    assert problem.prompt.startswith(
        "import heapq\nfrom math import gcd, prod\nfrom typing import Dict, List\n\n\ndef area("
    )
    assert "import" not in problem.canonical_solution
    assert problem.canonical_solution.endswith("* BASE\n\n\nBASE = 2\n")
    wrong = problem.canonical_solution.replace("BASE = 2", "BASE = 3")
    assert verdicts(judges, problem, wrong) == RIGHT_AND_WRONG
