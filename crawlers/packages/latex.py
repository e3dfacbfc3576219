"""Problem statements in LaTeX to the text that a model reads; mathematics stays LaTeX in dollars.

What the statements may use is said at https://www.kattis.com/problem-package-format.
"""

import functools
import re
from collections.abc import Iterable, Iterator
from typing import Any

from pylatexenc import latex2text, latexwalker, macrospec

from thresher.errors import SourceError

LONGEST = 1 << 16  # characters, also of what definitions expand to; real ones have under 20,000
DEEPEST = 50  # groups and environments within each other; the parser's time grows with its square
DEFINITIONS = 100
ROUNDS = 8  # of definitions within definitions
DEFINITION = re.compile(  # without going back: texts may be long
    r"\\(?:(?:re)?newcommand|providecommand|def)\*?\s*+\{?\s*+\\(?P<name>[A-Za-z]++)\s*+\}?\s*+"
    r"(?:\[(?P<count>\d)\])?\s*+(?=\{)"
)
COMMENT = re.compile(r"(?<!\\)%.*?(?:\n[ \t]*|$)")
NESTING = re.compile(r"\\begin|\\end|\\.|[{}]", re.S)
BRACE = re.compile(r"\\.|[{}]", re.S)
DELIMITERS = {r"\(": "$", r"\)": "$", r"\[": "$$", r"\]": "$$"}
DELIMITER = re.compile(r"(?<!\\)\\[()\[\]]")
SECTIONS = ("Input", "Output", "Interaction")
# Commands by their arguments, and what is written for them; nothing for those left out.
WRITTEN = {
    **dict.fromkeys(("section", "subsection", "subsubsection"), ("*[{", "\n\n## %(3)s\n\n")),
    "paragraph": ("*[{", "\n\n%(3)s "),
    "includegraphics": ("[{", "[image: %(2)s]"),
    "illustration": ("{{{", "\n\n[image: %(2)s]\n\n"),
    "href": ("{{", "%(2)s"),
    "url": ("{", "%(1)s"),
    "texttt": ("{", "`%(1)s`"),
    "footnote": ("[{", " (%(2)s)"),
    "caption": ("[{", "%(2)s"),
    "textsuperscript": ("{", "^{%(1)s}"),
    "textsubscript": ("{", "_{%(1)s}"),
    **dict.fromkeys(("mbox", "fbox", "textsf", "textmd", "textup", "textnormal"), ("{", "%(1)s")),
    **dict.fromkeys(("makebox", "framebox"), ("[[{", "%(3)s")),
    **dict.fromkeys(("resizebox", "multicolumn", "multirow"), ("{{{", "%(3)s")),
    **dict.fromkeys(("scalebox", "colorbox"), ("{{", "%(2)s")),
    **dict.fromkeys(("hyperref", "num"), ("[{", "%(2)s")),
    "parbox": ("[[[{{", "%(5)s"),
    "raisebox": ("{[[{", "%(4)s"),
    "rotatebox": ("[{{", "%(3)s"),
    "sout": ("{", "~~%(1)s~~"),
    "epigraph": ("{{", "%(1)s (%(2)s)\n\n"),
    "rule": ("[{{", "\n\n"),
    "hfill": ("", " "),
    "par": ("", "\n\n"),
    "newline": ("", "\n"),
}
QUANTITIES = {"SI": "[{{", "qty": "[{{", "si": "[{", "unit": "[{"}  # their units are commands
_HIDDEN = ("problemname", "ref", "eqref", "pagestyle", "label")
DROPPED = {
    **dict.fromkeys(_HIDDEN, "{"),
    **dict.fromkeys(("vspace", "hspace"), "*{"),
    **dict.fromkeys(("nextsample", "remainingsamples", "newsavebox", "usetikzlibrary"), ""),
    **dict.fromkeys(("usepackage", "input", "include"), "[{"),
    **dict.fromkeys(("sbox", "setlength", "definecolor"), "{{"),
    **{"minipage": "[[[{", "endminipage": ""},  # as commands
}
# Text as it stands, which is put in the place of a mark after everything else was read.
LITERAL = re.compile(r"\\begin\{(verbatim|Verbatim|lstlisting)\}(?:\[[^\]\n]*\])?")
MARK = "\ue000"
# Environments with arguments of their own, which are no text.
FRAMES = {"figure": "[", "wrapfigure": "[{[{", "minipage": "[[[{", "table": "[", "tabular": "[{"}
FRAMES |= {"tabularx": "{[{", "array": "[{", "longtable": "[{", "wraptable": "[{[{"}
FRAMES |= {"multicols": "{", "adjustbox": "{", "spacing": "{", "subfigure": "[{", "subtable": "[{"}
DRAWING = "tikzpicture"
LISTS = ("itemize", "enumerate", "description")


def text(source: str) -> str:
    """Return the text of a statement in LaTeX.

    Raises:
        SourceError: ``bad-latex``, it is too long or nested too deeply.
    """
    source, literal = _set_apart(_bounded(source).replace(MARK, ""))
    try:
        source = _shallow(DELIMITER.sub(lambda found: DELIMITERS[found[0]], _expanded(source)))
        nodes, _, _ = latexwalker.LatexWalker(
            source, latex_context=_grammar(), tolerant_parsing=True
        ).get_latex_nodes()
        writer = latex2text.LatexNodes2Text(
            latex_context=_writing(), math_mode="verbatim", keep_comments=False
        )
        written = writer.nodelist_to_text(nodes)
    except (RecursionError, ValueError, LookupError, latexwalker.LatexWalkerError) as error:
        raise SourceError("bad-latex", f"the statement can't be read: {error}") from error
    lines = [line.strip() for line in written.replace("\xa0", " ").split("\n")]
    lines = [re.sub(r"(?<=[^\s|])[ ]{2,}(?=[^\s|])", " ", line) for line in lines]
    tidy = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"
    return re.sub(f"{MARK}(\\d+){MARK}", lambda found: literal[int(found[1])], tidy)


def problem_name(source: str) -> str:
    r"""Return the text of ``\problemname``, empty where there is none."""
    source = COMMENT.sub("", source)
    found = re.search(r"\\problemname\s*(?=\{)", source)
    return text(_group(source, found.end())[0]).strip() if found else ""


def _shallow(source: str) -> str:
    """Return a source; raises SourceError ``bad-latex`` where it is nested deeply."""
    depth = 0
    for found in NESTING.finditer(source):
        depth += {"{": 1, "}": -1, "\\begin": 1, "\\end": -1}.get(found[0], 0)
        if depth > DEEPEST:
            raise SourceError("bad-latex", f"it is nested more than {DEEPEST} deep")
    return source


def _set_apart(source: str) -> tuple[str, list[str]]:
    """Return a source with marks for what is text as it stands, and these texts as code."""
    parts: list[str] = []
    literal: list[str] = []
    at = 0
    for found in LITERAL.finditer(source):
        end = source.find(f"\\end{{{found[1]}}}", found.end())
        if found.start() >= at and end >= 0:
            parts += [source[at : found.start()], f"\n\n{MARK}{len(literal)}{MARK}\n\n"]
            text = source[found.end() : end].strip("\n")
            literal.append(f"```\n{text}\n```")
            at = end + len(f"\\end{{{found[1]}}}")
        if end < 0:
            break
    return "".join(parts) + source[at:], literal


def _expanded(source: str) -> str:
    """Return a source without comments, and with its own commands replaced by what they mean.

    Raises:
        SourceError: ``bad-latex``, it gets too long.
    """
    source = COMMENT.sub("", source)
    meanings: dict[str, tuple[int, str]] = {}
    while (found := DEFINITION.search(source)) and len(meanings) < DEFINITIONS:
        body, end = _group(source, found.end())
        meanings[found["name"]] = (int(found["count"] or 0), body)
        source = source[: found.start()] + source[end:]
    for _ in range(ROUNDS):
        for name, (count, body) in meanings.items():
            source = _replaced(source, name, count, body)
    return _bounded(source)


def _bounded(source: str, times: int = 1) -> str:
    """Return a source; raises SourceError ``bad-latex`` where so many times it is too long."""
    if len(source) * times > LONGEST:
        raise SourceError("bad-latex", f"the statement has over {LONGEST} characters")
    return source


def _replaced(source: str, name: str, count: int, body: str) -> str:
    """Replace each use of a command, ``#1`` in its body by what follows it, and so on."""
    parts, end, size = [], 0, 0
    for found in re.finditer(rf"\\{name}(?![A-Za-z])(?:\{{\}}|[ \t]*)", _bounded(source)):
        if found.start() < end:
            continue
        meaning, after = body, found.end()
        for number in range(1, count + 1):
            argument, after = _group(source, after)
            _bounded(argument, meaning.count(f"#{number}"))
            meaning = meaning.replace(f"#{number}", argument)
        parts += [source[end : found.start()], _bounded(meaning)]
        size += len(meaning)
        if size > LONGEST:
            raise SourceError("bad-latex", f"its commands stand for over {LONGEST} characters")
        end = after
    return "".join(parts) + source[end:]


def _group(source: str, start: int) -> tuple[str, int]:
    """Return what is in the braces that open at `start`, and where the text goes on."""
    depth = 0
    for found in BRACE.finditer(source, start):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if depth <= 0:
            return source[start + 1 : found.start()], found.end()
    return "", start


@functools.cache
def _grammar() -> Any:
    """Return which arguments commands and environments take."""
    known = latexwalker.get_default_latex_context_db()
    commands = {name: given for name, (given, _) in WRITTEN.items()} | DROPPED | QUANTITIES
    frames = FRAMES | {DRAWING: "["}
    known.add_context_category(
        "statements",
        macros=[macrospec.std_macro(name, given) for name, given in commands.items()],
        environments=[macrospec.std_environment(name, given) for name, given in frames.items()],
        specials=[macrospec.SpecialsSpec("`")],
        prepend=True,
    )
    return known


@functools.cache
def _writing() -> Any:
    """Return what is written for commands and environments."""
    known = latex2text.get_default_latex_context_db()
    environments: dict[str, Any] = {name: f"\n\n## {name}\n\n%(body)s\n\n" for name in SECTIONS}
    environments |= dict.fromkeys(FRAMES, "\n\n%(body)s\n\n")
    environments |= dict.fromkeys(LISTS, _items) | {DRAWING: "\n\n[image: a drawing]\n\n"}
    commands: dict[str, Any] = {name: written for name, (_, written) in WRITTEN.items()}
    commands |= dict.fromkeys(DROPPED, "") | dict.fromkeys(QUANTITIES, _quantity)
    known.add_context_category(
        "statements",
        macros=[latex2text.MacroTextSpec(name, repl) for name, repl in commands.items()],
        environments=[latex2text.EnvironmentTextSpec(n, repl) for n, repl in environments.items()],
        specials=[
            latex2text.SpecialsTextSpec("&", " | "),
            latex2text.SpecialsTextSpec("`", "'"),  # one quotation mark, and no code
        ],
        prepend=True,
    )
    return known


def _quantity(node: Any, l2tobj: Any) -> str:
    r"""Write a number with its unit, whose commands are names: ``\km\per\h``."""
    given = list(filter(None, node.nodeargd.argnlist[1:])) if node.nodeargd else []
    written = [l2tobj.nodelist_to_text([number]) for number in given[:-1]]
    units = [re.sub(r"[\\{}]+", " ", unit.latex_verbatim()) for unit in given[-1:]]
    return " ".join(" ".join([*written, *units]).split())


def _flat(nodes: Iterable[Any]) -> Iterator[Any]:
    """Yield what is in a list, also what stands in an environment around some of its items."""
    for node in nodes:
        inner = getattr(node, "nodelist", None) or []
        around = node.isNodeType(latexwalker.LatexEnvironmentNode) and any(map(_is_item, inner))
        if around and node.environmentname not in LISTS:
            yield from _flat(inner)
        else:
            yield node


def _is_item(node: Any) -> bool:
    return bool(node.isNodeType(latexwalker.LatexMacroNode) and node.macroname == "item")


def _items(node: Any, l2tobj: Any) -> str:
    """Write a list: each item on a line of its own, numbered in an ``enumerate``."""
    items: list[list[Any]] = []
    for child in _flat(node.nodelist):
        if _is_item(child):
            label = [part for part in child.nodeargd.argnlist if part] if child.nodeargd else []
            items.append([*label])
        elif items:
            items[-1].append(child)
    text = [l2tobj.nodelist_to_text(item).strip() for item in items]
    numbered = node.environmentname == "enumerate"
    marks = [f"{number}." if numbered else "-" for number in range(1, len(text) + 1)]
    lines = [f"{mark} {item}" for mark, item in zip(marks, text, strict=True)]
    return "\n\n" + "\n".join(lines) + "\n\n"
