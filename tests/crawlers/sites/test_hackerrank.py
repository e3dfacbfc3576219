import json

import pytest

from thresher.crawlers.site import Page, Seen
from thresher.crawlers.sites.hackerrank import SITE

MASTER = "https://www.hackerrank.com/rest/contests/master"
LIST = "/tracks/{0}/challenges?offset={1}&limit=50"


def urls(pages):
    return [page.url.removeprefix(MASTER) for page in pages]


def look(path, answer):
    return SITE.look(Page(MASTER + path), json.dumps(answer).encode())


def test_where_it_starts():
    assert urls(SITE.start([])) == [LIST.format("algorithms", 0)]
    assert urls(SITE.start(["hens", "tracks/data-structures"])) == [
        "/challenges/hens",
        LIST.format("data-structures", 0),
    ]


def test_a_list_leads_to_challenges_and_the_next_page_until_all_are_seen():
    models = [{"slug": "hens"}, {"slug": "more-hens"}]
    challenges = ["/challenges/hens", "/challenges/more-hens"]
    first = look(LIST.format("algorithms", 50), {"models": models, "total": 90})
    assert urls(first.follow) == [*challenges, LIST.format("algorithms", 52)]
    last = look(LIST.format("algorithms", 50), {"models": models, "total": 52})
    assert urls(last.follow) == challenges


def test_a_challenge_may_be_a_statement():
    assert look("/challenges/hens", {}) == Seen(is_statement=True)


@pytest.mark.parametrize("answer", [{}, {"models": []}, {"models": [{}], "total": 9}, "x"])
def test_other_answers_lead_nowhere(answer):
    assert not look(LIST.format("algorithms", 0), answer).follow
    assert look("/leaderboard", answer) == Seen()
