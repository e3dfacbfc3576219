"""A statement that asks for a function or a class becomes a problem.

The class that a site wraps around a function is dropped. Linked lists and trees are instances of
classes that the prompt defines, in the cases too. What is left in an argument is compared with that
argument afterwards. A class to be designed has as entry point a function of the prompt, above the
class so that the program still ends with the solution: it makes an instance, calls its methods and
returns what they give.
"""

import ast
import itertools
import keyword
from collections.abc import Callable

from thresher.crawlers import programs
from thresher.crawlers.functions import names, nodes, prompts, solutions
from thresher.crawlers.functions.literals import unreadable
from thresher.crawlers.functions.signatures import from_python, node_flags, syntax
from thresher.crawlers.statement import Call, Json, Signature, Statement
from thresher.errors import SourceError
from thresher.store.records import Derivation, Problem, Source, TestCase, Tree, content_id

_Encode = Callable[[Json, str], Tree]
_TEST = "check"  # what the function of an exported test is called
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


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
            ``solution-not-a-function``, ``solution-needs-library``, ``name-clash``, or as
            `programs.check_flags`.
    """
    programs.check_flags(statement)
    if not statement.calls and not statement.hidden_calls:
        raise SourceError("no-samples", f"{_name(statement)} has no examples; it is left out.")
    signature = _signature(statement)
    prompt, solution = _program(statement, signature)
    cases = _cases(statement, signature)
    digest = content_id([prompt, solution, cases])[:8]
    return Problem(
        task_id=f"{_name(statement)}-{digest}",
        entry_point=prompts.DRIVER if signature.methods else signature.name,
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
    given = [each.name for each in everything] + [p.name for s in everything for p in s.parameters]
    if (
        not all(each.isidentifier() and not keyword.iskeyword(each) for each in given)
        or stated.name == prompts.DRIVER
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
    known = {*prompts.defined(signature), signature.name}
    completion = solutions.Completion("")
    if text and signature.methods:
        completion = solutions.of_class(text, signature.name, known)
    elif text:
        parameters = [parameter.name for parameter in signature.parameters]
        completion = solutions.of_function(text, signature.name, parameters, known)
    prompt = prompts.prompt(statement, signature, completion.imports)
    try:
        _check_names(syntax(prompt + (completion.text or "    pass\n")), statement)
    except ValueError as error:
        message = f"The program of {_name(statement)} is not Python: {error}."
        raise SourceError("solution-not-a-function", message) from None
    return prompt, completion.text


def _check_names(program: ast.Module, statement: Statement) -> None:
    """Raise SourceError where a program defines what the test defines after it."""
    defined = {each.name for each in program.body if isinstance(each, _SCOPES)}
    defined.update(names.bound(each for each in program.body if not isinstance(each, _SCOPES)))
    if _TEST in defined:
        message = f"The program of {_name(statement)} defines {_TEST}, as its test does."
        raise SourceError("name-clash", message)


def _cases(statement: Statement, signature: Signature) -> tuple[TestCase, ...]:
    """Return the cases: all that are shown, and those of the others that can be values."""
    # Types that are known only now were not used when the values were read.
    encode = nodes.encode if signature is statement.signature else nodes.encode_as
    cases = [_case(call, signature, True, encode) for call in statement.calls]
    for call in statement.hidden_calls:
        try:
            cases.append(_case(call, signature, False, encode))
        except SourceError:
            continue
    if not cases:
        raise unreadable(_name(statement), "has no case whose values can be made")
    return tuple(cases)


def _case(call: Call, signature: Signature, shown: bool, encode: _Encode) -> TestCase:
    made = _operations(call, signature) if signature.methods else _values(call, signature, encode)
    return TestCase(raises=call.raises or None, origin="statement", shown=shown, **made)


def _values(call: Call, signature: Signature, encode: _Encode) -> dict[str, Tree]:
    """Return the trees of a call of a function; without a result, its first argument holds it."""
    types = {parameter.name: parameter.annotation for parameter in signature.parameters}
    if not call.args.keys() <= types.keys():
        raise unreadable(", ".join(call.args), f"doesn't name the parameters {', '.join(types)}")
    trees = {
        name: encode(call.args[name], annotation)
        for name, annotation in types.items()
        if name in call.args
    }
    # By position up to the first that is left out.
    in_order = list(itertools.takewhile(trees.__contains__, types))
    made = {
        "args": tuple(trees.pop(name) for name in in_order),
        "kwargs": trees,
        "expected": None,
    }
    if call.raises:
        return made
    if signature.returns == "None" and call.out is not None and in_order:
        return {**made, "after": {"0": encode(call.out, types[in_order[0]])}}
    return {**made, "expected": encode(call.out, signature.returns)}


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
            [nodes.encode_as(v, p.annotation) for v, p in zip(arguments, expected, strict=True)]
        )
        results.append(nodes.encode_as(result, methods[op].returns))
    return {"args": (nodes.encode(ops, ""), given), "kwargs": {}, "expected": results}
