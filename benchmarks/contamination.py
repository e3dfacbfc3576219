"""How many copies of HumanEval's tasks the contamination filter finds, and what else it takes.

    python benchmarks/contamination.py [--show] [--library NUMBER] [--draw NUMBER] [--held-out]

The references are copied in several ways (`copying.py`); a copy that no longer gives its task's
answers isn't counted. Each gets inputs of its own, like the task's but none of them, or three of
the task's where no such are found. Copies of tasks whose code is smaller than the filter calls
telling are counted apart, too: the filter finds them by their text alone. Innocent are functions
on the tasks' topics that do something else (`lookalikes.py`), the clean problems of
`tests/planted`, and documented functions of the standard library and of installed packages: all by
text and code, and those that need nothing but built-ins also by what they do, with what they
answer to the tasks' own inputs as their cases.

Held out, and not tuned with, are every ninth task solved anew and the same tasks changed in what
they ask (`rewritten.py`); `--draw` takes other functions of libraries.
"""

import argparse
import ast
import builtins
import random
import site
import sys
import sysconfig
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

import lookalikes  # noqa: E402
import rewritten  # noqa: E402
from copying import Copy, copies  # noqa: E402

from tests.planted import collection  # noqa: E402
from tests.planted.build import CLEAN  # noqa: E402
from thresher.filters import contamination  # noqa: E402
from thresher.filters.contamination import Contamination  # noqa: E402
from thresher.filters.filter import Tools, program  # noqa: E402
from thresher.filters.mutation.inputs import inputs  # noqa: E402
from thresher.filters.mutation.likeness import likeness  # noqa: E402
from thresher.filters.similarity.benchmarks import HUMAN_EVAL, Task, benchmark  # noqa: E402
from thresher.filters.similarity.solving import solves  # noqa: E402
from thresher.filters.texts.statements import parsed  # noqa: E402
from thresher.judging import Judges  # noqa: E402
from thresher.sandbox import walls  # noqa: E402
from thresher.sandbox.judge import Call  # noqa: E402
from thresher.sandbox.remote import CellLimits  # noqa: E402
from thresher.store import values  # noqa: E402
from thresher.store.records import (  # noqa: E402
    Comparator,
    Derivation,
    Problem,
    Source,
    TestCase,
    Tree,
)

OWN = 8  # inputs that a copy has of its own
LIMITS = CellLimits(cpu=1.0, wall=5.0)
UNTOLD: dict[str, list[tuple[object, ...]]] = {  # of tasks whose tests are no literals
    "HumanEval/32": [([1, 2],), ([-6, 11, -6, 1],), ([3, -1],), ([-8, 2],), ([5, 2, 7, 1],)],
    "HumanEval/38": [("bcafde",), ("zxyw",), ("ab",), ("aacbbd",), ("",), ("hello",)],
    "HumanEval/50": [("fghij",), ("abc",), ("zzz",), ("hello",), ("",), ("q",)],
}


class Innocent(NamedTuple):
    """A problem that is none of the benchmark's, and where it is from."""

    kind: str
    problem: Problem


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true", help="name what is missed and false alarms")
    parser.add_argument("--library", type=int, default=3000, help="how many functions of libraries")
    parser.add_argument("--draw", type=int, default=1, help="which of them")
    parser.add_argument("--held-out", action="store_true", help="only what nothing was tuned with")
    options = parser.parse_args()
    wall = walls.in_force()
    with Judges(wall=wall) as judges:
        tools = Tools(judges, source, lambda *_: [], 1, wall.name, Contamination())
        held_out(tools, options.show)
        if options.held_out:
            return
        found, planted = recall(tools, options.show)
        alarms, innocent = false_alarms(tools, options)
    print(f"recall {found / planted:.1%} of {planted} copies")
    print(f"false alarms {alarms} of {innocent} ({alarms / innocent:.2%})")
    print(f"precision {found / (found + alarms):.1%}")


def held_out(tools: Tools, show: bool) -> None:
    """Print how many tasks solved anew are found, and how many changed ones are taken for them."""
    tasks = {task.name: task for task in benchmark(HUMAN_EVAL).tasks}
    for kind, named in (("anew", rewritten.SAME), ("changed", rewritten.OTHER)):
        how = Counter[str]()
        for one in written("rewritten.py", rewritten.INPUTS, tools):
            task = tasks.get(named.get(one.entry_point, ""))
            if task is None:
                continue
            right = solves(program(one), one.entry_point, task.cases, tools.judges)
            if kind == "anew" and not right:
                raise ValueError(f"{one.entry_point} doesn't solve {task.name}")
            decision = contamination.apply(one, tools).decision
            how[decision.reason] += 1
            if decision.keep == (kind == "anew") and show:
                print(f"{kind}:", one.entry_point, task.name, decision.reason, file=sys.stderr)
        print(f"held out, {kind:<9} {dict(how)}")


def recall(tools: Tools, show: bool) -> tuple[int, int]:
    """Print how many copies of each kind are found; return that for all together."""
    count, found, small, small_found = Counter[str](), Counter[str](), 0, 0
    how: dict[str, Counter[str]] = defaultdict(Counter)
    other = broken = 0
    for kind, task, one in copied(tools):
        if one is None:
            broken += 1
            continue
        decision = contamination.apply(one, tools).decision
        count[kind] += 1
        found[kind] += not decision.keep
        how[kind][decision.reason.removeprefix("contaminated-")] += not decision.keep
        other += not decision.keep and decision.evidence != f"is {task.name}"
        if task.size < tools.options.nodes:
            small, small_found = small + 1, small_found + (not decision.keep)
        if decision.keep and show:
            print("missed:", kind, task.name, task.size, file=sys.stderr)
    for kind, total in count.items():
        ways = ", ".join(f"{name} {number}" for name, number in how[kind].items() if number)
        print(f"{kind:<11} {found[kind]:>4} of {total:<4} {found[kind] / total:>7.1%}  {ways}")
    rest, rest_found = count.total() - small, found.total() - small_found
    print(f"telling code: {rest_found} of {rest} ({rest_found / rest:.1%})")
    print(f"trivial code: {small_found} of {small} ({small_found / small:.1%})")
    print(f"{broken} copies left out that answer otherwise; {other} found as another task")
    return found.total(), count.total()


def copied(tools: Tools) -> Iterator[tuple[str, Task, Problem | None]]:
    """Yield the copies of each task; None for one that isn't the same any more."""
    for task in benchmark(HUMAN_EVAL).tasks:
        own = [case(args, None) for args in own_inputs(task)]
        given = [case(each.args, None) for each in task.cases[:3]]
        for kind, copy in copies(task.source, task.entry_point):
            one = answered(problem(copy, own), tools)
            one = one if one.cases else answered(problem(copy, given), tools)
            right = solves(copy.source, copy.entry_point, task.cases, tools.judges)
            yield kind, task, one if right and one.cases else None


def own_inputs(task: Task) -> Iterator[tuple[Tree, ...]]:
    for args in UNTOLD.get(task.name, ()):
        yield tuple(map(values.encode, args))
    if task.cases:
        cases = [case(each.args, each.expected) for each in task.cases]
        like = problem(Copy(task.source, task.entry_point), cases)
        for given in inputs(like, likeness(like), (), OWN):
            yield tuple(given[str(place)] for place in range(len(given)))


def false_alarms(tools: Tools, options: argparse.Namespace) -> tuple[int, int]:
    """Print how many innocents of each kind are taken for copies; return that for all together."""
    count, alarms = Counter[str](), Counter[str]()
    for number, (kind, one) in enumerate(innocents(tools, options)):
        if options.show and not number % 200:
            print("innocent", number, file=sys.stderr, flush=True)
        decision = contamination.apply(one, tools).decision
        count[kind] += 1
        alarms[kind] += not decision.keep
        if not decision.keep and options.show:
            print("alarm:", one.task_id, decision.evidence, decision.reason, file=sys.stderr)
    for kind, total in count.items():
        print(f"{kind:<11} {alarms[kind]:>4} of {total:<4} {alarms[kind] / total:>7.2%}")
    return alarms.total(), count.total()


def innocents(tools: Tools, options: argparse.Namespace) -> Iterator[Innocent]:
    for one in written("lookalikes.py", lookalikes.INPUTS, tools):
        yield Innocent("lookalike", one)
    for planted in collection.everything():
        if planted.kind == CLEAN:
            yield Innocent("clean", planted.problem)
    asked = inputs_by_places()
    for function in library(options.library, options.draw):
        alone = needs_built_ins_alone(function)
        copy = Copy(f"{ast.unparse(function)}\n", function.name)
        given = asked[len(function.args.args)] if alone else []
        one = answered(problem(copy, given), tools)
        yield Innocent("alone" if one.cases else "library", one)


def written(
    name: str, inputs_of: Mapping[str, Sequence[tuple[Any, ...]]], tools: Tools
) -> Iterator[Problem]:
    """Yield the functions of a file beside this one as problems, with what they answer."""
    tree = ast.parse((ROOT / "benchmarks" / name).read_text())
    imports = [ast.unparse(n) for n in tree.body if isinstance(n, ast.Import)]
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in inputs_of:
            node.decorator_list = []
            text = "\n".join([*imports, ast.unparse(node), ""])
            given = [case(map(values.encode, args), None) for args in inputs_of[node.name]]
            yield answered(problem(Copy(text, node.name), given), tools)


def inputs_by_places() -> dict[int, list[TestCase]]:
    """Return the inputs of all tasks by how many arguments they have, three of each task."""
    found: dict[int, list[TestCase]] = defaultdict(list)
    for task in benchmark(HUMAN_EVAL).tasks:
        for each in task.cases[:3]:
            found[len(each.args)].append(case(each.args, None))
    return found


def library(most: int, draw: int) -> Iterator[ast.FunctionDef]:
    """Yield documented functions of the standard library and of what is installed, by chance."""
    roots = [sysconfig.get_paths()["stdlib"], *site.getsitepackages()]
    files = sorted({file for root in roots for file in Path(root).rglob("*.py")})
    files = [file for file in files if "human_eval" not in file.parts]
    random.Random(draw).shuffle(files)
    seen: set[str] = set()
    for file in files:
        text = file.read_text(errors="replace")
        tree = parsed(text) if len(text) < 200_000 else None
        for node in tree.body if tree is not None else ():
            if isinstance(node, ast.FunctionDef) and ast.get_docstring(node):
                if (shown := ast.unparse(node)) not in seen:
                    seen.add(shown)
                    yield node
                if len(seen) == most:
                    return


def needs_built_ins_alone(function: ast.FunctionDef) -> bool:
    """Say whether a function has positional arguments alone and uses nothing of its module."""
    arguments = function.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or function.decorator_list:
        return False
    named = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    bound = {node.id for node in named if not isinstance(node.ctx, ast.Load)}
    bound |= {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    return all(n.id in bound or n.id == function.name or hasattr(builtins, n.id) for n in named)


def answered(one: Problem, tools: Tools) -> Problem:
    """Return a problem with the cases to which its program has an answer, and that answer."""
    if not one.cases:
        return one
    calls = [Call(each.args, {}) for each in one.cases]
    outcomes = tools.judges.run(program(one), one.entry_point, calls, LIMITS).outcomes
    cases = [
        msgspec.structs.replace(each, expected=outcome.value)
        for each, outcome in zip(one.cases, outcomes, strict=False)
        if outcome.value is not msgspec.UNSET
    ]
    return msgspec.structs.replace(one, cases=tuple(cases))


def case(args: Iterable[Tree], expected: Any) -> TestCase:
    return TestCase(
        args=tuple(args), kwargs={}, expected=expected, raises=None, origin="traced", shown=False
    )


def problem(copy: Copy, cases: Sequence[TestCase]) -> Problem:
    return Problem(
        task_id=f"benchmark/{copy.entry_point}-00000000",
        entry_point=copy.entry_point,
        prompt="",
        canonical_solution=copy.source,
        cases=tuple(cases),
        comparator=Comparator(),
        style="function",
        source="copies",
        derivation=Derivation(file="f.py", line=1, function=copy.entry_point, how="copied"),
    )


def source(one: Problem) -> Source:
    raise NotImplementedError


if __name__ == "__main__":
    main()
