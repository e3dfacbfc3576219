"""A quiet corner of the host: as root, what changes and what is sent in it is our doing alone.

Other programs write to /tmp and send packets all the time. So root moves this process, and with
it all that it starts, into mount and network namespaces of its own: empty scratch folders, and
interfaces that lead nowhere but count.
"""

import ctypes
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

from tests.hostile.traces import SCRATCH, packets

NEW_MOUNTS_AND_NETWORK = 0x00020000 | 0x40000000
MS_REC, MS_PRIVATE = 0x4000, 1 << 18
# A pair of interfaces joined to each other, with a way to everywhere through one of them.
NETWORK = (
    "link set lo up",
    "link add out type veth peer name nowhere",
    "link set out addrgenmode none up",
    "link set nowhere addrgenmode none up",
    "addr add 10.99.0.1/24 dev out",
    "-6 addr add 2001:db8:99::1/64 dev out nodad",
    "neigh add 10.99.0.2 lladdr 02:00:00:00:00:01 dev out",
    "-6 neigh add 2001:db8:99::2 lladdr 02:00:00:00:00:01 dev out",
    "route add default via 10.99.0.2",
    "-6 route add default via 2001:db8:99::2",
)
SETTLE_SECONDS = 2.0
OUTSIDE = ("192.0.2.1", 9)  # for documentation; it belongs to nobody


def move() -> str | None:
    """Move this process there; return None, or in words why that isn't possible.

    It must have no other threads yet.
    """
    if os.geteuid() != 0:
        return "only root can have a network and scratch folders apart from others'"
    if shutil.which("ip") is None:
        return "the command ip is missing: apt-get install iproute2"
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(NEW_MOUNTS_AND_NETWORK) or libc.mount(None, b"/", None, MS_REC | MS_PRIVATE, 0):
        return f"new namespaces are refused: {os.strerror(ctypes.get_errno())}"
    for folder in filter(os.path.isdir, SCRATCH):
        if not _is_free(Path(folder)):
            return f"we or our Python live in {folder}, so it can't be covered"
        libc.mount(b"tmpfs", folder.encode(), b"tmpfs", 0, b"mode=1777")
    return _network()


def _is_free(folder: Path) -> bool:
    """Say whether neither we nor our Python live in a folder, so that it can be covered."""
    ours = (Path.cwd(), Path(__file__), Path(sys.prefix), Path(sys.base_prefix), Path.home())
    return not any(path.is_relative_to(folder) for path in ours)


def _network() -> str | None:
    for words in NETWORK:
        done = subprocess.run(["ip", *words.split()], capture_output=True, text=True, check=False)  # noqa: S607
        if done.returncode:
            return f"`ip {words}` failed: {done.stderr.strip()}"
    time.sleep(SETTLE_SECONDS)  # an interface says hello when it comes up
    before = packets()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.sendto(b"counted?", OUTSIDE)
    time.sleep(0.1)
    return None if packets() > before else "its interfaces don't count packets"
