"""What processes have used, as /proc and control groups tell it."""

import contextlib
import os
from pathlib import Path

KTHREADD = 2  # the parent of all kernel threads
TICKS = os.sysconf("SC_CLK_TCK")


def family_seconds(root: int) -> float:
    """Return the CPU seconds of a process, its descendants and those they have reaped."""
    return sum(map(ticks, family(root))) / TICKS


def stat(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat from the state on; none when it is gone."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return []


def ticks(pid: int) -> int:
    """Return the clock ticks that a process and its reaped children have used."""
    return sum(map(int, stat(pid)[11:15]))


def pids() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def family(root: int) -> list[int]:
    """Return a process and all its descendants."""
    parents = {pid: int(fields[1]) for pid in pids() if (fields := stat(pid))}
    found = [root]
    for member in found:
        found += [pid for pid, parent in parents.items() if parent == member]
    return found


def kernel_seconds() -> float:
    """Return the CPU time of all kernel threads that live."""
    threads = [pid for pid in pids() if stat(pid)[1:2] == [str(KTHREADD)]]
    total = 0
    for pid in threads:
        with contextlib.suppress(OSError, IndexError):
            total += int(Path(f"/proc/{pid}/schedstat").read_text().split()[0])
    return total / 1e9


def memory(pid: int) -> dict[str, int]:
    """Return the KiB of the largest process below `pid`, and the peak of its memory group."""
    sizes = [rollup for member in family(pid) if (rollup := smaps(member))]
    found = max(sizes, key=lambda size: size["Rss"], default={})
    for line in Path(f"/proc/{family(pid)[-1]}/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        peak = Path(f"/sys/fs/cgroup/memory{path}/memory.max_usage_in_bytes")
        if controllers == "memory" and peak.exists():
            found["cgroup peak"] = int(peak.read_text()) // 1024
    return found


def smaps(pid: int) -> dict[str, int]:
    with contextlib.suppress(OSError):
        rows = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
        return {r.split(":")[0]: int(r.split()[1]) for r in rows if r.startswith(("Rss", "Pss:"))}
    return {}
