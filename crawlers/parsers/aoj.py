"""Aizu Online Judge: descriptions from its interface, and pages old and new."""

import re

import msgspec

from thresher.crawlers.parsers import answers, sections, stdio
from thresher.crawlers.statement import Statement
from thresher.crawlers.text import markup
from thresher.errors import SourceError

_BODIES = ".problemBody, #description_html, .description"
_KEY = re.compile(r"(?:[?&]id=|/)(\w+)(?:[?&#][^/]*)?$")
_PICTURES_ONLY = 200  # characters of text; with less, the pictures are the statement


class _Description(msgspec.Struct):
    """The answer of ``/resources/descriptions``; memory in KiB."""

    html: str
    problem_id: str = ""
    time_limit: float | None = None
    memory_limit: float | None = None


def parse(page: bytes, url: str) -> Statement:
    """Read the answer of the interface, a page of the site, or the bare description.

    The flag ``image`` is set only where there is little text: elsewhere pictures illustrate it.

    Raises:
        SourceError: ``not-a-problem``, ``broken-json``, ``samples-unpaired``, or as
            `markup.document`.
    """
    if not answers.is_json(page):
        return _described(page, url)
    answer = answers.read(page, _Description)
    found = _described(answer.html.encode(), url)
    return msgspec.structs.replace(
        found,
        key=answer.problem_id or found.key,
        time_limit=answer.time_limit,
        memory_limit=answer.memory_limit and int(answer.memory_limit) // 1024 or None,
    )


def _described(page: bytes, url: str) -> Statement:
    tree = markup.document(page)
    limits = stdio.limits_in(tree.xpath("string()").get(""))
    body = (tree.css(_BODIES) or [tree])[0]
    title = (body.css("h1, h2") or [None])[0]
    if title is None or not body.css("pre"):
        raise SourceError("not-a-problem", f"The page {url} describes no problem.")
    named, key = markup.line(title), _KEY.search(url)
    title.drop()
    found = stdio.statement(
        sections.parts(sections.of_html(body)),
        site="aoj",
        key=key[1] if key else "",
        url=url,
        title=named,
        time_limit=limits.time,
        memory_limit=limits.memory,
    )
    if len(found.text) > _PICTURES_ONLY:
        flags = tuple(flag for flag in found.flags if flag != "image")
        found = msgspec.structs.replace(found, flags=flags)
    return found
