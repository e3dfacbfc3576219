"""Inside a cell: shut it, then serve calls of one program, run it whole, or run an opaque test.

Standard library only: this file runs inside the wall. A cell is one clone of the warm server
with its own PID namespace; here it gives up all rights before it reads the program.
"""

import os
import random
import resource
import struct
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any

from thresher.sandbox.calls import Answer, Program, answer, guarded
from thresher.sandbox.frames import messages, write_message
from thresher.sandbox.libc import call
from thresher.sandbox.names import Names
from thresher.sandbox.program import serve_program
from thresher.sandbox.restart import restart

if TYPE_CHECKING:
    from thresher.sandbox.branches import Branches

NO_CAPABILITIES = struct.pack("<II", 0x20080522, 0), bytes(24)  # version 3, this process
SCRATCH = "/tmp"  # noqa: S108 - what earlier cells left there is gone
CHANNEL_DESCRIPTOR, MOST_DESCRIPTORS = 3, 64
USER_ID = 1000
NO_NAMES = Names({})
LIMITED = resource.RLIMIT_CPU, resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC
reseed = super(random.Random, random._inst).seed


def run(codec: ModuleType, limits: Sequence[int], channel: int) -> None:
    """Be one cell: keep one socket, shut the wall, read what to do and serve until told to end.

    Args:
        codec: the module that encodes and decodes values.
        limits: seconds of CPU time, bytes of memory and of a file, processes.
        channel: the descriptor of the socket to the trusted side.
    """
    channel = keep_only(channel)
    enclose(limits)
    inbox = messages(channel)
    serve(codec, inbox, channel)


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


def keep_only(channel: int) -> int:
    """Close every descriptor but one, open the standard ones anew; return that one's new number.

    Locks and settings stay with what was opened, so no two cells may share it.
    """
    if channel != CHANNEL_DESCRIPTOR:
        os.dup2(channel, CHANNEL_DESCRIPTOR, inheritable=False)
    os.closerange(CHANNEL_DESCRIPTOR + 1, MOST_DESCRIPTORS)
    null = os.open("/dev/null", os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    os.close(null)
    return CHANNEL_DESCRIPTOR


def enclose(limits: Sequence[int]) -> None:
    """Give this process its own session and limits, and take its capabilities."""
    os.setsid()
    reseed()
    os.chdir(SCRATCH)
    for kind, value in zip(LIMITED, limits, strict=True):
        resource.setrlimit(kind, (value, value))
    if os.getuid() == 0:  # so it is in gVisor: the wall's files and sockets stay root's
        os.setgroups([])
        os.setresgid(USER_ID, USER_ID, USER_ID)
        os.setresuid(USER_ID, USER_ID, USER_ID)
    call("capset", *NO_CAPABILITIES)


def serve_calls(
    codec: ModuleType, setup: dict[str, Any], inbox: Iterator[Any], channel: int
) -> None:
    """Answer calls of the program's entry point until the input ends.

    Messages in: {args, kwargs} in encoded form and, where they matter, the names of the arguments
    that are wanted back `after` the call. Messages out: first {"loaded": true} or {raises, message}
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
        for message in inbox:
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


def _builtin_exception(name: object) -> type[BaseException]:
    kind = vars(sys.modules["builtins"]).get(name) if isinstance(name, str) else None
    if not isinstance(kind, type) or not issubclass(kind, Exception):
        return RuntimeError
    # These would end a loop of the test instead of failing it.
    return RuntimeError if issubclass(kind, StopIteration | StopAsyncIteration) else kind
