"""The four filters and their chain on small problems, judged in the real sandbox."""

import msgspec
import pytest

from tests.store.builders import case, problem, source
from tests.store.builders import program as text_program
from thresher.errors import ModelError
from thresher.filters import chain, reference, solvable, trivial
from thresher.filters.filter import Filter, Options, indent, parameters
from thresher.filters.solvable import Solvable
from thresher.judging import Judged
from thresher.progress import PlainReporter
from thresher.store.audit import lines, show
from thresher.store.export import kept
from thresher.store.funnel import funnel
from thresher.store.records import Decision, Execution, Problem, Refinement, TestCase
from thresher.store.workspace import open_writer

DOUBLE = problem(cases=(case(2, expected=4), case("ab", expected="abab"), case(0.5, expected=1.0)))


def found(module, one, tools):
    decision = module.apply(one, tools._replace(options=module.FILTER.options)).decision
    return decision.keep, decision.reason


def test_a_right_reference_is_kept(make_tools):
    finding = reference.apply(DOUBLE, make_tools()[0])
    assert finding.decision.keep
    assert finding.decision.evidence.startswith("passed 3 of 3 runs, 0.0")
    assert finding.decision.evidence.endswith("others get 3 s of CPU time within 60 s")
    assert [e.verdict for e in finding.executions] == ["pass"] * 3


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("    return 3 * x\n", "reference-fail"),
        ("    return x.\n", "reference-fail"),
        ("    return [0] * 10**11\n", "reference-out_of_memory"),
        ("    import os; os.abort()\n", "reference-crash"),
        ("    while True: pass\n", "too-slow"),
        (
            "    import time\n    while time.process_time() < 1.1: pass\n    return 2 * x\n",
            "too-slow",
        ),
    ],
)
def test_a_wrong_reference_is_dropped(make_tools, body, reason):
    assert found(reference, problem(body=body), make_tools()[0]) == (False, reason)


def test_a_problem_without_cases_is_dropped_and_nothing_is_run(make_tools):
    finding = reference.apply(problem(cases=()), make_tools()[0])
    assert (finding.decision.keep, finding.decision.reason) == (False, "no-cases")
    assert finding.executions == ()


def test_answers_of_another_type_are_wrong(make_tools):
    for given, wanted in [("1", True), ("True", 1), ("1", 1.0), ("-0.0", 0.0), ("[1]", (1,))]:
        one = problem(body=f"    return {given}\n", cases=(case(2, expected=wanted),))
        assert found(reference, one, make_tools()[0]) == (False, "reference-fail")


def test_a_problem_without_a_known_solution_is_dropped_and_nothing_is_run(make_tools):
    finding = reference.apply(text_program(body=""), make_tools()[0])
    assert (finding.decision.keep, finding.decision.reason) == (False, "no-solution")
    assert finding.executions == ()


def test_a_program_is_run_in_its_exported_form_too(make_tools):
    finding = reference.apply(text_program(), make_tools()[0])
    assert finding.decision.keep
    assert [e.purpose for e in finding.executions] == ["reference"] * 3 + ["function form"]
    formless = text_program("import os\nos.write(1, b'%d' % (2 * int(input())))\n")
    finding = reference.apply(formless, make_tools()[0])
    assert finding.decision.keep
    assert [e.purpose for e in finding.executions] == ["reference"] * 3


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("print(4)\n", "reference-fail"),
        ("import sys\nprint(2 * int(input()))\nsys.stdout.close()\n", "function-form-fails"),
    ],
)
def test_a_wrong_program_is_dropped(make_tools, body, reason):
    assert found(reference, text_program(body), make_tools()[0]) == (False, reason)


def test_a_form_that_is_slow_in_all_cases_together_is_dropped(make_tools):
    class ByStyle:
        def verdict(self, one, source, limits):
            return Judged("pass", None, "", 0.4 if one.style == "stdio" else 1.2, 2.0)

    tools = make_tools()[0]._replace(judges=ByStyle())
    assert found(reference, text_program(), tools) == (False, "too-slow")


@pytest.mark.parametrize(
    ("cases", "reason"),
    [
        ([("2\n", "4\n"), ("3\n", "6\n")], "kept"),
        ([("2\n", "\n"), ("3\n", "")], "empty-passes"),
        ([("2\n", "no\n"), ("3\n", "no\n")], "constant-passes"),
        ([("2\n", "2\n"), ("3 4\n5\n", "3 4\n5\n")], "echo-passes"),
        ([("2 1\n", "1 2\n"), ("3 4\n2\n", "2 3 4\n")], "conversion-passes"),
        ([("2 1\n", "2\n"), ("3 4 2\n", "3\n")], "conversion-passes"),
    ],
)
def test_a_program_that_knows_nothing_must_fail(make_tools, cases, reason):
    one = text_program(cases=cases)
    assert found(trivial, one, make_tools()[0]) == (reason == "kept", reason)


def test_a_program_is_sampled_as_a_function(make_tools):
    tools, _ = make_tools(["    print(2 * int(input()))\n", "    return f'{2 * int(stdin)}'\n"])
    prompts = []

    def samples(one, indices):
        prompts.append(one.prompt)
        return tools.samples(one, indices)

    finding = solvable.apply(
        text_program(body=""), tools._replace(samples=samples, options=Solvable())
    )
    assert finding.decision.evidence == (
        "3 of 6 samples pass (stopped at pass 3): pass@1 0.400, 0.118 to 0.853; "
        "first solved by sample 1"
    )
    assert finding.decision.subject == text_program().task_id
    assert prompts[0].startswith("def solve(stdin: str) -> str:\n")


def test_the_expected_exception_is_an_answer(make_tools):
    one = problem(body="    return 1 // x\n", cases=(case(0, raises="ZeroDivisionError"),))
    assert found(reference, one, make_tools()[0]) == (True, "kept")
    one = problem(body="    return 1\n", cases=(case(0, raises="ZeroDivisionError"),))
    assert found(reference, one, make_tools()[0]) == (False, "reference-fail")


def test_a_problem_that_knowing_nothing_solves_is_dropped(make_tools):
    tools = make_tools()[0]
    assert found(trivial, DOUBLE, tools) == (True, "kept")
    shapes = {
        "empty-passes": (case(1, expected=None), case(2, expected=None)),
        "constant-passes": (case(1, expected="only"), case(2, expected="only")),
        "echo-passes": (case(1, expected=1), case("a", expected="a")),
        "raising-passes": (case(1, raises="KeyError"), case(2, raises="KeyError")),
    }
    for reason, cases in shapes.items():
        assert found(trivial, problem(cases=cases), tools) == (False, reason)


RECORD = "class Point:\n    pass\n\n\nclass Error(Exception):\n    pass\n\n\n"


@pytest.mark.parametrize(
    ("mode", "start", "made", "reason"),
    [
        ("generates", "def", {"expected": [1, 2]}, "constant-passes"),
        ("awaits", "async def", {"expected": "x"}, "constant-passes"),
        ("async-generates", "async def", {"expected": [1, 2]}, "constant-passes"),
        ("returns", "def", {"expected": {"instance": ["Point", [], None]}}, "constant-passes"),
        ("returns", "def", {"raises": "Error"}, "raising-passes"),
        ("returns", "def", {"raises": "struct:error"}, "raising-passes"),
        ("returns", "def", {"after": {"0": [1]}, "args": ([],)}, "kept"),
    ],
)
def test_knowing_nothing_is_tried_in_every_mode(make_tools, mode, start, made, reason):
    whole = {"args": (5,), "kwargs": {}, "expected": None, "raises": None, "shown": False} | made
    prompt = f'{RECORD}{start} f(x):\n    """Do it."""\n'
    one = problem(
        cases=[TestCase(**whole, origin="traced")], prompt=prompt, entry_point="f", mode=mode
    )
    assert found(trivial, one, make_tools()[0]) == (reason == "kept", reason)


def test_trivial_bodies_name_every_parameter():
    prompt = 'def f(a, /, b, *c, d, **e):\n\t"""Doc."""\n'
    one = problem(prompt=prompt, body="\treturn a\n", entry_point="f")
    assert parameters(one) == ["a", "b", "d", "c", "e"]
    assert indent(one) == "\t"
    echoes = [body for kind, body in trivial.bodies(one) if kind == "echo"]
    assert echoes == [*(f"\treturn {name}\n" for name in "abdce"), "\treturn (a, b, d, c, e,)\n"]


TRIPLE = problem(
    task_id="pypi/demo/1.0/demo.triple-00000002", body="    return 3 * x\n", cases=DOUBLE.cases
)
STEPS = [
    chain.Step(reference.FILTER, Options()),
    chain.Step(solvable.FILTER, Solvable(passes=1), "m", most=1),
]


def test_the_chain_adds_up_and_is_not_run_twice(tmp_path, make_tools):
    name = "pypi/demo/1.0/demo.other-00000003"
    other = problem(task_id=name, cases=DOUBLE.cases, body="    return  2 * x\n")
    tools, asked = make_tools(["    return x * 2\n"])
    with open_writer(tmp_path) as workspace:
        workspace.commit(None, [DOUBLE, TRIPLE, other])
        first = chain.run(workspace, [DOUBLE, TRIPLE, other], STEPS, tools, PlainReporter())
        executions = len(workspace.select(Execution))
        again = chain.run(workspace, [DOUBLE, TRIPLE, other], STEPS, tools, PlainReporter())
        assert len(workspace.select(Execution)) == executions
        overall = {d.subject: d.reason for d in workspace.current(Decision, "filter = 'filters'")}
    assert first == again
    assert [one.task_id for one in first.kept] == [DOUBLE.task_id]
    assert first.dropped == {TRIPLE.task_id: "reference: reference-fail"}
    assert first.waiting == {other.task_id: "not among the first 1 candidates"}
    assert first.failed == {}
    assert len(asked) == 1
    assert overall == {DOUBLE.task_id: "kept", TRIPLE.task_id: "reference: reference-fail"}


class Measured:
    """Judges that pass everything at a given cost and note the limits asked for."""

    size = 1

    def __init__(self, cpu):
        self.cpu, self.limits = cpu, []

    def verdict(self, one, source, limits):
        self.limits.append((limits.cpu, limits.wall))
        return Judged("pass", None, "", self.cpu, self.cpu)


@pytest.mark.parametrize(("cost", "others"), [(0.04, (3, 60)), (0.42, (5, 100))])
def test_the_reference_sets_the_limits_of_all_later_programs(tmp_path, make_tools, cost, others):
    tools = make_tools(["    return x * 2\n"])[0]._replace(judges=Measured(cost))
    with open_writer(tmp_path) as workspace:
        workspace.commit(None, [DOUBLE])
        for steps in (STEPS[:1], STEPS):  # the second run knows the first's from the workspace
            chain.run(workspace, [DOUBLE], steps, tools, PlainReporter())
    assert tools.judges.limits == [(3, 60)] * 3 + [others]


def test_a_model_that_fails_decides_nothing_and_is_tried_again(tmp_path, make_tools):
    def down(one, indices):
        raise ModelError("the endpoint is down")

    tools, asked = make_tools(["    return x * 2\n"])
    with open_writer(tmp_path) as workspace:
        workspace.commit(None, [DOUBLE])
        broken = tools._replace(samples=down)
        failed = chain.run(workspace, [DOUBLE], STEPS, broken, PlainReporter())
        assert failed.failed == {DOUBLE.task_id: "the endpoint is down"}
        assert workspace.current(Decision, "filter = 'filters'") == []
        again = chain.run(workspace, [DOUBLE], STEPS, tools, PlainReporter())
        assert again.kept == [DOUBLE]


def test_kept_is_what_the_last_run_kept(tmp_path, make_tools):
    def down(one, indices):
        raise ModelError("the endpoint is down")

    tools, _ = make_tools(["    return x * 2\n"])
    names = ["reference", "solvable"]
    with open_writer(tmp_path) as workspace:
        workspace.commit(None, [DOUBLE, source()])
        chain.run(workspace, [DOUBLE], STEPS[:1], tools, PlainReporter())
        assert kept(workspace) == [DOUBLE]
        broken = tools._replace(samples=down)
        chain.run(workspace, [DOUBLE], STEPS, broken, PlainReporter())
        assert kept(workspace) == []
        last = funnel(workspace, names)[-1]
        assert (last.collected, last.kept, last.lost.total(), last.pending) == (1, 0, 0, 1)
        assert "filters (overall): pending" in lines(show(workspace, DOUBLE.task_id))
        chain.run(workspace, [DOUBLE], STEPS, tools, PlainReporter())
        assert kept(workspace) == [DOUBLE]
        last = funnel(workspace, names)[-1]
        assert (last.collected, last.kept, last.lost.total(), last.pending) == (1, 1, 0, 0)


def _add_zero(one, tools):
    longer = msgspec.structs.replace(one, cases=(*one.cases, case(0, expected=0)))
    return ZERO_ADDED.keep(one, "", (), longer)


ZERO_ADDED = Filter("longer", 1, _add_zero)


def test_what_a_filter_refines_goes_on_and_is_exported(tmp_path, make_tools):
    steps = [chain.Step(ZERO_ADDED, Options()), STEPS[0]]
    with open_writer(tmp_path) as workspace:
        workspace.commit(None, [DOUBLE])
        for _ in range(2):
            outcome = chain.run(workspace, [DOUBLE], steps, make_tools()[0], PlainReporter())
            assert [len(one.cases) for one in outcome.kept] == [4]
            assert [len(one.cases) for one in kept(workspace)] == [4]
        assert len(workspace.select(Refinement)) == 2  # the filter's, and the last word
        assert workspace.current(Problem) == [DOUBLE]
        # without the filter it is as it was
        chain.run(workspace, [DOUBLE], [STEPS[0]], make_tools()[0], PlainReporter())
        assert kept(workspace) == [DOUBLE]


def test_a_survey_sees_all_and_decides_anew_when_they_change(tmp_path, make_tools):
    seen = []

    def survey(problems, tools):
        seen.append([one.task_id for one in problems])
        return len(problems)

    alone = Filter(
        "alone",
        1,
        lambda one, tools: (
            alone.keep(one, "", ()) if tools.surveyed == 1 else alone.drop(one, "crowd", "", ())
        ),
        survey=survey,
    )
    steps = [chain.Step(alone, Options())]
    with open_writer(tmp_path) as workspace:
        workspace.commit(None, [DOUBLE, TRIPLE])
        for problems in ([DOUBLE], [DOUBLE], [DOUBLE, TRIPLE], [DOUBLE]):
            last = chain.run(workspace, problems, steps, make_tools()[0], PlainReporter())
    assert seen == [[DOUBLE.task_id], [DOUBLE.task_id, TRIPLE.task_id]]
    assert last.kept == [DOUBLE]


def test_other_options_decide_anew(tmp_path, make_tools):
    tools, asked = make_tools(["    return x * 2\n", "    return x\n"])
    with open_writer(tmp_path) as workspace:
        workspace.commit(None, [DOUBLE])
        for passes in (1, 2, 1):
            step = chain.Step(solvable.FILTER, Solvable(passes=passes))
            chain.run(workspace, [DOUBLE], [step], tools, PlainReporter())
        facts = [d.facts for d in workspace.select(Decision, "filter = 'solvable'")]
    assert [(f["drawn"], f["passed"]) for f in facts] == [(1, 1), (3, 2)]
