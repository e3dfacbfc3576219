"""LeetCode: answers of its GraphQL interface, of all ages, saved pages, and bare statements.

The interface is not documented; the fields are those that its own pages ask for. Results stand in
the HTML of the statement alone. Arguments stand there too and, one a line, in `exampleTestcases`:
where the two disagree, the page is refused.
"""

import re

from parsel import Selector

from thresher.crawlers.functions import examples, literals, returns, signatures
from thresher.crawlers.parsers import leetcode_answers
from thresher.crawlers.parsers.leetcode_answers import Question, objects, snippets, text
from thresher.crawlers.statement import Call, Kind, Parameter, Signature, Statement
from thresher.crawlers.text import markup
from thresher.errors import SourceError
from thresher.store import wording

NAME = "leetcode"
HOME = "https://leetcode.com"
TERMS = "LeetCode's terms grant no licence: its problems are for personal use on the site."

_SLUG = re.compile(r"/problems/([\w-]+)")
_SQL = {"mysql", "mssql", "oraclesql", "postgresql", "pythondata"}
_OTHERS = {"bash": "shell", "javascript": "javascript", "typescript": "javascript"}
_NOT_FUNCTIONS = {"Shell", "Concurrency", "shell", "JavaScript", "javascript", "no-python"}
_NO_ENGLISH = re.compile(r"English description is not available", re.I)
_TABLE = re.compile(r"^[ \t]*\+--[-+]*\+[ \t]*$", re.M)
_SMALL = {"a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to"}


def parse(page: bytes, url: str) -> Statement:
    """Read a statement.

    Args:
        page: an answer of the GraphQL interface or its question alone, a saved page, or the bare
            HTML of a statement, which doesn't say what the function is called.
        url: its address, or empty.

    Raises:
        SourceError: ``not-a-problem``, ``samples-unpaired``, ``example-unreadable``, and
            ``category-NAME`` for problems that aren't solved in Python.
    """
    found = leetcode_answers.loaded(page)
    if leetcode_answers.questions(found):
        return _aside({}, url, "listing")
    return _statement(leetcode_answers.read(page), url)


def _statement(question: Question, url: str) -> Statement:
    content = text(question, "content")
    if _NO_ENGLISH.search(content):
        content = ""
    translated = not content
    content = content or text(question, "translatedContent")
    if not content:
        if question.get("isPaidOnly") is False:
            raise SourceError("not-a-problem", "The question has no text; fetch it again.")
        return _aside(question, url, "locked")
    document = markup.document(content.encode("utf-8", "replace"))
    if _is_sql(question, document):
        return _aside(question, url, "sql")
    _check_category(question)
    return _function(question, url, document, "zh" if translated else "en")


def _aside(question: Question, url: str, kind: Kind) -> Statement:
    """Return a statement that no problem is made of."""
    return Statement(
        site=NAME,
        key=_key(question, url),
        url=_url(question, url),
        title=_title(question, url),
        kind=kind,
        text="",
        flags=("premium_locked",) if kind == "locked" else (),
        licence_evidence=TERMS,
    )


def _is_sql(question: Question, document: Selector) -> bool:
    languages = {slug for slug, _ in snippets(question)}
    if languages:
        return languages <= _SQL
    if question.get("categoryTitle") == "Database" or question.get("mysqlSchemas"):
        return True
    return bool(_TABLE.search("\n".join(document.xpath("//pre//text()").getall())))


def _check_category(question: Question) -> None:
    """Raise SourceError for questions that are not solved in Python."""
    languages = {slug for slug, _ in snippets(question)}
    tags = {text(tag, "slug") for tag in objects(question.get("topicTags"))}
    category = text(question, "categoryTitle")
    if "concurrency" in tags:
        category = "Concurrency"
    elif languages and not languages & {"python", "python3"}:
        category = next(
            (_OTHERS[slug] for slug in sorted(languages) if slug in _OTHERS), "no-python"
        )
    if category in _NOT_FUNCTIONS:
        code = "-".join(category.lower().split())
        raise SourceError(f"category-{code}", f"A {category} problem isn't solved by a function.")


def _function(question: Question, url: str, document: Selector, language: str) -> Statement:
    has_image, everything = markup.has_image(document), markup.text(document)
    if wording.read(everything).interactive:
        return _aside(question, url, "interactive")
    printed = examples.read(document)
    if not printed and question.keys() == {"content"}:
        raise SourceError("not-a-problem", "The page has no examples; check its address.")
    signature = _signature(question)
    calls = tuple(_call(example, signature) for example in printed)
    if signature is None and calls and calls[0].args.keys() == {"ops", "params"}:
        signature = _designed(calls[0])
    _check_arguments(question, signature, calls)
    reading = returns.read(everything, signature, calls)
    flags = reading.flags | signatures.node_flags(signature)
    return Statement(
        site=NAME,
        key=_key(question, url),
        url=_url(question, url),
        title=_title(question, url),
        kind="function",
        text=markup.text(document),
        calls=calls,
        signature=signature,
        comparator=reading.comparator,
        comparator_evidence=reading.evidence,
        tags=tuple(filter(None, [text(tag, "name") for tag in objects(question.get("topicTags"))])),
        flags=tuple(sorted(flags | ({"image"} if has_image else set()))),
        licence_evidence=TERMS,
        language=language,
    )


def _signature(question: Question) -> Signature | None:
    """Return the signature of the Python code, with the types that only the metadata has."""
    stated = signatures.from_metadata(text(question, "metaData"))
    code = dict(snippets(question))
    for language in ("python3", "python"):
        if code.get(language):
            try:
                written = signatures.from_python(code[language], stated.name if stated else "")
            except SourceError:
                continue
            return signatures.filled(written, stated)
    return stated


def _call(example: examples.Example, signature: Signature | None) -> Call:
    """Read an example as data.

    Raises:
        SourceError: ``example-unreadable``.
    """
    if signature is None or signature.methods:
        operations = _operations(example, required=signature is not None)
        if operations:
            return operations
    parameters = signature.parameters if signature else ()
    args = literals.arguments(example.given, parameters)
    annotation = signature.returns if signature else ""
    if annotation == "None":
        annotation = parameters[0].annotation if parameters else ""
    return Call(args, literals.value(example.result, annotation))


def _operations(example: examples.Example, required: bool) -> Call | None:
    """Read the calls of a class's methods: their names, their arguments, and their results."""
    pieces = literals.split(example.given)
    if len(pieces) == 2 and all(piece.startswith("[") for piece in pieces):
        ops, params = map(literals.value, pieces)
        out = literals.value(example.result)
        if ops and type(out) is list and len(ops) == len(params) == len(out):
            return Call({"ops": ops, "params": params}, out)
    if required:
        raise literals.unreadable(example.given, "isn't a list of methods and one of arguments")
    return None


def _designed(call: Call) -> Signature:
    """Return what operations tell of a class: its name and its methods' names."""
    ops = call.args["ops"]
    if not all(type(op) is str for op in ops):
        raise literals.unreadable(repr(ops), "has operations that are no names")
    methods = dict.fromkeys(["__init__", *ops[1:]])
    return Signature(ops[0], methods=tuple(map(Signature, methods)))


def _check_arguments(
    question: Question, signature: Signature | None, calls: tuple[Call, ...]
) -> None:
    """Compare the arguments in the text with those in the test cases that the site shows.

    Raises:
        SourceError: ``samples-unpaired``.
    """
    listed = question.get("exampleTestcaseList")
    cases = "\n".join(map(str, listed)) if isinstance(listed, list) else ""
    lines = (cases or text(question, "exampleTestcases")).strip().splitlines()
    if signature is None or not lines:
        return
    types = [Parameter("ops"), Parameter("params")] if signature.methods else signature.parameters
    if not types or len(lines) % len(types):
        raise _unpaired(question, f"{len(lines)} lines are not a multiple of {len(types)}")
    for number, call in enumerate(calls[: len(lines) // len(types)]):
        given = lines[number * len(types) :]
        for parameter, line in zip(types, given, strict=False):
            if literals.value(line, parameter.annotation) != call.args[parameter.name]:
                raise _unpaired(question, f"example {number + 1} has another {parameter.name}")


def _unpaired(question: Question, why: str) -> SourceError:
    name = _key(question, "") or "this question"
    return SourceError(
        "samples-unpaired", f"The examples of {name} don't fit its test cases: {why}; left out."
    )


def _key(question: Question, url: str) -> str:
    """Return the name in the problem's address, made from the function's where there is none."""
    if slug := text(question, "titleSlug"):
        return slug
    if match := _SLUG.search(url):
        return match[1]
    return "-".join(_words(question)).lower()


def _url(question: Question, url: str) -> str:
    key = _key(question, url)
    return f"{HOME}/problems/{key}/" if key and not _SLUG.search(url) else url


def _title(question: Question, url: str) -> str:
    if title := text(question, "title", "questionTitle"):
        return title
    words = _key(question, url).split("-")
    return " ".join(
        word if word in _SMALL and place else word.capitalize() for place, word in enumerate(words)
    )


def _words(question: Question) -> list[str]:
    stated = signatures.from_metadata(text(question, "metaData"))
    return re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", stated.name) if stated else []
