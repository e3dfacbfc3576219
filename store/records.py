"""The records of the data model: frozen, without behaviour beyond their content ids.

A `Tree` is an encoded value (see `thresher.store.values`): plain JSON data, never code.
"""

import hashlib
from typing import Any, Literal

import msgspec

Tree = Any
Verdict = Literal[
    "pass", "fail", "timeout", "out_of_memory", "crash", "denied", "infrastructure_error"
]
Mode = Literal["returns", "generates", "awaits", "async-generates"]


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all records: immutable, strict about unknown fields."""


class Source(Record, frozen=True, kw_only=True):
    """Where bytes came from.

    `licence` is an SPDX expression or ``unknown``; `licence_evidence` says what it was read
    from. `sha256` names the raw bytes in the blob folder, `robots` the crawl decision.
    """

    id: str
    kind: Literal["page", "repository", "sdist", "problem package", "file"]
    url: str
    revision: str
    licence: str
    licence_evidence: str
    robots: str
    sha256: str
    fetched_at: str


# Fields that came later have defaults and are left out where they hold them, so that what is named
# by its content keeps its name.
class TestCase(Record, frozen=True, kw_only=True, omit_defaults=True):
    """One call and its outcome: an expected value, or the name of the exception it raises.

    Of a generator the value is the list of its outputs, up to `thresher.store.values.MAX_OUTPUTS`;
    `ended` is false where there would be more. `raises` is a built-in's plain name, a class of the
    program's, or ``module:Class``. `after` has the arguments that the call changes, as they must
    be then, by position (``"0"``) or keyword.
    """

    __test__ = False  # not a pytest class

    args: tuple[Tree, ...]
    kwargs: dict[str, Tree]
    expected: Tree
    raises: str | None
    origin: Literal["traced", "statement", "judge", "generated"]
    shown: bool
    after: dict[str, Tree] = {}
    ended: bool = True


class Comparator(Record, frozen=True, kw_only=True):
    """How an answer is compared; `relative` and `absolute` are the tolerances of floats in it.

    Of values: `exact`; `float`, with tolerances; `unordered`, a list whose order doesn't matter,
    `unordered-nested` where that of the lists in it doesn't either. Of printed text: `lines`, but
    for blanks at the ends of lines and of the text; `tokens`, word by word, with tolerances for
    numbers where there are any; `tokens-ignoring-case`; `checker`, the problem's own program.
    """

    kind: Literal[
        "exact",
        "float",
        "unordered",
        "unordered-nested",
        "lines",
        "tokens",
        "tokens-ignoring-case",
        "checker",
    ] = "exact"
    relative: float = 0.0
    absolute: float = 0.0


class Derivation(Record, frozen=True, kw_only=True):
    """The place in the source a problem was made from."""

    file: str
    line: int
    function: str
    how: str


class Problem(Record, frozen=True, kw_only=True, omit_defaults=True):
    """A task: `prompt + canonical_solution` is byte for byte the runnable program.

    `mode` says what a call of the entry point gives, `tags` what is special about the function,
    for example ``undocumented``. A `stdio` problem is a program: its cases have the text that it
    reads as their one argument and the text that it prints as the expected value, the entry point
    is ``solve``, and an empty `canonical_solution` means that none is known.
    """

    task_id: str
    entry_point: str
    prompt: str
    canonical_solution: str
    cases: tuple[TestCase, ...]
    comparator: Comparator
    style: Literal["function", "stdio"]
    source: str
    derivation: Derivation
    mode: Mode = "returns"
    tags: tuple[str, ...] = ()


class Sample(Record, frozen=True, kw_only=True, omit_defaults=True):
    """One completion of a problem's prompt by a reference model.

    `text` goes on with the prompt; `raw` is what the model said where that is more or something
    else. `tokens` counts what it said, `prompt_tokens` what it read, 0 where it didn't tell.
    `model` is its id with the revision that is asked for, `revision` what it calls itself,
    `prompt_hash` the sha256 of the prompt's text.
    """

    task_id: str
    model: str
    index: int
    seed: int
    temperature: float
    top_p: float
    text: str
    tokens: int
    logprob_sum: float | None
    logprob_mean: float | None
    finish_reason: str
    raw: str | None = None
    prompt_tokens: int = 0
    prompt_hash: str = ""
    max_tokens: int = 0
    revision: str = ""


class Execution(Record, frozen=True, kw_only=True):
    """One judged run of a program; `program` is the sha256 of its text.

    `cpu_limit` and `wall_limit` are the seconds it was allowed, `sandbox` is the wall's level.
    """

    task_id: str
    program: str
    purpose: str
    run: int
    perturbation: str
    verdict: Verdict
    failing_case: int | None
    detail: str
    cpu_seconds: float
    wall_seconds: float
    cpu_limit: float = 0.0
    wall_limit: float = 0.0
    sandbox: str


class Decision(Record, frozen=True, kw_only=True, omit_defaults=True):
    """What one filter said of one subject, with a reason code and evidence a person can read.

    `facts` is what a program would read of the evidence: plain data, the keys the filter's own.
    """

    subject: str
    filter: str
    version: int
    keep: bool
    reason: str
    evidence: str
    facts: dict[str, Any] = {}


class Refinement(Record, frozen=True, kw_only=True):
    """A problem as a filter left it: mended, or with cases added.

    `unit` is the key of the filter's unit of work, or the name of the decision that sums up all
    filters of a problem: then `problem` is what is exported.
    """

    unit: str
    task_id: str
    problem: Problem


class Export(Record, frozen=True, kw_only=True):
    """A file written for training: its name, bytes and the problems in it, in order."""

    path: str
    sha256: str
    task_ids: tuple[str, ...]


class Run(Record, frozen=True, kw_only=True):
    """One command: what was asked, on what host, when, and how it ended."""

    id: str
    command: str
    configuration: str
    versions: str
    host: str
    started_at: str
    ended_at: str
    outcome: str


def canonical_json(content: object) -> bytes:
    """Encode records and plain data as deterministic JSON bytes."""
    return msgspec.json.encode(content, order="deterministic")


def content_id(content: object) -> str:
    """Return the sha256 hex digest of the canonical JSON of `content`."""
    return hashlib.sha256(canonical_json(content)).hexdigest()
