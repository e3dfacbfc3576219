"""The verbs `crawl` and `probe`: problems from statements, and more cases from judges."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from thresher.console import (
    exit_if,
    print_funnel,
    print_result,
    sandboxed,
    shared,
    writing,
)

if TYPE_CHECKING:
    from thresher.crawlers.wanted import Wanted

DAY = 86400.0


def _number(context: click.Context, parameter: click.Parameter, value: float) -> float:
    """Refuse ``nan``, which every range takes."""
    if math.isnan(value):
        raise click.BadParameter("write a number of seconds")
    return value


@click.command()
@click.argument("sources", nargs=-1, metavar="[SOURCE]...")
@click.option(
    "--contact",
    metavar="ADDRESS",
    envvar="THRESHER_CONTACT",
    default="",
    help="Your e-mail or web address, told to every web site; needed to crawl one.",
)
@click.option(
    "--from-files",
    "saved",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Read pages saved in this folder instead of the web.",
)
@click.option(
    "--solutions",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Your own solutions: SITE/PROBLEM.py in this folder.",
)
@click.option(
    "--mirror",
    "mirrors",
    multiple=True,
    metavar="SITE=URL",
    help="Crawl a copy of a site instead of the site.",
)
@click.option("--refresh", is_flag=True, help="Fetch again what an earlier run fetched.")
@click.option("--list", "listing", is_flag=True, help="List the sources with what they allow.")
@click.option(
    "--delay",
    type=click.FloatRange(0, DAY),
    callback=_number,
    default=1.0,
    show_default=True,
    metavar="SECONDS",
    help="The least time between two requests to a site; its own wish may raise it.",
)
@sandboxed
@shared
def crawl(
    sources: tuple[str, ...],
    contact: str,
    saved: Path | None,
    solutions: Path | None,
    mirrors: tuple[str, ...],
    refresh: bool,
    listing: bool,
    delay: float,
    require: str | None,
    workspace: Path,
    as_json: bool,
) -> None:
    """Make problems of the statements of problem sites, problem packages and data sets.

    A SOURCE is SITE, SITE:PROBLEM, COLLECTION or COLLECTION:PLACE, where the place is a folder, a
    file or git:URL. Without any, the sources that are on by default are crawled: those whose
    licences are clear.

    \b
    Examples:
      thresher crawl exercism
      thresher crawl problem-packages:./packages humaneval:./HumanEval.jsonl.gz
      thresher crawl codeforces:1234A --contact me@example.org
      thresher crawl codeforces --from-files ./pages
    """
    if listing:
        _print_sources(as_json)
        return
    from thresher import crawling
    from thresher.crawlers.engine.messages import Polite
    from thresher.crawlers.wanted import parse
    from thresher.progress import reporter
    from thresher.store.funnel import by_origin
    from thresher.store.summary import source_lines

    wanted = parse(sources)
    if saved is not None and sources:
        _check_all_sites(wanted)
    options = crawling.CrawlOptions(
        contact=contact,
        saved=saved,
        solutions=solutions,
        homes=_pairs(mirrors),
        refresh=refresh,
        polite=Polite(delay=delay),
        require=require,
    )
    configuration = [[sources], contact, str(saved), str(solutions), options.homes, refresh]
    with writing(workspace, "crawl", configuration) as opened:
        with reporter() as report:
            outcome = crawling.crawl(opened, wanted, options, report)
        if not as_json:
            click.echo("\n".join([*source_lines(opened), "", *crawling.lines(outcome), ""]))
        rows = {name: row._asdict() for name, row in by_origin(opened).items()}
        print_funnel(opened, (), as_json, {**outcome._asdict(), "by_source": rows})
    exit_if(not outcome.complete)


@click.command()
@click.argument("task", metavar="TASK_ID")
@click.option(
    "--secret",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Judge here by the cases in this folder: NAME.in with NAME.ans or NAME.out.",
)
@click.option("--home", metavar="URL", help="A judge of LeetCode's shape instead of LeetCode.")
@click.option(
    "--submissions",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="How many programs to have judged at most.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=1),
    callback=_number,
    default=1800,
    show_default=True,
    help="How long to go on at most.",
)
@click.option(
    "--between",
    type=click.FloatRange(0, DAY),
    callback=_number,
    default=30,
    show_default=True,
    metavar="SECONDS",
    help="The least time from one submission to the next.",
)
@sandboxed
@shared
def probe(
    task: str,
    secret: Path | None,
    home: str | None,
    submissions: int,
    seconds: float,
    between: float,
    require: str | None,
    workspace: Path,
    as_json: bool,
) -> None:
    """Add cases to a problem: wrong programs are judged, and the case each fails is kept.

    LeetCode is asked in your own session, of which the variables THRESHER_LEETCODE_SESSION and
    THRESHER_LEETCODE_CSRF hold the cookies. Run `thresher filter` afterwards.

    \b
    Examples:
      thresher probe leetcode/two-sum --submissions 10
      thresher probe problem-packages/sums --secret ./sums/data/secret
    """
    from thresher import probing
    from thresher.crawlers.judges.collect import Budget
    from thresher.crawlers.judges.leetcode import HOME
    from thresher.progress import reporter

    options = probing.ProbeOptions(
        secret=secret,
        home=home or HOME,
        between=between,
        budget=Budget(submissions, seconds),
        require=require,
    )
    configuration = [task, str(secret), options.home, submissions, seconds]
    with writing(workspace, "probe", configuration, create=False) as opened, reporter() as report:
        done = probing.probe(opened, task, options, report)
    stopped = f"; ended early: {done.stopped}" if done.stopped else ""
    said = f"{done.task_id}: {done.before} cases before, {done.found} found{stopped}"
    print_result(done._asdict(), as_json, said)
    exit_if(bool(done.stopped))


def _check_all_sites(wanted: Sequence["Wanted"]) -> None:
    from thresher.crawlers.site import Site

    for source, _ in wanted:
        if not isinstance(source, Site):
            message = f"--from-files reads pages of web sites: crawl {source.name} on its own"
            raise click.UsageError(message)


def _print_sources(as_json: bool) -> None:
    from thresher.crawlers.wanted import listed

    rows = list(listed())
    keys = ("name", "crawled", "terms")
    data = {"sources": [dict(zip(keys, row, strict=True)) for row in rows]}
    print_result(data, as_json, "\n".join(f"{a:<17} {b:<11} {c}" for a, b, c in rows))


def _pairs(written: Sequence[str]) -> dict[str, str]:
    """Understand options of the form SITE=URL."""
    pairs = dict(text.partition("=")[::2] for text in written)
    for name, url in pairs.items():
        if not url.startswith(("http://", "https://")):
            raise click.UsageError(f"--mirror {name}={url}: write SITE=http://…")
    return pairs
