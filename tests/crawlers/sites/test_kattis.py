import pytest

from thresher.crawlers.site import Page, Seen
from thresher.crawlers.sites.kattis import SITE

HOME = "https://open.kattis.com"
ROWS = b"""<a href="/problems">Problems</a><table><tr><td><a href="/problems/geese">Geese</a></td>
<td><a href="/problems/geese/statistics">s</a></td></tr>
<tr><td><a href="/problems/hens2">Hens</a></td></tr></table><a href="/problem-sources/x">x</a>"""


def urls(pages):
    return [page.url.removeprefix(HOME) for page in pages]


def follow(number, body):
    return urls(SITE.look(Page(f"{HOME}/problems?page={number}"), body).follow)


def test_where_it_starts():
    assert urls(SITE.start(["geese", "hens"])) == ["/problems/geese", "/problems/hens"]
    assert urls(SITE.start([])) == ["/problems?page=0"]


def test_a_page_of_the_list_leads_to_its_problems_and_the_next():
    paging = b'<a href="/problems?page=0">1</a><a href="/problems?order=name&amp;page=1">2</a>'
    assert follow(0, ROWS + paging) == ["/problems/geese", "/problems/hens2", "/problems?page=1"]


def test_the_last_page_of_the_list_ends_it():
    paging = b'<a href="/problems?page=0">1</a><a href="/problems?page=1">2</a>'
    assert follow(1, ROWS + paging) == ["/problems/geese", "/problems/hens2"]
    assert follow(2, b"") == []


@pytest.mark.parametrize(
    ("path", "right"),
    [("/problems/geese", True), ("/problems/geese/submit", False), ("/login", False)],
)
def test_a_statement_is_told_by_its_address(path, right):
    assert SITE.look(Page(HOME + path), b"") == Seen(is_statement=right)


def test_it_is_on_by_default():
    assert SITE.on
