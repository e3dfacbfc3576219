"""Inside a cell: one call of the program, made in the program's mode, and its outcome as data.

Standard library only: this file runs inside the wall.
"""

import itertools
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, NamedTuple

from thresher.sandbox.names import Names

MESSAGE_CHARACTERS = 300
Answer = dict[str, Any]
Call = Callable[[], Any]


class Program(NamedTuple):
    """A loaded program, what encodes its values, and what a call of it gives (see `MODES`)."""

    codec: ModuleType
    names: Names
    candidate: Callable[..., Any]
    mode: str

    def encode(self, value: object) -> Any:
        """Return a value as a tree, its classes named as the program has them."""
        return self.codec.encode(value, name=self.names.name)

    def decode(self, tree: Any) -> Any:
        """Return the value of a tree, made with the program's own classes."""
        return self.codec.decode(tree, find=self.names.find)


def answer(program: Program, message: dict[str, Any]) -> Answer:
    """Make one call and encode what it gave, and what became of the arguments asked for."""
    args = [program.decode(tree) for tree in message["args"]]
    kwargs = {name: program.decode(tree) for name, tree in message["kwargs"].items()}
    return respond(program, args, kwargs, message.get("after"))


def respond(
    program: Program, args: list[Any], kwargs: dict[str, Any], asked: Sequence[str] | None
) -> Answer:
    """Answer a call whose arguments are decoded; `asked` are those wanted back."""
    reply = guarded(_outcome, program.names, program, lambda: program.candidate(*args, **kwargs))
    if asked:
        given = {**{str(place): value for place, value in enumerate(args)}, **kwargs}
        try:
            reply["after"] = {name: program.encode(given[name]) for name in asked}
        except program.codec.Unencodable as error:
            return _refusal(error)
    return reply


def _outcome(program: Program, call: Call) -> Answer:
    try:
        return MODES[program.mode](program, call)
    except program.codec.Unencodable as error:
        return _refusal(error)


def _refusal(error: Exception) -> Answer:
    return {"refused": str(error)[:MESSAGE_CHARACTERS]}


def _returns(program: Program, call: Call) -> Answer:
    return {"value": program.encode(call())}


def _generates(program: Program, call: Call) -> Answer:
    outputs = iter(call())
    # each as it comes: the generator may go on to change what it has given
    trees = [program.encode(each) for each in itertools.islice(outputs, program.codec.MAX_OUTPUTS)]
    return {"value": trees, "ended": next(outputs, program) is program}


def _awaits(program: Program, call: Call) -> Answer:
    async def main() -> Answer:
        return {"value": program.encode(await call())}

    return _run(main)


def _generates_async(program: Program, call: Call) -> Answer:
    async def main() -> Answer:
        trees: list[Any] = []
        async for each in call():
            if len(trees) == program.codec.MAX_OUTPUTS:
                return {"value": trees, "ended": False}
            trees.append(program.encode(each))
        return {"value": trees}

    return _run(main)


def _run(main: Callable[[], Any]) -> Answer:
    import asyncio  # few programs need it

    result: Answer = asyncio.run(main())
    return result


MODES: dict[str, Callable[[Program, Call], Answer]] = {
    "returns": _returns,
    "generates": _generates,
    "awaits": _awaits,
    "async-generates": _generates_async,
}


def guarded(function: Callable[..., Answer], names: Names, *arguments: Any) -> Answer:
    """Return a function's answer, or the exception it raises as {raises, message}."""
    try:
        return function(*arguments)
    except BaseException as error:  # a program may raise anything, SystemExit included
        try:
            text = str(error)[:MESSAGE_CHARACTERS]
        except BaseException:
            text = ""
        return {"raises": names.exception(type(error)), "message": text}
