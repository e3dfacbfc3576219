"""Inside a cell: shut it, then serve calls of one program, run it whole, or run an opaque test.

Standard library only: this file runs inside the wall. A cell is one clone of the warm server
with its own PID namespace; here it gives up all rights before it reads the program.
"""

import ctypes
import os
import random
import resource
import struct
import sys
import types
from collections.abc import Callable, Iterator
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any

from thresher.sandbox.calls import Answer, Program, answer, guarded
from thresher.sandbox.frames import LIMITS, messages, write_message
from thresher.sandbox.libc import prepared
from thresher.sandbox.names import Names
from thresher.sandbox.program import serve_program
from thresher.sandbox.restart import restart

if TYPE_CHECKING:
    from thresher.sandbox.branches import Branches

NO_CAPABILITIES = struct.pack("<II", 0x20080522, 0), bytes(24)  # version 3, this process
SCRATCH = b"/tmp"  # noqa: S108 - what earlier cells left there is gone
CHANNEL, MOST_DESCRIPTORS = 3, 64
USER_ID = 1000
NO_NAMES = Names({})
LIMITED = resource.RLIMIT_CPU, resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC
reseed = super(random.Random, random._inst).seed


def run(codec: ModuleType) -> None:
    """Be one cell: keep one socket, shut the wall, read what to do and serve until told to end.

    Args:
        codec: the module that encodes and decodes values.
    """
    shut()
    serve(codec, messages(CHANNEL), CHANNEL)


def shut() -> None:
    """Leave this process with one descriptor, its limits and no rights."""
    os.closerange(0, CHANNEL)
    os.closerange(CHANNEL + 1, MOST_DESCRIPTORS)
    reseed()
    for step in STEPS:
        if step() < 0:
            raise OSError("a cell can't be shut")


def steps() -> Iterator[Callable[[], int]]:
    """Give the calls that shut a cell."""
    # Locks and settings stay with what was opened, so no two cells may share it.
    yield prepared("open", b"/dev/null", os.O_RDWR)
    yield from (prepared("dup", 0),) * 2
    yield prepared("setsid")
    yield prepared("chdir", SCRATCH)
    limits = ctypes.create_string_buffer(LIMITS.size)
    yield prepared("read", CHANNEL, limits, LIMITS.size)
    for place, kind in enumerate(LIMITED):
        yield prepared("setrlimit", kind, ctypes.byref(limits, place * LIMITS.size // len(LIMITED)))
    if os.getuid() == 0:  # so it is in gVisor: the wall's files and sockets stay root's
        yield prepared("setgroups", 0, None)
        yield prepared("setresgid", USER_ID, USER_ID, USER_ID)
        yield prepared("setresuid", USER_ID, USER_ID, USER_ID)
    yield prepared("capset", *NO_CAPABILITIES)


def serve(codec: ModuleType, inbox: Iterator[Any], channel: int) -> None:
    """Do what the first message says, with those that follow."""
    setup = next(inbox)
    if "conditions" in setup:
        restart(setup, channel)
    elif setup["role"] == "program":
        serve_program(setup, channel)
    elif setup["role"] == "check":
        serve_check(codec, setup, inbox, channel)
    else:
        serve_calls(codec, setup, inbox, channel)


def serve_calls(
    codec: ModuleType, setup: dict[str, Any], inbox: Iterator[Any], channel: int
) -> None:
    """Answer calls of the program's entry point: those of the setup, else until the input ends.

    A call is {args, kwargs} in encoded form and, where they matter, the names of the arguments
    that are wanted back `after` it. Messages out: first {"loaded": true} or {raises, message}
    where the program itself failed; then per call {"value": tree}, {"raises": type, "message":
    text} or {"refused": why the result is no plain data}. A generator's value is the list of its
    outputs, with "ended". Where the setup asks for "branches", the first message out has the number
    of the entry point's, and each other those that were taken.
    """
    loaded: list[tuple[Program, Branches | None]] = []

    def prepare() -> dict[str, Any]:
        space = dict(load(setup["program"]))
        program = Program(
            codec, Names(space), space[setup["entry_point"]], setup.get("mode", "returns")
        )
        branches = branches_of(program.candidate) if setup.get("branches") else None
        loaded.append((program, branches))
        return {"loaded": True, "branches": branches.total if branches else 0}

    write_message(channel, guarded(prepare, NO_NAMES))
    for program, branches in loaded:
        for message in setup.get("calls", inbox):
            write_message(channel, guarded(watched, program.names, program, branches, message))


def watched(program: Program, branches: "Branches | None", message: dict[str, Any]) -> Answer:
    """Answer a call, with the branches it took where they are asked for."""
    if branches is None:
        return answer(program, message)
    with branches.watch() as taken:
        reply = answer(program, message)
    return {**reply, "taken": sorted(taken)}


def branches_of(candidate: Callable[..., object]) -> "Branches | None":
    """Return what watches the branches of a function, whatever is wrapped around it."""
    # once per problem, when its cases are chosen
    import inspect

    from thresher.sandbox.branches import Branches

    code = getattr(inspect.unwrap(candidate), "__code__", None)
    return Branches(code) if isinstance(code, CodeType) else None


def serve_check(
    codec: ModuleType, setup: dict[str, Any], inbox: Iterator[Any], channel: int
) -> None:
    """Run opaque test code whose `candidate` lives in another cell, reached by messages.

    Messages out: {"call": {args, kwargs}}, answered as `serve_calls` answers; at the end
    {"passed": true} or {raises, message}.
    """

    def candidate(*args: object, **kwargs: object) -> object:
        encoded = {name: codec.encode(value) for name, value in kwargs.items()}
        write_message(
            channel,
            {"call": {"args": [codec.encode(a) for a in args], "kwargs": encoded}},
        )
        reply: dict[str, Any] = next(inbox, {})
        if "value" in reply:
            return codec.decode(reply["value"])
        raise _builtin_exception(reply.get("raises"))(str(reply.get("message", "no plain data")))

    def check() -> dict[str, Any]:
        load(setup["program"])["check"](candidate)
        return {"passed": True}

    write_message(channel, guarded(check, NO_NAMES))


def load(program: str) -> dict[str, Any]:
    """Run a program as a fresh module and return its namespace."""
    module = types.ModuleType("solution")
    sys.modules["solution"] = module  # dataclasses look their module up
    exec(compile(program, "<program>", "exec"), module.__dict__)  # noqa: S102 - its purpose
    return module.__dict__


STEPS = tuple(steps())


def _builtin_exception(name: object) -> type[BaseException]:
    kind = vars(sys.modules["builtins"]).get(name) if isinstance(name, str) else None
    if not isinstance(kind, type) or not issubclass(kind, Exception):
        return RuntimeError
    # These would end a loop of the test instead of failing it.
    return RuntimeError if issubclass(kind, StopIteration | StopAsyncIteration) else kind
