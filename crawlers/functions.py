"""A statement that asks for a function or a class becomes a problem.

The class that a site wraps around a function is dropped. Linked lists and trees are instances of
classes that the prompt defines, in the cases too. What is left in an argument is compared with that
argument afterwards. A class to be designed has as entry point a function of the prompt, above the
class so that the program still ends with the solution: it makes an instance, calls its methods and
returns what they give.
"""

import ast
import keyword
import re
import textwrap
from collections.abc import Iterable, Sequence

from thresher.crawlers import nodes, solutions
from thresher.crawlers.literals import unreadable
from thresher.crawlers.signatures import from_python, node_flags, syntax
from thresher.crawlers.statement import Call, Parameter, Signature, Statement
from thresher.errors import SourceError
from thresher.store.records import Derivation, Problem, Source, TestCase, Tree, content_id

DRIVER = "operate"
_DRIVER = '''\
def {driver}(ops: List[str], params: List[list]) -> list:
    """Make a {name} with params[0], then call the method ops[i] with params[i] for each further i.

    Returns what each call gives, first None for the constructor.
    """
    made = {name}(*params[0])
    return [None] + [getattr(made, op)(*given) for op, given in zip(ops[1:], params[1:])]
'''
_TYPING = {
    *("Any", "Callable", "Deque", "Dict", "FrozenSet", "Generator", "Iterable", "Iterator"),
    *("List", "Mapping", "Optional", "Sequence", "Set", "Tuple", "Union"),
}
_BUILT_IN = {
    *("bool", "bytes", "complex", "dict", "float", "frozenset", "int", "list", "object"),
    *("set", "str", "tuple"),
}


def problem(statement: Statement, source: Source) -> Problem:
    """Make a function statement a problem; nothing is run.

    Args:
        statement: of kind ``function``, with at most one solution; without a signature, that of
            the solution counts.
        source: where it came from.

    Returns:
        The problem. Its canonical solution is empty where the statement has none.

    Raises:
        SourceError: ``no-samples``, ``no-signature``, ``unsupported-type``, ``example-unreadable``,
            ``solution-not-a-function``, ``solution-needs-library``.
    """
    if not statement.calls and not statement.hidden_calls:
        raise SourceError("no-samples", f"{_name(statement)} has no examples; it is left out.")
    signature = _signature(statement)
    prompt, solution = _program(statement, signature)
    cases = _cases(statement, signature)
    digest = content_id([prompt, solution, cases])[:8]
    return Problem(
        task_id=f"{_name(statement)}-{digest}",
        entry_point=DRIVER if signature.methods else signature.name,
        prompt=prompt,
        canonical_solution=solution,
        cases=cases,
        comparator=statement.comparator,
        style="function",
        source=source.id,
        derivation=Derivation(
            file=statement.url or source.url,
            line=0,
            function=signature.name,
            how=f"{len(statement.calls)} examples of the statement",
        ),
        tags=tuple(sorted(node_flags(signature).union(statement.flags))),
    )


def _name(statement: Statement) -> str:
    return f"{statement.site}/{statement.key}"


def _signature(statement: Statement) -> Signature:
    """Return the signature that is stated, else that of the solution."""
    stated = statement.signature
    if stated is None or _is_partial(stated, statement):
        python = [each for each in statement.solutions if each.language == "python"]
        stated = from_python(python[0].text, stated.name if stated else "") if python else None
        stated = stated and _with_used_methods(stated, statement)
    if stated is None:
        message = f"{_name(statement)} doesn't say what the function is called."
        raise SourceError("no-signature", message)
    everything = [stated, *stated.methods]
    names = [each.name for each in everything] + [p.name for s in everything for p in s.parameters]
    if (
        not all(each.isidentifier() and not keyword.iskeyword(each) for each in names)
        or stated.name == DRIVER
    ):
        raise SourceError("no-signature", f"{_name(statement)} has names that Python can't have.")
    return stated


def _with_used_methods(signature: Signature, statement: Statement) -> Signature:
    """Leave out the methods of a solution's class that nobody outside calls."""
    ops = [op for call in statement.calls for op in call.args.get("ops") or []]
    methods = [each for each in signature.methods if each.name in ("__init__", *ops)]
    return Signature(signature.name, signature.parameters, signature.returns, tuple(methods))


def _is_partial(signature: Signature, statement: Statement) -> bool:
    """Say whether of a class no more than the names of its methods are known."""
    given = [params for call in statement.calls for params in call.args.get("params") or []]
    known = [parameter for method in signature.methods for parameter in method.parameters]
    return bool(signature.methods) and not known and any(given)


def _program(statement: Statement, signature: Signature) -> tuple[str, str]:
    """Return the prompt and the solution that completes it, empty where there is none."""
    text = next((each.text for each in statement.solutions if each.language == "python"), "")
    if statement.prompt:
        return statement.prompt, text.removeprefix(statement.prompt)
    asked = _class(statement, signature) if signature.methods else _function(statement, signature)
    annotations = _annotations(signature)
    known = {*_defined(annotations), signature.name}
    completion = solutions.Completion("")
    if text and signature.methods:
        completion = solutions.of_class(text, signature.name, known)
    elif text:
        names = [parameter.name for parameter in signature.parameters]
        completion = solutions.of_function(text, signature.name, names, known)
    prompt = _prompt(annotations, completion.imports, asked)
    try:
        syntax(prompt + (completion.text or "    pass\n"))
    except ValueError as error:
        message = f"The program of {_name(statement)} is not Python: {error}."
        raise SourceError("solution-not-a-function", message) from None
    return prompt, completion.text


def _annotations(signature: Signature) -> list[str]:
    every = [signature, *signature.methods]
    found = [each.returns for each in every]
    found += [parameter.annotation for each in every for parameter in each.parameters]
    return [*filter(None, found), *(["List[str]"] if signature.methods else [])]


def _defined(annotations: Iterable[str]) -> list[str]:
    """Return the names in annotations that the prompt must define or import.

    Raises:
        SourceError: ``unsupported-type``.
    """
    found = set()
    for annotation in annotations:
        try:
            tree = ast.walk(syntax(f"({annotation})"))
        except ValueError:
            raise _unsupported(annotation) from None
        for node in tree:
            if isinstance(node, ast.Name):
                found.add(node.id)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)  # a class that comes later
            elif not isinstance(node, _IN_ANNOTATIONS):
                raise _unsupported(annotation)
    if unknown := found - {*_TYPING, *_BUILT_IN, *nodes.CLASSES}:
        raise _unsupported(", ".join(sorted(unknown)))
    return sorted(found - _BUILT_IN)


_IN_ANNOTATIONS = (
    *(ast.Module, ast.Expr, ast.Subscript, ast.Tuple, ast.List, ast.Constant, ast.Load),
    *(ast.BinOp, ast.BitOr),
)


def _unsupported(name: str) -> SourceError:
    return SourceError(
        "unsupported-type", f"Values of the type {name[:80]} can't be made from text."
    )


def _prompt(annotations: list[str], imports: Sequence[str], asked: str) -> str:
    names = _defined(annotations)
    typing = [name for name in names if name in _TYPING]
    lines = [*imports, *([f"from typing import {', '.join(typing)}"] if typing else [])]
    lines.sort(key=lambda line: (line.startswith("from"), line))
    blocks = ["".join(f"{line}\n" for line in lines)] if lines else []
    blocks += [nodes.CLASSES[name] for name in names if name in nodes.CLASSES]
    return "\n\n".join([*blocks, asked])


def _function(statement: Statement, signature: Signature) -> str:
    return f"{_header(signature)}\n{_docstring(statement, signature)}"


def _class(statement: Statement, signature: Signature) -> str:
    driver = _DRIVER.format(driver=DRIVER, name=signature.name)
    return f"{driver}\n\nclass {signature.name}:\n{_docstring(statement, signature)}\n"


def _header(signature: Signature, first: str = "") -> str:
    given = [
        each.name
        + f": {each.annotation}" * bool(each.annotation)
        + f"={each.default}" * bool(each.default)
        for each in signature.parameters
    ]
    returns = f" -> {signature.returns}" if signature.returns else ""
    return f"def {signature.name}({', '.join([first] * bool(first) + given)}){returns}:"


def _docstring(statement: Statement, signature: Signature) -> str:
    """Return the statement and its examples as a docstring, indented."""
    parts = [statement.text.strip()]
    if signature.methods and any(each.parameters for each in signature.methods):
        parts.append(
            "Methods:\n" + "\n".join(f"    {_header(m, 'self')}" for m in signature.methods)
        )
    for number, call in enumerate(statement.calls, 1):
        parts.append(f"Example {number}:\n{textwrap.indent(_example(call, signature), '    ')}")
    text = re.sub(r"[^\S\n]+$", "", "\n\n".join(filter(None, parts)), flags=re.M)
    text = text.encode("utf-8", "replace").decode().replace("\r", "").replace("\0", "")
    text = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return textwrap.indent(f'"""{text}\n"""\n', "    ")


def _example(call: Call, signature: Signature) -> str:
    given = ", ".join(f"{name} = {value!r}" for name, value in call.args.items())
    if call.raises:
        return f"Input: {given}\nRaises: {call.raises}"
    place = "" if signature.returns != "None" else f"{next(iter(call.args), '')} = "
    return f"Input: {given}\nOutput: {place}{call.out!r}"


def _cases(statement: Statement, signature: Signature) -> tuple[TestCase, ...]:
    """Return the cases: all that are shown, and those of the others that can be values."""
    cases = [_case(call, signature, shown=True) for call in statement.calls]
    for call in statement.hidden_calls:
        try:
            cases.append(_case(call, signature, shown=False))
        except SourceError:
            continue
    if not cases:
        raise unreadable(_name(statement), "has no case whose values can be made")
    return tuple(cases)


def _case(call: Call, signature: Signature, shown: bool) -> TestCase:
    made = _operations(call, signature) if signature.methods else _values(call, signature)
    return TestCase(raises=call.raises or None, origin="statement", shown=shown, **made)


def _values(call: Call, signature: Signature) -> dict[str, Tree]:
    """Return the trees of a call of a function; without a result, its first argument holds it."""
    names = [parameter.name for parameter in signature.parameters]
    if not set(call.args) <= set(names):
        raise unreadable(", ".join(call.args), f"doesn't name the parameters {', '.join(names)}")
    trees = {
        p.name: nodes.encode(call.args[p.name], p.annotation)
        for p in signature.parameters
        if p.name in call.args
    }
    first = signature.parameters[0] if signature.parameters else Parameter("")
    given: dict[str, Tree] = {}
    args: list[Tree] = []
    for name in names:
        if name in trees and len(args) == names.index(name):
            args.append(trees[name])
        elif name in trees:
            given[name] = trees[name]
    made = {"args": tuple(args), "kwargs": given, "expected": None}
    if call.raises:
        return made
    if signature.returns == "None" and call.out is not None:
        return {**made, "after": {"0": nodes.encode(call.out, first.annotation)}}
    return {**made, "expected": nodes.encode(call.out, signature.returns)}


def _operations(call: Call, signature: Signature) -> dict[str, Tree]:
    """Return the trees of a sequence of operations, each with the types of its method."""
    ops, params, out = call.args.get("ops"), call.args.get("params"), call.out
    if not (type(ops) is type(params) is type(out) is list and len(ops) == len(params) == len(out)):
        raise unreadable(repr(call.args), "doesn't give operations, their arguments and results")
    methods = {each.name: each for each in signature.methods} | {
        signature.name: Signature("__init__", signature.methods[0].parameters, "None")
    }
    if ops[:1] != [signature.name] or not all(type(op) is str and op in methods for op in ops):
        raise unreadable(repr(ops), f"doesn't use {signature.name} and its methods")
    given, results = [], []
    for op, arguments, result in zip(ops, params, out, strict=True):
        expected = methods[op].parameters
        if type(arguments) is not list or len(arguments) != len(expected):
            raise unreadable(repr(arguments), f"doesn't have the arguments of {op}")
        given.append(
            [nodes.encode(v, p.annotation) for v, p in zip(arguments, expected, strict=True)]
        )
        results.append(nodes.encode(result, methods[op].returns))
    return {"args": (nodes.encode(ops, ""), given), "kwargs": {}, "expected": results}
