"""The shapes in which LeetCode gives a question: answers of its interface and pages, of all ages.

All become the object of today's interface: its fields, where there are any.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import lxml.html
from parsel import Selector

from thresher.crawlers.text import markup
from thresher.errors import SourceError

Question = dict[str, Any]
LOCKED: Question = {"content": None, "isPaidOnly": True}

_STRING = r"'((?:\\.|[^'\\])*)'"
# Of the script that pages had from 2016 to 2017, as JavaScript.
_PAGE_DATA = {
    "titleSlug": rf"questionTitleSlug:\s*{_STRING}",
    "title": rf"questionTitle:\s*{_STRING}",
    "metaData": rf"metaData:\s*JSON\.parse\({_STRING}",
    "sampleTestCase": rf"sampleTestCase:\s*{_STRING}",
}
_PAGE_CODE = re.compile(rf"'value':\s*{_STRING}[^{{}}]{{0,200}}?'defaultCode':\s*{_STRING}")


def read(page: bytes) -> Question:
    """Return the question in a page, an answer, or the bare HTML of a statement.

    Raises:
        SourceError: ``not-a-problem``.
    """
    found = loaded(page)
    if found is not None:
        return _together(found)
    document = markup.document(page)
    if data := _embedded(document):
        return _together(data)
    if document.xpath("//head/*[not(self::style)]"):
        return _old(document)
    return {"content": page.decode("utf-8", "replace")}


def loaded(page: bytes) -> Any:
    """Return the JSON of a page, or None where it isn't an object or a list.

    Raises:
        SourceError: ``not-a-problem``, for JSON that is cut off.
    """
    if page.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"["):
        return None
    try:
        return json.loads(page.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as error:
        raise SourceError("not-a-problem", f"The answer is no JSON: {error}.") from None


def questions(found: Any) -> list[Question]:
    """Return the questions that an answer lists: each has at least `titleSlug` and `paidOnly`."""
    data = _inner(found, "data")
    for name in (
        "problemsetQuestionList",
        "problemsetQuestionListV2",
        "questionList",
        "allQuestions",
    ):
        listed = data.get(name)
        for inner in ("questions", "data"):
            listed = listed.get(inner, listed) if isinstance(listed, dict) else listed
        if isinstance(listed, list):
            return [each for each in listed if isinstance(each, dict)]
    pairs = _inner(found, "").get("stat_status_pairs")  # of the older interface, /api/problems/all
    return [
        {
            "titleSlug": _inner(pair, "stat").get("question__title_slug"),
            "paidOnly": pair.get("paid_only"),
        }
        for pair in (pairs if isinstance(pairs, list) else [])
        if isinstance(pair, dict)
    ]


def text(question: Question, *names: str) -> str:
    """Return the first of the fields that is text and not empty."""
    found = (question.get(name) for name in names)
    return next((each for each in found if isinstance(each, str) and each.strip()), "")


def objects(value: Any) -> list[Any]:
    """Return a list that may be JSON in a text."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return []
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def snippets(question: Question) -> Iterator[tuple[str, str]]:
    """Yield the languages of the starting points, each with its code."""
    for name in ("codeSnippets", "codeDefinition"):
        for each in objects(question.get(name)):
            yield text(each, "langSlug", "value"), text(each, "code", "defaultCode")


def _together(found: Any) -> Question:
    """Return the question in an answer, put together where its parts stand apart.

    Raises:
        SourceError: ``not-a-problem``.
    """
    question = dict(found) if isinstance(found, dict) else {}
    waiting = [found]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            part = _inner(each.get("question"), "")
            question |= {key: value for key, value in part.items() if value is not None}
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each
    if not {"content", "translatedContent", "isPaidOnly"} & question.keys():
        raise SourceError("not-a-problem", "The answer has no question in it; check its address.")
    return question


def _embedded(document: Selector) -> Any:
    """Return the data that a newer page carries, or None."""
    script = document.xpath("//script[@id='__NEXT_DATA__']/text()").get()
    try:
        return script and json.loads(script)
    except (ValueError, RecursionError) as error:
        raise SourceError("not-a-problem", f"The page's data is no JSON: {error}.") from None


def _old(document: Selector) -> Question:
    """Read a page of 2016 or 2017: HTML around the statement, and a script with the rest."""
    panel = document.css(".question-description, .question-content")[-1:]
    if not panel:
        title = document.xpath("//meta[@property='og:title']/@content").get()
        if title == "" and document.xpath("//a[@href='/subscribe/']"):
            return LOCKED
        raise SourceError("not-a-problem", "The page has no statement on it; check its address.")
    data = document.xpath("//script[contains(., 'pageData')]/text() | //@ng-init").getall()
    script = "\n".join(data)
    found = {name: re.search(pattern, script) for name, pattern in _PAGE_DATA.items()}
    question: Question = {name: _unescaped(match[1]) for name, match in found.items() if match}
    question["codeSnippets"] = [
        {"langSlug": match[1], "code": _unescaped(match[2])}
        for match in _PAGE_CODE.finditer(script)
    ]
    for around in panel[0].xpath("./div | ./section | ./form"):
        around.root.drop_tree()
    question["content"] = lxml.html.tostring(panel[0].root, encoding="unicode", with_tail=False)
    return question


def _unescaped(string: str) -> str:
    try:
        return str(json.loads('"' + string.replace("\\'", "'").replace('"', '\\"') + '"'))
    except ValueError:
        return ""


def _inner(found: Any, key: str) -> dict[str, Any]:
    """Return the object under a key, or the object itself where there is no key."""
    inner = found.get(key) if key and isinstance(found, dict) else found
    return inner if isinstance(inner, dict) else {}
