from collections import Counter
from pathlib import Path

from tests.store import builders
from thresher.store.funnel import Stage
from thresher.store.summary import funnel_lines, page
from thresher.store.workspace import open_reader

TASK = "pypi/demo/1.0/demo.double-00000001"


def test_the_whole_page(tmp_path: Path) -> None:
    cases = [
        builders.case(2, expected=4),
        builders.case("a", expected="aa"),
        builders.case(x=[2**70], expected=(-0.0,)),
        builders.case(9, expected=18),
    ]
    raising = builders.problem("pypi/demo/1.0/demo.lost-00000002")
    records = [
        builders.source(),
        builders.fetched("pypi:demo"),
        builders.fetched("pypi:gone", "no-sdist"),
        builders.problem(TASK, cases=cases),
        builders.traced("pypi/demo/1.0/demo.double:12"),
        raising,
        builders.traced("pypi/demo/1.0/demo.lost:30"),
        builders.traced("pypi/demo/1.0/demo.halve:20", "no-docstring"),
        builders.decision(TASK),
        builders.decision(raising.task_id, keep=False, reason="reference: fails"),
    ]
    builders.store(tmp_path, records)
    with open_reader(tmp_path) as workspace:
        shown = page(workspace, ("reference", "solvable"), Path("out.jsonl.gz"))
    assert (
        shown
        == f"""\
# Thresher summary

## The funnel

    sources                  2 = 1 kept + 1 dropped
                             1   no-sdist
    functions called         3 = 2 kept + 1 dropped
                             1   no-docstring
    filter reference         2 = 1 kept + 1 dropped
                             1   fails
    filter solvable          1 = 1 kept + 0 dropped

## By source

| source        |     found |  problems |      kept | main losses |
|---------------|----------:|----------:|----------:|-------------|
| pypi/demo/1.0 |         3 |         2 |         1 | 1 no-docstring |
| pypi:gone     |         0 |         0 |         0 | 1 no-sdist |

## Three example problems

### {TASK}

```python
def double(x):
    \"\"\"Return twice `x`.\"\"\"
    return 2 * x

# double(2) -> 4
# double('a') -> 'aa'
# double(x=[1180591620717411303424]) -> (-0.0,)
```

## Where everything is

- the data set: `out.jsonl.gz` (HumanEval JSON Lines)
- the workspace: `{tmp_path}/workspace.duckdb`; raw sources: `{tmp_path}/blobs`
- why a problem is in or out: `thresher audit show TASK_ID --workspace {tmp_path}`
- nothing was edited since: `thresher audit verify --workspace {tmp_path}`
- more problems: `thresher trace pypi:NAME --workspace {tmp_path}`, then `thresher filter`
"""
    )


def test_an_empty_workspace_has_a_page(tmp_path: Path) -> None:
    builders.store(tmp_path, [])
    with open_reader(tmp_path) as workspace:
        shown = page(workspace, ("reference",), None)
    assert "    sources                  0 = 0 kept + 0 dropped\n" in shown
    assert "the data set" not in shown


def test_three_problems_are_shown_and_their_exceptions_named(tmp_path: Path) -> None:
    case = builders.case(None, raises="TypeError")
    made = [builders.problem(f"pypi/demo/1.0/demo.f{n}-{n}", cases=[case]) for n in "4231"]
    decisions = [builders.decision(problem.task_id) for problem in made]
    builders.store(tmp_path, [builders.source(), *made, *decisions])
    with open_reader(tmp_path) as workspace:
        lines = page(workspace, (), None).splitlines()
    assert [line[-1] for line in lines if line.startswith("### ")] == ["1", "2", "3"]
    assert lines.count("# double(None) -> raises TypeError") == 3


def test_what_is_pending_is_shown() -> None:
    stage = Stage("filter solvable", 9, 4, Counter(rare=1, often=2), pending=2)
    assert funnel_lines([stage]) == [
        "    filter solvable          9 = 4 kept + 3 dropped + 2 pending",
        "                             2   often",
        "                             1   rare",
    ]


def test_numbers_that_do_not_add_up_say_so() -> None:
    assert funnel_lines([Stage("sources", 3, 1, Counter())]) == [
        "    sources                  3 = 1 kept + 0 dropped   DOES NOT ADD UP"
    ]
