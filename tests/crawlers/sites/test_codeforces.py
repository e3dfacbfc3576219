import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.crawlers.site import Page, Seen
from thresher.crawlers.sites.codeforces import SITE

HOME = "https://codeforces.com"


def urls(pages):
    return [page.url.removeprefix(HOME) for page in pages]


@pytest.mark.parametrize(
    ("key", "path"),
    [
        ("1234A", "/problemset/problem/1234/A"),
        ("1234/f2", "/problemset/problem/1234/F2"),
        ("1234", "/contest/1234"),
        ("103505A", "/gym/103505/problem/A"),
        ("gym/103505", "/gym/103505"),
    ],
)
def test_what_is_named_is_where_it_starts(key, path):
    assert urls(SITE.start([key])) == [path]


def test_without_names_the_whole_problem_set_is_asked_for():
    assert urls(SITE.start([])) == ["/api/problemset.problems"]


def test_the_problem_set_leads_to_its_problems():
    rows = [
        {"contestId": 12, "index": "B", "name": "x", "tags": []},
        {"contestId": 12, "index": "C1", "rating": 800},
        {"problemsetName": "old", "index": "100"},
    ]
    body = json.dumps({"status": "OK", "result": {"problems": rows}}).encode()
    seen = SITE.look(Page(f"{HOME}/api/problemset.problems"), body)
    assert urls(seen.follow) == ["/problemset/problem/12/B", "/problemset/problem/12/C1"]
    assert not seen.is_statement


@pytest.mark.parametrize("contest", ["/contest/12", "/gym/100012"])
def test_a_contest_leads_to_its_problems(contest):
    links = "".join(
        f'<a href="{contest}{path}">x</a>'
        for path in ("/problem/A", "/problem/A", "/submit", "/problem/B2", "/status/B2")
    )
    seen = SITE.look(Page(HOME + contest), links.encode())
    assert urls(seen.follow) == [f"{contest}/problem/A", f"{contest}/problem/B2"]


@pytest.mark.parametrize(
    ("path", "right"),
    [
        ("/problemset/problem/12/B", True),
        ("/contest/12/problem/B", True),
        ("/gym/100012/problem/B", True),
        ("/contest/12/status", False),
        ("/blog/entry/12", False),
    ],
)
def test_a_statement_is_told_by_its_address(path, right):
    assert SITE.look(Page(HOME + path), b"x") == Seen(is_statement=right)


@given(st.binary())
def test_no_bytes_make_it_stumble(body):
    for path in ("/api/problemset.problems", "/contest/12"):
        assert SITE.look(Page(HOME + path), body) == Seen([])
