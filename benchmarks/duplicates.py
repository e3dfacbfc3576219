"""How many functions a second the filter `duplicates` compares, and what it finds.

    python benchmarks/duplicates.py [--functions 5000] [--show]

Speed: documented functions of the standard library and of what is installed, compared by text,
syntax tree and near; CPU seconds of this process. Finding: copies of HumanEval's references, made
in several ways (`copying.py`), beside the references themselves; a copy counts as found where it is
the same as its original. Whatever is found the same among the references themselves, or among the
functions of `lookalikes.py`, is shown: no two of them are.
"""

import argparse
import ast
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from contamination import answered, case, library, lookalikes, own_inputs, problem  # noqa: E402
from copying import Copy, copies  # noqa: E402

from tests.filters.conftest import source  # noqa: E402
from thresher.filters import duplicates  # noqa: E402
from thresher.filters.duplicates import Duplicates, Same  # noqa: E402
from thresher.filters.filter import Tools, program  # noqa: E402
from thresher.filters.similarity import near  # noqa: E402
from thresher.filters.similarity.benchmarks import HUMAN_EVAL, benchmark  # noqa: E402
from thresher.filters.similarity.syntax import shape  # noqa: E402
from thresher.judging import Judges  # noqa: E402
from thresher.sandbox import walls  # noqa: E402
from thresher.store.records import Problem  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--functions", type=int, default=5000, help="to measure speed with")
    parser.add_argument("--show", action="store_true", help="name what is missed")
    options = parser.parse_args()
    wall = walls.in_force()
    with Judges(wall=wall) as judges:
        tools = Tools(judges, source, lambda *_: [], 1, wall.name, Duplicates())
        speed(tools, options.functions)
        references = [*originals(tools)]
        alike([*references, *(answered(one, tools) for one in lookalikes())], tools)
        recall(references, tools, options.show)


def speed(tools: Tools, most: int) -> None:
    """Print how fast functions are compared by their text; they have no cases to behave on."""
    functions = [problem(Copy(f"{ast.unparse(f)}\n", f.name), ()) for f in library(most)]
    problems = numbered(functions, "library")
    texts = {one.task_id: shape(program(one), one.entry_point).text for one in problems}
    list(near.pairs({"": "warm"}, 0.8))
    began = time.process_time()
    count = len(list(near.pairs(texts, 0.8)))
    took = time.process_time() - began
    print(f"near: {len(texts)} functions in {took:.1f} s: {len(texts) / took:.0f} a CPU-second")
    print(f"  {count} pairs, confirmed by counting")
    began = time.process_time()
    found = duplicates.survey(problems, tools)
    took = time.process_time() - began
    print(f"all but behaviour, parsing too: {len(problems) / took:.0f} a CPU-second")
    print(f"  the same as another of them: {dict(Counter(one.level for one in found.values()))}")


def originals(tools: Tools) -> Iterator[Problem]:
    """Yield HumanEval's references with cases of their tests."""
    for task in benchmark(HUMAN_EVAL).tasks:
        given = [case(each.args, None) for each in task.cases]
        one = answered(problem(Copy(task.source, task.entry_point), given), tools)
        yield msgspec.structs.replace(one, task_id=task.name)


def alike(problems: Sequence[Problem], tools: Tools) -> None:
    found = duplicates.survey(problems, tools)
    print(f"the same among {len(problems)} different functions: {len(found)}")
    for name, same in sorted(found.items()):
        print(f"  {name} as {same.kept} ({same.level})")


def recall(references: Sequence[Problem], tools: Tools, show: bool) -> None:
    """Print how many copies of each kind are found beside all references."""
    made: dict[str, list[Problem]] = {}
    for task in benchmark(HUMAN_EVAL).tasks:
        own = [case(args, None) for args in own_inputs(task)]
        given = [case(each.args, None) for each in task.cases[:3]]
        for kind, copy in copies(task.source, task.entry_point):
            one = answered(problem(copy, own or given), tools)
            one = msgspec.structs.replace(one, task_id=f"{task.name}/copy")
            made.setdefault(kind, []).append(one)
    for kind, problems in made.items():
        began = time.monotonic()
        found = duplicates.survey([*references, *problems], tools)
        right = [one for one in problems if is_found(one.task_id, found)]
        levels = Counter(same.level for same in found.values())
        took = time.monotonic() - began
        share = len(right) / len(problems)
        print(f"{kind:<11} {len(right):>4} of {len(problems):<4} {share:>7.1%}  {dict(levels)}")
        print(f"  {took:.0f} s", file=sys.stderr)
        if show:
            missed = sorted({one.task_id for one in problems} - {one.task_id for one in right})
            print(f"  missed: {', '.join(missed)}", file=sys.stderr)


def is_found(copy: str, found: dict[str, Same]) -> bool:
    """Say whether a copy and its original are the same as one another, or as a third."""
    names = [copy, copy.removesuffix("/copy")]
    return len({found[name].kept if name in found else name for name in names}) == 1


def numbered(problems: Sequence[Problem], kind: str) -> list[Problem]:
    return [
        msgspec.structs.replace(one, task_id=f"{kind}/{number:05}")
        for number, one in enumerate(problems)
    ]


if __name__ == "__main__":
    main()
