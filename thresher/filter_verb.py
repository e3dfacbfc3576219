"""The verb `filter`: every problem judged."""

from pathlib import Path

import click

from thresher.console import (
    exit_if,
    licences,
    print_funnel,
    sandboxed,
    shared,
    terms_given,
    writing,
)


@click.command("filter")
@click.option(
    "--model",
    help="embedded, recorded:FILE, vllm:NAME, or an OpenAI-compatible endpoint: URL#NAME for "
    "completions, chat+URL#NAME for chat.  "
    "[default: embedded]",
)
@click.option(
    "--samples",
    type=click.IntRange(min=1),
    help="The most samples per problem.  [default: 100]",
)
@click.option(
    "--passes",
    type=click.IntRange(min=0),
    help="Stop sampling a problem at this many passes; 0 draws all.  [default: 3]",
)
@click.option(
    "--candidates",
    type=click.IntRange(min=1),
    help="Sample only for this many problems, shortest programs first.",
)
@licences
@click.option(
    "--config",
    "configuration",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A TOML file with the filters and their settings.",
)
@terms_given
@sandboxed
@shared
def filter_problems(
    model: str | None,
    samples: int | None,
    passes: int | None,
    candidates: int | None,
    any_licence: bool,
    trusted: tuple[str, ...],
    configuration: Path | None,
    terms: dict[str, float | None],
    require: str | None,
    workspace: Path,
    as_json: bool,
) -> None:
    """Judge every problem: only what deserves to be trained on is kept.

    A configuration file names the filters in their order and what differs from their defaults,
    see docs/filters.md; options given here come before it.

    \b
    Examples:
      thresher filter
      thresher filter --model http://127.0.0.1:8000/v1#my-model --samples 20
      thresher filter --config filters.toml
    """
    from thresher import pipeline
    from thresher.configuration import filter_options
    from thresher.progress import reporter

    given = {"model": model, "candidates": candidates, "require": require}
    settings: dict[str, dict[str, object]] = {
        "solvable": {"samples": samples, "passes": passes},
        "licence": {"any": any_licence or None, "trusted": trusted or None},
    }
    options = filter_options(configuration, given, settings, terms)
    with writing(workspace, "filter", options.shown(), create=False) as opened:
        with reporter() as report:
            outcome = pipeline.filter_problems(opened, options, report)
        print_funnel(
            opened,
            options.filters,
            as_json,
            {"failed": outcome.failed, "waiting": outcome.waiting},
        )
    exit_if(bool(outcome.failed))
