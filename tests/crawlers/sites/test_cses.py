import pytest

from thresher.crawlers.site import Page, Seen
from thresher.crawlers.sites.cses import SITE

HOME = "https://cses.fi"


def urls(pages):
    return [page.url.removeprefix(HOME) for page in pages]


@pytest.mark.parametrize(
    ("keys", "paths"),
    [
        ([], ["/problemset/list/"]),
        (["1068", "1083"], ["/problemset/task/1068/", "/problemset/task/1083/"]),
        (["251/L"], ["/251/task/L/"]),
        (["251/"], ["/251/list/"]),
    ],
)
def test_where_it_starts(keys, paths):
    assert urls(SITE.start(keys)) == paths


def test_a_list_leads_to_its_tasks():
    body = b"""<ul class="task-list"><li><a href="/problemset/task/1068">a</a>
    <li><a href="/problemset/task/1083/">b</a><li><a href="https://cses.fi/problemset/task/1068">a</a>
    <li><a href="/251/task/L">c</a><li><a href="/problemset/stats/1068/">d</a></ul>"""
    seen = SITE.look(Page(f"{HOME}/problemset/list/"), body)
    assert urls(seen.follow) == ["/problemset/task/1068/", "/problemset/task/1083/"]
    assert urls(SITE.look(Page(f"{HOME}/251/list/"), body).follow) == ["/251/task/L/"]


@pytest.mark.parametrize(
    ("path", "right"),
    [
        ("/problemset/task/1068/", True),
        ("/251/task/L/", True),
        ("/problemset/stats/1068/", False),
    ],
)
def test_a_statement_is_told_by_its_address(path, right):
    assert SITE.look(Page(HOME + path), b"") == Seen(is_statement=right)


def test_an_empty_list_leads_nowhere():
    assert SITE.look(Page(f"{HOME}/problemset/list/"), b"") == Seen([])
