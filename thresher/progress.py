"""Progress of long work: a live line on a terminal, plain lines elsewhere; both on stderr."""

import contextlib
import sys
import threading
import time
from typing import Protocol, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from thresher.terminal import printable

QUIET_SECONDS = 5.0  # plain lines come no more often than this, but for changes of step
SILENT_SECONDS = 8.0  # nor less often, while anything is being done


class Reporter(Protocol):
    """What long work tells: a stage begins, goes on, and has something to say."""

    def stage(self, title: str, total: int | None) -> None:
        """Begin a stage of `total` items, None where their number isn't known."""

    def step(self, note: str = "") -> None:
        """Say what is being done now, with no item finished."""

    def advance(self, note: str = "") -> None:
        """Count one item as finished."""

    def say(self, line: str) -> None:
        """Print a line that stays."""


class PlainReporter:
    """Lines for logs and pipes; as a context manager it speaks up where it would be silent long."""

    def __init__(self) -> None:
        self._title, self._doing, self._done = "starting", "", 0
        self._total: int | None = None
        self._started = self._said = time.monotonic()
        self._ended = threading.Event()

    def __enter__(self) -> Self:
        """Begin; nothing is printed yet."""
        threading.Thread(target=self._break_silence, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        """End; nothing is left open."""
        self._ended.set()

    def stage(self, title: str, total: int | None) -> None:
        """Begin a stage of `total` items, None where their number isn't known."""
        self._title, self._doing, self._done, self._total = title, "", 0, total
        self._started = time.monotonic()
        self._line("")

    def step(self, note: str = "") -> None:
        """Say what is being done, at most every few seconds."""
        self._doing = note
        self._say_again(note)

    def advance(self, note: str = "") -> None:
        """Count one item; the last of a stage is always said."""
        self._done += 1
        self._doing = ""
        if self._done == self._total:
            self._line(note)
        else:
            self._say_again(note)

    def say(self, line: str) -> None:
        """Print a line."""
        self._said = time.monotonic()
        print(printable(line), file=sys.stderr, flush=True)

    def _say_again(self, note: str) -> None:
        if time.monotonic() - self._said > QUIET_SECONDS:
            self._line(note)

    def _break_silence(self) -> None:
        with contextlib.suppress(OSError, ValueError):  # nobody listens any more
            while not self._ended.wait(QUIET_SECONDS / 5):
                if time.monotonic() - self._said > SILENT_SECONDS:
                    self._line(self._doing)

    def _line(self, note: str) -> None:
        seconds = time.monotonic() - self._started
        of = "" if self._total is None else f"/{self._total}"
        self.say(f"{self._title} {self._done}{of} {seconds:.0f} s {note}".rstrip())


class LiveReporter:
    """One live line per stage on a terminal."""

    def __init__(self) -> None:
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[note]}", markup=False),
            console=Console(stderr=True),
        )
        self._task = self._progress.add_task("starting", total=None, note="")

    def __enter__(self) -> Self:
        """Show the live line."""
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Leave the last state standing."""
        self._progress.stop()

    def stage(self, title: str, total: int | None) -> None:
        """Begin a stage of `total` items, None where that isn't known, on a line of its own."""
        if self._progress.tasks[-1].total is None:
            self._progress.remove_task(self._task)
        self._task = self._progress.add_task(title, total=total, note="")

    def step(self, note: str = "") -> None:
        """Show what is being done."""
        self._progress.update(self._task, note=printable(note[:60]))

    def advance(self, note: str = "") -> None:
        """Count one item."""
        self._progress.update(self._task, advance=1, note=printable(note[:60]))

    def say(self, line: str) -> None:
        """Print a line above the live one."""
        self._progress.console.print(printable(line), markup=False, highlight=False)


def reporter() -> PlainReporter | LiveReporter:
    """Return the reporter that fits standard error."""
    return LiveReporter() if sys.stderr.isatty() else PlainReporter()
