"""How BLEU spreads over passing and failing samples (paper, figure 8): a poor proxy, so shown."""

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from thresher.filters.evaluation import bleu
from thresher.filters.evaluation.report import Judged


def figures(problems: Sequence[Judged]) -> dict[str, Any]:
    """Compare samples with the problems' reference solutions, where there are any.

    Returns:
        sacrebleu's ``signature``; corpus scores of ``all``, ``passing`` and ``failing`` samples;
        ``separation``, the mean over problems of how likely a passing sample scores above a
        failing one; and ``per_problem``: by task id, the distribution of each.
    """
    texts: dict[bool, list[tuple[str, str]]] = {True: [], False: []}
    per_problem: dict[str, Any] = {}
    for one in problems:
        if not one.task.problem.canonical_solution.strip():
            continue
        reference = bleu.tokens(one.task.problem.canonical_solution)
        known = {text: bleu.tokens(text) for text in {sample.text for sample, _ in one.samples}}
        scores = {text: bleu.sentence(made, reference) for text, made in known.items()}
        by: dict[bool, list[float]] = {True: [], False: []}
        for (sample, _), passed in zip(one.samples, one.passed(), strict=True):
            texts[passed].append((known[sample.text], reference))
            by[passed].append(scores[sample.text])
        per_problem[one.task.name] = {
            "passing": _plain(by[True]),
            "failing": _plain(by[False]),
            "separation": bleu.separation(by[True], by[False]),
        }
    apart = [p["separation"] for p in per_problem.values() if p["separation"] is not None]
    return {
        "signature": bleu.signature(),
        "all": _corpus(texts[True] + texts[False]),
        "passing": _corpus(texts[True]),
        "failing": _corpus(texts[False]),
        "separation": fmean(apart) if apart else None,
        "per_problem": per_problem,
    }


def _corpus(pairs: Sequence[tuple[str, str]]) -> float | None:
    return bleu.corpus([sample for sample, _ in pairs], [reference for _, reference in pairs])


def _plain(scores: Sequence[float]) -> dict[str, Any] | None:
    found = bleu.spread(scores)
    return None if found is None else found._asdict()
