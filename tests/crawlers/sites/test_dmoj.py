import json

import pytest

from thresher.crawlers.site import Page, Seen
from thresher.crawlers.sites.dmoj import SITE

HOME = "https://dmoj.ca"
LIST = "/api/v2/problems?page={0}"


def urls(pages):
    return [page.url.removeprefix(HOME) for page in pages]


def look(path, answer):
    return SITE.look(Page(HOME + path), json.dumps(answer).encode())


def listed(*codes, more=False):
    return {"data": {"objects": [{"code": code} for code in codes], "has_more": more}}


def test_where_it_starts():
    assert urls(SITE.start([])) == [LIST.format(1)]
    assert urls(SITE.start(["hens"])) == ["/problem/hens"]


def test_a_list_leads_to_problems_and_the_next_page_if_there_is_one():
    problems = ["/problem/hens", "/problem/hens2"]
    assert urls(look(LIST.format(2), listed("hens", "hens2", "a/b")).follow) == problems
    follow = urls(look(LIST.format(2), listed("hens", "hens2", more=True)).follow)
    assert follow == [*problems, LIST.format(3)]


def test_an_empty_page_ends_the_list():
    assert look(LIST.format(2), listed(more=True)).follow == []


@pytest.mark.parametrize(
    ("path", "right"),
    [("/problem/hens", True), ("/problem/hens/submit", False), ("/about/", False)],
)
def test_a_statement_is_told_by_its_address(path, right):
    assert look(path, {}) == Seen(is_statement=right)


@pytest.mark.parametrize("answer", [{}, {"data": {}}, {"error": {"code": 404}}, []])
def test_other_answers_lead_nowhere(answer):
    assert look(LIST.format(1), answer) == Seen()
