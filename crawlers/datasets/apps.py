"""APPS, as its folders or as JSON Lines or Parquet with the same fields.

A problem is a folder with ``question.txt`` and, where there are any, ``input_output.json``,
``solutions.json``, ``metadata.json`` and ``starter_code.py``. Where the cases name a function,
inputs are lists of arguments and each output may stand in a list of its own.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from thresher.crawlers.datasets import bounds, rows
from thresher.crawlers.functions import returns, signatures
from thresher.crawlers.packages import tree
from thresher.crawlers.site import Collection, Found
from thresher.crawlers.statement import Call, Signature, Solution, Statement
from thresher.errors import SourceError
from thresher.store import wording
from thresher.store.records import content_id

T = TypeVar("T")
NAME = "apps"
TERMS = (
    "The repository of APPS is under the MIT licence, but the problems belong to the sites that "
    "they were collected from. Its test part is a benchmark."
)
EVIDENCE = "APPS itself is under MIT; what {} allows for this text isn't stated"
QUESTION = "question.txt"
FILES = ("input_output.json", "metadata.json", "solutions.json", "starter_code.py")
MOST = 256 << 20  # bytes of a file: some problems have cases of tens of millions


class Row(msgspec.Struct):
    """The fields that are read; `solutions` and `input_output` may be JSON within JSON."""

    question: str
    problem_id: int | str = ""
    id: int | str = ""
    solutions: str | list[str] | None = None
    input_output: str | dict[str, Any] | None = None
    difficulty: str | None = ""
    url: str | None = ""
    starter_code: str | None = ""


class Cases(msgspec.Struct):
    """What `input_output` holds; text may stand as a list of lines."""

    inputs: list[Any] = []
    outputs: list[Any] = []
    fn_name: str | None = None


def read(path: Path) -> Iterator[Found]:
    """Yield the problems of a folder in the form of APPS, or of the rows of files."""
    if path.is_dir() and any(tree.folders(path, QUESTION)):
        return (_found(path, folder) for folder in tree.folders(path, QUESTION))
    return rows.collect(path, Row, statement)


def _found(root: Path, folder: Path) -> Found:
    name = folder.relative_to(root).as_posix()
    name = f"{root.name}/{name}" if name != "." else root.name
    try:
        content = {file: tree.read(folder, file, MOST) for file in _files(folder)}
    except SourceError as error:
        return Found(name, b"", error)
    raw = tree.archive(content)
    try:
        return rows.marked(Found(name, raw, statement(_row(name, content))))
    except SourceError as error:
        return Found(name, raw, SourceError(error.reason, f"{name}: {error}"))


def _files(folder: Path) -> list[str]:
    return [QUESTION, *(file for file in FILES if (folder / file).exists())]


def _row(name: str, content: dict[str, bytes]) -> Row:
    texts = {file: tree.text(content.get(file, b""), file) for file in (QUESTION, *FILES)}
    fields = _json(texts["metadata.json"] or "{}", dict[str, Any])
    fields |= {
        "id": name,
        "question": texts[QUESTION],
        "solutions": texts["solutions.json"],
        "input_output": texts["input_output.json"],
        "starter_code": texts["starter_code.py"],
    }
    return _converted(fields, Row)


def statement(row: Row) -> Statement:
    """Make a row a statement: of a function where its cases name one, else of a program.

    Raises:
        SourceError: ``no-statement``, ``samples-unpaired``, ``bad-json``, ``bad-row``,
            ``no-signature`` or ``bad-call``.
    """
    if not row.question.strip():
        raise SourceError("no-statement", "the question is empty")
    cases = _cases(row.input_output)
    named = [str(each) for each in (row.id, row.problem_id) if each != ""]
    key = named[0] if named else content_id(row.question)[:12]
    made = Statement(
        site=NAME,
        key=key,
        url=row.url or "",
        title=key,
        kind="stdio",
        text=row.question.strip(),
        tags=tuple(filter(None, [row.difficulty])),
        licence_evidence=EVIDENCE.format(row.url or "its site"),
        solutions=bounds.solutions(_solutions(row.solutions)),
    )
    return _function(made, row, cases) if cases.fn_name else _program(made, cases)


def _program(made: Statement, cases: Cases) -> Statement:
    pairs = zip(cases.inputs, cases.outputs, strict=True)
    given = bounds.split(made.text, (bounds.sample(_text(i), _text(o)) for i, o in pairs))
    said = wording.read(made.text)
    return msgspec.structs.replace(
        made,
        kind="interactive" if said.interactive else "stdio",
        text=given.text,
        samples=given.shown,
        hidden=given.hidden,
        comparator=said.comparator,
        comparator_evidence=said.evidence,
        flags=said.flags,
    )


def _function(made: Statement, row: Row, cases: Cases) -> Statement:
    signature = _signature(row, str(cases.fn_name), made.solutions)
    outputs = _outputs(cases.outputs, signature.returns)
    calls = [_call(*pair, signature) for pair in zip(cases.inputs, outputs, strict=True)]
    made = msgspec.structs.replace(
        made,
        kind="function",
        title=signature.name,
        hidden_calls=bounds.hidden_calls(calls),
        signature=signature,
    )
    if "leetcode" not in made.url:
        return made
    said = returns.read(made.text, signature, tuple(calls))
    return msgspec.structs.replace(
        made,
        comparator=said.comparator,
        comparator_evidence=said.evidence,
        flags=tuple(sorted(said.flags)),
    )


def _signature(row: Row, name: str, solutions: tuple[Solution, ...]) -> Signature:
    """Read the signature from the starting point, or from the first solution that has one."""
    first: SourceError | None = None
    for source in filter(None, [row.starter_code, *(each.text for each in solutions)]):
        try:
            return signatures.from_python(source, name)
        except SourceError as error:
            first = first or error
    raise first or SourceError("no-signature", f"nothing shows what {name} takes")


def _outputs(outputs: list[Any], returns: str) -> list[Any]:
    """Take outputs out of lists of their own, where each is in one and may not be meant so."""
    boxed = all(isinstance(output, list) and len(output) == 1 for output in outputs)
    if not boxed or (
        _depth(returns) and any(_lists(output) <= _depth(returns) for output in outputs)
    ):
        return outputs
    return [output[0] for output in outputs]


def _depth(annotation: str) -> int:
    return annotation.lower().count("list[")


def _lists(value: Any) -> int:
    """Return how many lists stand around the first value."""
    return 1 + (_lists(value[0]) if value else 0) if isinstance(value, list) else 0


def _call(given: Any, output: Any, signature: Signature) -> Call:
    names = [parameter.name for parameter in signature.parameters]
    if not isinstance(given, list) or len(given) > len(names):
        raise SourceError("bad-call", f"a case doesn't give the arguments of {signature.name}")
    return Call(dict(zip(names, given, strict=False)), output)


def _cases(written: str | dict[str, Any] | None) -> Cases:
    fields = _json(written or "{}", dict[str, Any]) if isinstance(written, str | None) else written
    cases = _converted(fields, Cases)
    if len(cases.inputs) != len(cases.outputs):
        raise SourceError("samples-unpaired", "the lists of inputs and outputs differ in length")
    return cases


def _solutions(written: str | list[str] | None) -> list[str]:
    return written if isinstance(written, list) else _json(written or "[]", list[str])


def _text(value: Any) -> str:
    lines = value if isinstance(value, list) else [value]
    if not all(isinstance(line, str) for line in lines):
        raise SourceError("bad-row", "a case of a program holds something else than text")
    return "\n".join(lines)


def _json(text: str, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(text.strip(), type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
        raise SourceError("bad-json", f"what should be JSON isn't: {error}") from None


def _converted(fields: dict[str, Any], kind: type[T]) -> T:
    try:
        return msgspec.convert(fields, kind)
    except msgspec.ValidationError as error:
        raise SourceError("bad-row", f"the fields are not those of APPS: {error}") from None


COLLECTION = Collection(name=NAME, terms=TERMS, read=read)
