"""`thresher synth` as a user runs it, up to the export."""

import gzip
import json

import pytest
from click.testing import CliRunner

from thresher.cli import cli


def thresher(*arguments, code=0):
    result = CliRunner().invoke(cli, list(map(str, arguments)))
    assert result.exit_code == code, result.output
    return result.stdout


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    return tmp_path_factory.mktemp("synth") / "workspace"


def test_problems_are_made_filtered_and_exported(workspace, tmp_path):
    made = json.loads(thresher("synth", "--blocks", 2, "--count", 4, "--json", "-w", workspace))
    assert (made["wanted"], made["present"], made["made"], made["known"]) == (4, 4, 4, 0)
    (stage,) = (stage for stage in made["stages"] if stage["collected"])
    assert stage["collected"] == stage["kept"] + sum(stage["lost"].values()) == 4 + made["aside"]
    (tmp_path / "filters.toml").write_text('filters = ["reference", "trivial"]\n')
    thresher("filter", "--config", tmp_path / "filters.toml", "-w", workspace)
    file = tmp_path / "humaneval.jsonl.gz"
    thresher("export", file, "-w", workspace)
    rows = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
    assert len(rows) == 4
    assert {row["entry_point"] for row in rows} == {"transform"}


def test_a_rerun_makes_nothing_and_says_so(workspace):
    said = thresher("synth", "--blocks", 2, "--count", 4, "-w", workspace)
    assert "chains of 2: 0 made problems, 0 set aside" in said
    assert "4 of 4 wanted" in said


def test_more_than_there_are_is_a_run_that_partly_failed(tmp_path):
    said = thresher("synth", "--blocks", 1, "--count", 14, "-w", tmp_path / "w", code=1)
    assert "13 of 14 wanted" in said


def test_wrong_use(tmp_path):
    assert "1<=x<=13" in CliRunner().invoke(cli, ["synth", "--blocks", "14"]).stderr
