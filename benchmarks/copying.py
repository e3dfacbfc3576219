"""Ways in which a function is copied so that it doesn't look like a copy."""

import ast
import copy
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

Function = ast.FunctionDef | ast.AsyncFunctionDef
SYNONYMS = {
    **{"return": "give back", "returns": "gives back", "given": "provided", "list": "sequence"},
    **{"string": "text", "strings": "texts", "number": "value", "numbers": "values"},
    **{"check": "test", "find": "work out", "write": "make", "function": "routine", "if": "when"},
    **{"integer": "whole number", "integers": "whole numbers", "you": "we", "your": "our"},
    **{"array": "sequence", "element": "item", "elements": "items", "should": "must"},
    **{"are": "will be", "is": "will be", "all": "each of", "that": "which", "contains": "holds"},
    **{"first": "initial", "between": "lying between", "by": "by means of", "not": "never"},
    **{"create": "build", "takes": "is handed", "otherwise": "else", "only": "solely"},
    **{"into": "to", "in": "within", "with": "having", "for": "in case of", "and": "as well as"},
}
LEFT_OUT = {"the", "a", "an", "please", "then", "of"}
DECIDED = ast.parse("checked = True\nif not checked:\n    raise ValueError('never')").body


class Copy(NamedTuple):
    """A program, and the name of its function."""

    source: str
    entry_point: str


def copies(source: str, entry_point: str) -> Iterator[tuple[str, Copy]]:
    """Yield the copies of a function, each with the kind of change; where it changes anything."""
    same = [ast.unparse(ast.parse(source))]
    for kind, change in CHANGES.items():
        tree = ast.parse(source)
        function = _named(tree, entry_point)
        changed = ast.unparse(ast.fix_missing_locations(change(tree, function)))
        if kind == "exact" or changed not in same:
            yield kind, Copy(f"{changed}\n", function.name)
        same.append(changed)


def _named(tree: ast.Module, name: str) -> Function:
    functions = [each for each in tree.body if isinstance(each, Function)]
    return next(each for each in reversed(functions) if each.name == name)


def exact(tree: ast.Module, function: Function) -> ast.Module:
    return tree


def renamed(tree: ast.Module, function: Function) -> ast.Module:
    names = dict(_new_names(tree))
    text = ast.get_docstring(function) or ""
    _document(function, re.sub(r"\w+", lambda match: names.get(match[0], match[0]), text))
    return _Renamer(names).visit(tree)


def stripped(tree: ast.Module, function: Function) -> ast.Module:
    _document(function, "")
    return renamed(tree, function)


def reworded(tree: ast.Module, function: Function) -> ast.Module:
    again = renamed(tree, function)
    _document(function, other_words(ast.get_docstring(function) or ""))
    return again


def looped(tree: ast.Module, function: Function) -> ast.Module:
    return _Loops().visit(reworded(tree, function))


def reordered(tree: ast.Module, function: Function) -> ast.Module:
    """Swap neighbouring statements that don't need each other, and the helpers' order."""
    again = reworded(tree, function)
    for node in ast.walk(again):
        if isinstance(body := getattr(node, "body", None), list):
            node.body = _swapped(body)
    return again


def noisy(tree: ast.Module, function: Function) -> ast.Module:
    """Add what does nothing, and a name for each answer."""
    again = _Answers().visit(reworded(tree, function))
    at = 1 if ast.get_docstring(function) else 0
    function.body[at:at] = copy.deepcopy(DECIDED)
    return again


def everything(tree: ast.Module, function: Function) -> ast.Module:
    again = _Loops().visit(reordered(tree, function))
    again = _Answers().visit(again)
    at = 1 if ast.get_docstring(function) else 0
    function.body[at:at] = copy.deepcopy(DECIDED)
    return again


CHANGES: dict[str, Callable[[ast.Module, Function], ast.Module]] = {
    each.__name__: each
    for each in (exact, renamed, stripped, reworded, looped, reordered, noisy, everything)
}


def other_words(text: str) -> str:
    """Say it with synonyms, the sentences in reverse order, and without examples."""
    said = re.split(r">>>|\bExamples?\b|\bFor example\b|\bfor example\b", text)[0]
    sentences = [part for part in re.split(r"(?<=[.:;,!?])\s+", said) if part.strip()]
    words = " ".join(reversed(sentences)).split()
    kept = [word for word in words if word.lower() not in LEFT_OUT]
    return " ".join(SYNONYMS.get(word.lower(), word) for word in kept)


def _document(function: Function, text: str) -> None:
    rest = function.body[1:] if ast.get_docstring(function) is not None else function.body
    function.body = [*([ast.Expr(ast.Constant(text))] if text else []), *rest]


def _new_names(tree: ast.Module) -> Iterator[tuple[str, str]]:
    found = dict[str, None]()
    for node in ast.walk(tree):
        match node:
            case ast.arg(name) | ast.Name(name, ast.Store()) | ast.FunctionDef(name):
                found[name] = None
            case ast.ExceptHandler(name=str(name)) | ast.ClassDef(name):
                found[name] = None
    yield from ((name, f"thing_{number}") for number, name in enumerate(found))


class _Renamer(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(self.names.get(node.arg, node.arg))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name, node.returns = self.names.get(node.name, node.name), None
        return self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        node.name = self.names.get(node.name, node.name) if node.name else None
        return self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        return self.generic_visit(node)


class _Loops(ast.NodeTransformer):
    """``while`` for ``for``, a loop for a list comprehension that is an answer or gets a name."""

    def __init__(self) -> None:
        self.made = 0

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        if node.orelse:
            return node
        items, at = self._name("items"), self._name("at")
        head = ast.parse(f"{items} = list({ast.unparse(node.iter)})\n{at} = 0").body
        text = f"while {at} < len({items}):\n    _ = {items}[{at}]\n    {at} += 1"
        loop = ast.parse(text).body[0]
        loop.body[0].targets = [node.target]
        loop.body += node.body
        return [*head, loop]

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        self.generic_visit(node)
        return ast.Call(ast.Name("list"), [ast.GeneratorExp(node.elt, node.generators)], [])

    def visit_Return(self, node: ast.Return) -> ast.AST | list[ast.stmt]:
        return self._spelt(node) or self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        return self._spelt(node) or self.generic_visit(node)

    def _spelt(self, node: ast.Return | ast.Assign) -> list[ast.stmt]:
        value = node.value
        if not isinstance(value, ast.ListComp) or len(value.generators) > 1:
            return []
        out = self._name("out")
        inner: ast.stmt = ast.parse(f"{out}.append({ast.unparse(value.elt)})").body[0]
        for test in reversed(value.generators[0].ifs):
            inner = ast.If(test, [inner], [])
        made = ast.For(value.generators[0].target, value.generators[0].iter, [inner], [])
        loop = self.visit(ast.fix_missing_locations(made))
        node.value = ast.Name(out)
        first = ast.parse(f"{out} = []").body
        return [*first, *(loop if isinstance(loop, list) else [loop]), node]

    def _name(self, name: str) -> str:
        self.made += 1
        return f"{name}_{self.made}"


class _Answers(ast.NodeTransformer):
    """Gives each answer a name before it is returned."""

    def visit_Return(self, node: ast.Return) -> ast.AST | list[ast.stmt]:
        if node.value is None or isinstance(node.value, ast.Name):
            return node
        return [ast.Assign([ast.Name("answer")], node.value), ast.Return(ast.Name("answer"))]


def _swapped(body: list[ast.stmt]) -> list[ast.stmt]:
    made, at = list(body), 0
    while at + 1 < len(made):
        if _independent(made[at], made[at + 1]):
            made[at], made[at + 1] = made[at + 1], made[at]
            at += 1
        at += 1
    return made


def _independent(one: ast.stmt, other: ast.stmt) -> bool:
    if isinstance(one, Function) and isinstance(other, Function):
        return True
    plain = isinstance(one, ast.Assign) and isinstance(other, ast.Assign)
    return plain and not (_names(one) & _stored(other) or _stored(one) & _names(other))


def _names(node: ast.stmt) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _stored(node: ast.stmt) -> set[str]:
    named = (each for each in ast.walk(node) if isinstance(each, ast.Name))
    return {each.id for each in named if isinstance(each.ctx, ast.Store)}
