"""HackerRank: the answer of its interface for a challenge."""

import msgspec
from parsel import Selector

from thresher.crawlers.parsers import answers, sections, stdio
from thresher.crawlers.statement import Statement
from thresher.crawlers.text import markup
from thresher.errors import SourceError

_SQL = {"mysql", "oracle", "tsql", "db2"}
_GENERAL = {"python", "python3", "pypy", "pypy3", "cpp", "cpp14", "java", "java8"}
_STUB = "function description"  # the section about the function in the editor


class _Track(msgspec.Struct):
    name: str | None = None
    track_name: str | None = None


class _Model(msgspec.Struct):
    slug: str
    name: str = ""
    kind: str = "code"
    body_html: str | None = None
    languages: list[str] = []
    track: _Track | None = None


class _Answer(msgspec.Struct):
    model: _Model


def parse(page: bytes, url: str) -> Statement:
    """Read the answer for a challenge; those for databases have the kind ``sql``.

    What is said of the function in the site's editor is left out: the program is asked for.

    Raises:
        SourceError: ``not-a-problem``, ``broken-json``, ``samples-unpaired``, ``other-language``
            where no general language is allowed, such as for the shell.
    """
    model = answers.read(page, _Answer).model
    languages = set(model.languages)
    if model.kind != "code" or not (model.body_html or "").strip():
        raise SourceError("not-a-problem", f"{model.slug} is no challenge that asks for code.")
    sql = bool(languages & _SQL)
    if languages and not sql and not languages & _GENERAL:
        raise SourceError(
            "other-language",
            f"{model.slug} takes {', '.join(sorted(languages))} only; leave it out.",
        )
    tree = markup.document((model.body_html or "").encode("utf-8", "replace"))
    _name_drawings(tree)
    cut = [one for one in sections.of_html(tree) if one.title.lower() != _STUB]
    track = model.track or _Track()
    return stdio.statement(
        sections.parts(cut),
        site="hackerrank",
        key=model.slug,
        url=url,
        title=model.name,
        tags=tuple(filter(None, (track.track_name, track.name))),
        **({"kind": "sql"} if sql else {}),
    )


def _name_drawings(tree: Selector) -> None:
    """Make images of drawn formulas: most have no source, and the text would have holes."""
    for drawing in tree.css(".MathJax_SVG"):
        node = drawing.root
        source = " ".join(drawing.css("title::text").getall()).strip()
        node.clear(keep_tail=True)
        node.tag = "img"
        node.set("alt", f"${source}$" if source else "formula")
