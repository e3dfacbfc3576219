"""Recorded calls are made again where the project is installed, under every interpreter found."""

import json
import os
import subprocess

import pytest

from tests.tracer.bench import INTERPRETERS, RECORDING, Bench
from thresher.store.records import canonical_json
from thresher.tracer.recording.spool import read, reproduced

WORK = """
    import functools

    count = 0

    class Point:
        def __init__(self, x):
            self.x = x

        @property
        def double(self):
            return 2 * self.x

        @staticmethod
        def made(x, *rest, key=1, **more):
            return Point(x + len(rest) + key + len(more))

    def loud(function):
        @functools.wraps(function)
        def wrapped(*args):
            return function(*args) + "!"
        return wrapped

    @loud
    def name(x):
        return x.upper()

    def pairs(items):
        for item in items:
            yield item, item

    def grow(items):
        items.append(1)
        raise KeyError(items)

    def counted(x):
        global count
        count += 1
        return count + x

    def outer(n):
        def inner(x):
            return n + x
        return inner(1)

    def forever():
        pass

    async def doubled(x):
        return 2 * x

    async def ticks(items):
        for item in items:
            yield await doubled(item)
"""
PROGRAM = """
    import asyncio, work

    async def all_of(items):
        return [each async for each in work.ticks(items)]

    async def first_of(items):
        ticks = work.ticks(items)
        first = await ticks.__anext__()
        await ticks.aclose()
        return first

    loop = asyncio.new_event_loop()
    loop.run_until_complete(all_of([1, 2])), loop.run_until_complete(first_of([3, 4]))
    work.counted(0)
    print(work.Point.made(1, 2, key=3, z=4).double, work.name("a"), list(work.pairs([1, 2])))
    next(work.pairs([3, 4]))
    try:
        work.grow([])
    except KeyError as error:
        len(error.args)
    work.counted(1), work.outer(1), work.forever()
"""


def made_again(bench, version, first, *paths):
    """Return how many calls of each function give the same again, with `paths` to import from."""
    again = bench.root / "again"
    again.mkdir()
    recorded = [call for function in first.functions for call in function.calls]
    lines = b"".join(canonical_json(call) + b"\n" for call in recorded)
    (bench.root / "calls.jsonl").write_bytes(lines)
    config = {"spool": str(again), "files": [], "examples_per_function": 50}
    (bench.root / "site" / "thresher_recorder_config.json").write_text(json.dumps(config))
    config["files"] = ["work.py"]
    subprocess.run(
        [INTERPRETERS[version], str(RECORDING / "again.py"), "calls.jsonl", json.dumps(config)],
        cwd=bench.root,
        env={
            "PYTHONPATH": os.pathsep.join(map(str, [bench.root / "site", *paths])),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PATH": os.defpath,
        },
        check=True,
    )
    kept = reproduced(first, read(again))
    return {function.name: len(function.calls) for function in kept.functions}


@pytest.mark.parametrize("version", list(INTERPRETERS))
def test_what_gives_the_same_again_stays(tmp_path, version):
    bench = Bench(tmp_path, version)
    out, first = bench.run(WORK, PROGRAM)
    assert out == "12 A! [(1, 1), (2, 2)]\n"
    assert made_again(bench, version, first, tmp_path) == {
        "__init__": 1,
        "double": 1,
        "made": 1,
        "loud": 0,
        "wrapped": 0,
        "name": 1,
        "pairs": 2,
        "grow": 1,
        "counted": 0,
        "outer": 1,
        "inner": 0,
        "forever": 1,
        "doubled": 3,
        "ticks": 2,
    }


@pytest.mark.parametrize("place", [".", "src"])
def test_a_project_that_is_not_installed_is_imported_from_its_folder(tmp_path, place):
    version = next(iter(INTERPRETERS))
    bench = Bench(tmp_path, version)
    _, first = bench.run("def double(x):\n    return 2 * x", "import work; work.double(1)")
    folder = tmp_path / place
    folder.mkdir(exist_ok=True)
    (tmp_path / "work.py").rename(folder / "work.py")
    assert made_again(bench, version, first) == {"double": 1}
