"""Which questions of LeetCode are asked for."""

import json

import pytest

from thresher.crawlers.site import Page
from thresher.crawlers.sites.leetcode import AT_ONCE, ENDPOINT, SITE


def variables(page):
    assert page.url == ENDPOINT
    return json.loads(page.body)["variables"]


def listed(*slugs, paid=False):
    questions = [{"titleSlug": slug, "paidOnly": paid} for slug in slugs]
    answer = {"data": {"problemsetQuestionList": {"total": 9, "questions": questions}}}
    return json.dumps(answer).encode()


def test_named_problems_are_asked_for_by_name():
    assert [variables(page) for page in SITE.start(["even-pairs", "shelf"])] == [
        {"titleSlug": "even-pairs"},
        {"titleSlug": "shelf"},
    ]


def test_everything_begins_with_the_list():
    (first,) = SITE.start([])
    assert variables(first) == {"skip": 0, "limit": AT_ONCE}


def test_a_page_of_the_list_leads_to_its_problems_and_to_the_next():
    (first,) = SITE.start([])
    seen = SITE.look(first, listed(*(f"p{number}" for number in range(AT_ONCE))))
    assert not seen.is_statement
    assert variables(seen.follow[0]) == {"titleSlug": "p0"}
    assert variables(seen.follow[-1]) == {"skip": AT_ONCE, "limit": AT_ONCE}
    assert len(seen.follow) == AT_ONCE + 1


def test_the_last_page_leads_no_further_and_paid_problems_are_not_asked_for():
    (first,) = SITE.start([])
    assert [variables(page) for page in SITE.look(first, listed("a", "b")).follow] == [
        {"titleSlug": "a"},
        {"titleSlug": "b"},
    ]
    assert SITE.look(first, listed("a", paid=True)).follow == []
    assert SITE.look(first, listed()).is_statement is False


def test_a_list_of_wrong_types_leads_nowhere():
    (first,) = SITE.start([])
    answer = {"data": {"problemsetQuestionList": {"questions": [{"titleSlug": 3}, 4, {}]}}}
    assert SITE.look(first, json.dumps(answer).encode()).follow == []


@pytest.mark.parametrize("body", [b'{"data": {"question": {}}}', b"<p>text</p>", b"{", b""])
def test_anything_else_may_be_a_statement(body):
    (question,) = SITE.start(["even-pairs"])
    assert SITE.look(question, body).is_statement
    assert SITE.look(Page("https://leetcode.com/problems/even-pairs/"), body).is_statement


def test_it_is_off_until_named():
    assert not SITE.on
    assert "licence" in SITE.terms
