"""LeetCode: answers of its GraphQL interface, of all ages, saved pages, and bare statements.

The interface is not documented; the fields are those that its own pages ask for. Results stand in
the HTML of the statement alone. Arguments stand there too and, one a line, in `exampleTestcases`:
where the two disagree, the page is refused.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import lxml.html
from parsel import Selector

from thresher.crawlers import examples, literals, markup, returns, signatures
from thresher.crawlers.statement import Call, Kind, Parameter, Signature, Statement
from thresher.errors import SourceError

NAME = "leetcode"
HOME = "https://leetcode.com"
TERMS = "LeetCode's terms grant no licence: its problems are for personal use on the site."

Question = dict[str, Any]

_SLUG = re.compile(r"/problems/([\w-]+)")
_SQL = {"mysql", "mssql", "oraclesql", "postgresql", "pythondata"}
_OTHERS = {"bash": "shell", "javascript": "javascript", "typescript": "javascript"}
_NO_ENGLISH = re.compile(r"English description is not available", re.I)
_TABLE = re.compile(r"^[ \t]*\+--[-+]*\+[ \t]*$", re.M)
_SMALL = {"a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to"}
_STRING = r"'((?:\\.|[^'\\])*)'"
# Of the script that pages had from 2016 to 2017, as JavaScript.
_PAGE_DATA = {
    "titleSlug": rf"questionTitleSlug:\s*{_STRING}",
    "title": rf"questionTitle:\s*{_STRING}",
    "metaData": rf"metaData:\s*JSON\.parse\({_STRING}",
    "sampleTestCase": rf"sampleTestCase:\s*{_STRING}",
}
_PAGE_CODE = re.compile(rf"'value':\s*{_STRING}[^{{}}]{{0,200}}?'defaultCode':\s*{_STRING}")


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
    found = loaded(page)
    if found is not None:
        if questions(found):
            return _aside({}, url, "listing")
        return _statement(_question(found), url)
    document = markup.document(page)
    if data := _embedded(document):
        return _statement(_question(data), url)
    if document.xpath("//head/*[not(self::style)]"):
        return _old_page(document, url)
    return _statement({"content": page.decode("utf-8", "replace")}, url)


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


def _inner(found: Any, key: str) -> dict[str, Any]:
    """Return the object under a key, or the object itself where there is no key."""
    inner = found.get(key) if key and isinstance(found, dict) else found
    return inner if isinstance(inner, dict) else {}


def _text(question: Question, *names: str) -> str:
    """Return the first of the fields that is text and not empty."""
    found = (question.get(name) for name in names)
    return next((each for each in found if isinstance(each, str) and each.strip()), "")


def _list(value: Any) -> list[Any]:
    """Return a list that may be JSON in a text."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return []
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _question(found: Any) -> Question:
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


def _old_page(document: Selector, url: str) -> Statement:
    """Read a page of 2016 or 2017: HTML around the statement, and a script with the rest."""
    panel = document.css(".question-description, .question-content")[-1:]
    if not panel:
        title = document.xpath("//meta[@property='og:title']/@content").get()
        if title == "" and document.xpath("//a[@href='/subscribe/']"):
            return _aside({}, url, "locked")
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
    return _statement(question, url)


def _unescaped(string: str) -> str:
    try:
        return str(json.loads('"' + string.replace("\\'", "'").replace('"', '\\"') + '"'))
    except ValueError:
        return ""


def _statement(question: Question, url: str) -> Statement:
    content = _text(question, "content")
    if _NO_ENGLISH.search(content):
        content = ""
    translated = not content
    content = content or _text(question, "translatedContent")
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
    languages = {slug for slug, _ in _snippets(question)}
    if languages:
        return languages <= _SQL
    if question.get("categoryTitle") == "Database" or question.get("mysqlSchemas"):
        return True
    return bool(_TABLE.search("\n".join(document.xpath("//pre//text()").getall())))


def _check_category(question: Question) -> None:
    """Raise SourceError for questions that are not solved in Python."""
    languages = {slug for slug, _ in _snippets(question)}
    tags = {_text(tag, "slug") for tag in _list(question.get("topicTags"))}
    category = _text(question, "categoryTitle") or "Algorithms"
    if "concurrency" in tags:
        category = "Concurrency"
    elif languages and not languages & {"python", "python3"}:
        category = next(
            (_OTHERS[slug] for slug in sorted(languages) if slug in _OTHERS), "no-python"
        )
    if category not in ("Algorithms", "Database"):
        code = "-".join(category.lower().split())
        raise SourceError(f"category-{code}", f"A {category} problem isn't solved by a function.")


def _function(question: Question, url: str, document: Selector, language: str) -> Statement:
    has_image, everything = markup.has_image(document), markup.text(document)
    printed = examples.read(document)
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
        tags=tuple(filter(None, [_text(tag, "name") for tag in _list(question.get("topicTags"))])),
        flags=tuple(sorted(flags | ({"image"} if has_image else set()))),
        licence_evidence=TERMS,
        language=language,
    )


def _snippets(question: Question) -> Iterator[tuple[str, str]]:
    """Yield the languages of the starting points, each with its code."""
    for name in ("codeSnippets", "codeDefinition"):
        for each in _list(question.get(name)):
            yield _text(each, "langSlug", "value"), _text(each, "code", "defaultCode")


def _signature(question: Question) -> Signature | None:
    """Return the signature of the Python code, with the types that only the metadata has."""
    stated = signatures.from_metadata(_text(question, "metaData"))
    code = dict(_snippets(question))
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
    lines = (cases or _text(question, "exampleTestcases")).split("\n")
    if signature is None or not "".join(lines):
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
    if slug := _text(question, "titleSlug"):
        return slug
    if match := _SLUG.search(url):
        return match[1]
    return "-".join(_words(question)).lower()


def _url(question: Question, url: str) -> str:
    key = _key(question, url)
    return f"{HOME}/problems/{key}/" if key and not _SLUG.search(url) else url


def _title(question: Question, url: str) -> str:
    if title := _text(question, "title", "questionTitle"):
        return title
    words = _key(question, url).split("-")
    return " ".join(
        word if word in _SMALL and place else word.capitalize() for place, word in enumerate(words)
    )


def _words(question: Question) -> list[str]:
    stated = signatures.from_metadata(_text(question, "metaData"))
    return re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", stated.name) if stated else []
