import json

import pytest

from thresher.crawlers.site import Page, Seen
from thresher.crawlers.sites.luogu import SITE

HOME = "https://www.luogu.com.cn"
LIST = "/problem/list?page={0}&_contentOnly=1"
PROBLEM = "/problem/{0}?_contentOnly=1"


def urls(pages):
    return [page.url.removeprefix(HOME) for page in pages]


def look(path, body):
    return SITE.look(Page(HOME + path), body)


def listed(*keys, data="currentData", size=2):
    rows = {"result": [{"pid": key} for key in keys], "perPage": size, "count": 9}
    return json.dumps({data: {"problems": rows}}).encode()


def test_where_it_starts():
    assert urls(SITE.start([])) == [LIST.format(1)]
    assert urls(SITE.start(["P9001"])) == [PROBLEM.format("P9001")]


@pytest.mark.parametrize("data", ["currentData", "data"])
def test_a_list_leads_to_problems_and_a_full_one_to_the_next(data):
    assert urls(look(LIST.format(2), listed("P1", data=data)).follow) == [PROBLEM.format("P1")]
    assert urls(look(LIST.format(2), listed("P1", "B2", data=data)).follow) == [
        PROBLEM.format("P1"),
        PROBLEM.format("B2"),
        LIST.format(3),
    ]


def test_a_list_may_be_a_page():
    script = listed("P1", data="data").decode()
    page = f'<script id="lentille-context" type="application/json">{script}</script>'
    assert urls(look(LIST.format(1), page.encode()).follow) == [PROBLEM.format("P1")]


@pytest.mark.parametrize(
    ("path", "right"), [(PROBLEM.format("P1"), True), ("/problem/solution/P1", False)]
)
def test_a_statement_is_told_by_its_address(path, right):
    assert look(path, b"") == Seen(is_statement=right)


@pytest.mark.parametrize("body", [b"", b"<p>", b"{}", b'{"data": {}}', b'{"data": 1}', b"[]"])
def test_other_answers_lead_nowhere(body):
    assert look(LIST.format(1), body) == Seen()
