"""Calls of library functions, recorded in small programs of ours under every interpreter found."""

import pytest

from tests.tracer.bench import INTERPRETERS, Bench


@pytest.fixture(params=list(INTERPRETERS))
def bench(request, tmp_path):
    return Bench(tmp_path, request.param)


@pytest.fixture
def present(tmp_path):
    return Bench(tmp_path, next(iter(INTERPRETERS)))


def recorded(spool):
    """Return (arguments, outcome, after) of the calls of each function."""
    found = {}
    for function in spool.functions:
        for call in function.calls:
            args, kwargs = call.args["args"], call.args["kwargs"]
            row = (args, kwargs, call.raises or call.result, call.after.get("args"))
            found.setdefault(function.name, []).append(row)
    return found


def test_functions_methods_and_classes_are_recorded_with_all_arguments(bench):
    out, spool = bench.run(
        """
        import math, operator
        from collections import Counter

        def work(text):
            parts = text.split(",", maxsplit=1)
            parts.append(len(text))
            bits = dict.fromkeys("ab", 0)
            return parts, bits, operator.add(1, 2), Counter("aab").most_common(1), math.sqrt(4.0)

        def fail(text):
            try:
                return int(text)
            except ValueError:
                return str.lower(text)
        """,
        """
        import work
        print(work.work("a,b,c"), work.fail("X"))
        """,
        library=True,
    )
    assert out == "(['a', 'b,c', 5], {'a': 0, 'b': 0}, 3, [('a', 2)], 2.0) x\n"
    assert (spool.partial, spool.unfinished, spool.processes) == (None, 0, 1)
    calls = recorded(spool)
    counter = {"counter": [{"dict": [["a", 2], ["b", 1]]}]}
    assert calls == {
        "builtins:dict.fromkeys": [(["ab", 0], {}, {"dict": [["a", 0], ["b", 0]]}, None)],
        "builtins:int": [(["X"], {}, "ValueError", None)],
        "builtins:len": [(["a,b,c"], {}, 5, None)],
        "builtins:list.append": [([["a", "b,c"], 5], {}, None, [["a", "b,c", 5], 5])],
        "builtins:str.lower": [(["X"], {}, "x", None)],
        "builtins:str.split": [(["a,b,c", ","], {"maxsplit": 1}, ["a", "b,c"], None)],
        "collections:Counter": [(["aab"], {}, counter, None)],
        "collections:Counter.most_common": [([counter, 1], {}, [{"tuple": ["a", 2]}], None)],
        "math:sqrt": [([4.0], {}, 2.0, None)],
        "operator:add": [([1, 2], {}, 3, None)],
    }
    places = {(f.name, f.file, f.line) for f in spool.functions if f.calls}
    assert {("builtins:str.split", "work.py", 6), ("builtins:int", "work.py", 13)} <= places


def test_what_is_not_pure_or_not_of_the_library_is_left_alone(bench):
    out, spool = bench.run(
        """
        import os, random, re, sys, time, functools

        class Text(str):
            def upper(self):
                return "own"

        class Loud(type):
            def __hash__(cls):
                print("touched")
                return 1

        class Thing(metaclass=Loud):
            def __getattr__(self, name):
                print("touched", name)
                return None

            def __call__(self):
                return sys._getframe(1).f_code.co_name

        def own(x):
            return x

        def work():
            os.getcwd(), time.time(), random.random()
            own(1), Text("a").upper(), Text("b").lower(), Thing()(), functools.partial(own, 2)()
            return super.__name__, locals(), [x for x in map(own, "ab")], Thing()()
        """,
        """
        import work
        print(work.work())
        """,
        library=True,
    )
    assert out == "('super', {}, ['a', 'b'], 'work')\n"
    assert recorded(spool) == {}


def test_what_is_no_data_is_counted_and_the_call_made_as_it_was(present):
    out, spool = present.run(
        """
        import math

        class Own:
            def __len__(self):
                return 3

            def __repr__(self):
                return "own"

        def work():
            got = iter([1, 2])
            return sum(got), len(Own()), repr(Own()), sorted([3, 1], key=lambda n: -n), min("ba")
        """,
        """
        import work
        print(work.work())
        """,
        library=True,
    )
    assert out == "(3, 3, 'own', [3, 1], 'a')\n"
    assert recorded(spool) == {"builtins:min": [(["ba"], {}, "a", None)]}
    lost = {f.name: dict(f.lost) for f in spool.functions if f.lost}
    assert lost == {
        "builtins:len": {"type:work.Own": 1},
        "builtins:repr": {"type:work.Own": 1},
        "builtins:sorted": {"type:builtins.function": 1},
        "builtins:sum": {"type:builtins.list_iterator": 1},
    }


def test_functions_of_the_library_can_be_arguments(present):
    _, spool = present.run(
        "def work(words):\n    return sorted(words, key=str.lower)\n",
        'import work\nwork.work(["b", "A"])\n',
        library=True,
    )
    key = {"key": {"global": "builtins:str.lower"}}
    assert recorded(spool) == {"builtins:sorted": [([["b", "A"]], key, ["A", "b"], None)]}


def test_equal_calls_are_recorded_once_and_a_full_function_is_left_alone(present):
    out, spool = present.run(
        "def work(n):\n    return abs(n)\n",
        """
        import work
        print(sum(work.work(-(n // 2)) for n in range(100)))
        """,
        limit=10,
        library=True,
    )
    assert out == "2450\n"
    assert sorted(row[0] for row in recorded(spool)["builtins:abs"]) == [
        [-n] for n in range(9, -1, -1)
    ]
    (function,) = (f for f in spool.functions if f.name == "builtins:abs")
    assert (function.seen, function.duplicates, function.stopped) == (19, 9, {"full"})


def test_errors_pass_with_the_lines_of_the_program(bench):
    out, spool = bench.run(
        """
        import traceback

        def work():
            try:
                int(
                    "x"
                )
            except ValueError as error:
                frames = traceback.extract_tb(error.__traceback__)
                return error.args[0], frames[0][1] in (6, 7), frames[0][2], error.__context__

        def deep(n):
            return max(n, deep(n + 1))
        """,
        """
        import work
        print(work.work())
        try:
            work.deep(0)
        except RecursionError:
            print("too deep")
        """,
        library=True,
    )
    assert out.startswith("(\"invalid literal for int() with base 10: 'x'\", True, 'work', None)")
    assert out.endswith("\ntoo deep\n")
    assert recorded(spool) == {"builtins:int": [(["x"], {}, "ValueError", None)]}


def test_a_compiled_file_is_not_read(present):
    program = """
        import os, py_compile, sys
        place = os.path.join(sys.path[0], "work.py")
        py_compile.compile(place)
        import work
        print(work.work())
        """
    out, spool = present.run("def work():\n    return len('ab')\n", program, library=True)
    assert out == "2\n"
    assert recorded(spool) == {"builtins:len": [(["ab"], {}, 2, None)]}


def test_objects_and_classes_of_the_program_die_as_they_would(present):
    out, spool = present.run(
        """
        import weakref

        class Words(list):
            pass

        def work():
            class Local(dict):
                pass

            words, local = Words("ab"), Local(a=1)
            gone = [weakref.ref(words), weakref.ref(local), weakref.ref(Local)]
            words.append("c"), local.get("a"), words.count("a")
            return gone
        """,
        """
        import gc, work
        gone = work.work()
        gc.collect()
        print([ref() for ref in gone])
        """,
        library=True,
    )
    assert out == "[None, None, None]\n"
    assert recorded(spool) == {}
