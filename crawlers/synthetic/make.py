"""Make problems of chains: what each one answers is found out in the sandbox."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from thresher.crawlers.synthetic import blocks, chains
from thresher.crawlers.synthetic.chains import ENTRY_POINT, Chain
from thresher.errors import InfrastructureError, SourceError
from thresher.judging import Judges
from thresher.progress import Reporter
from thresher.sandbox.judge import Call
from thresher.store import blobs, sources
from thresher.store.funnel import CRAWL, decided
from thresher.store.records import (
    Comparator,
    Derivation,
    Problem,
    Record,
    Source,
    TestCase,
    content_id,
)
from thresher.store.workspace import Unit, Workspace, unit_key

STAGE = "synth"
SITE = "synthetic"
VERSION = 1
LICENCE = "Apache-2.0"
TERMS = "made by thresher of its own building blocks, which are under its licence"
MADE = "done"
IDLE = "block-without-effect"
FEWEST = 6  # cases


class Outcome(NamedTuple):
    """What came of the chains that were drawn: made, set aside, and decided by an earlier run.

    `made` and `aside` count those of this run alone, `present` the problems of all.
    """

    wanted: int
    present: int
    made: int
    aside: int
    known: int


def synthesize(
    workspace: Workspace, length: int, wanted: int, seed: int, judges: Judges, report: Reporter
) -> Outcome:
    """Draw chains of `length` blocks until `wanted` of them are problems, or there are no more.

    The seed decides which chains are drawn; what a chain becomes is the same for every seed. A
    rerun goes on after what was decided before.

    Raises:
        InfrastructureError: the sandbox failed; what was made until then is stored.
    """
    source = _source(workspace)
    present = made = aside = known = 0
    report.stage(f"chains of {length}", wanted)
    for chain in chains.draw(length, seed):
        if present == wanted:
            break
        key = unit_key(STAGE, VERSION, None, chains.name(chain))
        outcome = workspace.outcome(key)
        known += outcome is not None
        if outcome is None:
            outcome = _decide(workspace, key, chain, source, judges)
            made, aside = made + (outcome == MADE), aside + (outcome != MADE)
        if outcome == MADE:
            present += 1
            report.advance(chains.name(chain))
    return Outcome(wanted, present, made, aside, known)


def _decide(workspace: Workspace, key: str, chain: Chain, source: Source, judges: Judges) -> str:
    """Store a chain's problem, or why it is none; return the outcome of the unit of work."""
    subject = f"{SITE}/{chains.name(chain)}"
    records: list[Record] = [source]
    try:
        problem = make(chain, source, judges)
        records += [
            problem,
            decided(CRAWL, VERSION, subject, None, f"{problem.task_id}: each block matters"),
        ]
        outcome = MADE
    except SourceError as error:
        records.append(decided(CRAWL, VERSION, subject, error.reason, str(error)))
        outcome = error.reason
    workspace.commit(Unit(key, STAGE, subject, outcome), records)
    return outcome


def make(chain: Chain, source: Source, judges: Judges) -> Problem:
    """Make the problem of a chain, with cases that together show each of its blocks.

    Raises:
        SourceError: ``block-without-effect``, when one of them does nothing to any text.
        InfrastructureError: the sandbox failed.
    """
    texts = chains.texts(chain)
    solution = chains.solution(chain)
    answers = _answers(judges, chains.prompt(chain) + solution, texts)
    without = _answers(judges, chains.without_each(chain), texts)
    places = _telling(chain, answers, without)
    shown = min(places, key=lambda p: (answers[p] in ("", texts[p]), len(texts[p])))
    prompt = chains.prompt(chain, [(texts[shown], answers[shown])])
    cases = tuple(_case(texts[p], answers[p], p == shown) for p in places)
    return Problem(
        task_id=f"{SITE}/{chains.name(chain)}-{content_id([prompt, solution, cases])[:8]}",
        entry_point=ENTRY_POINT,
        prompt=prompt,
        canonical_solution=solution,
        cases=cases,
        comparator=Comparator(),
        style="function",
        source=source.id,
        derivation=Derivation(
            file=source.url, line=0, function=ENTRY_POINT, how=f"a chain of {len(chain)} blocks"
        ),
    )


def _answers(judges: Judges, program: str, texts: Sequence[str]) -> list[str]:
    """Call a program of ours with each text."""
    result = judges.run(program, ENTRY_POINT, [Call([text], {}) for text in texts])
    answers = [outcome.value for outcome in result.outcomes]
    if result.failure is not None or len(answers) != len(texts):
        raise InfrastructureError(f"a chain of blocks didn't run: {result.ended}")
    return answers


def _telling(chain: Chain, answers: Sequence[str], without: Sequence[Sequence[str]]) -> list[int]:
    """Choose the first few texts, more where a block makes no difference to them, and the short.

    Raises:
        SourceError: there is no text to which a block makes a difference.
    """
    places = list(range(FEWEST - len(chains.SHORT)))
    for number, block in enumerate(chain):
        differs = [p for p, rest in enumerate(without) if rest[number] != answers[p]]
        if not differs:
            message = f"in {chains.name(chain)}, the block {block.name} changes no answer"
            raise SourceError(IDLE, message)
        if not set(places).intersection(differs):
            places.append(differs[0])
    short = range(len(answers) - len(chains.SHORT), len(answers))
    return [*places, *(place for place in short if place not in places)]


def _case(text: str, answer: str, shown: bool) -> TestCase:
    return TestCase(
        args=(text,), kwargs={}, expected=answer, raises=None, origin="generated", shown=shown
    )


def _source(workspace: Workspace) -> Source:
    """Return the record of our own blocks, whose bytes are kept like any other source's."""
    digest = blobs.put(workspace.blobs, Path(blocks.__file__).read_bytes())
    return sources.arrived(
        [SITE, digest],
        digest,
        kind="file",
        url="thresher/crawlers/synthetic/blocks.py",
        licence=LICENCE,
        licence_evidence=TERMS,
        robots="not a crawl",
    )
