"""Luogu: the JSON of a problem, bare or in its page, in two generations."""

from urllib.parse import unquote_to_bytes

import msgspec

from thresher.crawlers.parsers import answers, sections, stdio
from thresher.crawlers.statement import Statement
from thresher.crawlers.text import markup
from thresher.errors import SourceError

_DECODED = b'decodeURIComponent("'


class _Content(msgspec.Struct, rename="camel", kw_only=True):
    """The parts of a statement in Markdown; older answers have other names for two of them."""

    name: str | None = None
    title: str | None = None
    background: str | None = None
    description: str | None = None
    format_i: str | None = None
    format_o: str | None = None
    input_format: str | None = None
    output_format: str | None = None
    hint: str | None = None


class _Limits(msgspec.Struct):
    """Milliseconds and KiB for each case."""

    time: list[float] = []
    memory: list[float] = []


class _Problem(_Content, kw_only=True):
    pid: str
    samples: list[tuple[str, str]] = []
    limits: _Limits = msgspec.field(default_factory=_Limits)
    content: _Content | None = None
    original: _Content | None = msgspec.field(name="contenu", default=None)


class _Data(msgspec.Struct):
    problem: _Problem
    translations: dict[str, _Content] | list[object] = {}


class _Answer(msgspec.Struct):
    data: _Data | None = None
    old: _Data | None = msgspec.field(name="currentData", default=None)


def parse(page: bytes, url: str) -> Statement:
    """Read the JSON of a problem or a page with it; in English where there is a translation.

    Raises:
        SourceError: ``not-a-problem``, ``broken-json``, or as `markup.document`.
    """
    answer = answers.read(payload(page), _Answer)
    data = answer.data or answer.old
    if data is None:
        raise SourceError("not-a-problem", f"The answer from {url} has no problem.")
    problem, translations = data.problem, data.translations
    translated = translations.get("en") if isinstance(translations, dict) else None
    content = translated or problem.content or problem.original or problem
    labels = ((("Input", before), ("Output", after)) for before, after in problem.samples)
    cut = sections.of_markdown(_composed(content))
    parts = sections.parts(cut)._replace(shown=tuple(block for both in labels for block in both))
    return stdio.statement(
        parts,
        site="luogu",
        key=problem.pid,
        url=url,
        title=content.name or content.title or problem.name or problem.title or "",
        time_limit=max(problem.limits.time, default=0) / 1000 or None,
        memory_limit=int(max(problem.limits.memory, default=0)) // 1024 or None,
    )


def payload(page: bytes) -> bytes:
    """Return the JSON of an answer, or that in a script of a page; empty where there is none.

    Raises:
        SourceError: as `markup.document`.
    """
    if answers.is_json(page):
        return page
    if _DECODED in page:
        return unquote_to_bytes(page.partition(_DECODED)[2].partition(b'"')[0])
    found = markup.document(page).css("script#lentille-context::text").get() or ""
    return found.encode("utf-8", "replace")


def _composed(content: _Content) -> str:
    """Return the parts as one text in Markdown."""
    parts = (
        ("", content.background),
        ("", content.description),
        ("Input", content.format_i or content.input_format),
        ("Output", content.format_o or content.output_format),
        ("Notes", content.hint),
    )
    return "\n\n".join(f"### {head}\n\n{text}" if head else text for head, text in parts if text)
