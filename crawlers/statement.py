"""A problem statement as read from a page, a package or a data set: plain data, whatever the site.

Parsers make statements and `thresher.crawlers.assemble` makes problems of them.
"""

from typing import Any, Literal

from thresher.store.records import Comparator, Record

Kind = Literal["stdio", "function", "interactive", "sql", "listing", "locked"]
# None, bool, int, float, str, list or dict with keys that are str; where a source gives cases as
# Python also what `thresher.store.values` encodes: tuples, sets, dicts with other keys
Json = Any


class Sample(Record, frozen=True):
    """Text that a program reads and the text it must print; each ends with a newline or is empty.

    There are no blanks at the ends of lines; leading blanks and inner empty lines stay.
    """

    input: str
    output: str


class Call(Record, frozen=True):
    """A call of the function: arguments by parameter name, and what it gives.

    Where the answer is left in an argument, `out` is that argument afterwards. A class to be
    designed has the arguments ``ops`` (names, the class first) and ``params`` (a list for each).
    Where the source is Python, values may be anything that `thresher.store.values` encodes, such
    as tuples. `raises` names the exception that the call ends with instead, as in `TestCase`;
    `args` may leave out parameters that have defaults.
    """

    args: dict[str, Json]
    out: Json
    raises: str = ""


class Parameter(Record, frozen=True):
    """A parameter, its annotation and default as Python source, empty where there is none."""

    name: str
    annotation: str = ""
    default: str = ""


class Signature(Record, frozen=True):
    """The function that is asked for: its name as the site has it, parameters and result.

    A class to be designed has `methods` instead, its constructor ``__init__`` first.
    """

    name: str
    parameters: tuple[Parameter, ...] = ()
    returns: str = ""
    methods: tuple["Signature", ...] = ()


class Solution(Record, frozen=True):
    """A program or function that came with the statement; `language` in lower case: ``python``."""

    language: str
    text: str
    right: bool = True


class Statement(Record, frozen=True, kw_only=True):
    """One problem of one site.

    Attributes:
        site: the name of the site in the group `thresher.sites`.
        key: what the site calls the problem, such as ``1234A`` or ``two-sum``.
        url: where a person can read it.
        kind: what is asked for; problems are made of ``stdio`` and ``function`` alone.
        text: the statement as a model reads it, without the samples.
        samples: shown examples of a program, in order.
        hidden: further cases of a program that the statement doesn't show.
        calls: shown examples of a function, and `hidden_calls` further cases of it.
        prompt: what a program must begin with, where the source gives it as Python: every solution
            then begins with it, byte for byte.
        comparator: how an answer is compared, by the rule that `comparator_evidence` quotes.
        time_limit: seconds, and `memory_limit` MiB, where known.
        tags: the site's own words for what the problem is about.
        flags: what is special, sorted: ``any_order``, ``any_order_nested``, ``benchmark`` (models
            are measured with it), ``case_insensitive``, ``checker``, ``design_class``, ``image``,
            ``in_place``, ``linked_list``, ``multiple_answers``, ``premium_locked``, ``score``,
            ``tree``, ``truncated_statement``.
        licence: an SPDX expression or ``unknown``, with `licence_evidence` for it.
        language: of the text, as in HTML: ``en``.
    """

    site: str
    key: str
    url: str = ""
    title: str
    kind: Kind
    text: str
    samples: tuple[Sample, ...] = ()
    hidden: tuple[Sample, ...] = ()
    calls: tuple[Call, ...] = ()
    hidden_calls: tuple[Call, ...] = ()
    prompt: str = ""
    signature: Signature | None = None
    comparator: Comparator = Comparator()
    comparator_evidence: str = ""
    time_limit: float | None = None
    memory_limit: int | None = None
    tags: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    licence: str = "unknown"
    licence_evidence: str = ""
    language: str = "en"
    solutions: tuple[Solution, ...] = ()
