"""Progress where standard error is no terminal."""

import time

import pytest

from thresher import progress
from thresher.progress import PlainReporter


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(progress, "QUIET_SECONDS", 0.05)
    monkeypatch.setattr(progress, "SILENT_SECONDS", 0.2)


def test_long_work_is_never_silent(hurried, capsys):
    with PlainReporter() as report:
        report.stage("judge", 2)
        report.step("one")
        time.sleep(1)
        report.advance("one: pass")
        report.advance("two: pass")
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "judge 0/2 0 s"
    assert lines[-1] == "judge 2/2 1 s two: pass"
    assert 2 <= len([line for line in lines if line.endswith(" s one")]) <= 6


def test_what_comes_before_the_first_stage_is_told_too(hurried, capsys):
    with PlainReporter():
        time.sleep(0.5)
    assert "starting 0 0 s" in capsys.readouterr().err


def test_nothing_is_said_after_the_end(hurried, capsys):
    with PlainReporter() as report:
        report.stage("judge", 1)
    time.sleep(0.5)
    assert capsys.readouterr().err == "judge 0/1 0 s\n"
