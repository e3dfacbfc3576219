import json

import pytest

from thresher.crawlers.site import Page, Seen
from thresher.crawlers.sites.aoj import SITE

HOME = "https://judgeapi.u-aizu.ac.jp"
ROWS = [{"id": "9001", "name": "Hens"}, {"id": "HEN1_1_A", "name": "Hens"}]
DESCRIPTIONS = ["/resources/descriptions/en/9001", "/resources/descriptions/en/HEN1_1_A"]


def urls(pages):
    return [page.url.removeprefix(HOME) for page in pages]


def look(path, answer):
    return SITE.look(Page(HOME + path), json.dumps(answer).encode())


def test_where_it_starts():
    assert urls(SITE.start([])) == ["/problems?page=0&size=100"]
    assert urls(SITE.start(["9001", "volumes/90", "courses/HEN1"])) == [
        "/resources/descriptions/en/9001",
        "/problems/volumes/90",
        "/problems/courses/HEN1",
    ]


def test_a_list_leads_to_descriptions():
    assert urls(look("/problems?page=3&size=100", ROWS).follow) == DESCRIPTIONS


def test_a_volume_leads_to_descriptions():
    assert urls(look("/problems/volumes/90", {"problems": ROWS}).follow) == DESCRIPTIONS


def test_a_full_page_leads_to_the_next():
    full = [{"id": f"{number:04}"} for number in range(100)]
    follow = urls(look("/problems?page=3&size=100", full).follow)
    assert len(follow) == 101
    assert follow[-1] == "/problems?page=4&size=100"
    assert len(look("/problems/volumes/90", {"problems": full}).follow) == 100


def test_a_description_may_be_a_statement():
    assert look("/resources/descriptions/en/9001", {}) == Seen(is_statement=True)


@pytest.mark.parametrize("answer", [{}, [], [{"id": 1}], {"problems": 3}, "x", [{"id": "../x"}]])
def test_other_answers_lead_nowhere(answer):
    assert look("/problems?page=3&size=100", answer).follow == []


def test_an_answer_that_is_no_json_leads_nowhere():
    assert SITE.look(Page(f"{HOME}/problems?page=0&size=100"), b"<html>").follow == []
