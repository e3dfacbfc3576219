"""Problems of chains: right answers for each block, worked out by hand, and cases that tell."""

import pytest

from tests.crawlers.synthetic.test_chains import NAMED, chain
from tests.store.builders import source
from thresher.crawlers.synthetic import chains, make
from thresher.crawlers.synthetic.make import Outcome, synthesize
from thresher.errors import InfrastructureError, SourceError
from thresher.judging import Judges
from thresher.progress import PlainReporter
from thresher.sandbox.judge import Call
from thresher.store.funnel import funnel
from thresher.store.records import Decision, Problem, Source
from thresher.store.workspace import open_writer

TEXT = "Bee one? Ed. eats it!"
ANSWERS = {
    "e": "B on? Ed. ats it!",
    "bangs": "Bee!one?!Ed.!eats!it!",
    "lower": "bee one? ed. eats it!",
    "trim": "e one? Ed. eats i",
    "vowels": "B n? d. ts t!",
    "thirds": "Be oe?Ed etsit",
    "front": "Bee one? E",
    "wide": "Bee   one?   Ed.   eats   it!",
    "back": "it! eats Ed. one? Bee",
    "rest": "Ed. eats it!",
    "apples": "Bee apples one? apples Ed. apples eats apples it! apples",
    "upper": "BeE OnE? ED. eAtS It!",
    "marks": "Bee one Ed eats it",
}


@pytest.fixture(scope="module")
def judges():
    with Judges(1) as pool:
        yield pool


def called(judges, program, texts):
    result = judges.run(program, "transform", [Call([text], {}) for text in texts])
    return [outcome.value for outcome in result.outcomes]


def test_each_block_does_what_it_says(judges):
    found = {
        name: called(judges, chains.prompt((block,)) + chains.solution((block,)), [TEXT])[0]
        for name, block in NAMED.items()
    }
    assert found == ANSWERS


def test_nothing_is_left_of_nothing(judges):
    for block in NAMED.values():
        assert called(judges, chains.prompt((block,)) + chains.solution((block,)), [""]) == [""]


@pytest.mark.parametrize(
    "names", [("marks",), ("front", "back", "apples"), ("e", "thirds", "vowels")]
)
def test_each_block_of_a_chain_matters_to_its_cases(judges, names):
    problem = make.make(chain(*names), source("synthetic"), judges)
    texts = [case.args[0] for case in problem.cases]
    answers = [case.expected for case in problem.cases]
    assert called(judges, problem.prompt + problem.canonical_solution, texts) == answers
    without = called(judges, chains.without_each(chain(*names)), texts)
    for place in range(len(names)):
        assert any(rest[place] != answer for rest, answer in zip(without, answers, strict=True))
    assert len(problem.cases) >= 6
    assert sum(case.shown for case in problem.cases) == 1
    (shown,) = (case for case in problem.cases if case.shown)
    example = f">>> transform({shown.args[0]!r})\n    {shown.expected!r}\n"
    assert example in problem.prompt


@pytest.mark.parametrize("names", [("vowels", "e"), ("wide", "back"), ("wide", "bangs", "back")])
def test_a_chain_with_an_idle_block_is_none(judges, names):
    with pytest.raises(SourceError, match=names[-1]) as raised:
        make.make(chain(*names), source("synthetic"), judges)
    assert raised.value.reason == "block-without-effect"


def test_a_block_that_tells_late_gets_a_case():
    answers, idle = ["a", "b", "c", "d", "e", "f", "g", "", "", ""], [["x", "a"]] * 10
    for place, answer in enumerate(answers):
        idle[place] = ["x", answer if place < 6 else "x"]
    places = make._telling(chain("e", "lower"), answers, idle)
    assert places == [0, 1, 2, 6, 7, 8, 9]


def names_of(workspace):
    return sorted(problem.task_id for problem in workspace.current(Problem))


def test_the_funnel_adds_up_and_a_rerun_goes_on(tmp_path, judges):
    with open_writer(tmp_path) as workspace:
        first = synthesize(workspace, 2, 20, 7, judges, PlainReporter())
        assert (first.wanted, first.present, first.made, first.known) == (20, 20, 20, 0)
        twenty = names_of(workspace)
        again = synthesize(workspace, 2, 20, 7, judges, PlainReporter())
        assert again == Outcome(20, 20, 0, 0, 20 + first.aside)
        longer = synthesize(workspace, 2, 25, 7, judges, PlainReporter())
        assert (longer.present, longer.made) == (25, 5)
        extended = names_of(workspace)
        (stage,) = [one for one in funnel(workspace, ()) if one.collected]
        assert (stage.collected, stage.kept) == (25 + first.aside + longer.aside, 25)
        assert stage.adds_up()
        assert workspace.verify() is None
        assert workspace.verify_blobs() is None
    with open_writer(tmp_path / "at once") as workspace:
        synthesize(workspace, 2, 25, 7, judges, PlainReporter())
        assert names_of(workspace) == extended
    assert set(twenty) < set(extended)


def test_all_there_are_and_where_they_come_from(tmp_path, judges):
    with open_writer(tmp_path) as workspace:
        done = synthesize(workspace, 1, 50, 1, judges, PlainReporter())
        assert done == Outcome(50, 13, 13, 0, 0)
        (problem, *_) = workspace.select(Problem)
        source = {one.id: one for one in workspace.select(Source)}[problem.source]
        assert (source.licence, source.kind) == ("Apache-2.0", "file")
        subjects = {one.subject for one in workspace.select(Decision)}
        assert subjects == {f"synthetic/{name}" for name in NAMED}


class Broken:
    """Judges whose cells give no answers."""

    def run(self, program, entry_point, calls):
        return values_of_nothing


values_of_nothing = type("Result", (), {"failure": None, "outcomes": (), "ended": "killed"})()


def test_a_sandbox_that_fails_decides_nothing(tmp_path):
    with open_writer(tmp_path) as workspace:
        with pytest.raises(InfrastructureError, match="killed"):
            synthesize(workspace, 3, 1, 1, Broken(), PlainReporter())
        assert workspace.select(Decision) == []
