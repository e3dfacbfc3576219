"""Every command that writes leaves a Run in the workspace: what, with what, where, how it ended."""

import contextlib
import datetime
import os
import platform
import uuid
from collections.abc import Iterator

import duckdb

import thresher
from thresher.store.records import Run, canonical_json
from thresher.store.workspace import Workspace


@contextlib.contextmanager
def recorded(workspace: Workspace, command: str, configuration: object) -> Iterator[None]:
    """Store a Run when the block ends, with the name of the error that ended it, if one did."""
    started, outcome = _now(), "done"
    try:
        yield
    except BaseException as error:
        outcome = type(error).__name__
        raise
    finally:
        with contextlib.suppress(duckdb.Error):  # the error that ended the block says more
            workspace.commit(None, [_run(command, configuration, started, outcome)])


def _run(command: str, configuration: object, started: str, outcome: str) -> Run:
    return Run(
        id=uuid.uuid4().hex,
        command=command,
        configuration=canonical_json(configuration).decode(),
        versions=f"thresher {thresher.__version__}, duckdb {duckdb.__version__}, "
        f"python {platform.python_version()}",
        host=f"{platform.system()} {platform.release()} {platform.machine()}, "
        f"{len(os.sched_getaffinity(0))} cpus",
        started_at=started,
        ended_at=_now(),
        outcome=outcome,
    )


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
