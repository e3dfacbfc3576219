"""The verb `synth`: problems made of chained building blocks (paper, appendix C)."""

from pathlib import Path

import click

from thresher.console import exit_if, print_funnel, sandboxed, shared, writing

MOST_BLOCKS = 13


@click.command()
@click.option(
    "--blocks",
    type=click.IntRange(1, MOST_BLOCKS),
    default=3,
    show_default=True,
    help="How many steps each problem chains, all of them different.",
)
@click.option(
    "--count",
    type=click.IntRange(min=1),
    default=50,
    show_default=True,
    help="How many problems to have; more of them extend the same series.",
)
@click.option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    help="Decides which chains are drawn.",
)
@sandboxed
@shared
def synth(
    blocks: int,
    count: int,
    seed: int,
    require: str | None,
    workspace: Path,
    as_json: bool,
) -> None:
    """Make problems that chain small steps on text: the more steps, the harder.

    A chain is left out where one of its steps does nothing to any text. Run `thresher filter`
    afterwards.

    \b
    Examples:
      thresher synth
      thresher synth --blocks 3 --count 50 --seed 1
    """
    from thresher.crawlers.synthetic.make import synthesize
    from thresher.judging import Judges
    from thresher.progress import reporter
    from thresher.sandbox import walls

    with writing(workspace, "synth", [blocks, count, seed]) as opened:
        with reporter() as report:
            wall = walls.in_force(require)
            report.say(f"sandbox: {walls.probe(wall)}")
            with Judges(1, wall=wall) as judges:
                done = synthesize(opened, blocks, count, seed, judges, report)
        if not as_json:
            click.echo(
                f"chains of {blocks}: {done.made} made problems, {done.aside} set aside, "
                f"{done.known} decided before; {done.present} of {done.wanted} wanted\n"
            )
        print_funnel(opened, (), as_json, done._asdict())
    exit_if(done.present < done.wanted)
