import pytest

from thresher.crawlers.site import Page, Seen
from thresher.crawlers.sites.usaco import SITE

INDEX = "https://usaco.org/index.php?page="
CONTESTS = b"""<a href="index.php?page=dec31results">2031 December</a>
<a href="index.php?page=feb30problems">2030 February</a>
<a href="index.php?page=instructions">Help</a><a href="index.php?page=dec31results">Again</a>"""
RESULTS = b"""<a href='index.php?page=viewproblem2&amp;cpid=9001'>View problem</a>
<a href='index.php?page=viewproblem2&cpid=9002'>View problem</a>
<a href='current/data/sol.html'>Solution</a>"""


def urls(pages):
    return [page.url.removeprefix(INDEX) for page in pages]


def test_where_it_starts():
    assert urls(SITE.start([])) == ["contests"]
    assert urls(SITE.start(["9001", "dec31results"])) == [
        "viewproblem2&cpid=9001",
        "dec31results",
    ]


@pytest.mark.parametrize(
    ("page", "body", "right"),
    [
        ("contests", CONTESTS, ["dec31results", "feb30problems"]),
        ("dec31results", RESULTS, ["viewproblem2&cpid=9001", "viewproblem2&cpid=9002"]),
        ("contests", b"", []),
    ],
)
def test_what_a_page_leads_to(page, body, right):
    assert urls(SITE.look(Page(INDEX + page), body).follow) == right


def test_a_statement_is_told_by_its_address():
    assert SITE.look(Page(f"{INDEX}viewproblem2&cpid=9001"), RESULTS) == Seen(is_statement=True)
    assert SITE.look(Page("https://usaco.org/elsewhere"), RESULTS) == Seen()
