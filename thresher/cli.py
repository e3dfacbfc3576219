"""The command line: a thin face over the library, one function per verb."""

import errno
import logging
import os
import signal
import sys
from pathlib import Path

import click

import thresher
from thresher.batch_verbs import batch
from thresher.console import (
    SOME_FAILED,
    exit_if,
    licences,
    print_funnel,
    print_result,
    sandboxed,
    shared,
    writing,
)
from thresher.crawl_verbs import crawl, probe
from thresher.errors import ThresherError
from thresher.eval_verb import evaluate
from thresher.filter_verb import filter_problems
from thresher.synth_verb import synth
from thresher.terminal import printable

INTERRUPTED = 130


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(thresher.__version__)
def cli() -> None:
    """Turn public code into training problems that provably run.

    \b
    Example, each step alone:
      thresher trace pypi:boltons pypi:humanize
      thresher filter
      thresher export humaneval.jsonl.gz
      thresher audit show TASK_ID
    """


@cli.command()
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option("--retry", is_flag=True, help="Try targets again that failed before.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many to trace at the same time.",
)
@click.option(
    "--as-of",
    metavar="commit|DATE",
    help="Install packages as they were on that day, or when each source was committed.",
)
@click.option("--python", metavar="X.Y", help="Replay with this Python where it can be had.")
@sandboxed
@shared
def trace(
    targets: tuple[str, ...],
    retry: bool,
    jobs: int,
    as_of: str | None,
    python: str | None,
    require: str | None,
    workspace: Path,
    as_json: bool,
) -> None:
    """Replay the tests of projects in the sandbox and make problems of the calls.

    A TARGET is pypi:NAME (with a version or range if you like), git:URL (with @ and a branch, tag
    or commit), a ./FOLDER, or @LIST, a text file with a target a line.

    \b
    Examples:
      thresher trace pypi:boltons==26.2.0 'pypi:humanize>=4,<5'
      thresher trace git:https://example.org/owner/name@v1.0 --as-of commit
      thresher trace ./folder @targets.txt --jobs 2
    """
    from thresher import pipeline
    from thresher.progress import reporter
    from thresher.store.funnel import by_origin
    from thresher.store.summary import source_lines
    from thresher.tracer.sources.targets import parse

    wanted = parse(targets)
    options = pipeline.TraceOptions(
        retry=retry, jobs=jobs, as_of=as_of, python=python, require=require
    )
    configuration = [[target.name for target in wanted], options]
    with writing(workspace, "trace", configuration) as opened:
        with reporter() as report:
            outcome = pipeline.trace_targets(opened, wanted, options, report)
        if not as_json:
            click.echo("\n".join([*source_lines(opened), ""]))
        rows = {name: row._asdict() for name, row in by_origin(opened).items()}
        more = {**outcome._asdict(), "by_source": rows}
        print_funnel(opened, (), as_json, more)
    exit_if(bool(outcome.failed or outcome.pending))


@cli.command()
@click.argument(
    "file", type=click.Path(dir_okay=False, path_type=Path), default="humaneval.jsonl.gz"
)
@licences
@click.option(
    "--include",
    type=click.Choice(["benchmark", "built-in", "undocumented"]),
    multiple=True,
    help="Also problems of this kind: of sets that models are measured with, calls of Python's own "
    "functions, or functions without a docstring.",
)
@click.option("--samples", is_flag=True, help="Write the model's samples instead of the problems.")
@click.option("--model", metavar="NAME", help="With --samples: only those of this model.")
@shared
def export(
    file: Path,
    any_licence: bool,
    trusted: tuple[str, ...],
    include: tuple[str, ...],
    samples: bool,
    model: str | None,
    workspace: Path,
    as_json: bool,
) -> None:
    """Write the kept problems as HumanEval JSON Lines; .gz compresses.

    \b
    Examples:
      thresher export humaneval.jsonl.gz
      thresher export --samples samples.jsonl
    """
    from thresher.store import export as exporting

    if model and not samples:
        raise click.UsageError("--model is for --samples")
    exporting.check_target(file, workspace)
    options = [str(file), any_licence, trusted, include, samples, model]
    with writing(workspace, "export", options, create=False) as opened:
        if samples:
            models = exporting.export_samples(opened, file, model)
            said = [f"{models.total()} samples in {file}"]
            if len(models) > 1:
                said.append("of several models; recorded:FILE reads those of one, see --model:")
                said += [f"  {count:>7}   {name}" for name, count in models.items()]
            told = {"path": str(file), "samples": models.total(), "models": models}
            print_result(told, as_json, "\n".join(said))
            return
        done = exporting.export(opened, file, any_licence, frozenset(include), frozenset(trusted))
    withheld = sum(done.withheld.values())
    lines = [f"{done.kept} kept = {done.written} written + {withheld} withheld"]
    lines += [f"  {count:>5}   {reason}" for reason, count in done.withheld.most_common()]
    lines.append(f"{file}  sha256 {done.sha256}")
    print_result({**done._asdict(), "path": str(file)}, as_json, "\n".join(lines))


@cli.group()
def audit() -> None:
    """Trace any problem back to its source, and check that nothing was edited.

    \b
    Example:
      thresher audit funnel
      thresher audit show TASK_ID
      thresher audit verify
    """


@audit.command("show")
@click.argument("name")
@shared
def audit_show(name: str, workspace: Path, as_json: bool) -> None:
    """Show what is known of a task, a function or a source: where from, and why in or out.

    \b
    Example:
      thresher audit show pypi/boltons/26.2.0/boltons.strutils.camel2under
    """
    from thresher.store import audit as auditing
    from thresher.store.workspace import open_reader

    with open_reader(workspace) as opened:
        found = auditing.show(opened, name)
    print_result(found, as_json, "\n".join(auditing.lines(found)))


@audit.command("verify")
@shared
def audit_verify(workspace: Path, as_json: bool) -> None:
    """Check the hash chain of the ledger, every stored record and the raw bytes of sources.

    \b
    Example:
      thresher audit verify
    """
    from thresher.store.workspace import open_reader

    with open_reader(workspace) as opened:
        wrong = opened.verify() or opened.verify_blobs()
        ((entries,),) = opened.query("SELECT count(*) FROM ledger")
    said = wrong or f"the ledger's {entries} entries, their records and raw bytes are unchanged"
    print_result({"entries": entries, "wrong": wrong}, as_json, said)
    exit_if(wrong is not None)


@audit.command("funnel")
@shared
def audit_funnel(workspace: Path, as_json: bool) -> None:
    """Show every stage with what came in, what was kept and every loss with its reason.

    \b
    Example:
      thresher audit funnel --json
    """
    from thresher.pipeline import last_filters
    from thresher.store.workspace import open_reader

    with open_reader(workspace) as opened:
        print_funnel(opened, last_filters(opened), as_json, {})


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def doctor(as_json: bool) -> None:
    """Try every part on this host and say how to get what is missing.

    \b
    Example:
      thresher doctor
    """
    from thresher.doctor import examine

    findings = examine()
    words = {True: "ok", False: "absent"}
    rows = [
        f"{'MISSING' if f.needed and not f.works else words[f.works]:<7} {f.name:<16} {f.detail}"
        for f in findings
    ]
    facts = {f.name: {"works": f.works, "needed": f.needed, "detail": f.detail} for f in findings}
    print_result(facts, as_json, "\n".join(rows))
    exit_if(any(finding.needed and not finding.works for finding in findings))


@cli.command()
@click.option("--model", default="embedded", show_default=True, help="As for `thresher filter`.")
@sandboxed
@shared
def quickstart(model: str, require: str | None, workspace: Path, as_json: bool) -> None:
    """Run the whole job on a few small packages: trace, filter, export, and a summary page.

    Interrupted, it goes on where it was when started again.

    \b
    Example:
      thresher quickstart
    """
    from thresher import quickstart as job
    from thresher.progress import reporter

    told = job.options(model, require).shown()
    with writing(workspace, "quickstart", told) as opened, reporter() as report:
        result = job.run(opened, model, report, require)
    print_result({**result._asdict(), "page": str(result.page)}, as_json, result.text)
    exit_if(not result.complete)


cli.add_command(batch)
cli.add_command(crawl)
cli.add_command(probe)
cli.add_command(evaluate)
cli.add_command(filter_problems)
cli.add_command(synth)


def main() -> None:
    """Run the command line; every expected trouble is one sentence and an exit code."""
    logging.basicConfig(level=logging.ERROR, format="%(name)s: %(message)s")
    logging.getLogger("thresher").setLevel(logging.WARNING)
    for ending in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, signal.default_int_handler)  # they end it as Ctrl-C does
    try:
        cli.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except ThresherError as error:
        _fail(str(error), error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        _fail("interrupted; run the same command again to go on where it was", INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(SOME_FAILED)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _fail(f"{where}{error.strerror or error}; {_remedy(error)}", 2)
    except Exception as error:
        if "No space left" not in str(error):
            raise
        _fail(f"the disk is full; {_remedy(OSError(errno.ENOSPC, ''))}", 2)


def _remedy(error: OSError) -> str:
    if error.errno == errno.ENOSPC:
        return "free some space and run the same command again; what was stored is safe"
    return "name another place, or make this one writable"


def _fail(message: str, code: int) -> None:
    click.echo(printable(f"thresher: {message}"), err=True)
    sys.exit(code)
