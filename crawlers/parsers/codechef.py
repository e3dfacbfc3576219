"""CodeChef: the answers of its interface in four generations, and its pages."""

import re
from typing import Any

import msgspec
from parsel import Selector

from thresher.crawlers.parsers import answers, sections, stdio
from thresher.crawlers.parsers.sections import Parts, Section
from thresher.crawlers.statement import Statement
from thresher.crawlers.text import markup
from thresher.errors import SourceError

_SITE = b"codechef"  # what may stand on a line of its own before a page
_MARKDOWN = re.compile(r"^[ \t]*(?:#{2,6}|`{3}|[-*] )", re.M)
_NOTICES = re.compile(
    r"^.*(?:all submissions for this problem are available"
    r"|read problems? statements? in(?!.*\bas well\b).*\n(?:.{1,40}\n){0,4}?.{1,60}\bas well\b"
    r"|read problems? statements? in).*$\n*",
    re.I | re.M,
)
_SCORED = re.compile(
    r"\byou(?:r (?:program|code|solution))? (?:will|shall) (?:score|receive|get)\b[^.]{0,99}"
    r"\bpoints|penalty points|\byour (?:total |final )?score\b",
    re.I,
)
_SCORE = re.compile(r"^\W{0,9}Score\s*:", re.M)
_BODIES = (
    "#problem-statement, .problem-statement, [class*='problem-statement'], [class*='problemBody']"
)
_TITLES = ", ".join(
    f"div[class^='{name}'] > :is(h1, h2, h3)"
    for name in ("_problem__title_", "_contestProblemTitle_", "_titleStatus__", "_problemBody")
)


class _Case(msgspec.Struct):
    input: str = ""
    output: str = ""
    deleted: bool = msgspec.field(name="isDeleted", default=False)


class _Components(msgspec.Struct):
    statement: str = ""
    input_format: str = msgspec.field(name="inputFormat", default="")
    output_format: str = msgspec.field(name="outputFormat", default="")
    constraints: str = ""
    subtasks: str = ""
    cases: list[_Case] | None = msgspec.field(name="sampleTestCases", default=None)


class _Answer(msgspec.Struct):
    problem_code: str
    body: str = ""
    problem_name: str = ""
    title: str = ""  # of records from before the interface
    components: _Components | None = msgspec.field(name="problemComponents", default=None)
    max_timelimit: Any = None
    category_name: str | None = None
    languages_supported: Any = None
    problem_author: str | None = None
    tags: Any = None


def parse(page: bytes, url: str) -> Statement:
    """Read an answer of the interface or a page; a line before it may name the site.

    Raises:
        SourceError: ``not-a-problem``, ``broken-json``, ``samples-unpaired``, or as
            `markup.document`.
    """
    first, newline, rest = page.partition(b"\n")
    page = rest if newline and first.strip() == _SITE else page
    return _of_answer(page, url) if answers.is_json(page) else _of_page(page, url)


def _of_answer(page: bytes, url: str) -> Statement:
    answer = answers.read(page, _Answer)
    given = answer.components or _Components()
    cases = [case for case in given.cases or () if not case.deleted]
    body = _composed(given) if cases and given.statement else answer.body
    cut = _cut(body)
    parts = _without_notices(sections.parts(cut))
    if cases:
        labels = ((("Input", case.input), ("Output", case.output)) for case in cases)
        parts = parts._replace(shown=tuple(block for both in labels for block in both))
    if not cut:
        raise SourceError("not-a-problem", f"The answer from {url} has no statement.")
    challenge = answer.category_name == "challenge"
    sql = str(answer.languages_supported).strip().upper() in ("SQL", "SQLQ", "MYSQL")
    return stdio.statement(
        parts,
        site="codechef",
        key=answer.problem_code,
        url=url,
        title=answer.problem_name or answer.title,
        flags=_flags(cut, challenge=challenge),
        time_limit=_seconds(answer.max_timelimit),
        tags=_tags(answer),
        **({"kind": "sql"} if sql else {}),
    )


def _composed(given: _Components) -> str:
    """Return the parts of a statement as one; older ones have all of it in the first."""
    rest = (
        ("Input", given.input_format),
        ("Output", given.output_format),
        ("Constraints", given.constraints),
        ("Subtasks", given.subtasks),
    )
    return "\n\n".join([given.statement, *(f"### {head}\n\n{text}" for head, text in rest if text)])


def _cut(body: str) -> list[Section]:
    if _MARKDOWN.search(body):
        return sections.of_markdown(body)
    if not body.strip():
        return []
    tree = markup.document(body.encode())
    tree.css("aside").drop()
    return sections.of_html(tree)


def _of_page(page: bytes, url: str) -> Statement:
    tree = markup.document(page)
    bodies = tree.css(_BODIES)
    if not bodies:
        raise SourceError("not-a-problem", f"The page {url} has no problem.")
    code = tree.css("#problem-code::text").get("")
    limits = stdio.limits_in(tree.xpath("string()").get(""))
    body = bodies[0]
    body.css(".problem-info, aside").drop()
    cut = sections.of_html(body)
    return stdio.statement(
        _without_notices(sections.parts(cut)),
        site="codechef",
        key=code or url.rpartition("/")[2],
        url=url,
        title=_title(tree),
        flags=_flags(cut, challenge=False),
        time_limit=limits.time,
    )


def _title(tree: Selector) -> str:
    """Return the title without the code and the buttons that stand beside it."""
    named = tree.xpath("//h1[.//*[@id='problem-code']]") or tree.css(_TITLES)
    return " ".join(" ".join(named[:1].xpath("./text()").getall()).split())


def _without_notices(parts: Parts) -> Parts:
    return parts._replace(text=_NOTICES.sub("", parts.text).strip())


def _flags(cut: list[Section], *, challenge: bool) -> tuple[str, ...]:
    """Return the flags of a problem whose answers get points: many are right."""
    texts = any(_SCORED.search(section.text) for section in cut)
    blocks = any(_SCORE.search(block) for section in cut for block in section.blocks)
    scored = challenge or texts or blocks
    return ("multiple_answers", "score") if scored else ()


def _seconds(given: object) -> float | None:
    try:
        return float(str(given)) or None
    except ValueError:
        return None


def _tags(answer: _Answer) -> tuple[str, ...]:
    """Return the tags: a list, or links in HTML, among which is the author."""
    given = answer.tags
    found = given if isinstance(given, list) else re.findall(r">([^<>]+)</a>", str(given))
    tags = [tag.strip() for tag in found if isinstance(tag, str)]
    return tuple(tag for tag in tags if tag and tag != answer.problem_author)
