"""Find the walls that work on this host, by running something in each."""

import functools
import subprocess
from importlib.metadata import entry_points

from thresher import plugins
from thresher.errors import SandboxUnavailable
from thresher.sandbox.wall import OWN_PYTHON, Inside, Wall, python_mounts

GROUP = "thresher.walls"
PROBE_SECONDS = 60


def known() -> list[Wall]:
    """Return every wall there could be, the strongest first."""
    names = {point.name for point in entry_points(group=GROUP)}
    return sorted(map(find, names), key=lambda wall: -wall.strength)


def find(name: str) -> Wall:
    """Return a wall by name; raise UsageError when there is none of that name."""
    wall: Wall = plugins.load(GROUP, name)
    return wall


@functools.cache
def probe(wall: Wall) -> str:
    """Run this Python in a wall, once per process, and return its level.

    The level is a name and a version, such as ``bubblewrap 0.8.0``.

    Raises:
        SandboxUnavailable: it is missing or doesn't work here; says what to do.
    """
    inside = Inside([OWN_PYTHON, "-Ic", "print(6 * 7)"], python_mounts())
    with wall.enter(inside, ()) as entry:
        try:
            done = subprocess.run(
                entry.argv,
                pass_fds=entry.descriptors,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=PROBE_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise SandboxUnavailable(
                f"{wall.name} hung for {PROBE_SECONDS} s; run `thresher doctor`"
            ) from error
    if done.stdout != "42\n":
        said = done.stderr.strip() or f"exit code {done.returncode}"
        raise SandboxUnavailable(
            f"{wall.name} does not work on this host ({said}); {wall.remedy(said)}"
        )
    return wall.version()


@functools.cache
def in_force(require: str | None = None) -> Wall:
    """Return the strongest wall that works here, or the fastest that is strong enough.

    Args:
        require: the name of the weakest wall to be content with. Stronger walls are slower, so
            the weakest that works of those is taken.

    Raises:
        UsageError: there is no wall of that name.
        SandboxUnavailable: nothing as strong works here; says why, wall by wall.
    """
    candidates = known()
    if require:
        floor = find(require).strength
        candidates = [wall for wall in reversed(candidates) if wall.strength >= floor]
    reasons = []
    for wall in candidates:
        try:
            probe(wall)
        except SandboxUnavailable as error:
            reasons.append(str(error))
        else:
            return wall
    raise SandboxUnavailable("nothing can be run safely here: " + "; ".join(reasons))
