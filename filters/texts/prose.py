"""A docstring taken apart: what is said in sentences, of the result, and of the parameters."""

import ast
import re
from typing import NamedTuple

from thresher.filters.texts.statements import parsed

# Where words aren't separated each character counts as one.
WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\d_\u3040-\u9fff\uac00-\ud7af]+")
FIELD = re.compile(r"[:@](?P<name>\w+)[^:\n]{0,100}:(?P<text>.*)")
SECTION = re.compile(
    r"(?P<name>Arg(?:ument)?s|Param(?:eter)?s|Keyword Args|Other Parameters|Raises|Returns?|Yields?"
    r"|Attributes|Exceptions?|Warns|Inputs?|Outputs?) ?:?\s*",
    re.IGNORECASE,
)
RESULT = re.compile(r"(?:return|yield|output)", re.IGNORECASE)
ENTRY = re.compile(r"\*{0,2}\w+(?:, \w+)*(?: ?:|$)")  # of a NumPy section: ``name : type``


class Words(NamedTuple):
    """The words of a docstring: of sentences, of what is returned, and whether more is described.

    Attributes:
        fields: it describes parameters, results, exceptions or their types.
    """

    prose: list[str]
    returned: list[str]
    fields: bool


def words(text: str) -> list[str]:
    """Return the words of a text; parts of names count as words."""
    return WORD.findall(text)


def prose(text: str) -> Words:
    """Take a docstring apart, in the forms of Sphinx, Epydoc, Google and NumPy.

    Args:
        text: without its indent.
    """
    sentences: list[str] = []
    returned: list[str] = []
    fields = False
    is_numpy = "\n---" in text
    section: list[str] | None = sentences  # where lines go, None for parameters and the like
    for line in text.splitlines():
        if field := FIELD.match(line):
            section = returned if RESULT.match(field["name"]) else None
            line = field["text"]
        elif header := SECTION.fullmatch(line):
            section = returned if RESULT.match(header["name"]) else None
            line = ""
        elif line[:1].strip() and not line.startswith("---") and section is not sentences:
            section = section if is_numpy and ENTRY.match(line) else sentences
        fields = fields or section is not sentences
        if section is not None:
            section += words(line)
    return Words(sentences, returned, fields)


def names_in(source: str, but: str) -> set[str]:
    """Return the functions, classes and parameters that a program defines, apart from one."""
    tree = parsed(source)
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    nodes = list(ast.walk(tree)) if tree else []
    defined = {node.name for node in nodes if isinstance(node, kinds)}
    return defined.union(node.arg for node in nodes if isinstance(node, ast.arg)) - {but}
