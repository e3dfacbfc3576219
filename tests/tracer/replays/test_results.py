"""What test runners print, counted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.tracer.replays.results import Results, count

PYTEST_SESSION = """\
============================= test session starts ==============================
platform linux -- Python 3.11.7, pytest-9.2.0, pluggy-1.6.0
collected 3 items

test_a.py ..F                                                            [100%]

=================================== FAILURES ===================================
E       assert '12 passed' == 0
----------------------------- Captured stdout call -----------------------------
checked: 40 passed the filter in 5 rounds
=========================== short test summary info ============================
FAILED test_a.py::test_c - AssertionError: 7 passed in 2 places
"""


@pytest.mark.parametrize(
    ("output", "tests"),
    [
        ("============================== 53 passed in 1.00s ==============================", 53),
        ("======================= 263 passed, 37 skipped in 3.05s ========================", 263),
        ("12 passed in 0.12s", 12),
        ("1 failed, 97 passed, 2 skipped, 1 xfailed, 3 warnings in 75.10s (0:01:15)", 97),
        ("== 1 failed, 97 passed, 1 deselected, 1 xpassed, 2 errors in 7500.10s (2:05:00) ==", 97),
        ("=========== 3 passed, 4 subtests passed in 0.03s ===========", 3),
        ("===== 10 passed, 1 warning in 0.50 seconds =====", 10),
        ("1 passed, 2 rerun in 0.01s", 1),
        ("\x1b[32m\x1b[32m\x1b[1m5 passed\x1b[0m\x1b[32m in 0.01s\x1b[0m\x1b[0m", 5),
        (
            "\x1b[31m=== \x1b[31m\x1b[1m1 failed\x1b[0m, \x1b[32m4 passed\x1b[0m\x1b[31m in 0.06s"
            "\x1b[0m\x1b[31m ===\x1b[0m",
            4,
        ),
        ("bringing up nodes...\n....  [100%]\n4 passed in 0.61s\r\n", 4),
        (f"{PYTEST_SESSION}========= 1 failed, 2 passed in 0.04s =========\n", 2),
        (f"{PYTEST_SESSION}3 failed in 0.04s\n", 0),
        ("============================ no tests ran in 0.01s =============================", 0),
        ("no tests ran in 0.00s", 0),
        ("============================== 3 skipped in 0.02s ==============================", 0),
        ("========================= 5 deselected, 1 error in 0.02s ========================", 0),
        ("0 passed in 0.01s", 0),
        ("", 0),
    ],
)
def test_counting_what_pytest_says(output, tests):
    assert count(output).passed == tests


@pytest.mark.parametrize(
    ("output", "tests"),
    [
        ("..\n" + "-" * 70 + "\nRan 2 tests in 0.003s\n\nOK\n", 2),
        ("Ran 1 test in 0.000s\n\nOK\n", 1),
        ("Ran 9 tests in 61.003s\r\n\r\nFAILED (failures=2, errors=1)\r\n", 6),
        ("Ran 9 tests in 0.003s\n\nOK (skipped=4)\n", 5),
        ("Ran 9 tests in 0.003s\n\nFAILED (failures=1, skipped=4, expected failures=1)\n", 4),
        ("Ran 1 test in 0.000s\n\nFAILED (errors=1)\n", 0),
        ("  Ran 12 tests with 1 failures, 2 errors and 3 skipped in 0.012 seconds.\n", 6),
        ("Ran 3 tests in 0.003s\n\nOK (skipped=3)\n", 0),
        ("Ran 0 tests in 0.000s\n\nNO TESTS RAN\n", 0),
        ("Ran 0 tests in 0.000s\n\nOK\n", 0),
        ("Ran 20 tests in 0.1s\n\nPASSED (successes=20)\n", 20),
        ("He said: Ran 5 tests in 0.1s\nRan 5 tests in 0.1s or so\n", 0),
    ],
)
def test_counting_what_unittest_says(output, tests):
    assert count(output).passed == tests


def test_several_commands_add_up():
    output = (
        "py311: commands[0]> pytest tests\n===== 10 passed in 0.10s =====\n"
        "py311: commands[1]> python -m unittest\nRan 5 tests in 0.1s\n\nOK (skipped=1)\n"
        "py311: commands[2]> pytest --doctest-modules src -q\n2 passed in 0.01s\n"
        "  py311: OK (2.00=setup[0.10]+cmd[1.90] seconds)\n  congratulations :) (2.05 seconds)\n"
    )
    assert count(output).passed == 16


@pytest.mark.parametrize("text", ["=" * 200_000, "1 a, " * 50_000, "1 passed, 1 " * 20_000])
def test_long_lines_are_read_once(text):
    assert count(text) == Results()


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.text("ab =,.\n", max_size=50))
def test_counts_survive_what_stands_around(passed, ran, noise):
    output = f"{noise}\n== {passed} passed in 1.00s ==\n{noise}\nRan {ran} tests in 0.1s\n{noise}"
    assert count(output).passed == passed + ran


@pytest.mark.parametrize(
    ("output", "results"),
    [
        ("= 2 failed, 5 passed, 3 skipped, 1 xfailed, 4 errors in 1.00s =", Results(5, 6, 3)),
        ("1 error in 0.10s", Results(0, 1, 0)),
        ("Ran 9 tests in 1s\n\nFAILED (failures=2, errors=1, skipped=3)\n", Results(3, 3, 3)),
        ("Ran 9 tests in 1s\n\nOK (expected failures=2)\n", Results(9, 0, 0)),
        ("Ran 197 tests in 1s\n\nOK (skipped=276)\n", Results(197, 0, 276)),  # of subtests
        ("Ran 0 tests in 1s\n\nOK (skipped=5)\n", Results(0, 0, 5)),
        ("Ran 4 tests with 1 failures, 0 errors, 1 skipped in 2 seconds.", Results(2, 1, 1)),
        ("1 passed in 1s\nRan 2 tests in 1s\n\nOK (skipped=1)\n", Results(2, 0, 1)),
    ],
)
def test_failures_and_skips_are_told_apart(output, results):
    assert count(output) == results
