from collections import Counter
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.store import builders
from thresher.store.funnel import CRAWL, Row, Stage, by_origin, funnel, origin
from thresher.store.records import Record
from thresher.store.workspace import open_reader, open_writer

FILTERS = ("reference", "trivial", "solvable")


def stages(folder: Path, records: list[Record]) -> list[Stage]:
    builders.store(folder, records)
    with open_reader(folder) as workspace:
        return funnel(workspace, FILTERS)


def made(name: str) -> list[Record]:
    """Make a problem together with the decision on its function."""
    return [builders.problem(f"{name}-1"), builders.traced(f"{name}:1")]


def dropped(name: str, reason: str) -> Record:
    return builders.decision(f"{name}-1", keep=False, reason=reason)


def test_every_loss_is_counted_by_stage_and_reason(tmp_path: Path) -> None:
    records = [
        builders.fetched("pypi:one"),
        builders.fetched("pypi:two"),
        builders.fetched("pypi:gone", "no-sdist"),
        builders.fetched("pypi:bare", "no-tests"),
        *(each for name in "abcdef" for each in made(name)),
        builders.traced("g:1", "no-docstring"),
        builders.traced("h:1", "no-docstring"),
        builders.traced("i:1", "too-large"),
        dropped("a", "reference: fails"),
        dropped("b", "trivial: empty body passes"),
        dropped("c", "solvable: never solved"),
        builders.decision("d-1"),
        builders.decision("d-1", "reference"),
    ]
    found = stages(tmp_path, records)
    assert found == [
        Stage("sources", 4, 2, Counter({"no-sdist": 1, "no-tests": 1})),
        Stage("functions called", 9, 6, Counter({"no-docstring": 2, "too-large": 1})),
        Stage("filter reference", 6, 5, Counter({"fails": 1})),
        Stage("filter trivial", 5, 4, Counter({"empty body passes": 1})),
        Stage("filter solvable", 4, 1, Counter({"never solved": 1}), pending=2),
    ]
    assert all(stage.adds_up() for stage in found)


def test_an_empty_workspace_adds_up(tmp_path: Path) -> None:
    found = stages(tmp_path, [])
    assert [(stage.collected, stage.kept, stage.pending) for stage in found] == [(0, 0, 0)] * 3
    assert all(stage.adds_up() for stage in found)


def test_before_the_filters_ran_every_problem_is_pending(tmp_path: Path) -> None:
    found = stages(tmp_path, [*made("a"), *made("b")])
    assert found[2:] == [Stage("filters", 2, 0, Counter(), pending=2)]


def test_only_the_last_word_counts(tmp_path: Path) -> None:
    records = [
        builders.fetched("pypi:one", "no-sdist"),
        builders.fetched("pypi:one"),
        *made("a"),
        *made("a"),
        dropped("a", "reference: fails"),
        builders.decision("a-1"),
    ]
    found = stages(tmp_path, records)
    assert found == [
        Stage("sources", 1, 1, Counter()),
        Stage("functions called", 1, 1, Counter()),
        Stage("filter reference", 1, 1, Counter()),
        Stage("filter trivial", 1, 1, Counter()),
        Stage("filter solvable", 1, 1, Counter()),
    ]


def test_a_loss_to_a_filter_that_is_not_listed_does_not_add_up(tmp_path: Path) -> None:
    found = stages(tmp_path, [*made("a"), *made("b"), dropped("a", "duplicates: of b")])
    assert [stage.adds_up() for stage in found] == [True, True, True, True, False]


def test_without_filters_there_are_two_stages(tmp_path: Path) -> None:
    with open_writer(tmp_path) as workspace:
        assert [stage.name for stage in funnel(workspace, [])] == ["sources", "functions called"]


def test_statements_are_a_stage_of_their_own_where_something_was_crawled(tmp_path: Path) -> None:
    crawled = [
        builders.decision("kattis/modulo", CRAWL, True, "made"),
        builders.decision("kattis/2023/guess", CRAWL, False, "interactive"),
        builders.decision("kattis/modulo-1"),
    ]
    found = stages(tmp_path, [builders.source(), builders.problem("kattis/modulo-1"), *crawled])
    assert found[0] == Stage("statements", 2, 1, Counter({"interactive": 1}))
    assert [stage.name for stage in found][:2] == ["statements", "filter reference"]
    with open_reader(tmp_path) as workspace:
        assert by_origin(workspace) == {"kattis": Row(2, 1, 1, {"interactive": 1})}


def test_a_stage_that_lost_something_unnamed_does_not_add_up() -> None:
    assert Stage("stage", 3, 1, Counter(a=1), pending=1).adds_up()
    assert not Stage("stage", 3, 1, Counter(a=1)).adds_up()


FATES = ["kept", "waiting", *(f"{name}: {why}" for name in FILTERS for why in ("x", "y"))]


def test_the_numbers_always_add_up(tmp_path: Path) -> None:
    """Each example adds problems to the same workspace."""
    with open_writer(tmp_path) as workspace:

        @settings(max_examples=40)
        @given(st.lists(st.sampled_from(FATES), max_size=5))
        def holds(fates: list[str]) -> None:
            for number, fate in enumerate(fates):
                name = f"{len(workspace.query('FROM problems'))} {number}"
                last = builders.decision(f"{name}-1", keep=fate == "kept", reason=fate)
                workspace.commit(None, [*made(name), *([] if fate == "waiting" else [last])])
                totals.update([fate])
            found = funnel(workspace, FILTERS)
            assert all(stage.adds_up() for stage in found)
            assert found[1].kept == found[2].collected == totals.total()
            assert [after.collected for after in found[3:]] == [each.kept for each in found[2:-1]]
            assert (found[-1].kept, found[-1].pending) == (totals["kept"], totals["waiting"])

        totals: Counter[str] = Counter()
        holds()


def test_counts_by_origin(tmp_path: Path) -> None:
    one, two = "pypi/one/1.0/m", "pypi/two/2.0/m"
    records = [
        *made(f"{two}.f"),
        *made(f"{two}.g"),
        builders.traced(f"{two}.h:1", "no-docstring"),
        builders.decision(f"{two}.f-1"),
        dropped(f"{two}.g", "reference: fails"),
        builders.traced(f"{one}.f:1", "no-docstring"),
        builders.fetched("pypi:two"),
        builders.fetched("pypi:gone", "no-sdist"),
    ]
    builders.store(tmp_path, records)
    with open_reader(tmp_path) as workspace:
        found = by_origin(workspace)
    assert found == {
        "pypi/one/1.0": Row(1, 0, 0, {"no-docstring": 1}),
        "pypi/two/2.0": Row(3, 2, 1, {"no-docstring": 1}),
        "pypi:gone": Row(0, 0, 0, {"no-sdist": 1}),
    }
    assert list(found) == ["pypi/one/1.0", "pypi/two/2.0", "pypi:gone"]


def test_the_origin_of_a_task_is_its_source() -> None:
    assert origin("pypi/boltons/26.2.0/boltons.strutils.camel2under-0a1b2c3d") == (
        "pypi/boltons/26.2.0"
    )
    assert origin("git/example.org/group/owner/name/0a1b2c3d4e5f/pkg.mod.f:12") == (
        "git/example.org/group/owner/name/0a1b2c3d4e5f"
    )
