import pytest

from thresher.crawlers.site import Page, Seen
from thresher.crawlers.sites.baekjoon import SITE

HOME = "https://www.acmicpc.net"
LIST = b"""<a href="/problem/90001">A</a><a href="/problem/90001">A</a>
<a href="/problem/status/90001">s</a><a href="/problemset?page=2">2</a>
<a href="/problemset/3">3</a><a href="/problemset?sort=no_asc">x</a>"""


def urls(pages):
    return [page.url.removeprefix(HOME) for page in pages]


def test_where_it_starts():
    assert urls(SITE.start([])) == ["/problemset?page=1"]
    assert urls(SITE.start(["90001"])) == ["/problem/90001"]


def test_a_list_leads_to_problems_and_other_pages():
    seen = SITE.look(Page(f"{HOME}/problemset?page=1"), LIST)
    assert urls(seen.follow) == ["/problem/90001", "/problemset?page=2", "/problemset/3"]


@pytest.mark.parametrize(
    ("path", "right"), [("/problem/90001", True), ("/problem/status/1", False), ("/", False)]
)
def test_a_statement_is_told_by_its_address(path, right):
    assert SITE.look(Page(HOME + path), LIST) == Seen(is_statement=right)
