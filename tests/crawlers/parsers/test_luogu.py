import json
from urllib.parse import quote

import pytest
from hypothesis import given, settings

from tests.crawlers import broken
from thresher.crawlers.parsers import luogu
from thresher.crawlers.statement import Sample
from thresher.errors import SourceError

URL = "https://www.luogu.com.cn/problem/P9001?_contentOnly=1"
LIMITS = {"time": [1000, 1500], "memory": [524288, 131072]}
OLD = {
    "code": 200,
    "currentTemplate": "ProblemShow",
    "currentData": {
        "problem": {
            "pid": "P9001",
            "title": "数母鸡",
            "background": "",
            "description": "输入整数 $n$，数一数母鸡。",
            "inputFormat": "一个整数。",
            "outputFormat": "输出它们的和。",
            "samples": [["2\r\n3", "5\n"], ["1\n", "1"]],
            "hint": "样例一\n```\n无\n```",
            "limits": LIMITS,
            "tags": [1],
        },
        "contest": None,
    },
}
CHINESE = {
    "name": "数母鸡",
    "background": None,
    "description": "输入整数 $n$，数一数母鸡。",
    "formatI": "一个整数。",
    "formatO": "输出它们的和。",
    "hint": "",
    "locale": "zh-CN",
}
ENGLISH = {
    **CHINESE,
    "name": "Hens",
    "description": "Count the hens.",
    "formatI": "A number.",
    "formatO": "Print it.",
}
PROBLEM = {"pid": "P9001", "name": "数母鸡", "samples": [["2\n3", "5"]], "limits": LIMITS}


def new(problem=None, **data):
    record = {**PROBLEM, "contenu": CHINESE, **(problem or {})}
    return {"status": 200, "data": {"problem": record, **data}}


def parse(answer):
    return luogu.parse(json.dumps(answer).encode(), URL)


def test_an_answer():
    found = parse(OLD)
    assert (found.key, found.title, found.kind) == ("P9001", "数母鸡", "stdio")
    assert found.samples == (Sample("2\n3\n", "5\n"), Sample("1\n", "1\n"))
    assert (found.time_limit, found.memory_limit, found.language) == (1.5, 512, "zh")
    assert found.text == (
        "输入整数 $n$，数一数母鸡。\n\nInput\n\n一个整数。\n\nOutput\n\n输出它们的和。\n\n"
        "Notes\n\n样例一\n\n    无"
    )


def test_an_answer_of_today():
    found = parse(new())
    assert (found.key, found.title, found.language) == ("P9001", "数母鸡", "zh")
    assert found.samples == (Sample("2\n3\n", "5\n"),)


@pytest.mark.parametrize(
    "answer", [new({"content": ENGLISH}), new(translations={"en": ENGLISH, "zh-CN": CHINESE})]
)
def test_a_translation(answer):
    found = parse(answer)
    assert (found.title, found.language) == ("Hens", "en")
    assert found.text == "Count the hens.\n\nInput\n\nA number.\n\nOutput\n\nPrint it."


def test_no_translations_are_an_empty_list():
    assert parse(new(translations=[])).title == "数母鸡"


def test_a_page():
    script = json.dumps(new())
    page = f'<html><script id="lentille-context" type="application/json">{script}</script></html>'
    found = luogu.parse(page.encode(), "")
    assert (found.key, found.samples) == ("P9001", (Sample("2\n3\n", "5\n"),))


def test_a_page_of_the_old_kind():
    script = quote(json.dumps(OLD))
    page = f'<script>window._feInjection = JSON.parse(decodeURIComponent("{script}"));</script>'
    assert luogu.parse(page.encode(), "").key == "P9001"


def test_problems_that_talk():
    talk = {**CHINESE, "description": "这是一道交互题。"}
    assert parse(new({"contenu": talk})).kind == "interactive"


@pytest.mark.parametrize("limits", [{}, {"time": [], "memory": []}])
def test_no_limits(limits):
    found = parse(new({"limits": limits}))
    assert (found.time_limit, found.memory_limit) == (None, None)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (b'{"code": 404, "currentData": {"errorMessage": "None"}}', "not-a-problem"),
        (b'{"status": 200}', "not-a-problem"),
        (b'{"data": {"problem": {"pid": "P1", "samples": [["1"]]}}}', "not-a-problem"),
        (b"<html><p>Sign in</p></html>", "broken-json"),
        (b"", "empty-page"),
    ],
)
def test_other_answers_are_refused(source, reason):
    with pytest.raises(SourceError) as refused:
        luogu.parse(source, "")
    assert refused.value.reason == reason


@pytest.mark.parametrize("answer", [OLD, new(translations={"en": ENGLISH})])
def test_broken_answers_are_read_or_refused(answer):
    @settings(max_examples=25, deadline=None)
    @given(broken.pages(json.dumps(answer).encode()))
    def run(source):
        try:
            assert luogu.parse(source, "").site == "luogu"
        except SourceError as error:
            assert error.reason

    run()
