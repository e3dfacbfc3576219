"""Rewrites a module's calls so that each asks for the function that it is going to call.

``f(x)`` becomes ``__thresher_callee__(f)(x)``: in the same place of the file, and so that what `f`
gives back and how it is called don't change where the helper gives `f` back.

This file stands alone and runs on Python 3.6 and later; `attach.py` lays it beside the recorder.
"""
# ruff: noqa: SIM905, UP037  (a list of names; Python 3.6)

import ast
import warnings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any

HELPER = "__thresher_callee__"
# What looks at its caller, or gives nothing worth recording: left as written, for the speed of it.
LEFT_ALONE = frozenset(
    "super locals globals vars dir eval exec compile type isinstance issubclass getattr setattr "
    "delattr hasattr callable iter next print open input id hash __import__ staticmethod "
    "classmethod property object zip map filter enumerate reversed".split()
)


class Rewriter(ast.NodeTransformer):
    """Sends the function of each call through the helper, where that changes nothing."""

    def visit_Call(self, node: ast.Call) -> ast.AST:  # noqa: N802
        """Rewrite a call, and those within."""
        self.generic_visit(node)
        if not (isinstance(node.func, ast.Name) and node.func.id in LEFT_ALONE):
            name = ast.copy_location(ast.Name(HELPER, ast.Load()), node.func)
            node.func = ast.copy_location(ast.Call(name, [node.func], []), node.func)
        return node

    def visit_FunctionDef(self, node: "Any") -> ast.AST:  # noqa: N802
        """Leave the decorators and annotations of a function alone."""
        node.body = [self.visit(statement) for statement in node.body]
        arguments = node.args
        arguments.defaults = [self.visit(default) for default in arguments.defaults]
        arguments.kw_defaults = [each and self.visit(each) for each in arguments.kw_defaults]
        return node  # type: ignore[no-any-return]

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:  # noqa: N802
        """Leave the decorators and bases of a class alone."""
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:  # noqa: N802
        """Leave an annotation alone."""
        node.value = node.value and self.visit(node.value)
        return node


def rewritten(source: bytes, path: str) -> "CodeType":
    """Compile the source of a module with its call sites rewritten.

    Raises:
        SyntaxError: it is no module.
        RecursionError: it is nested too deeply.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the program has its .pyc files, and sees none
        tree = Rewriter().visit(ast.parse(source, path))
        return compile(tree, path, "exec", dont_inherit=True)
