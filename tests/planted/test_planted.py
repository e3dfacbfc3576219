"""The planted set is as large as promised, and what became of it is counted rightly."""

import ast
from collections import Counter

import msgspec
import pytest

from tests.planted import collection, run
from tests.planted.build import CLEAN, UNORDERED, Call, Raises, function, program
from tests.planted.kinds import CAUGHT
from tests.planted.outcome import lines, tally
from thresher.judging import Judges

TWICE = 'def twice(x):\n    """Double a number: twice(3) -> 6"""\n    return 2 * x\n'
CASES = [((3,), 6), ((0,), 0)]


def planted(kind=CLEAN, text=TWICE, **more):
    return function(kind, text, CASES, **more)


def after(one, **changed):
    return {one.problem.task_id: msgspec.structs.replace(one.problem, **changed)}


def dropped(one, reason):
    return {one.problem.task_id: reason}


def test_the_set_is_large_and_varied():
    everything = collection.everything()
    kinds = Counter(one.kind for one in everything)
    clean = kinds.pop(CLEAN)
    assert len(everything) >= 300
    assert clean >= 150
    assert kinds.total() >= 150
    assert len(kinds) >= 15
    assert set(kinds) == set(CAUGHT)
    ids = {one.problem.task_id for one in everything}
    assert all(one.twin in ids for one in everything if one.twin)
    names = [one.name for one in everything]
    assert len(set(names)) == len(names)


def test_clean_problems_are_documented_and_have_cases():
    for one in collection.everything():
        if one.kind != CLEAN:
            continue
        assert 4 <= len(one.problem.cases) <= 8, one.name
        tree = ast.parse(one.problem.prompt + one.problem.canonical_solution)
        documented = tree if one.problem.style == "stdio" else tree.body[-1]
        assert len(ast.get_docstring(documented) or ast.get_docstring(tree)) > 20, one.name


def test_a_program_is_cut_behind_its_docstring():
    one = planted("kind", name="other").problem
    assert one.prompt == 'def twice(x):\n    """Double a number: twice(3) -> 6"""\n'
    assert one.canonical_solution == "    return 2 * x\n"
    assert one.entry_point == "twice"
    assert [case.shown for case in one.cases] == [True, False]
    text = 'def f(x):\n    """Do."""\n    x.append(1)\n'
    calls = [Call(([],), None, after={"0": [1]}), ((5,), Raises("AttributeError"))]
    first, second = function(CLEAN, text, calls).problem.cases
    assert (first.after, second.raises) == ({"0": [1]}, "AttributeError")
    printing = program(CLEAN, "n", "Print 1.", "print(1)\n", [("", "1\n")]).problem
    assert (printing.style, printing.prompt) == ("stdio", '"""Print 1.\n"""\n')


def test_drops_for_the_right_reason_are_caught():
    one = planted("wrong doctest")
    right = tally([one], {}, dropped(one, "alignment: example-disagrees"), {})
    assert (right.recall, right.kinds["wrong doctest"].caught) == (1.0, 1)
    wrong = tally([one], {}, dropped(one, "trivial: echo-passes"), {})
    assert wrong.recall == 0.0
    assert wrong.kinds["wrong doctest"].otherwise == ["wrong doctest/twice: trivial: echo-passes"]
    missed = tally([one], after(one), {}, {})
    assert missed.kinds["wrong doctest"].missed == ["wrong doctest/twice"]
    assert not missed.good()


def test_repairs_are_caught():
    one = planted("any order")
    assert tally([one], after(one, comparator=UNORDERED), {}, {}).recall == 1.0
    bad = planted("breach of range", bad=1)
    first, second = bad.problem.cases
    assert tally([bad], after(bad, cases=(first,)), {}, {}).recall == 1.0
    assert tally([bad], after(bad, cases=(second,)), {}, {}).recall == 0.0
    weak = planted("weak cases")
    more = (*weak.problem.cases, msgspec.structs.replace(first, args=(9,)))
    assert tally([weak], after(weak, cases=more), {}, {}).recall == 1.0


def test_clean_problems_that_are_dropped_are_false_alarms():
    one = planted()
    counted = tally([one], {}, dropped(one, "licence: unknown-licence"), {})
    assert counted.false == ["clean/twice: licence: unknown-licence"]
    assert (counted.false_rate, counted.good()) == (1.0, False)
    counted = tally([one], after(one, comparator=UNORDERED), {}, {})
    assert (counted.false, counted.changed) == ([], ["clean/twice: mended: comparator"])
    assert counted.good()


def test_of_twins_exactly_one_may_stay():
    first = planted()
    second = planted("duplicate, exact", name="again", twin=first.problem.task_id)
    for gone, stays in ((first, second), (second, first)):
        counted = tally([first, second], after(stays), dropped(gone, "duplicates: exact"), {})
        assert (counted.recall, counted.false) == (1.0, [])
    both = dropped(first, "duplicates: exact") | dropped(second, "duplicates: exact")
    assert len(tally([first, second], {}, both, {}).false) == 1
    assert tally([first, second], after(first) | after(second), {}, {}).recall == 0.0


def test_what_the_sandbox_failed_on_is_not_counted():
    one = planted()
    counted = tally([one], {}, {}, dropped(one, "no sandbox"))
    assert counted.failed == ["clean/twice: no sandbox"]
    assert not counted.good()


def test_the_table_names_everything():
    first = planted("vacuous test", name="constant")
    other = planted(name="fine")
    reason = dropped(first, "trivial: constant-passes")
    said = list(lines(tally([first, other], after(other), reason, {})))
    assert said[1].split() == ["vacuous", "test", "1", "1", "trivial:", "constant-passes", "1"]
    assert said[-2:] == ["faults: 1 of 1 kinds, 100.0% caught", "clean: 1, 0 false alarms (0.0%)"]


@pytest.fixture(scope="module")
def judges():
    with Judges(1) as pool:
        yield pool


def test_answers_are_recorded_from_the_reference(judges):
    text = 'def half(x):\n    """Halve."""\n    return 10 // x\n'
    one = function("flaky: clock", text, [(2,), (0,)], recorded=True)
    first, second = run.recorded(one, judges).problem.cases
    assert (first.expected, first.raises) == (5, None)
    assert (second.expected, second.raises) == (None, "ZeroDivisionError")


def test_filters_run_over_a_part_of_the_set(capsys):
    assert run.main(["--kind", "no cases", "--filters", "reference"]) == 0
    assert "faults: 3 of 1 kinds, 100.0% caught" in capsys.readouterr().out
    assert run.main(["--kind", "weak cases", "--filters", "reference", "--json"]) == 1
    assert '"recall": 0.0' in capsys.readouterr().out
