"""When a profile function sleeps and wakes, on the interpreters that need one."""

import pytest

from tests.tracer.bench import INTERPRETERS, Bench
from thresher.tracer.recording.spool import Spool

OLD = [version for version in INTERPRETERS if tuple(map(int, version.split("."))) < (3, 12)]
WORK = """
    def f(n):
        return n
    """
# As pytest does it; a module of that name is all that the recorder looks for.
RUNNER = """
    import os, sys, types

    def _update_current_test_var(phase):
        if phase is None:
            os.environ.pop("PYTEST_CURRENT_TEST")
        else:
            os.environ["PYTEST_CURRENT_TEST"] = phase

    def pytest_runtest_setup(act):
        _update_current_test_var("setup")
        act()

    def pytest_runtest_call(act):
        _update_current_test_var("call")
        act()

    def pytest_runtest_teardown(act):
        _update_current_test_var("teardown")
        act()
        _update_current_test_var(None)

    runner = types.ModuleType("_pytest.runner")
    vars(runner).update(globals())
    sys.modules["_pytest.runner"] = runner

    def spin(n):
        for _ in range(n):
            nothing()

    def nothing():
        pass

    def asleep():
        return sys.getprofile() is None
    """


@pytest.fixture(params=OLD)
def bench(request, tmp_path):
    return Bench(tmp_path, request.param)


def seen(spool: Spool) -> list[int]:
    return [call.args["n"] for function in spool.functions for call in function.calls]


def test_it_wakes_when_the_project_is_imported(bench):
    out, spool = bench.run(
        WORK,
        """
        import sys
        print(sys.getprofile() is None)
        import work
        print(sys.getprofile() is None, work.f(1))
        """,
    )
    assert out == "True\nFalse 1\n"
    assert (seen(spool), spool.partial) == ([1], None)


def test_without_announced_tests_it_never_sleeps_again(bench):
    _, spool = bench.run(WORK, f"{RUNNER}\n    del sys.modules['_pytest.runner']" + """
    import work
    spin(20000)
    work.f(1)
    """)  # fmt: skip
    assert seen(spool) == [1]


def test_it_sleeps_between_the_phases_of_tests(bench):
    out, spool = bench.run(WORK, RUNNER + """
    import work
    for n in range(3):
        runner.pytest_runtest_setup(lambda: work.f(10 + n))
        print(asleep(), end=" ")
        work.f(-1)
        runner.pytest_runtest_call(lambda: work.f(20 + n))
        print(asleep(), end=" ")
        runner.pytest_runtest_teardown(lambda: work.f(30 + n))
        print(asleep())
    """)  # fmt: skip
    assert out == "True True True\n" * 3
    assert sorted(seen(spool)) == [10, 11, 12, 20, 21, 22, 30, 31, 32]
    assert spool.partial is None


def test_it_sleeps_after_a_while_without_a_call_of_interest(bench):
    out, spool = bench.run(WORK, RUNNER + """
    import work
    def first():
        work.f(1)
        spin(1000)
        work.f(2)
        spin(3000)
        print(asleep())
        work.f(3)
    runner.pytest_runtest_call(first)
    runner.pytest_runtest_call(lambda: work.f(4))
    """)  # fmt: skip
    assert out == "True\n"
    assert seen(spool) == [1, 2, 4]


def test_a_call_that_goes_on_keeps_it_awake(bench):
    _, spool = bench.run(
        """
        def through(act):
            return act

        def long(n, spin=len):
            for _ in range(5000):
                through(None)
            return n
        """,
        RUNNER + """
    import work
    runner.pytest_runtest_call(lambda: work.long(7))
    """,
    )  # fmt: skip
    assert [call.result for one in spool.functions if one.name == "long" for call in one.calls] == [
        7
    ]


def test_another_profile_function_is_left_alone(bench):
    out, spool = bench.run(WORK, RUNNER + """
    import work
    def other(*event):
        pass
    def first():
        work.f(1)
        sys.setprofile(other)
    runner.pytest_runtest_call(first)
    runner.pytest_runtest_call(lambda: work.f(2))
    print(sys.getprofile() is other)
    """)  # fmt: skip
    assert out == "True\n"
    assert seen(spool) == [1]
    assert spool.partial == "the program removed the recorder's hook"
