"""The recorder in small programs of our own, under every interpreter found."""

import json
import shutil
import subprocess
import sys

import pytest

from tests.interpreters import interpreters
from tests.tracer.bench import MODULES, RECORDING, Bench
from thresher.tracer.recording.spool import Spool, read

INTERPRETERS = interpreters()


@pytest.fixture(params=list(INTERPRETERS))
def bench(request, tmp_path):
    return Bench(tmp_path, request.param)


def calls(spool: Spool, name: str) -> list[tuple]:
    """Return (arguments, outcome, changed arguments) of a function's recorded calls."""
    found = [function for function in spool.functions if function.name == name]
    return [
        (dict(call.args), call.raises or call.result, call.after)
        for function in found
        for call in function.calls
    ]


def function(spool: Spool, name: str):
    (found,) = [function for function in spool.functions if function.name == name]
    return found


def test_arguments_are_kept_as_at_entry_with_every_kind_of_parameter(bench):
    out, spool = bench.run(
        """
        def every(a, b=2, *rest, key=None, **more):
            a.append(b)
            more.pop("x", None)
            b = rest = None
            return a

        def plain(a):
            return a + 1
        """,
        """
        import work
        print(work.every([1], 3, 4, (5,), key="k", x=1, y=2.0))
        print(work.plain(1), work.plain(2), work.plain(1))
        """,
    )
    assert out == "[1, 3]\n2 3 2\n"
    args = {"a": [1], "b": 3, "rest": [4, {"tuple": [5]}], "key": "k", "more": {"x": 1, "y": 2.0}}
    assert calls(spool, "every") == [(args, [1, 3], {"a": [1, 3]})]
    kinds = [tuple(parameter) for parameter in function(spool, "every").calls[0].parameters]
    assert kinds == [
        ("a", "POSITIONAL_OR_KEYWORD"),
        ("b", "POSITIONAL_OR_KEYWORD"),
        ("key", "KEYWORD_ONLY"),
        ("rest", "VAR_POSITIONAL"),
        ("more", "VAR_KEYWORD"),
    ]
    assert calls(spool, "plain") == [({"a": 1}, 2, {}), ({"a": 2}, 3, {})]
    plain = function(spool, "plain")
    assert (plain.file, plain.line, plain.qualname) == ("work.py", 8, "plain")
    assert (plain.seen, plain.duplicates, plain.lost, plain.stopped) == (3, 1, {}, frozenset())
    assert (spool.partial, spool.processes, spool.unfinished) == (None, 1, 0)


def test_taking_from_its_own_keywords_does_not_count_as_mutation(bench):
    _, spool = bench.run(
        """
        def take(items, **more):
            return more.pop("x"), items
        """,
        "import work; work.take((1,), x=1)",
    )
    assert [after for _, _, after in calls(spool, "take")] == [{}]


def test_an_exception_is_told_from_a_returned_none(bench):
    _, spool = bench.run(
        """
        class Own(Exception):
            pass

        def check(n):
            with open(__file__):
                if n == 1:
                    return 5
            if n == 2:
                raise ValueError(n)
            if n == 3:
                raise Own(n)
            if n == 4:
                int("x")
            if n == 5:
                inner(n)

        def inner(n):
            return {}[n]
        """,
        """
        import work

        class Expect:
            def __enter__(self):
                return self

            def __exit__(self, kind, error, trace):
                return True

        for n in range(6):
            with Expect():
                work.check(n)
        """,
    )
    outcomes = {args["n"]: outcome for args, outcome, _ in calls(spool, "check")}
    assert outcomes == {
        0: None,
        1: 5,
        2: "ValueError",
        3: "work.Own",
        4: "ValueError",
        5: "KeyError",
    }
    assert calls(spool, "inner") == [({"n": 5}, "KeyError", {})]


def test_an_exception_that_nothing_lets_us_see_is_counted(bench):
    _, spool = bench.run(
        """
        def fail(n):
            raise ValueError(n)

        def after():
            pass
        """,
        """
        import work
        try:
            work.fail(1)
        except ValueError:
            pass
        work.after()
        """,
    )
    fail = function(spool, "fail")
    if bench.monitored:
        assert calls(spool, "fail") == [({"n": 1}, "ValueError", {})]
    else:
        assert (fail.calls, fail.lost) == ((), {"raises-unseen": 1})
    assert calls(spool, "after") == [({}, None, {})]


def test_recursion_and_nested_functions(bench):
    _, spool = bench.run(
        """
        def factorial(n):
            return 1 if n == 0 else n * factorial(n - 1)

        def outer(n):
            def inner(m):
                return n + m
            return inner(1)
        """,
        "import work; work.factorial(25); work.outer(2)",
    )
    results = {args["n"]: result for args, result, _ in calls(spool, "factorial")}
    assert len(results) == 26
    assert results[3] == 6
    assert results[25] == {"int": "15511210043330985984000000"}
    assert calls(spool, "inner") == [({"m": 1}, 3, {})]


def test_lambdas_and_comprehensions_are_left_out(bench):
    _, spool = bench.run(
        """
        half = lambda n: n // 2

        def named(n):
            return sum(half(m) for m in [m for m in range(n)])
        """,
        "import work; work.named(3)",
    )
    assert [function.name for function in spool.functions] == ["named"]


def test_a_result_that_is_no_value_is_counted(bench):
    _, spool = bench.run("def make(n):\n    return object()\n", "import work; work.make(1)")
    assert function(spool, "make").lost == {"result:type:builtins.object": 1}


def test_a_full_function_stops(bench):
    out, spool = bench.run(
        "def twice(n):\n    return 2 * n\n",
        "import work; print(sum(work.twice(n) for n in range(1000)))",
        limit=5,
    )
    assert out == "999000\n"
    twice = function(spool, "twice")
    assert [call.args["n"] for call in twice.calls] == [0, 1, 2, 3, 4]
    assert (twice.seen, twice.stopped) == (5, {"full"})


def test_a_function_is_given_up_after_many_failures_or_repeats(bench):
    _, spool = bench.run(
        """
        class Thing:
            def __del__(self):
                pass

        def identity(thing):
            return thing

        def same(n):
            return n
        """,
        """
        import work
        thing = work.Thing()
        for n in range(3000):
            work.identity(thing)
            work.same(1)
        """,
    )
    identity, same = function(spool, "identity"), function(spool, "same")
    assert identity.stopped == {"unencodable"}
    assert identity.lost == {"type:work.Thing": 12}
    assert identity.seen == 397
    assert (same.seen, same.duplicates, same.stopped) == (2601, 200, {"repeating"})
    assert len(same.calls) == 1


def test_threads_subprocesses_and_forks_are_recorded(bench):
    out, spool = bench.run(
        "def where(place):\n    return len(place)\n",
        """
        import os, subprocess, sys, threading
        import work
        work.where("main")
        thread = threading.Thread(target=work.where, args=("thread",))
        thread.start()
        thread.join()
        code = "import sys; sys.path.insert(0, %r); import work; work.where('subprocess')"
        subprocess.check_call([sys.executable, "-c", code % os.path.dirname(__file__)])
        sys.stdout.flush()
        if os.fork() == 0:
            work.where("fork")
            sys.exit(0)
        os.wait()
        if os.fork() == 0:
            work.where("killed")
            os._exit(0)
        os.wait()
        print("done")
        """,
    )
    assert out == "done\n"
    places = {args["place"] for args, _, _ in calls(spool, "where")}
    assert places == {"main", "thread", "subprocess", "fork", "killed"}
    assert (spool.processes, spool.unfinished) == (4, 1)


def test_a_program_that_removes_the_hook_makes_the_recording_partial(bench):
    _, spool = bench.run(
        "def f(n):\n    return n\n",
        """
        import sys, work
        work.f(1)
        sys.setprofile(None)
        work.f(2)
        """,
    )
    if bench.monitored:  # another hook, which the program didn't touch
        assert (len(calls(spool, "f")), spool.partial) == (2, None)
    else:
        assert calls(spool, "f") == [({"n": 1}, 1, {})]
        assert spool.partial == "the program removed the recorder's hook"


@pytest.mark.parametrize("version", [v for v in INTERPRETERS if v in ("3.12", "3.13", "3.14")])
def test_a_program_that_takes_our_monitoring_makes_the_recording_partial(version, tmp_path):
    _, spool = Bench(tmp_path, version).run(
        "def f(n):\n    return n\n",
        """
        import sys, work
        for tool in range(6):
            if sys.monitoring.get_tool(tool):
                sys.monitoring.set_events(tool, 0)
                sys.monitoring.free_tool_id(tool)
        """,
    )
    assert spool.partial == "the program removed the recorder's hook"


def test_hostile_objects_are_not_touched(bench):
    out, spool = bench.run(
        """
        class Meta(type):
            def __hash__(cls):
                print("touched: hash of the class")
                return 1

        class Hostile(metaclass=Meta):
            def __eq__(self, other):
                print("touched: eq")
                return True

            __hash__ = None

            def __repr__(self):
                raise RuntimeError("touched: repr")

            def __getattribute__(self, name):
                print("touched:", name)
                return object.__getattribute__(self, name)

            def __del__(self):
                print("gone")

        class Loud(Exception):
            def __getattribute__(self, name):
                print("touched:", name)
                return object.__getattribute__(self, name)

        def through(thing):
            return thing

        def boxed(things):
            return things

        def fail():
            raise Loud()
        """,
        """
        import work
        work.through(work.Hostile())
        work.boxed([work.Hostile()])
        try:
            work.fail()
        except work.Loud:
            work.through(1)
        print("end")
        """,
    )
    assert out == "gone\ngone\nend\n"
    assert function(spool, "through").lost == {"type:work.Hostile": 1}
    assert function(spool, "boxed").lost == {"type:work.Hostile": 1}
    assert calls(spool, "fail") == [({}, "work.Loud", {})]


def test_programs_that_close_descriptors_and_replace_functions_go_on(bench):
    out, spool = bench.run(
        "def f(n):\n    return n\n",
        """
        import json, os
        import work
        work.f(1)
        os.closerange(3, 50)
        with open(__file__) as stream:
            work.f(2)
            os.open = os.write = os.getpid = json.dumps = None
            work.f(3)
            print(len(stream.read()) > 0)
        """,
    )
    assert out == "True\n"
    assert [args["n"] for args, _, _ in calls(spool, "f")] == [1, 2, 3]


def test_deep_recursion_ends_as_it_would_untraced(bench):
    out, _ = bench.run(
        "def down(n):\n    return down(n + 1)\n",
        """
        import work
        try:
            work.down(0)
        except RecursionError:
            print("RecursionError")
        """,
    )
    assert out == "RecursionError\n"


def test_generated_code_does_not_confuse_it(bench):
    _, spool = bench.run(
        "def f(n):\n    return n\n",
        """
        import work
        for n in range(300):
            space = {}
            exec(compile("def g(n): return n", "generated-%d.py" % (n % 2), "exec"), space)
            space["g"](n)
        work.f(1)
        """,
    )
    assert [function.name for function in spool.functions] == ["f"]
    assert calls(spool, "f") == [({"n": 1}, 1, {})]


def test_without_a_configuration_nothing_happens(tmp_path):
    for name, path in MODULES.items():
        shutil.copyfile(path, tmp_path / f"thresher_{name}.py")
    code = "import thresher_recorder, sys; print(sys.getprofile())"
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert (ran.stdout, ran.stderr) == ("None\n", "")


@pytest.mark.parametrize("version", list(INTERPRETERS))
def test_an_environment_it_is_attached_to_records_each_process(version, tmp_path):
    environment, tools, spool = tmp_path / "env", tmp_path / "tools", tmp_path / "spool"
    subprocess.run(
        [INTERPRETERS[version], "-m", "venv", "--without-pip", str(environment)], check=True
    )
    for folder in (tools, spool):
        folder.mkdir()
    for name, path in MODULES.items():
        shutil.copyfile(path, tools / f"{name}.py")
    config = {"spool": str(spool), "files": ["textwrap.py"], "examples_per_function": 5}
    python = str(environment / "bin" / "python")
    attach = [python, str(RECORDING / "attach.py"), str(tools), json.dumps(config)]
    subprocess.run(attach, check=True)
    program = "import textwrap; print(textwrap.dedent('  a'))"
    ran = subprocess.run([python, "-c", program], capture_output=True, text=True, check=True)
    assert (ran.stdout, ran.stderr) == ("a\n", "")
    recorded = read(spool)
    assert [outcome for _, outcome, _ in calls(recorded, "dedent")] == ["a"]
    assert calls(recorded, "dedent")[0][0] == {"text": "  a"}


def test_attach_refuses_an_incomplete_configuration(tmp_path):
    argv = [sys.executable, str(RECORDING / "attach.py"), str(tmp_path), '{"spool": "x"}']
    ran = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert ran.returncode != 0
    assert "lacks examples_per_function, files" in ran.stderr
