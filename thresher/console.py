"""What the verbs of the command line share: options, the workspace they write, what they print."""

import contextlib
import functools
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from thresher.terminal import printable

if TYPE_CHECKING:
    from thresher.store.workspace import Workspace

SOME_FAILED = 1
DEFAULT_WORKSPACE = "thresher-workspace"
Command = Callable[..., Any]
COUNT, AMOUNT = click.IntRange(min=1), click.FloatRange(min=0)
TERMS: dict[str, tuple[click.ParamType[Any], str]] = {
    "parallel": (COUNT, "Of an endpoint: requests in flight at once.  [default: 8]"),
    "requests_per_minute": (AMOUNT, "The most requests a minute, retries too."),
    "tokens_per_minute": (AMOUNT, "The most tokens a minute, of prompts and completions."),
    "budget_tokens": (COUNT, "Ask no more when so many tokens are used, by earlier runs too."),
    "budget_money": (AMOUNT, "Ask no more when so much is spent; needs the prices."),
    "price_in": (AMOUNT, "Price of a million tokens of prompts."),
    "price_out": (AMOUNT, "Price of a million tokens of completions."),
}


def shared(command: Command) -> Command:
    """Add the options that every verb has."""
    workspace = click.option(
        "--workspace",
        "-w",
        type=click.Path(file_okay=False, path_type=Path),
        default=DEFAULT_WORKSPACE,
        envvar="THRESHER_WORKSPACE",
        show_default=True,
        help="The folder with the DuckDB file and raw sources.",
    )
    as_json = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
    return workspace(as_json(command))


def sandboxed(command: Command) -> Command:
    """Add the option of the commands that run a stranger's code."""
    return click.option(
        "--require",
        metavar="LEVEL",
        envvar="THRESHER_REQUIRE",
        help="Run in the sandbox gvisor or bubblewrap, never in a weaker one; by default in the "
        "strongest that works here.",
    )(command)


def licences(command: Command) -> Command:
    """Add the options for what isn't permissive, given as `any_licence` and `trusted`."""
    every = click.option(
        "--any-licence", is_flag=True, help="Also problems of unknown or restricted licence."
    )
    some = click.option(
        "--any-licence-from",
        "trusted",
        multiple=True,
        metavar="SOURCE",
        help="Also such problems of this source, for example kattis.",
    )
    return every(some(command))


def terms_given(command: Command) -> Command:
    """Add the options for what asking an endpoint may take, given to the command as `terms`."""

    @functools.wraps(command)
    def gathered(**given: Any) -> Any:
        return command(terms={name: given.pop(name) for name in TERMS}, **given)

    for name, (kind, said) in reversed(TERMS.items()):
        gathered = click.option(f"--{name.replace('_', '-')}", type=kind, help=said)(gathered)
    return gathered


@contextlib.contextmanager
def writing(
    folder: Path, command: str, configuration: object, create: bool = True
) -> Iterator["Workspace"]:
    """Open a workspace for writing and leave a Run record in it."""
    from thresher.runs import recorded
    from thresher.store.workspace import open_writer

    with open_writer(folder, create) as workspace, recorded(workspace, command, configuration):
        yield workspace


def print_funnel(
    workspace: "Workspace", filters: Sequence[str], as_json: bool, more: dict[str, Any]
) -> None:
    """Print the funnel, as JSON with more of what is known."""
    from thresher.store.funnel import funnel
    from thresher.store.summary import funnel_lines

    stages = funnel(workspace, filters)
    data = {"stages": [{**stage._asdict(), "lost": dict(stage.lost)} for stage in stages], **more}
    print_result(data, as_json, "\n".join(funnel_lines(stages)))


def print_result(data: dict[str, Any], as_json: bool, text: str) -> None:
    """Print data as JSON, or the text that says it."""
    click.echo(json.dumps(data, indent=2, default=str) if as_json else printable(text))


def exit_if(failed: bool) -> None:
    """End with the exit code for runs of which a part failed."""
    if failed:
        sys.exit(SOME_FAILED)
