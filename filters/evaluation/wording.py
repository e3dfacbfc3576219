"""The figures of an evaluation as lines for a person."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

VERDICTS = ("pass", "fail", "timeout", "crash", "out_of_memory", "denied")
WIDE = 44
MOST_SHOWN = 20  # lines that aren't counted


def lines(figures: Mapping[str, Any]) -> list[str]:
    """Return a table of the problems, then the figures over all of them."""
    return [*_table(figures), "", *_counts(figures), "", *_rates(figures), *_bleu(figures)]


def _table(figures: Mapping[str, Any]) -> Iterator[str]:
    rows = figures["per_problem"]
    used = [v for v in VERDICTS if v in ("pass", "fail", "timeout") or v in figures["verdicts"]]
    likeness = (figures["bleu"] or {}).get("per_problem", {})
    heads = [f"{word.replace('_', ' '):>7}" for word in used]
    bleu = "  BLEU pass  fail" if likeness else ""
    yield f"{'problem':<{WIDE}} {'samples':>7} {' '.join(heads)}  rate (95 %){' ' * 11}{bleu}"
    for row in rows:
        counts = [
            f"{row['verdicts'].get(v, 0):>{len(h)}}" for v, h in zip(used, heads, strict=True)
        ]
        low, high = row["interval"]
        rate = f"{row['pass_rate']:.3f} ({low:.3f}–{high:.3f})"
        medians = _medians(likeness.get(row["task_id"])) if likeness else ""
        name = row["task_id"][-WIDE:]
        yield f"{name:<{WIDE}} {row['samples']:>7} {' '.join(counts)}  {rate}  {medians}".rstrip()


def _medians(spreads: Mapping[str, Any] | None) -> str:
    both = [(spreads or {}).get(kind) for kind in ("passing", "failing")]
    return " ".join(f"{spread['median']:>9.1f}" if spread else f"{'–':>9}" for spread in both)


def _counts(figures: Mapping[str, Any]) -> Iterator[str]:
    verdicts = figures["verdicts"]
    said = ", ".join(f"{verdicts[v]} {v.replace('_', ' ')}" for v in VERDICTS if v in verdicts)
    yield f"{sum(verdicts.values())} samples judged: {said or 'none'}"
    yield (
        f"{figures['different_programs']} different programs, {figures['judged_now']} of them "
        "judged now"
    )
    for line in figures["rejected"][:MOST_SHOWN]:
        yield f"line {line['line']} {line['reason']}"
    if figures["rejected"][MOST_SHOWN:]:
        yield f"and {len(figures['rejected']) - MOST_SHOWN} more lines that aren't counted"
    if figures["not_judged"]:
        yield f"{figures['not_judged']} not judged, the sandbox failed: run it again"
    sizes = figures["samples_of_problems"]
    spread = ", ".join(f"{count} with {n}" for n, count in sizes.items())
    yield (
        f"{figures['problems_with_samples']} of {figures['problems']} problems have samples "
        f"({spread or 'none'}); the others don't count"
    )


def _rates(figures: Mapping[str, Any]) -> Iterator[str]:
    yield "mean over problems (95 % by bootstrap over problems)"
    for k, found in figures["pass_at"].items():
        yield f"  {f'pass@{k}':<38} {_mean(found)}"
    for k, why in figures["refused"].items():
        yield f"  {f'pass@{k}':<38} can't be had: {why}"
    for k, found in figures["filtered_pass_at"].items():
        yield f"  {f'filtered pass@{k}':<38} {_mean(found)}"
    if figures["strict_accuracy"]:
        yield f"  {'strict accuracy of programs':<38} {_mean(figures['strict_accuracy'])}"
    if figures["cases_passed"]:
        yield f"  {'cases passed':<38} {_mean(figures['cases_passed'])}"
    for k, ways in figures["choice"].items():
        for way, found in ways.items():
            yield f"  {f'one of {k}, by {way}':<38} {_mean(found)}"


def _mean(found: Mapping[str, Any] | None) -> str:
    if found is None:
        return "– (samples without log-probabilities)"
    if found["low"] is None:
        return f"{found['value']:.4f} (one problem)"
    return (
        f"{found['value']:.4f} ({found['low']:.4f}–{found['high']:.4f}), "
        f"{found['problems']} problems"
    )


def _bleu(figures: Mapping[str, Any]) -> Sequence[str]:
    bleu = figures["bleu"]
    if not bleu or bleu["all"] is None:
        return []
    kinds = [(kind, bleu[kind]) for kind in ("all", "passing", "failing")]
    said = ", ".join(f"{kind} {value:.2f}" for kind, value in kinds if value is not None)
    apart = bleu["separation"]
    tells = [] if apart is None else [f"  a passing sample scores above a failing one: {apart:.3f}"]
    return ["", f"BLEU against the reference: {said}", *tells, f"  {bleu['signature']}"]
