"""The filter `stable` on planted functions; `benchmarks/stable.py` runs all of them."""

import importlib.util
import re

import msgspec
import pytest

from tests.filters.planting import as_problem
from tests.filters.unstable import INNOCENT, NUMBERS, UNSTABLE, WORDS, Planted
from tests.store.builders import case, problem, program
from thresher.filters import conditions, stable
from thresher.judging import Judges
from thresher.sandbox.judge import Call, Outcome
from thresher.sandbox.remote import Ended
from thresher.sandbox.vary import Varied
from thresher.store import values
from thresher.store.records import Comparator

SAMPLE = 9  # every ninth of the planted functions


def found(one, tools, **options):
    finding = stable.apply(one, tools._replace(options=stable.Stable(**options)))
    return finding.decision.keep, finding.decision.reason


@pytest.fixture(scope="module")
def walled(wall):
    with Judges(1, wall=wall) as pool:
        yield pool


@pytest.mark.parametrize("planted", UNSTABLE[::SAMPLE], ids=lambda one: one.kind)
def test_what_depends_on_anything_else_is_caught(make_tools, judges, planted):
    finding = stable.apply(as_problem(planted, judges), tools_of(make_tools))
    assert not finding.decision.keep or finding.refined is not None
    assert len([e for e in finding.executions if e.verdict != "pass"]) >= 1
    assert len(finding.executions) <= 5


@pytest.mark.parametrize("planted", INNOCENT[::SAMPLE], ids=lambda one: one.kind)
def test_what_only_looks_like_it_is_kept(make_tools, judges, planted):
    finding = stable.apply(as_problem(planted, judges), tools_of(make_tools))
    assert (finding.decision.reason, finding.refined) == ("kept", None)
    assert [e.verdict for e in finding.executions] == ["pass"] * 5


def tools_of(make_tools):
    return make_tools()[0]._replace(options=stable.FILTER.options)


REASONS = {
    "unstable-hash": (WORDS, "def f(x):\n    return ''.join(set(x))\n"),
    "unstable-clock": (
        NUMBERS,
        "import datetime\n\n\ndef f(x):\n    return datetime.date.today().weekday() > 4\n",
    ),
    "unstable-zone": (
        NUMBERS,
        "import time\n\n\ndef f(x):\n    return time.localtime(x).tm_hour\n",
    ),
    "unstable-locale": (
        NUMBERS,
        "import os\n\n\ndef f(x):\n    return os.environ.get('LANG')\n",
    ),
    "unstable-environment": (
        NUMBERS,
        "import os\n\n\ndef f(x):\n    return os.path.expanduser('~')\n",
    ),
    "unstable-file-system": (NUMBERS, "import os\n\n\ndef f(x):\n    return os.getcwd()\n"),
    "unstable-random": (NUMBERS, "import random\n\n\ndef f(x):\n    return random.random()\n"),
    "unstable-memory": (NUMBERS, "def f(x):\n    return repr(object())\n"),
    "unstable-state": (NUMBERS, "def f(x, seen=[]):\n    seen.append(x)\n    return len(seen)\n"),
    "unstable-order": (
        NUMBERS,
        "first = {}\n\n\ndef f(x):\n    return x - first.setdefault(0, x)\n",
    ),
    "unstable-load": (
        NUMBERS,
        "import time\n\n\ndef f(x):\n    start = time.perf_counter()\n"
        "    return time.perf_counter() - start < 5\n",
    ),
}


@pytest.mark.parametrize("reason", REASONS)
def test_the_reason_is_named(make_tools, judges, reason):
    arguments, source = REASONS[reason]
    one = as_problem(Planted("any", source, arguments), judges)
    assert found(one, make_tools()[0]) == (False, reason)


def test_a_changed_argument_that_differs_names_it(make_tools, judges):
    source = "n = 0\n\n\ndef f(x):\n    global n\n    n += 1\n    x.append(n)\n"
    one = as_problem(Planted("any", source, ([1], [2]), after=True), judges)
    assert found(one, make_tools()[0]) == (False, "unstable-argument-mutated")


@pytest.mark.parametrize(
    ("body", "arguments", "comparator"),
    [
        ("return list(set(x))", WORDS, Comparator(kind="unordered")),
        ("return [list(set(x)), list(set(x))]", WORDS, Comparator(kind="unordered-nested")),
        (
            "return sum(float(t) for t in {str(1 / (n + 3)) for n in range(len(x) * 9)})",
            WORDS,
            Comparator(kind="float", relative=1e-9, absolute=1e-12),
        ),
    ],
)
def test_what_was_a_set_is_compared_without_its_order(
    make_tools, judges, body, arguments, comparator
):
    one = as_problem(Planted("any", f"def f(x):\n    {body}\n", arguments), judges)
    finding = stable.apply(one, tools_of(make_tools))
    assert finding.decision.keep
    assert finding.refined == msgspec.structs.replace(one, comparator=comparator)
    assert finding.decision.facts["label"] == "hash"


def test_a_shuffled_list_is_not_mended(make_tools, judges):
    source = "import random\n\n\ndef f(x):\n    return random.sample(range(x), x)\n"
    one = as_problem(Planted("any", source, NUMBERS), judges)
    assert found(one, make_tools()[0]) == (False, "unstable-random")


def test_the_certificate_says_what_was_varied_and_seen(make_tools):
    body = "    KNOWN[x] = time.time()\n    y.sort()\n    return 2 * x\n"
    prompt = 'import time\nKNOWN = {}\n\n\ndef double(x, y):\n    """Double."""\n'
    one = problem(body=body, prompt=prompt, cases=(case(2, [2, 1], expected=4),))
    finding = stable.apply(one, tools_of(make_tools))
    assert finding.decision.facts == {
        "seen": ["clock"],
        "changed": ["KNOWN"],
        "mutated": ["1"],
        "missing": [],
    }
    assert re.fullmatch(
        r"the same answers in 5 runs and \d+ calls; varied at once: hash, clock, zone, locale, "
        r"environment, file-system, state, order, memory, load; reads clock; keeps KNOWN; "
        r"changes arguments 1",
        finding.decision.evidence,
    )
    assert finding.executions[0].perturbation == "none"
    assert finding.executions[1].perturbation.startswith(
        "hash seed 1; clock from @2028-02-29 00:00:01; zone AAA+9:30; locale de_DE.UTF-8; "
    )


def test_a_program_has_a_certificate_too(make_tools, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with Judges(1) as judges:
        tools = tools_of(make_tools)._replace(judges=judges)
        decision = stable.apply(program(), tools).decision
    assert decision.evidence == (
        "the same answers in 5 runs and 8 calls; varied at once: hash, clock, zone, locale, "
        "environment, file-system, state, order, memory, load; not varied here: clock"
    )


def test_as_many_runs_as_the_options_say(make_tools):
    finding = stable.apply(problem(), make_tools()[0]._replace(options=stable.Stable(runs=2)))
    assert [e.run for e in finding.executions] == [0, 1]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("print(2 * int(input()))\n", "kept"),
        ("import os\nprint(2 * int(input()), os.environ['HOME'])\n", "unstable-environment"),
        ("n = input()\nprint(*{'a', 'b', 'c', 'd', 'e'})\n", "unstable-hash"),
        ("import time\nprint(input(), time.strftime('%Y'))\n", "unstable-clock"),
        (
            "import os\nprint(input(), os.path.exists('/tmp/x'))\nopen('/tmp/x', 'w')\n",
            "unstable-state",
        ),
    ],
)
def test_programs_must_be_stable_too(make_tools, judges, body, reason):
    printed = [judges.run_program(body, f"{n}\n").outcomes[0].value or "" for n in (2, 3)]
    one = program(body, cases=[("2\n", printed[0]), ("3\n", printed[1])])
    assert found(one, make_tools()[0]) == (reason == "kept", reason)


def test_everything_is_changed_inside(walled):
    """Where a factor can't be varied behind a wall, it is said."""
    source = (
        "import datetime, os, socket, time\n\n\ndef f(x):\n"
        "    return [os.getcwd(), os.getpid() > 1, datetime.datetime.now().year,"
        " time.tzname[0], os.environ['USER'], socket.gethostname(),"
        " os.listdir('.')[-1], hash('a')]\n"
    )
    made = [
        conditions.together(variant, problem(body=source, prompt=""))
        for variant in conditions.VARIANTS[:2]
    ]
    ran = [walled.vary(source, "f", [Call([1], {})], each) for each in made]
    values_of = [each.answers[0].outcome.value for each in ran]
    assert [value[:7] for value in values_of] == [
        ["/tmp/ada/work", True, 2028, "AAA", "ada", "ada", values_of[0][6]],
        ["/tmp/grace/work", True, 2029, "BBB", "grace", "grace", values_of[1][6]],
    ]
    assert values_of[0][7] != values_of[1][7]
    assert all(set(each.seen.missing) <= {"processors"} for each in ran)


def test_variables_are_those_that_the_program_names():
    body = "    return os.getenv('MODE'), 'two words', 'PATH', 'LD_PRELOAD', 'PYTHONPATH', 3\n"
    assert conditions.variables(problem(body=body, prompt="def f(x):\n")) == ["MODE"]
    assert conditions.variables(problem(body="    (((", prompt="def f(x):\n")) == []


def test_every_factor_has_another_value_in_each_run():
    for name in ("hash", "zone", "locale", "environment", "file-system", "memory", "load"):
        made = [variant[name] for variant in conditions.VARIANTS]
        assert len({str(each) for each in made}) == len(conditions.VARIANTS)
    hours = {moment[12:14] for moment in conditions.VARIANTS[0]["clock"]["moments"]}
    assert len(hours) == 24


def test_a_refused_answer_differs():
    judged = stable.decide_varied(
        (case(1, expected=1),),
        Comparator(),
        Varied((), Outcome(refused="no data"), stopped(), None),
    )
    assert judged.verdict == "fail"


class Ending:
    """Judges whose first varied cells end without an answer."""

    def __init__(self, judges, times):
        self._judges, self._left = judges, times

    def __getattr__(self, name):
        return getattr(self._judges, name)

    def vary(self, *given):
        made = self._judges.vary(*given)
        if self._left:
            self._left -= 1
            return made._replace(answers=made.answers[: self._left], ended=stopped(), seen=None)
        return made


@pytest.mark.parametrize(("times", "kept"), [(1, True), (2, False)])
def test_a_cell_that_ends_on_its_own_must_do_so_again(make_tools, times, kept):
    tools = tools_of(make_tools)
    tools = tools._replace(judges=Ending(tools.judges, times))
    assert stable.apply(problem(), tools).decision.keep is kept


def stopped():
    return Ended("stopped", 0, 0.1, 0.1)


def test_planted_functions_are_many_and_of_every_kind():
    assert len(UNSTABLE) >= 100
    assert len(INNOCENT) >= 60
    assert {one.kind for one in UNSTABLE} == {
        *(reason.removeprefix("unstable-") for reason in REASONS),
        "argument-mutated",
    }
    assert values.decode(values.encode(list(NUMBERS))) == [3, 10, 25]
