import json

import pytest

from thresher.crawlers.site import Page, Seen
from thresher.crawlers.sites.codechef import SITE

HOME = "https://www.codechef.com"
LIST = "/api/list/problems?page={0}&limit=100&sort_by=problem_code"
PROBLEM = "/api/contests/PRACTICE/problems/{0}"


def urls(pages):
    return [page.url.removeprefix(HOME) for page in pages]


def look(path, answer):
    return SITE.look(Page(HOME + path), json.dumps(answer).encode())


def test_where_it_starts():
    assert urls(SITE.start([])) == [LIST.format(0)]
    assert urls(SITE.start(["HENS", "START9/HENS2"])) == [
        PROBLEM.format("HENS"),
        "/api/contests/START9/problems/HENS2",
    ]


def test_a_list_leads_to_problems():
    answer = {"status": "success", "data": [{"code": "HENS", "name": "Hens"}, {"code": "A/B"}]}
    assert urls(look(LIST.format(4), answer).follow) == [PROBLEM.format("HENS")]


def test_a_full_page_leads_to_the_next():
    answer = {"data": [{"code": f"HENS{number}"} for number in range(100)], "count": 900}
    assert urls(look(LIST.format(4), answer).follow)[-1] == LIST.format(5)


def test_a_problem_may_be_a_statement():
    assert look(PROBLEM.format("HENS"), {}) == Seen(is_statement=True)


@pytest.mark.parametrize("answer", [{}, [], {"data": None}, {"data": [{"code": 1}]}, 7])
def test_other_answers_lead_nowhere(answer):
    assert look(LIST.format(0), answer) == Seen()
    assert look("/learn", answer) == Seen()
