"""The verbs `batch write` and `batch read`: samples through a provider's batch files."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from thresher.console import exit_if, print_result, shared

if TYPE_CHECKING:
    from thresher.store.records import Problem
    from thresher.store.workspace import Workspace

MOST_SHOWN = 20


@click.group()
def batch() -> None:
    """Have samples drawn by a provider's batch service, in OpenAI's form of files.

    \b
    Example:
      thresher batch write requests.jsonl --model MODEL --chat --samples 20
      thresher batch read samples.jsonl output.jsonl errors.jsonl
      thresher filter --model recorded:samples.jsonl --samples 20
    """


@batch.command("write")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--model", required=True, metavar="NAME", help="Its name at the provider.")
@click.option("--chat", is_flag=True, help="Ask the chat interface, not the completions.")
@click.option(
    "--samples",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="How many per problem.",
)
@click.option(
    "--max-tokens",
    type=click.IntRange(min=1),
    help="The longest answer.  [default: 160, with --chat 1024]",
)
@click.option("--temperature", type=click.FloatRange(0, 2), help="[default: 0.8]")
@click.option(
    "--known",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Only what isn't in this file of samples, to ask again for what failed.",
)
@shared
def write(
    file: Path,
    model: str,
    chat: bool,
    samples: int,
    max_tokens: int | None,
    temperature: float | None,
    known: Path | None,
    workspace: Path,
    as_json: bool,
) -> None:
    """Write a file of requests for the problems that the last filter run kept, or else for all.

    What is too much for one file goes on in FILE-2, FILE-3 and so on.

    \b
    Examples:
      thresher batch write requests.jsonl --model MODEL --chat --samples 20
      thresher batch write more.jsonl --model MODEL --chat --samples 20 --known samples.jsonl
    """
    import msgspec

    from thresher.filters.models import batch as batches
    from thresher.filters.models import default_sampling, forms
    from thresher.store.export import check_target
    from thresher.store.files import write_whole
    from thresher.store.workspace import open_reader

    check_target(file, workspace)
    sampling = default_sampling("chat+" if chat else "")
    chosen = {"max_tokens": max_tokens, "temperature": temperature}
    given = {name: value for name, value in chosen.items() if value is not None}
    sampling = msgspec.structs.replace(sampling, **given)
    with open_reader(workspace) as opened:
        problems = _problems(opened)
    there = _held(known).keys() if known else frozenset()
    form = forms.CHAT if chat else forms.COMPLETIONS
    lines = batches.requests(problems, model, range(samples), sampling, form, there)
    written: dict[str, int] = {}
    for number, held in enumerate(batches.files(lines), 1):
        part = file if number == 1 else file.with_stem(f"{file.stem}-{number}")
        write_whole(part, b"".join(held))
        written[str(part)] = len(held)
    if not written:  # the requests of an earlier time would be asked again
        write_whole(file, b"")
        written[str(file)] = 0
    said = [f"{count} requests in {path}" for path, count in written.items()]
    text = "\n".join([*said, f"for {len(problems)} problems"])
    print_result({"files": written, "problems": len(problems)}, as_json, text)


@batch.command("read")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.argument(
    "results",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="RESULTS...",
)
@shared
def read(file: Path, results: tuple[Path, ...], workspace: Path, as_json: bool) -> None:
    """Read files of results into a FILE of samples, which is the model `recorded:FILE`.

    Failed requests are named and counted; `batch write --known FILE` asks for them again. Samples
    that FILE holds stay in it.

    \b
    Example:
      thresher batch read samples.jsonl output.jsonl errors.jsonl
    """
    from thresher.filters.models import Sampling
    from thresher.filters.models import batch as batches
    from thresher.filters.models.recorded import content_of
    from thresher.store.export import check_target, write_lines
    from thresher.store.workspace import open_reader

    check_target(file, workspace)
    with open_reader(workspace) as opened:
        problems = {problem.task_id: problem for problem in _problems(opened)}
    held = _held(file) if file.exists() else {}
    content = b"\n".join(map(content_of, results))
    found = batches.read(content, problems, Sampling())
    write_lines(file, batches.joined(held, found.rows))
    shown = [f"{each.custom_id or f'line {each.line}'}: {each.reason}" for each in found.failed]
    more = [f"and {len(shown) - MOST_SHOWN} more"] if len(shown) > MOST_SHOWN else []
    counted = f"{len(found.rows)} samples in {file}, {len(found.failed)} failed"
    print_result(
        {"path": str(file), "samples": len(found.rows), "failed": shown},
        as_json,
        "\n".join([*shown[:MOST_SHOWN], *more, counted]),
    )
    exit_if(bool(found.failed))


def _held(file: Path) -> dict[tuple[str, int], bytes]:
    """Return the lines of a file of samples by task and index; a file of anything else is refused.

    Results taken for samples would be asked for again, or written over.
    """
    from thresher.filters.models import recorded

    held = recorded.samples(file, recorded.content_of(file))
    return {key: line for key, (line, _) in held.items()}


def _problems(workspace: "Workspace") -> "list[Problem]":
    """Return the problems to sample for: as the last filter run left them, where there was one."""
    from thresher.store.export import kept
    from thresher.store.records import Problem

    return kept(workspace) or sorted(workspace.current(Problem), key=lambda each: each.task_id)
