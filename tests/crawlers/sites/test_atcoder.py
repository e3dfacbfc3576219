import pytest

from thresher.crawlers.site import Page, Seen
from thresher.crawlers.sites.atcoder import SITE

HOME = "https://atcoder.jp"
ARCHIVE = b"""<a href="/contests/archive">All</a><a href="/contests/abc900">Hens</a>
<a href="/contests/math-and-hens">Maths</a><a href="/contests/abc900">Hens</a>
<a href="/contests/archive?page=2">2</a><a href="/contests/archive?lang=en&amp;page=3">3</a>
<a href="/contests/?lang=ja">x</a><a href="/users/somebody">y</a>"""
TASKS = b"""<a href="/contests/abc900/tasks">Tasks</a>
<a href="/contests/abc900/tasks/abc900_a">A</a>
<a href="/contests/abc900/tasks/abc900_a">Hens</a><a href="/contests/abc900/tasks/abc900_b">B</a>
<a href="/contests/abc900/tasks_print">Print</a><a href="/contests/abc901/tasks/abc901_a">x</a>"""


def urls(pages):
    return [page.url.removeprefix(HOME) for page in pages]


def look(path, body=b""):
    return SITE.look(Page(HOME + path), body)


@pytest.mark.parametrize(
    ("key", "right"),
    [
        ("abc900", "/contests/abc900/tasks"),
        ("abc900_c", "/contests/abc900/tasks/abc900_c"),
        ("math_and_hens_a", "/contests/math-and-hens/tasks/math_and_hens_a"),
        ("hens2031/joi_ho_a", "/contests/hens2031/tasks/joi_ho_a"),
    ],
)
def test_what_may_be_named(key, right):
    assert urls(SITE.start([key])) == [right]


def test_everything_starts_at_the_archive():
    assert urls(SITE.start([])) == ["/contests/archive?page=1"]


def test_the_archive_leads_to_contests_and_its_other_pages():
    assert urls(look("/contests/archive?page=1", ARCHIVE).follow) == [
        "/contests/abc900/tasks",
        "/contests/math-and-hens/tasks",
        "/contests/archive?page=2",
        "/contests/archive?page=3",
    ]


def test_a_contest_leads_to_its_tasks():
    seen = look("/contests/abc900/tasks", TASKS)
    assert urls(seen.follow) == [
        "/contests/abc900/tasks/abc900_a",
        "/contests/abc900/tasks/abc900_b",
    ]
    assert not seen.is_statement


@pytest.mark.parametrize(
    ("path", "right"),
    [("/contests/abc900/tasks/abc900_a", True), ("/contests/abc900", False), ("/home", False)],
)
def test_a_statement_is_told_by_its_address(path, right):
    assert look(path) == Seen([] if "abc900" in path and not right else (), is_statement=right)


@pytest.mark.parametrize("body", [b"", b"\xff\x00<<<", b"<a href>"])
def test_it_looks_at_anything(body):
    assert look("/contests/archive?page=9", body).follow == []
    assert look("/contests/abc900/tasks", body).follow == []


def test_it_is_off_until_named():
    assert not SITE.on
