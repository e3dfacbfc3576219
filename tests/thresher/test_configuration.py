"""The configuration file of the filters, and what the command line says over it."""

import json
from pathlib import Path

import pytest

from tests.store.builders import case, problem, source, store
from tests.thresher.test_cli import thresher
from thresher.configuration import filter_options
from thresher.errors import UsageError
from thresher.filters.models.terms import Terms
from thresher.pipeline import FILTERS, FilterOptions, filter_problems
from thresher.progress import PlainReporter
from thresher.store.records import Run
from thresher.store.workspace import open_reader, open_writer

FILE = """
model = "recorded:mine.jsonl"
filters = ["trivial", "solvable"]
[settings.solvable]
samples = 50
passes = 1
[terms]
budget_tokens = 1000
"""


NAN = float("nan")


def test_a_file_and_what_comes_before_it(tmp_path):
    path = tmp_path / "filters.toml"
    path.write_text(FILE)
    assert filter_options(path, {"model": None}, {"solvable": {"passes": 0, "samples": None}}) == (
        FilterOptions(
            model="recorded:mine.jsonl",
            terms=Terms(budget_tokens=1000),
            filters=("trivial", "solvable"),
            settings={"solvable": {"samples": 50, "passes": 0}},
        )
    )
    assert filter_options(None, {"model": "embedded"}, {}) == FilterOptions(filters=FILTERS)


def test_terms_of_the_command_line_come_before_the_files(tmp_path):
    path = tmp_path / "filters.toml"
    path.write_text("terms = {budget_tokens = 1000, parallel = 2}")
    given = {"parallel": 4, "price_in": 0.5, "budget_tokens": None}
    found = filter_options(path, {}, {}, given)
    assert found.terms == Terms(parallel=4, budget_tokens=1000, price_in=0.5)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("filters = 3", "Expected `array | null`, got `int` - at `$.filters`"),
        ("filter = []", "Object contains unknown field `filter`"),
        ("filters = [", "Invalid value"),
    ],
)
def test_a_wrong_file_is_refused_by_place(tmp_path, text, said):
    path = tmp_path / "filters.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match="is no configuration of filters: ") as caught:
        filter_options(path, {}, {})
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (FilterOptions(filters=("nothing",)), "no thresher.filters plug-in named 'nothing'"),
        (
            FilterOptions(filters=("trivial",), settings={"stable": {"runs": 1}}),
            "settings for 'stable', which is none of the filters",
        ),
        (
            FilterOptions(filters=("solvable",), settings={"solvable": {"sample": 1}}),
            "the settings of the filter 'solvable' are wrong: Object contains unknown field",
        ),
        (
            FilterOptions(filters=("solvable",), settings={"solvable": {"samples": "many"}}),
            "Expected `int`, got `str` - at `$.samples`",
        ),
        (
            FilterOptions(filters=("solvable",), settings={"solvable": {"samples": 0}}),
            "Expected `int` >= 1 - at `$.samples`",
        ),
        (
            FilterOptions(filters=("heuristics",), settings={"heuristics": {"size": -1}}),
            "the setting 'size' of the filter 'heuristics' must be 0 or more",
        ),
        (
            FilterOptions(filters=("heuristics",), settings={"heuristics": {"mean_line": NAN}}),
            "the setting 'mean_line' of the filter 'heuristics' must be 0 or more",
        ),
        (FilterOptions(filters=()), "name at least one filter, and each only once"),
        (FilterOptions(filters=("trivial",) * 2), "name at least one filter, and each only once"),
        (FilterOptions(candidates=0), "the number of candidates must be 1 or more"),
    ],
)
def test_wrong_settings_are_refused_before_anything_runs(tmp_path, options, said):
    with open_writer(tmp_path) as workspace, pytest.raises(UsageError) as caught:
        filter_problems(workspace, options, PlainReporter())
    assert said in str(caught.value)


def test_what_a_url_keeps_secret_is_neither_stored_nor_printed(tmp_path):
    store(tmp_path, [source(), problem(cases=(case(2, expected=4),))])
    url = "http://me:hidden1@127.0.0.1:9/v1?api_key=hidden2#NAME"
    (tmp_path / "f.toml").write_text('filters = ["reference"]\n')
    done = thresher("filter", "-w", tmp_path, "--model", url, "--config", tmp_path / "f.toml")
    assert done.returncode == 0
    with open_reader(tmp_path) as opened:
        configuration = opened.select(Run)[-1].configuration
    assert "127.0.0.1:9/v1" in configuration
    assert "hidden" not in configuration + done.stdout + done.stderr


def test_the_funnel_shows_the_filters_that_ran(tmp_path: Path):
    cases = (case(2, expected=4), case("ab", expected="abab"))
    store(
        tmp_path, [source(), problem(cases=cases), problem("a/b/c.d-00000009", "    pass\n", cases)]
    )
    (tmp_path / "filters.toml").write_text('filters = ["reference", "trivial"]\n')
    done = thresher("filter", "-w", tmp_path, "--config", tmp_path / "filters.toml")
    assert done.returncode == 0
    assert [" ".join(line.split()) for line in done.stdout.splitlines()[-3:]] == [
        "filter reference 2 = 1 kept + 1 dropped",
        "1 reference-fail",
        "filter trivial 1 = 1 kept + 0 dropped",
    ]
    shown = thresher("audit", "funnel", "-w", tmp_path)
    assert "filter trivial" in shown.stdout
    assert "filter solvable" not in shown.stdout


def test_the_funnel_is_of_the_last_run_that_ended(tmp_path: Path):
    store(tmp_path, [source(), problem(cases=(case(2, expected=4),))])
    for name, filters in (("a", ["reference"]), ("b", ["heuristics", "solvable"])):
        (tmp_path / f"{name}.toml").write_text(f"filters = {json.dumps(filters)}\n")
    assert thresher("filter", "-w", tmp_path, "--config", tmp_path / "a.toml").returncode == 0
    wrong = ("--config", tmp_path / "b.toml", "--model", "recorded:none")
    assert thresher("filter", "-w", tmp_path, *wrong).returncode == 2
    shown = thresher("audit", "funnel", "-w", tmp_path, "--json")
    assert [stage["name"] for stage in json.loads(shown.stdout)["stages"]][2:] == [
        "filter reference"
    ]
