"""A problem's docstring must say what is asked: these rules find the ones that can't.

What reads well and is still too vague is for the reference model to find.
"""

import builtins
import re
import sys
from collections.abc import Callable
from typing import NamedTuple

from thresher.filters.filter import Filter, Finding, Options, Tools, program
from thresher.filters.texts import leaks
from thresher.filters.texts.placeholders import is_placeholder, is_vague, tells
from thresher.filters.texts.prose import names_in, prose, words
from thresher.filters.texts.statements import Function, asking, docstring
from thresher.store.records import Problem

UNDOCUMENTED = "undocumented"
# Stems that a repeated name may be filled up with.
FILLING = frozenset(
    {"a", "an", "the", "thi", "function", "method", "routine", "helper", "internal", "private"}
)
ABBREVIATED = 4  # letters of a part of a name that may stand for a longer word
EXAMPLE = re.compile(r"^[ \t]*(?:>>> |Example|Input:)|(?:->|=>|==) *\S", re.MULTILINE)
STUB = re.compile(
    r"\W*(?:not (?:yet )?(?:implemented|supported)|unimplemented|deprecated|obsolete"
    r"|no longer (?:used|needed|supported))\b"
    r"|(?:[^.:]{0,200}[.:]\s)?\W*(?:this|the) (?:function|method|routine|api)"
    r" (?:is|has been|was) (?:now )?"
    r"(?:deprecated|obsolete|no longer used|not (?:yet )?implemented)\b",
    re.IGNORECASE,
)
DEPRECATED = re.compile(r"^\.\. (?:version-)?deprecated::|^@deprecated\b", re.MULTILINE)
SUMMARY = 300  # characters; further down, it is a parameter that is deprecated
REFERENCE = re.compile(
    r"(?:please )?(?:see(?: also)?|cf|refer to|same as|as in|like|similar to|equivalent (?:to|of)"
    r"|identical to|(?:an |simple )?alias (?:for|of|to)|(?:a |simple )?(?:wrapper|shortcut)"
    r" (?:for|around|of|to)|wraps|replacement (?:for|of)|inverse of|(?:the )?opposite of"
    r"|overrides?|inherit(?:s|ed)?(?: \w+)? from|implements?|called (?:by|for|from)|used (?:by|in)"
    r"|(?:internal )?helper (?:function |method )?(?:for|of|to)|(?:backport|copy|version) of)"
    r" (?:the |in )?(?P<target>https?://\S+|(?:base|parent|super) ?(?:class|method)"
    r"|(?:class|module|function|method|package)? ?(?:above|below|doc(?:s|string|umentation)?)"
    r"|[\w.:]+)(?:\(.{0,80}?\))?"
    r"(?: (?:above|below|instead|function|method|class|module|documentation|docs|docstring)"
    r"| (?:for|but|with|in|of) .{0,40})?",
    re.IGNORECASE,
)
TAG = re.compile(
    r"</?(?:[abipu]|br|h[1-6]|hr|[dou]l|li|dd|dt|t[dhr]|table|tbody|div|span|font|center|img|em"
    r"|strong|su[bp]|pre|code|tt)\b[^<>]{0,300}>",
    re.IGNORECASE,
)
MARKUP = re.compile(r":[\w:]{1,30}:`|[`*]|[LCIB]\{|\}")
# In a word; alone such a character may be what the text is about.
BROKEN = re.compile("[\ud800-\udfff]|(?<=[A-Za-z])[\ufffd\x80-\x84\x86-\x9f]+(?=[A-Za-z\\s])")
FOREIGN = re.compile(r"[^\x00-\x7f]{2,}")


class Docstring(Options, frozen=True):
    """What is too little and too much.

    Attributes:
        words: the least number of words, where there are no examples.
        characters: the most.
        leak: the least share of the solution's code that makes a docstring tell it.
    """

    words: int = 3
    characters: int = 20_000
    leak: float = 0.6


class _Looked(NamedTuple):
    """What the rules look at."""

    problem: Problem
    text: str
    name: str
    options: Docstring


def apply(problem: Problem, tools: Tools) -> Finding:
    """Drop a problem at the first rule that its docstring breaks.

    What a problem tagged ``undocumented`` lacks is known: it is kept, and exported on request only.
    """
    if UNDOCUMENTED in problem.tags:
        return FILTER.keep(problem, f"tagged {UNDOCUMENTED}", ())
    part = asking(problem)
    if part is None:
        return FILTER.drop(problem, "no-function", "no docstring can be read", ())
    text = docstring(part)
    name = part.name if isinstance(part, Function) else ""
    looked = _Looked(problem, text, name, tools.options)
    for reason, rule in RULES.items():
        if evidence := rule(looked):
            return FILTER.drop(problem, reason, evidence, ())
    return FILTER.keep(problem, f"{len(words(text))} words", ())


def _missing(it: _Looked) -> str | None:
    return None if it.text.strip() else "there is none, or it is empty"


def _broken(it: _Looked) -> str | None:
    if found := BROKEN.search(it.text):
        return f"it holds {found[0]!a}"
    for found in FOREIGN.finditer(it.text):
        try:
            right = found[0].encode("cp1252").decode()
        except UnicodeError:
            continue
        return f"{found[0][:20]!a} is {right[:20]!a} read in the wrong encoding"
    return None


def _too_long(it: _Looked) -> str | None:
    most = it.options.characters
    return f"{len(it.text)} characters; the most is {most}" if len(it.text) > most else None


def _placeholder(it: _Looked) -> str | None:
    empty = is_placeholder(it.text, _has_examples(it))
    return f"it says {_short(it.text)}" if empty else None


def _stub(it: _Looked) -> str | None:
    found = STUB.match(it.text) or DEPRECATED.search(it.text[:SUMMARY])
    return f"it says {_short(found[0])}" if found else None


def _no_prose(it: _Looked) -> str | None:
    letters, dense = sum(map(str.isalpha, it.text)), sum(not c.isspace() for c in it.text)
    tags = sum(map(len, TAG.findall(it.text)))
    if not letters:
        return "it has no letters"
    return f"{tags} of its {dense} characters are markup" if tags > dense / 2 else None


def _elsewhere(it: _Looked) -> str | None:
    plain = " ".join(MARKUP.sub("", it.text).split()).strip(".!; ")
    found = REFERENCE.fullmatch(plain[:400])
    if not found:
        return None
    root = found["target"].split(".")[0]
    known = root in sys.stdlib_module_names or hasattr(builtins, root)
    seen = root not in ("", it.name) and root in names_in(program(it.problem), it.name)
    return None if known or seen else f"it only says {_short(plain)}"


def _parameters_only(it: _Looked) -> str | None:
    said = prose(it.text)
    spoken = [word.casefold() for word in said.prose]
    telling = not is_vague(spoken) or tells(said.returned)
    enough = telling and len(said.prose) + len(said.returned) >= it.options.words
    if enough or not said.fields or _has_examples(it):
        return None
    return "it says nothing but what the parameters are"


def _too_short(it: _Looked) -> str | None:
    found = words(it.text)
    if _has_examples(it) or len(found) >= it.options.words:
        return None
    return f"{len(found)} words; the least is {it.options.words}"


def _name_only(it: _Looked) -> str | None:
    found = prose(it.text)
    if found.fields or _has_examples(it):
        return None
    name, said = _stems(it.name), _stems(" ".join(found.prose)) - FILLING
    told = {word for word in said - name if not any(map(word.startswith, _short_forms(name)))}
    return f"{_short(it.text)} only repeats the name" if name and not told else None


def _leak(it: _Looked) -> str | None:
    share = leaks.share(it.problem, it.text)
    if share >= it.options.leak:
        return f"it holds {share:.0%} of the solution's code"
    if not it.name:
        return None
    if leaks.defines(it.text, it.name):
        return f"it defines {it.name}"
    title = leaks.titled(it.text, names_in(program(it.problem), it.name))
    return f"it tells a solution: {_short(title)}" if title else None


def _has_examples(it: _Looked) -> bool:
    return EXAMPLE.search(it.text) is not None


def _stems(text: str) -> set[str]:
    parts = words(re.sub(r"([a-z])([A-Z])", r"\1 \2", text))
    return {part.casefold().removesuffix("s") for part in parts}


def _short_forms(name: set[str]) -> set[str]:
    """Return the parts of a name that may stand for longer words, as calc does for calculate."""
    return {part for part in name if len(part) >= ABBREVIATED}


def _short(text: str) -> str:
    return ascii(text[:60])


RULES: dict[str, Callable[[_Looked], str | None]] = {
    "no-docstring": _missing,
    "too-long": _too_long,
    "broken-encoding": _broken,
    "no-prose": _no_prose,
    "placeholder": _placeholder,
    "not-for-use": _stub,
    "said-elsewhere": _elsewhere,
    "parameters-only": _parameters_only,
    "name-only": _name_only,
    "too-short": _too_short,
    "tells-solution": _leak,
}
FILTER = Filter("docstring", 4, apply, Docstring())
