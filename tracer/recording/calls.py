"""Calls of one function become lines of the spool: what went in, what came out, what changed.

This file stands alone and runs on Python 3.6 and later; `attach.py` lays it beside the recorder,
which tells it when a call begins, is suspended, resumed and ended.
"""

import gc
import json
import sys
import threading
from opcode import opmap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType
    from typing import Any, Callable, Dict, List, Optional, Set, Tuple

    from thresher.store import values
    from thresher.tracer.recording import profiling, recorder
else:
    import thresher_values as values

MAX_NODES: int = 500  # of the arguments of a call, and of its result
MAX_TEXT: int = 5000
MAX_FAILURES = 12  # calls in a row that are no examples, after which a function is given up
MAX_REPEATS = 200  # calls in a row with arguments seen before, after which it is too
MAX_REASONS = 20  # different reasons counted per function
MAX_OPEN = 200  # calls at a time: of those suspended, the oldest is taken for abandoned

dumps: "Callable[[object], str]" = json.JSONEncoder(
    separators=(",", ":")
).encode  # kept from tests that replace functions
_VARARGS, _KWARGS, _GENERATOR, _ASYNC_GENERATOR = 0x4, 0x8, 0x20, 0x200
_SUSPENDABLE = 0x20 | 0x80 | 0x100 | 0x200
_RETURNS = {opmap.get("RETURN_VALUE"), opmap.get("RETURN_CONST")}
_YIELD = opmap["YIELD_VALUE"]
_DELEGATES = bytes([opmap["LOAD_CONST"], opmap.get("YIELD_FROM", 0)])  # before Python 3.11
_EITHER = opmap.get("END_FINALLY")  # Pythons before 3.8 also end this way when they return
_RESUME = opmap.get("RESUME")
_WRAPPED = "builtins.async_generator_wrapped_value"
# Kept as they are: nothing changes them, and equal ones of a type are the same value. No floats.
_ATOMS = {id(type(None)), id(bool), id(int), id(str), id(bytes)}
_CONSTANTS = _ATOMS | {id(float), id(complex)}
_OVERFLOW_IS_FATAL = sys.version_info < (3, 10)


class Call:
    """One call that has begun.

    Attributes:
        given: the arguments and free variables themselves; empty once only `trees` matter.
        trees: what they were at entry, or None while all are atoms.
        text: the same as text, to be compared with what they are at the end.
        outputs: what a generator has given so far.
        unsure: the last suspension gave None, or was an exception in disguise.
        began: the number of hidden events at entry.
    """

    __slots__ = ("began", "function", "given", "outputs", "text", "trees", "unsure")

    def __init__(self, function: "Function", given: "List[Any]", trees: "Any", text: str) -> None:
        self.function, self.given, self.trees, self.text = function, given, trees, text
        self.began = function.file.spool.hidden.count
        self.outputs: "List[Any]" = []
        self.unsure = False


class Function:
    """One function of interest: its open calls, and what became of those that ended."""

    def __init__(self, code: "CodeType", file: "recorder.File") -> None:
        self.code, self.file = code, file
        self.operations = code.co_code
        self.parameters = _parameters(code)
        self.free = [name for name in code.co_freevars if name != "__class__"]
        self.names = [name for name, _ in self.parameters] + self.free
        self.suspends = bool(code.co_flags & _SUSPENDABLE)
        self.is_simple = not self.suspends and not self.free
        self.mode = _mode(code)
        self.head = dumps(self._line("call", parameters=self.parameters, mode=self.mode))[:-1]
        self.open: "Dict[int, Call]" = file.spool.open
        self.seen: "Set[int]" = set()
        self.stopped: "Optional[str]" = None
        self.restart()

    def restart(self) -> None:
        """Count from zero."""
        self.calls = self.examples = self.duplicates = self.failures = self.repeats = self.skip = 0
        self.lost: "Dict[str, int]" = {}

    def enter(self, frame: "FrameType") -> None:
        """Take in the arguments, before the call can change them."""
        there = self.open.get(id(frame))
        if (there is not None or self.suspends) and self._is_resumed(frame, there):
            return
        self.calls += 1
        if self.skip:
            self.skip -= 1
            return
        if is_deep(frame):
            self.lose("recursion")
            return
        held = frame.f_locals
        given = [held[name] for name in self.names]
        kinds = [id(type(value)) for value in given]
        trees, text = None, ""
        if self.is_simple and _ATOMS.issuperset(kinds):
            key = hash((tuple(kinds), tuple(given)))
        else:
            if self.code.co_flags & _KWARGS:  # the call's own: taking from it changes no caller's
                place = len(self.parameters) - 1
                given[place] = dict(given[place])
            try:
                trees = self._encoded(given)
            except values.Unencodable as error:
                self.lose(error.reason)
                return
            text = repr(trees)
            key = hash(text)
        if key in self.seen:
            self._repeated()
            return
        self.seen.add(key)
        if trees is not None and not self.free and _CONSTANTS.issuperset(kinds):
            given = []
        self.open[id(frame)] = Call(self, given, trees, text)

    def _is_resumed(self, frame: "FrameType", call: "Optional[Call]") -> bool:
        """Tell a resumed call from a new one, to whose frame another's id may have come."""
        last = frame.f_lasti if self.suspends else -1
        if last >= 0 and (_RESUME is None or self.operations[last : last + 2] != b"%c\0" % _RESUME):
            if call is not None and call.function is self and call.unsure:
                self.gives(call, frame, None)
            return True
        if call is not None:
            del self.open[id(frame)]
            call.function.abandon(call)
        elif self.suspends and len(self.open) >= MAX_OPEN:
            oldest = [key for key, call in self.open.items() if call.function.suspends][:1]
            for key in oldest:
                call = self.open.pop(key)
                call.function.abandon(call)
        return False

    def _encoded(self, thing: object) -> "Any":
        return values.encode(thing, MAX_NODES, MAX_TEXT, self.file.spool.name)

    def _repeated(self) -> None:
        self.duplicates, self.repeats = self.duplicates + 1, self.repeats + 1
        self.skip = self.repeats // 8
        if self.repeats >= MAX_REPEATS:
            self.stop("repeating")

    def leave(self, frame: "FrameType", result: object, raised: "profiling.Raised") -> None:
        """Take what a profile function sees: a return, a suspension or, as None, an exception."""
        call = self._ours(frame)
        if call is None:
            return
        last = frame.f_lasti
        operation = self.operations[last]
        plain = not self.suspends or operation == _EITHER
        if operation in _RETURNS or (result is not None and plain):
            self.returns(frame, result)
        elif result is not None:
            self.gives(call, frame, result)
        elif operation == _YIELD or self.operations[last : last + 4 : 2] == _DELEGATES:
            call.unsure, call.given = True, []  # it may have ended: nothing is kept alive for it
        else:
            del self.open[id(frame)]
            if operation == _EITHER:
                self.lose("return-or-raise")
            else:
                raised.append((threading.get_ident(), self, id(frame), call))

    def _ours(self, frame: "FrameType") -> "Optional[Call]":
        call = self.open.get(id(frame))
        return call if call is not None and call.function is self else None

    def yields(self, frame: "FrameType", output: object) -> None:
        """Take what a suspended call gives."""
        call = self._ours(frame)
        if call is not None:
            self.gives(call, frame, output)

    def gives(self, call: Call, frame: "FrameType", output: "Any") -> None:
        """Take an output of a generator; one too many ends the call for us."""
        call.unsure = False
        if self.mode == "async-generates":
            if values.type_name(type(output)) != _WRAPPED:
                return  # it awaits something
            (output,) = gc.get_referents(output)
        elif self.mode == "awaits":
            return
        if len(call.outputs) >= values.MAX_OUTPUTS:
            del self.open[id(frame)]
            self.abandon(call)
            return
        try:
            call.outputs.append(self._encoded(output))
        except values.Unencodable as error:
            del self.open[id(frame)]
            self.lose("output:" + error.reason)

    def returns(self, frame: "FrameType", result: object) -> None:
        """Make an example of a call that returned."""
        call = self._ours(frame)
        if call is None:
            return
        del self.open[id(frame)]
        if self.free and call.given:
            held = frame.f_locals  # they may be bound to other objects now
            call.given[len(self.parameters) :] = [held.get(name) for name in self.free]
        if self.mode.endswith("generates"):
            self.write(call, call.outputs)
            return
        try:
            tree = self._encoded(result)
        except values.Unencodable as error:
            self.lose("result:" + error.reason)
        else:
            self.write(call, tree)

    def unwinds(self, frame: "FrameType", error: object) -> None:
        """Take an exception that leaves the function."""
        call = self._ours(frame)
        if call is not None:
            del self.open[id(frame)]
            self.raises(call, error)

    def thrown(self, frame: "FrameType", error: object) -> None:
        """Take an exception that is put into a suspended call: no longer a matter of arguments."""
        call = self._ours(frame)
        if call is not None:
            del self.open[id(frame)]
            self.abandon(call)

    def raises(self, call: Call, error: "Any") -> None:
        """Make an example of a call that this exception ended."""
        if type(error) is GeneratorExit and self.suspends:
            self.abandon(call)
            return
        name = values.type_name(type(error))
        self.write(call, None, name[9:] if name.startswith("builtins.") else name)

    def abandon(self, call: Call) -> None:
        """Make an example of a generator that nobody asked for more."""
        if self.stopped:
            return
        if call.outputs:
            self.write(call, call.outputs, ended=False)
        else:
            self.lose("abandoned")

    def write(
        self, call: Call, result: "Any", raises: "Optional[str]" = None, ended: bool = True
    ) -> None:
        """Write an example; the arguments are compared with what they were at entry."""
        spool = self.file.spool
        try:
            trees = self._encoded(call.given) if call.trees is None else call.trees
            after = self._changes(call) if call.trees and call.given else {}
        except values.Unencodable as error:
            self.lose(("after:" if call.trees else "") + error.reason)
            return
        if not after.keys().isdisjoint(self.free):
            self.lose("changes-closure")
            return
        line = {
            "args": self._named(trees),
            "closure": dict(zip(self.free, trees[len(self.parameters) :])),
            "after": after,
            "state": spool.hidden.since(call.began),
            "result": result,
            "raises": raises,
            "ended": ended,
        }
        spool.write_line(self.head + "," + dumps(line)[1:])
        self.examples += 1
        self.failures = self.repeats = 0
        if self.examples >= self.file.limit:
            self.stop("full")

    def _named(self, trees: "List[Any]") -> "Dict[str, Any]":
        """Return the arguments in the form of the spool."""
        args = {}
        for (name, kind), tree in zip(self.parameters, trees):
            if kind == "VAR_POSITIONAL":
                tree = tree["tuple"]
            elif kind == "VAR_KEYWORD":
                tree = dict(tree["dict"])
            args[name] = tree
        return args

    def _changes(self, call: Call) -> "Dict[str, Any]":
        # one by one: an argument may have become part of another
        again = [self._encoded(thing) for thing in call.given]
        if repr(again) == call.text:
            return {}
        now, before = self._named(again), self._named(call.trees)
        count = len(self.parameters)
        now.update(zip(self.free, again[count:]))
        before.update(zip(self.free, call.trees[count:]))
        return {name: tree for name, tree in now.items() if repr(tree) != repr(before[name])}

    def lose(self, reason: str) -> None:
        """Count a call that can't be an example; of the next, look at fewer and fewer."""
        if reason not in self.lost and len(self.lost) >= MAX_REASONS:
            reason = "other"
        self.lost[reason] = self.lost.get(reason, 0) + 1
        self.failures += 1
        self.skip = (self.failures - 1) ** 2
        if self.failures >= MAX_FAILURES:
            self.stop("unencodable")

    def stop(self, why: str) -> None:
        """From now on the function costs one look-up."""
        self.stopped = why
        self.file[id(self.code)] = None
        for key in [key for key, call in self.open.items() if call.function is self]:
            del self.open[key]

    def _line(self, kind: str, **more: "Any") -> "Dict[str, Any]":
        return dict(
            more,
            kind=kind,
            file=self.file.name,
            line=self.code.co_firstlineno,
            name=self.code.co_name,
            qualname=getattr(self.code, "co_qualname", None),
        )

    def summary(self) -> "Dict[str, Any]":
        """Return the function's line at exit."""
        counts = ("calls", "examples", "duplicates", "lost", "stopped")
        return self._line("function", **{name: getattr(self, name) for name in counts})


def is_deep(frame: "Optional[FrameType]") -> bool:
    """Tell whether a Python that aborts after recovering from an overflow may be near to one."""
    room = (sys.getrecursionlimit() - 150) // 3  # each frame may count for three, with C calls
    while _OVERFLOW_IS_FATAL and frame is not None and room > 0:
        frame, room = frame.f_back, room - 1
    return room <= 0


def _parameters(code: "CodeType") -> "List[Tuple[str, str]]":
    kinds = ["POSITIONAL_OR_KEYWORD"] * code.co_argcount + ["KEYWORD_ONLY"] * code.co_kwonlyargcount
    kinds += ["VAR_POSITIONAL"] * bool(code.co_flags & _VARARGS)
    kinds += ["VAR_KEYWORD"] * bool(code.co_flags & _KWARGS)
    return list(zip(code.co_varnames, kinds))


def _mode(code: "CodeType") -> str:
    if code.co_flags & _GENERATOR:
        return "generates"
    if code.co_flags & _ASYNC_GENERATOR:
        return "async-generates"
    return "awaits" if code.co_flags & _SUSPENDABLE else "returns"
