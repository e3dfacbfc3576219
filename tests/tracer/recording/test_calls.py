"""What the calls of every kind of function become: the same on every interpreter."""

import json

import pytest

from tests.tracer.bench import INTERPRETERS, Bench
from thresher.tracer.recording.spool import RecordedCall, Spool


@pytest.fixture(params=list(INTERPRETERS))
def bench(request, tmp_path):
    return Bench(tmp_path, request.param)


def calls(spool: Spool, name: str) -> list[RecordedCall]:
    return [call for one in spool.functions if one.name == name for call in one.calls]


def outcomes(spool: Spool, name: str) -> list[tuple]:
    """Return (arguments, mode, result, whether it ended) of a function's calls."""
    return [
        (dict(call.args), call.mode, call.raises or call.result, call.ended)
        for call in calls(spool, name)
    ]


def lost(spool: Spool, name: str) -> dict[str, int]:
    (found,) = [one for one in spool.functions if one.name == name]
    return dict(found.lost)


def test_generators_are_their_outputs(bench):
    out, spool = bench.run(
        """
        def count(n, items=()):
            for m in range(n):
                yield m
            yield from items
            return "unseen"

        def nothing(n):
            return
            yield

        def nones(n):
            for m in range(n):
                yield
                yield m

        def breaks(n):
            yield n
            raise ValueError(n)

        def grows(items):
            for item in items:
                items[0] += 1
                yield list(items)
        """,
        """
        import work

        class Expect:
            def __enter__(self):
                return self

            def __exit__(self, kind, error, trace):
                return True

        print(list(work.count(2)), list(work.count(1, ("a", "b"))), list(work.nothing(1)))
        print(list(work.nones(2)), list(work.grows([1, 2])))
        for name in ("count", "count"):
            one, other = getattr(work, name)(3), getattr(work, name)(4)
            print(next(one), next(other), list(one), list(other))
        with Expect():
            list(work.breaks(1))
        """,
    )
    assert out == (
        "[0, 1] [0, 'a', 'b'] []\n[None, 0, None, 1] [[2, 2], [3, 2]]\n"
        "0 0 [1, 2] [1, 2, 3]\n0 0 [1, 2] [1, 2, 3]\n"
    )
    empty = {"tuple": []}
    assert outcomes(spool, "count") == [
        ({"n": 1, "items": {"tuple": ["a", "b"]}}, "generates", [0, "a", "b"], True),
        ({"n": 2, "items": empty}, "generates", [0, 1], True),
        ({"n": 3, "items": empty}, "generates", [0, 1, 2], True),
        ({"n": 4, "items": empty}, "generates", [0, 1, 2, 3], True),
    ]
    assert outcomes(spool, "nothing") == [({"n": 1}, "generates", [], True)]
    assert outcomes(spool, "nones") == [({"n": 2}, "generates", [None, 0, None, 1], True)]
    assert outcomes(spool, "breaks") == [({"n": 1}, "generates", "ValueError", True)]
    (grows,) = calls(spool, "grows")
    assert (grows.args, grows.result) == ({"items": [1, 2]}, [[2, 2], [3, 2]])
    assert grows.after == {"items": [3, 2]}


def test_generators_end_for_us_after_a_bound_or_when_nobody_asks_for_more(bench):
    _, spool = bench.run(
        """
        def count(n):
            while True:
                yield n
                n += 1

        def exactly(n):
            for m in range(n):
                yield m

        def unasked(n):
            yield n
        """,
        """
        import itertools, work
        endless = work.count(0)
        print(sum(itertools.islice(endless, 1000)))
        print(len(list(work.exactly(50))), len(list(work.exactly(51))))
        for n in range(5, 8):
            print(next(work.count(n)))
        left = work.count(9)
        next(left), next(left)
        work.unasked(1)
        closed = work.unasked(2)
        next(closed)
        closed.close()
        """,
    )
    assert outcomes(spool, "count") == [
        ({"n": 0}, "generates", list(range(50)), False),
        ({"n": 5}, "generates", [5], False),
        ({"n": 6}, "generates", [6], False),
        ({"n": 7}, "generates", [7], False),
        ({"n": 9}, "generates", [9, 10], False),
    ]
    ends = [(call.args["n"], len(call.result), call.ended) for call in calls(spool, "exactly")]
    assert ends == [(50, 50, True), (51, 50, False)]
    assert outcomes(spool, "unasked") == [({"n": 2}, "generates", [2], False)]


def test_coroutines_and_async_generators(bench):
    out, spool = bench.run(
        """
        class Pause:
            def __init__(self, value):
                self.value = value

            def __await__(self):
                yield self.value

        async def double(n):
            await Pause(None)
            await Pause("waiting")
            return 2 * n

        async def fails(n):
            await Pause(None)
            raise KeyError(n)

        async def pairs(n):
            for m in range(n):
                await Pause(m)
                await Pause(None)
                yield m, await double(m)
                yield None

        async def consume(n):
            return [pair async for pair in pairs(n)]
        """,
        """
        import work

        def run(coroutine):
            try:
                while True:
                    coroutine.send(None)
            except StopIteration as stop:
                return stop.value

        class Expect:
            def __enter__(self):
                return self

            def __exit__(self, kind, error, trace):
                return True

        print(run(work.double(21)), run(work.consume(2)))
        with Expect():
            run(work.fails(1))
        unfinished = work.double(5)
        unfinished.send(None)
        unfinished.close()
        """,
    )
    assert out == "42 [(0, 0), None, (1, 2), None]\n"
    expected = [{"tuple": [0, 0]}, None, {"tuple": [1, 2]}, None]
    assert outcomes(spool, "double") == [
        ({"n": 0}, "awaits", 0, True),
        ({"n": 1}, "awaits", 2, True),
        ({"n": 21}, "awaits", 42, True),
    ]
    assert outcomes(spool, "pairs") == [({"n": 2}, "async-generates", expected, True)]
    assert outcomes(spool, "consume") == [({"n": 2}, "awaits", expected, True)]
    assert outcomes(spool, "fails") == [({"n": 1}, "awaits", "KeyError", True)]


def test_methods_of_every_kind_take_their_objects_as_data(bench):
    out, spool = bench.run(
        """
        import functools

        class Point:
            __slots__ = ("x", "__dict__")

            def __init__(self, x, **more):
                self.x = x
                self.__dict__.update(more)

            def move(self, by=1):
                self.x += by
                return self

            @property
            def double(self):
                return 2 * self.x

            @classmethod
            def origin(cls, *rest):
                return cls(0)

            @staticmethod
            def add(a, b):
                return a.x + b.x

            def __eq__(self, other):
                raise AssertionError("nothing of the class is run")

        def twice(function):
            @functools.wraps(function)
            def wrapper(*args):
                return 2 * function(*args)
            return wrapper

        @twice
        def decorated(n):
            return n + 1
        """,
        """
        import work
        point = work.Point(1, y=[2])
        print(point.move(by=2).x, point.double, work.Point.origin(3).x)
        print(work.Point.add(point, work.Point(4)), work.decorated(1))
        """,
    )
    assert out == "3 6 0\n7 4\n"

    def at(x, *more):
        return {"instance": ["work:Point", [["x", x], *more], None]}

    before, moved, kind = at(1, ["y", [2]]), at(3, ["y", [2]]), {"global": "work:Point"}
    (move,) = calls(spool, "move")
    assert (move.args, move.result) == ({"self": before, "by": 2}, moved)
    assert move.after == {"self": moved}
    assert outcomes(spool, "double") == [({"self": moved}, "returns", 6, True)]
    assert outcomes(spool, "origin") == [
        ({"cls": kind, "rest": {"tuple": [3]}["tuple"]}, "returns", at(0), True)
    ]
    assert outcomes(spool, "add") == [({"a": moved, "b": at(4)}, "returns", 7, True)]
    assert outcomes(spool, "decorated") == [({"n": 1}, "returns", 2, True)]
    assert lost(spool, "wrapper") == {"type:builtins.function": 1}
    inits = [(call.args["x"], call.after) for call in calls(spool, "__init__")]
    blank = {"instance": ["work:Point", [], None]}
    assert all(call.args["self"] == blank for call in calls(spool, "__init__"))
    assert (1, {"self": before}) in inits


def test_free_variables_are_inputs_and_must_not_change(bench):
    out, spool = bench.run(
        """
        def scaled(factor, items):
            def scale(n):
                return factor * n + len(items)

            def collect(n):
                items.append(n)
                return n

            def count():
                nonlocal factor
                factor += 1
                return factor

            def fact(n):
                return 1 if n < 2 else n * fact(n - 1)
            return scale(1), scale(2), collect(3), count(), fact(2)

        class Base:
            def name(self):
                return "base"

        class Derived(Base):
            def name(self):
                return super().name() + "!"
        """,
        "import work; print(work.scaled(2, [0]), work.Derived().name())",
    )
    assert out == "(3, 5, 3, 3, 2) base!\n"
    scale = [(call.args, call.closure, call.result) for call in calls(spool, "scale")]
    free = {"factor": 2, "items": [0]}
    assert scale == [({"n": 1}, free, 3), ({"n": 2}, free, 5)]
    assert lost(spool, "collect") == {"changes-closure": 1}
    assert lost(spool, "count") == {"changes-closure": 1}
    assert lost(spool, "fact") == {"type:builtins.function": 2}
    names = [(call.closure, call.result) for call in calls(spool, "name")]
    assert names == [({}, "base"), ({}, "base!")] or names == [({}, "base!"), ({}, "base")]


def test_enums_containers_and_functions_are_data(bench):
    _, spool = bench.run(
        """
        import collections
        import enum

        Colour = enum.Enum("Colour", "RED GREEN")
        Pair = collections.namedtuple("Pair", "a b")

        class Error(ValueError):
            pass

        def helper(n):
            return n

        def same(thing):
            return thing
        """,
        """
        import collections, operator, re, work

        class Mine:
            pass

        for thing in (
            work.Colour.RED, work.Pair(1, [2]), work.Error("a"), ValueError("b"), work.helper,
            lambda n: n, len, Mine, str.lower, Mine(), operator.add, object(),
            collections.deque([1]), re.compile("a"), int,
        ):
            work.same(thing)
        """,
    )
    things = [call.args["thing"] for call in calls(spool, "same")]
    assert [call.result for call in calls(spool, "same")] == things
    expected = [
        {"enum": ["work:Colour", "RED"]},
        {"instance": ["work:Pair", [], {"tuple": [1, [2]]}]},
        {"instance": ["work:Error", [], {"tuple": ["a"]}]},
        {"instance": ["builtins:ValueError", [], {"tuple": ["b"]}]},
        {"global": "work:helper"},
        {"global": "builtins:len"},
        {"global": "builtins:str.lower"},
        {"global": "operator:add"},
        {"deque": [{"tuple": [1]}, None]},
        {"pattern": ["a", 32]},
        {"global": "builtins:int"},
    ]
    assert sorted(things, key=json.dumps) == sorted(expected, key=json.dumps)
    assert lost(spool, "same") == {
        "type:builtins.function": 1,
        "type:builtins.type": 1,
        "type:__main__.Mine": 1,
        "type:builtins.object": 1,
    }


def test_a_changed_argument_that_is_no_data_loses_the_call(bench):
    _, spool = bench.run(
        """
        def spoil(items):
            items.append(object())

        def fill(items, **more):
            items.append(1)
            more["x"].append(2)
        """,
        "import work; work.spoil([]); work.fill([], x=[])",
    )
    assert lost(spool, "spoil") == {"after:type:builtins.object": 1}
    (fill,) = calls(spool, "fill")
    assert (fill.args, fill.after) == (
        {"items": [], "more": {"x": []}},
        {"items": [1], "more": {"x": [2]}},
    )


def test_hidden_state_is_noticed_where_the_interpreter_tells(bench):
    _, spool = bench.run(
        """
        import os, socket, subprocess, sys

        def pure(n):
            return n

        def reads(path):
            with open(path) as stream:
                return len(stream.read()) > 0

        def sets(name):
            os.environ[name] = "1"

        def connects(n):
            with socket.socket() as one:
                return one.connect_ex(("127.0.0.1", n))

        def spawns(code):
            return subprocess.call([sys.executable, "-c", code])

        def outer(path):
            return reads(path + "")
        """,
        """
        import threading, work
        work.pure(1), work.reads(__file__), work.sets("A"), work.connects(1), work.spawns("1")
        work.outer("/dev/" + "null")
        work.pure(2)
        """,
    )
    states = {}
    for one in spool.functions:
        states.setdefault(one.name, set()).update(*(call.state for call in one.calls))
    assert states["pure"] == set()
    assert states["reads"] == states["outer"] == {"file"}
    assert states["sets"] == {"environment"}
    assert states["connects"] == {"network"}
    assert "process" in states["spawns"]


def test_modules_run_as_programs_and_pools_of_processes(bench, tmp_path):
    _, spool = bench.run(
        """
        import sys

        def square(n):
            return n * n

        if __name__ == "__main__":
            print(square(int(sys.argv[1])))
        """,
        """
        import multiprocessing, os, subprocess, sys, work
        if __name__ == "__main__":
            folder = os.path.dirname(os.path.abspath(__file__))
            subprocess.check_call([sys.executable, "-m", "work", "7"], cwd=folder)
            with multiprocessing.get_context("fork").Pool(2) as pool:
                print(pool.map(work.square, [3, 4]))
        """,
    )
    assert [(call.args["n"], call.result) for call in calls(spool, "square")] == [
        (3, 9),
        (4, 16),
        (7, 49),
    ]


def test_generators_in_threads_and_deep_recursion_keep_apart(bench):
    out, spool = bench.run(
        """
        def walk(tree):
            if isinstance(tree, list):
                for part in tree:
                    yield from walk(part)
            else:
                yield tree

        def number(n):
            for m in range(n):
                yield (n, m)
        """,
        """
        import threading, work
        print(list(work.walk([1, [2, [3]]])))
        results = {}
        def run(n):
            results[n] = list(work.number(n))
        threads = [threading.Thread(target=run, args=(n,)) for n in range(1, 5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(sorted(map(len, results.values())))
        """,
    )
    assert out == "[1, 2, 3]\n[1, 2, 3, 4]\n"
    walked = {json.dumps(call.args["tree"]): call.result for call in calls(spool, "walk")}
    assert walked == {
        "[1, [2, [3]]]": [1, 2, 3],
        "[2, [3]]": [2, 3],
        "[3]": [3],
        "1": [1],
        "2": [2],
        "3": [3],
    }
    assert [len(call.result) for call in calls(spool, "number")] == [1, 2, 3, 4]
    assert all(call.ended for call in calls(spool, "number"))


def test_objects_live_no_longer_than_untraced(bench):
    out, _ = bench.run(
        """
        def give(thing):
            yield 1
            yield None

        def use(thing, **more):
            return thing
        """,
        """
        import gc, weakref, work

        class Thing(list):
            pass

        def gone(consume):
            thing = Thing([1])
            seen = weakref.ref(thing)
            consume(thing)
            del thing
            return seen() is None

        print(gone(lambda thing: work.use(thing, x=thing)))
        print(gone(lambda thing: list(work.give(thing))))
        """,
    )
    assert out == "True\nTrue\n"


def test_the_same_examples_in_every_interpreter(tmp_path):
    work = """
        def parse(text, *, strict=False, **more):
            parts = [part for part in text.split(",") if part]
            if strict and not parts:
                raise ValueError(text)
            return {"parts": parts, "more": more}

        def chunks(items, size):
            for start in range(0, len(items), size):
                yield items[start:start + size]
        """
    program = """
        import work

        class Expect:
            def __enter__(self):
                return self

            def __exit__(self, kind, error, trace):
                return True

        for text in ("", "a", "a,b", ",,"):
            for strict in (False, True):
                with Expect():
                    work.parse(text, strict=strict, x=1)
        for size in (1, 2, 3):
            list(work.chunks([1, 2, 3], size))
        """
    found = {}
    for version in INTERPRETERS:
        (tmp_path / version).mkdir()
        _, spool = Bench(tmp_path / version, version).run(work, program)
        found[version] = [
            [(dict(call.args), call.result, call.raises) for call in one.calls]
            for one in spool.functions
        ]
    assert all(each == found["3.11"] for each in found.values())
    assert [len(each) for each in found["3.11"]] == [8, 3]
