"""BLEU of samples against the reference: shown beside the verdicts, never in place of them.

Corpus scores are the article's formula: four n-gram precisions weighted alike, no smoothing, the
brevity penalty over the whole corpus. Scores of single samples leave out the orders for which the
sample is too short (`effective_order`), since most would be 0. Both are in percent.
"""

import bisect
import io
import statistics
import sys
import tokenize
from collections.abc import Sequence
from typing import NamedTuple

from sacrebleu.metrics.bleu import BLEU

LONGEST = 1 << 16  # characters; no sample of a function is as long
DROPPED = {tokenize.COMMENT, tokenize.ENCODING}
CORPUS = BLEU(tokenize="none", smooth_method="none", force=True)
SENTENCE = BLEU(tokenize="none", smooth_method="none", force=True, effective_order=True)


class Spread(NamedTuple):
    """The distribution of scores: how many, the least, the quartiles and the most."""

    samples: int
    least: float
    first: float
    median: float
    third: float
    most: float


def tokens(source: str) -> str:
    """Return the tokens of Python source with blanks between them, comments left out.

    What can't be tokenised to its end, or is very long, is split at blanks instead. Texts in the
    source are split at their blanks too.
    """
    if len(source) > LONGEST:
        return " ".join(source.split())
    try:
        found = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError, ValueError, RecursionError):
        return " ".join(source.split())
    return " ".join(" ".join(t.string for t in found if t.type not in DROPPED).split())


def corpus(samples: Sequence[str], references: Sequence[str]) -> float | None:
    """Return the corpus score of tokenised samples, each with its one reference; None of none."""
    if not samples:
        return None
    return float(CORPUS.corpus_score(samples, [references]).score)


def sentence(sample: str, reference: str) -> float:
    """Return the score of one tokenised sample."""
    return float(SENTENCE.sentence_score(sample, [reference]).score)


def signature() -> str:
    """Return what decides the scores, in sacrebleu's form, behind it that of single samples."""
    corpus([""], [""])  # there is none before something was scored
    sentence("", "")
    python = f"python {sys.version_info.major}.{sys.version_info.minor} tokenize"
    return f"{CORPUS.get_signature()}|{python} (samples: {SENTENCE.get_signature()})"


def spread(scores: Sequence[float]) -> Spread | None:
    """Return the distribution of some scores, None of none."""
    if not scores:
        return None
    # Python 3.11's quantiles take two scores or more; one more of the same changes none of them
    padded = scores if len(scores) > 1 else [*scores, *scores]
    first, median, third = statistics.quantiles(padded, n=4, method="inclusive")
    return Spread(len(scores), min(scores), first, median, third, max(scores))


def separation(passing: Sequence[float], failing: Sequence[float]) -> float | None:
    """Return how likely a passing sample scores above a failing one; ties count half.

    0.5 means that the score tells nothing, None that there is no such pair.
    """
    if not passing or not failing:
        return None
    ranked = sorted(failing)
    above = sum(bisect.bisect_left(ranked, s) + bisect.bisect_right(ranked, s) for s in passing)
    return above / (2 * len(passing) * len(failing))
