"""What recording costs: real test suites untraced, traced by us and traced by others.

Each suite is an sdist whose tests pytest runs. All of it is made and run in the sandbox. Round by
round each suite is run in each way; what counts is the least CPU time of a way, startup included,
as a multiple of the least untraced.
"""

import argparse
import collections
import json
import re
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from thresher.sandbox import command, walls
from thresher.sandbox.index import PackageIndex, package_index
from thresher.sandbox.wall import Limits, Mount, python_mounts
from thresher.store import values
from thresher.tracer.extraction.projects import read_project
from thresher.tracer.recording import attach
from thresher.tracer.recording.spool import Spool, read
from thresher.tracer.replays import interpreters
from thresher.tracer.sources import archive, sdist

EXAMPLES = """\
examples:
  python benchmarks/tracer.py                                all suites on Python 3.11, 3 rounds
  python benchmarks/tracer.py --python 3.13 --rounds 5
  python benchmarks/tracer.py --suite toolz --way untraced --way ours
  python benchmarks/tracer.py --verify                       are results and examples the same?
"""
CACHE = Path.home() / ".cache/thresher/benchmark"
TRACER = Path(attach.__file__).parent
INSIDE, SITE, OUT = "/bench", "/thresher/site", "/thresher/out"
OPTIONS = ("-q", "-o", "addopts=", "-o", "filterwarnings=", "-p", "no:cacheprovider")
LIMITS = Limits(wall_seconds=1800, cpu_seconds=900, memory_bytes=6 << 30, disk_bytes=6 << 30)
EMPTY = """\
import sys, threading

def profile(frame, event, arg):
    pass

threading.setprofile(profile)
sys.setprofile(profile)
"""
BY_PROFILE = "import sys\nif hasattr(sys, 'monitoring'): del sys.monitoring\n"
OURS = "import thresher_recorder\n"
# Run last, so that it sees the most memory.
MEMORY = """\
import atexit, resource
atexit.register(lambda: open("/thresher/out/memory", "w").write(
    str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)))
"""
SUMMARY = re.compile(r"^=*\s*((?:\d+ [a-z ]+(?:, )?)+) in [\d.]+s", re.MULTILINE)
OUTCOME = re.compile(r"^(\S+::.*?) (PASSED|FAILED|SKIPPED|XFAIL|XPASS|ERROR)\b", re.MULTILINE)


class Suite(NamedTuple):
    """A package with tests: what to install besides, and where the tests are."""

    name: str
    needs: tuple[str, ...] = ()
    tests: tuple[str, ...] = ("tests",)


class Way(NamedTuple):
    """A way to run a suite: what Python runs at its start, and how it is told to run pytest."""

    startup: str = ""
    pytest: tuple[str, ...] = ("-m", "pytest")


class Ran(NamedTuple):
    """One run: CPU seconds, pytest's summary, peak memory in MiB, spool bytes."""

    cpu: float
    summary: str
    memory: float
    spool: int


SUITES = (
    Suite("toolz", tests=("toolz",)),
    Suite("tabulate", ("wcwidth",), ("test",)),
    Suite("python-slugify"),
    Suite("sqlparse"),
    Suite("boltons"),
    Suite("humanize", ("freezegun",)),
    Suite("parse"),
    Suite("inflection", tests=("test_inflection.py",)),
)
VIZTRACER = (
    *("-m", "viztracer", "--log_func_args", "--log_func_retval", "-o", f"{OUT}/trace.json"),
    *("--", f"{INSIDE}/env/bin/pytest"),
)
WAYS = {
    "untraced": Way(),
    "empty": Way(EMPTY),
    "ours": Way(OURS),
    "profile": Way(BY_PROFILE + OURS),
    "monkeytype": Way(pytest=("-m", "monkeytype", "run", "-m", "pytest")),
    "viztracer": Way(pytest=VIZTRACER),
}


class Bench:
    """Suites unpacked and installed for one Python, in a cache folder."""

    def __init__(self, python: interpreters.Interpreter, folder: Path, wall: str) -> None:
        self.python, self.folder = python, folder
        self.wall = walls.find(wall)
        self.index = package_index()
        self.folder.mkdir(parents=True, exist_ok=True)
        self._scratch = tempfile.TemporaryDirectory()
        self._sites: dict[str, Path] = {}

    def prepare(self, suites: Sequence[Suite]) -> list[Suite]:
        """Fetch and install what isn't there yet; return the suites that can be run."""
        if not (self.folder / "env/ready").exists():
            self._need(str(self.python.executable), "-m", "venv", "--clear", f"{INSIDE}/env")
            self._pip("pip", "setuptools", "wheel", "pytest", "monkeytype", "viztracer")
            (self.folder / "env/ready").touch()
        return [suite for suite in suites if self._prepare(suite)]

    def _prepare(self, suite: Suite) -> bool:
        root, ready = self.folder / suite.name, self.folder / f"{suite.name}.ready"
        if ready.exists():
            return True
        shutil.rmtree(root, ignore_errors=True)
        index = self.index
        found = sdist.fetch(
            suite.name, index.urls, index.find_links, index.trusted_hosts, index.certificate
        )
        archive.unpack(found.archive, found.origin, root)
        version = found.origin.rpartition("/")[2]
        if self._pip("-e", f"{INSIDE}/{suite.name}", *suite.needs, version=version):
            ready.touch()
        return ready.exists()

    def _pip(self, *words: str, version: str = "") -> bool:
        argv = (f"{INSIDE}/env/bin/python", "-m", "pip", "install", "--upgrade", *words)
        return self._need(*argv, SETUPTOOLS_SCM_PRETEND_VERSION=version)

    def _need(self, *argv: str, **env: str) -> bool:
        done = self._run(argv, env, "/", self.index)
        if done.returncode:
            print(f"{' '.join(argv)} failed:\n{done.output[-2000:]}", file=sys.stderr)
        return done.returncode == 0

    def _run(
        self,
        argv: Sequence[str],
        env: dict[str, str],
        cwd: str,
        network: PackageIndex | None = None,
        mounts: Sequence[Mount] = (),
    ) -> command.Completed:
        ours = (*python_mounts(), *self.python.mounts)
        return command.run(
            argv,
            mounts=[*dict.fromkeys(ours), Mount(self.folder, INSIDE, writable=True), *mounts],
            env={"PIP_NO_WARN_SCRIPT_LOCATION": "1", **env},
            cwd=cwd,
            limits=LIMITS,
            network=network,
            wall=self.wall,
        )

    def run(self, suite: Suite, way: Way, out: Path, *options: str) -> command.Completed:
        """Run the tests of a suite in one way; `out` gets what is recorded."""
        site = self._site(suite)
        (site / "sitecustomize.py").write_text(MEMORY + way.startup)
        python = f"{INSIDE}/env/bin/python"
        return self._run(
            (python, *way.pytest, *OPTIONS, *options, *suite.tests),
            {"PYTHONPATH": SITE, "PYTHONHASHSEED": "0", "MT_DB_PATH": f"{OUT}/types.sqlite3"},
            f"{INSIDE}/{suite.name}",
            mounts=[Mount(site, SITE), Mount(out, OUT, writable=True)],
        )

    def _site(self, suite: Suite) -> Path:
        """Return a folder for PYTHONPATH with the recorder as `attach.py` lays it down."""
        if suite.name not in self._sites:
            tools, site = (Path(tempfile.mkdtemp(dir=self._scratch.name)) for _ in range(2))
            for name in (*attach.MODULES, "attach"):
                source = Path(values.__file__) if name == "values" else TRACER / f"{name}.py"
                shutil.copyfile(source, tools / f"{name}.py")
            files = read_project(self.folder / suite.name).files
            config = {"spool": OUT, "files": files, "examples_per_function": 50}
            code = "import attach, pathlib, sys; a = sys.argv;"
            code += "attach.attach(pathlib.Path(a[1]), a[3], pathlib.Path(a[2]))"
            mounts = [Mount(tools, "/thresher/tools"), Mount(site, SITE, writable=True)]
            argv = (f"{INSIDE}/env/bin/python", "-c", code, "/thresher/tools", SITE)
            env = {"PYTHONPATH": "/thresher/tools"}
            done = self._run([*argv, json.dumps(config)], env, "/", mounts=mounts)
            if done.returncode:
                raise SystemExit(f"the recorder can't be attached: {done.output}")
            self._sites[suite.name] = site
        return self._sites[suite.name]

    def measure(self, suite: Suite, way: Way) -> Ran:
        """Run the tests of a suite in one way, and say what it took."""
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder)
            done = self.run(suite, way, out)
            found = SUMMARY.findall(done.output)
            memory = out / "memory"
            kept = [path.stat().st_size for path in out.iterdir() if path != memory]
            peak = int(memory.read_text()) / 1024 if memory.exists() else 0.0
        ended = f"{done.outcome} {done.returncode}: {done.output.strip()[-200:]}"
        return Ran(done.cpu_seconds, found[-1] if found else ended, peak, sum(kept))

    def recorded(self, suite: Suite, way: Way) -> tuple[list[tuple[str, str]], Spool]:
        """Return the outcome of each test in order, and what was recorded."""
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder)
            done = self.run(suite, way, out, "-vv")
            for path in out.iterdir():
                if path.suffix != ".jsonl":
                    path.unlink()
            return OUTCOME.findall(done.output), read(out)


def interleaved(
    bench: Bench, suites: Sequence[Suite], ways: Sequence[str], rounds: int
) -> Iterator[tuple[str, str, Ran]]:
    """Yield (suite, way, run), round by round; the first, uncounted, fills the caches."""
    for number in range(rounds + 1):
        for suite in suites:
            for way in ways if number else ["untraced"]:
                ran = bench.measure(suite, WAYS[way])
                print(f"{number} {suite.name:16}{way:12}{ran.cpu:8.2f} s  {ran.memory:6.0f} MiB"
                      f"{ran.spool / 1e6:8.2f} MB  {ran.summary}", flush=True)  # fmt: skip
                if number:
                    yield suite.name, way, ran


def table(runs: Sequence[tuple[str, str, Ran]], ways: Sequence[str]) -> str:
    """Return the ratios to the untraced runs, a line per suite and one of their means."""
    best: dict[tuple[str, str], float] = {}
    for suite, way, ran in runs:
        best[suite, way] = min(ran.cpu, best.get((suite, way), ran.cpu))
    others = [way for way in ways if way != "untraced"]
    lines = ["".join(f"{title:>12}" for title in ("", "untraced s", *others))]
    ratios: dict[str, list[float]] = collections.defaultdict(list)
    for suite in dict.fromkeys(suite for suite, _, _ in runs):
        base = best[suite, "untraced"]
        for way in others:
            ratios[way].append(best[suite, way] / base)
        cells = "".join(f"{ratios[way][-1]:12.2f}" for way in others)
        lines.append(f"{suite:>14}{base:10.2f}{cells}")
    means = "".join(f"{statistics.mean(ratios[way]):12.2f}" for way in others)
    return "\n".join([*lines, f"{'mean':>14}{'':10}{means}"])


def verify(bench: Bench, suites: Sequence[Suite]) -> bool:
    """Compare the tests' outcomes untraced and traced, and the examples of both ways to trace."""
    same = True
    for suite in suites:
        before, _ = bench.recorded(suite, WAYS["untraced"])
        runs = {way: bench.recorded(suite, WAYS[way]) for way in ("ours", "profile")}
        for way, (after, spool) in runs.items():
            changed = [pair for pair in zip(before, after, strict=False) if pair[0] != pair[1]]
            agrees = before == after
            calls = sum(len(function.calls) for function in spool.functions)
            which = "same" if agrees else changed[:3]
            print(f"{suite.name:16}{way:9}{len(before):6} tests, {which};"
                  f" {len(spool.functions)} functions, {calls} calls, {spool.partial or 'whole'},"
                  f" rejected {dict(spool.rejected)}", flush=True)  # fmt: skip
            same &= agrees
        shared = compare(*(spool for _, spool in runs.values()))
        print(f"{suite.name:16}{shared}", flush=True)
    return same


def compare(one: Spool, other: Spool) -> str:
    """Say how many calls two recordings share."""
    sets = [
        {repr((f.file, f.line, call.args, call.closure, call.result, call.raises, call.after))
         for f in spool.functions for call in f.calls}
        for spool in (one, other)
    ]  # fmt: skip
    both = len(sets[0] & sets[1])
    return f"{both} calls in both, {len(sets[0]) - both} and {len(sets[1]) - both} in one only"


def main() -> int:
    """Run the benchmark; return 1 where results differ."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--suite", action="append", choices=[suite.name for suite in SUITES])
    parser.add_argument("--way", action="append", choices=list(WAYS))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--python", default="3.11")
    parser.add_argument("--wall", default="bubblewrap", choices=[w.name for w in walls.known()])
    parser.add_argument("--cache", type=Path, default=CACHE)
    parser.add_argument("--verify", action="store_true")
    options = parser.parse_args()
    available = interpreters.usable(interpreters.survey().working)
    python = available[tuple(map(int, options.python.split(".")))]  # type: ignore[index]
    bench = Bench(python, options.cache / options.python, options.wall)
    suites = [suite for suite in SUITES if suite.name in (options.suite or suite.name)]
    suites = bench.prepare(suites)
    if options.verify:
        return 0 if verify(bench, suites) else 1
    default = [way for way in WAYS if way != "profile" or python.minor >= (3, 12)]
    ways = ["untraced", *(way for way in options.way or default if way != "untraced")]
    runs = list(interleaved(bench, suites, ways, options.rounds))
    print(f"\nCPU ratios on Python {python.text}, {python.version}, behind {options.wall}")
    print(table(runs, ways))
    return 0


if __name__ == "__main__":
    sys.exit(main())
