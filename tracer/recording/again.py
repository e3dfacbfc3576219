"""Make recorded calls again where the project is installed: ``python again.py CALLS CONFIG_JSON``.

Runs inside the sandbox, in the project's folder, with the environment's own Python, 3.6 or later,
beside the recorder, whose lines it writes: a call that gives the same again is recorded the same.
CALLS is a file of such lines; CONFIG_JSON is the recorder's configuration. Every function is called
in a process of its own, directly: none that another one calls counts.
"""
# ruff: noqa: PTH109, PTH118, PTH123  (pathlib would cost start-up time)

import gc
import importlib
import itertools
import json
import os
import signal
import sys
import time
from types import FunctionType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Tuple

    from thresher.store import values
    from thresher.tracer.recording import calls, naming, recorder

    Key = Tuple[str, int, str]
else:
    import thresher_calls as calls
    import thresher_naming as naming
    import thresher_recorder as recorder
    import thresher_values as values

CALL_SECONDS, FUNCTION_SECONDS, ALL_SECONDS = 2, 10, 300


def main(path: str, config: "Dict[str, Any]") -> None:
    """Make the calls of the file at `path` again, function by function."""
    groups: "Dict[Key, List[Dict[str, Any]]]" = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            call = json.loads(line)
            groups.setdefault((call["file"], call["line"], call["name"]), []).append(call)
    # Where the tests import the project from its folder, it isn't among what is installed.
    sys.path += [os.path.join(os.getcwd(), "src"), os.getcwd()]
    end = time.monotonic() + ALL_SECONDS
    for key, group in groups.items():
        try:
            importlib.import_module(_module(key[0]))  # once for all the processes
        except BaseException:  # a program that takes itself for a script
            continue
        if time.monotonic() > end:
            return
        child = os.fork()
        if not child:
            try:
                function_again(key, group, config)
            finally:
                os._exit(0)
        _wait(child)


def _wait(child: int) -> None:
    """Wait for a process, and kill it when it takes too long."""
    end = time.monotonic() + FUNCTION_SECONDS
    while not os.waitpid(child, os.WNOHANG)[0]:
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return
        time.sleep(0.002)


def function_again(key: "Key", group: "List[Dict[str, Any]]", config: "Dict[str, Any]") -> None:
    """Find a function and make its calls again."""
    name, line, function_name = key
    spool = recorder.Spool(config["spool"])
    files = recorder.Files(config, spool)
    spool.name = naming.Names(lambda file: files[file] is not None)
    found = _found("/" + name, line, function_name)
    function = found and files["/" + name].function(found.__code__)
    if not found or not function:
        return
    signal.signal(signal.SIGALRM, _overdue)
    for recorded in reversed(group):  # a function that counts its calls gives something else
        spool.hidden.since = lambda began, same=recorded["state"]: same  # type: ignore[method-assign,misc]
        signal.alarm(CALL_SECONDS)
        try:
            _call_again(function, found, recorded)
        except Exception:  # it doesn't replay
            continue
        finally:
            signal.alarm(0)
    spool.finish(True)


def _overdue(signum: int, frame: object) -> None:
    raise TimeoutError


def _module(file: str) -> str:
    parts = file[:-3].split("/")
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _found(ending: str, line: int, name: str) -> "Optional[FunctionType]":
    """Return the function that begins there, below whatever decorates it."""
    for thing in gc.get_objects():
        if type(thing) is FunctionType:
            code = thing.__code__
            place = (code.co_firstlineno, code.co_name)
            if place == (line, name) and ("/" + code.co_filename).endswith(ending):
                return thing
    return None


def _call_again(
    function: "calls.Function", found: "Callable[..., Any]", recorded: "Dict[str, Any]"
) -> None:
    given = [_given(kind, recorded["args"][name]) for name, kind in function.parameters]
    trees = function._encoded(given)
    call = calls.Call(function, given, trees, calls.dumps(trees))
    args: "List[Any]" = []
    kwargs: "Dict[str, Any]" = {}
    for (name, kind), value in zip(function.parameters, given):
        if kind == "VAR_POSITIONAL":
            args.extend(value)
        elif kind == "VAR_KEYWORD":
            kwargs.update(value)
        elif kind == "KEYWORD_ONLY":
            kwargs[name] = value
        else:
            args.append(value)
    try:
        ended, result = _outcome(function, call, found(*args, **kwargs), recorded)
    except TimeoutError:
        raise
    except Exception as error:
        function.raises(call, error)
    else:
        function.write(call, result, ended=ended)


def _given(kind: str, tree: "Any") -> "Any":
    if kind == "VAR_POSITIONAL":
        return tuple(_decoded(each) for each in tree)
    if kind == "VAR_KEYWORD":
        return {name: _decoded(each) for name, each in tree.items()}
    return _decoded(tree)


def _decoded(tree: "Any") -> "Any":
    return values.decode(tree, find=_named)


def _named(name: str) -> "Any":
    module, _, path = name.partition(":")
    found: "Any" = importlib.import_module(module)
    for part in path.split("."):
        found = getattr(found, part)
    return found


def _outcome(
    function: "calls.Function", call: "calls.Call", result: "Any", recorded: "Dict[str, Any]"
) -> "Tuple[bool, Any]":
    """Return whether the call came to its end, and the tree of its result or its outputs' trees."""
    if function.mode == "returns":
        return True, function._encoded(result)
    if function.mode == "generates":
        most = values.MAX_OUTPUTS if recorded["ended"] else len(recorded["result"])
        outputs = [function._encoded(each) for each in itertools.islice(result, most)]
        return recorded["ended"] and next(result, call) is call, outputs
    import asyncio

    run = asyncio.new_event_loop().run_until_complete
    if function.mode == "awaits":
        return True, function._encoded(run(result))
    return _drawn(function, run, result, recorded)


def _drawn(
    function: "calls.Function",
    run: "Callable[[Any], Any]",
    result: "Any",
    recorded: "Dict[str, Any]",
) -> "Tuple[bool, Any]":
    """Draw the outputs of an asynchronous generator, one more where it came to its end."""
    most = values.MAX_OUTPUTS if recorded["ended"] else len(recorded["result"])
    outputs: "List[Any]" = []
    try:
        while len(outputs) < most:
            outputs.append(function._encoded(run(result.__anext__())))
        if recorded["ended"]:
            run(result.__anext__())
    except StopAsyncIteration:
        return recorded["ended"], outputs
    return False, outputs


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]))
