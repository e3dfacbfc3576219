"""Real servers in network namespaces of our own: what is listed is reached, and nothing else."""

import contextlib
import ctypes
import errno
import json
import logging
import os
import shutil
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path
from typing import NamedTuple

import pytest

from thresher.errors import SandboxUnavailable
from thresher.sandbox import bpf, cgroup, command, walls
from thresher.sandbox.cgroup import Cgroup
from thresher.sandbox.firewall import LOOPBACK, Denied, Firewall, Policy, Rule, reason

MEMORY, PROCESSES = 256 << 20, 32
PEER = Path(__file__).with_name("peer.py")
PROGRAM_BY_ID, PROGRAM_QUERY = 13, 16
ATTACHED = {  # direction or hook, as the kernel numbers it
    "ingress": 0,
    "egress": 1,
    "socket": 2,
    "connect4": 10,
    "connect6": 11,
    "sendmsg4": 14,
    "sendmsg6": 15,
}

# Peers have the addresses .2 to .4 of 10.9.1.0/24 and fd09:1::/64 for the first sandbox, and those
# of 10.9.2.0/24 and fd09:2::/64 for the second; all serve TCP and UDP on ports 7001 and 7002.
FIRST = Policy(
    (
        *LOOPBACK,
        Rule(ip_network("10.9.1.2"), 7001, "tcp"),
        Rule(ip_network("10.9.1.2"), 7002, "udp"),
        Rule(ip_network("10.9.1.4/31")),
        Rule(ip_network("fd09:1::2"), 7001, "tcp"),
        Rule(ip_network("fd09:1::2"), 7002, "udp"),
        Rule(ip_network("fd09:1::4/127")),
    )
)
SECOND = Policy((Rule(ip_network("10.9.2.0/24"), 7002), Rule(ip_network("fd09:2::3"))))


class Actor:
    """A process in a network namespace, which does what it is asked."""

    def __init__(self, network: str, *groups: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(PEER), network, *map(str, groups)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.pid = int(self._process.stdout.readline())

    def __call__(self, name: str, *arguments: object) -> object:
        self._process.stdin.write(json.dumps([name, *arguments]) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


class Box(NamedTuple):
    ask: Actor
    firewall: Firewall

    def refused(self, *question: object) -> tuple[object, Denied]:
        """Return the answer and what the question added to the counters."""
        before = self.firewall.denied()
        answer = self.ask(*question)
        return answer, Denied(*(b - a for a, b in zip(before, self.firewall.denied(), strict=True)))


class Lab(NamedTuple):
    first: Box
    second: Box
    peers: Actor


@contextlib.contextmanager
def actor(network: str, *groups: Path) -> Iterator[Actor]:
    with contextlib.closing(Actor(network, *groups)) as made:
        yield made


@contextlib.contextmanager
def guarded(policy: Policy) -> Iterator[Cgroup]:
    with Cgroup(MEMORY, PROCESSES, policy) as group:
        if group.firewall is None:
            pytest.skip(group.no_firewall)
        yield group


@contextlib.contextmanager
def box(policy: Policy, network: str = "own") -> Iterator[Box]:
    with guarded(policy) as group, actor(network, *group.procs) as inside:
        yield Box(inside, group.firewall)


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    if shutil.which("ip") is None:
        pytest.skip("no `ip` here to join network namespaces: install iproute2")
    with box(FIRST) as first, box(SECOND) as second, actor("own") as peers:
        for number, inside in enumerate((first.ask, second.ask), 1):
            peers("ip", f"link add v{number} type veth peer name eth0 netns {inside.pid}")
            peers("ip", *_addresses(f"v{number}", number, (2, 3, 4)))
            inside("ip", *_addresses("eth0", number, (1,)))
            for host in (f"{net}{n}" for net in _networks(number) for n in (2, 3, 4)):
                for kind in ("tcp", "udp"):
                    for port in (7001, 7002):
                        peers("serve", kind, host, port)
        yield Lab(first, second, peers)


def _addresses(device: str, number: int, hosts: tuple[int, ...]) -> list[str]:
    four, six = _networks(number)
    return [
        f"link set {device} up",
        *(f"addr add {four}{host}/24 dev {device}" for host in hosts),
        *(f"addr add {six}{host}/64 dev {device} nodad" for host in hosts),
    ]


def _networks(number: int) -> tuple[str, str]:
    return f"10.9.{number}.", f"fd09:{number}::"


OUTGOING = [
    ("tcp", "10.9.1.2", 7001, "yes"),
    ("tcp", "10.9.1.2", 7002, "EPERM"),
    ("tcp", "10.9.1.3", 7001, "EPERM"),
    ("tcp", "10.9.1.4", 7001, "yes"),
    ("tcp", "10.9.1.4", 7002, "yes"),
    ("udp", "10.9.1.2", 7001, "EPERM"),
    ("udp", "10.9.1.2", 7002, "yes"),
    ("udp", "10.9.1.3", 7002, "EPERM"),
    ("udp", "10.9.1.4", 7001, "yes"),
    ("tcp", "fd09:1::2", 7001, "yes"),
    ("tcp", "fd09:1::2", 7002, "EPERM"),
    ("tcp", "fd09:1::3", 7001, "EPERM"),
    ("tcp", "fd09:1::4", 7002, "yes"),
    ("udp", "fd09:1::2", 7001, "EPERM"),
    ("udp", "fd09:1::2", 7002, "yes"),
    ("udp", "fd09:1::3", 7002, "EPERM"),
    ("udp", "fd09:1::4", 7001, "yes"),
    # The same IPv4 peers, named as an IPv6 socket would.
    ("tcp", "::ffff:10.9.1.2", 7001, "yes"),
    ("tcp", "::ffff:10.9.1.2", 7002, "EPERM"),
    ("tcp", "::ffff:10.9.1.3", 7001, "EPERM"),
    ("udp", "::ffff:10.9.1.2", 7002, "yes"),
    ("udp", "::ffff:10.9.1.3", 7002, "EPERM"),
    # No route leads there, and nobody finds out.
    ("tcp", "192.0.2.1", 80, "EPERM"),
    ("udp", "2001:db8::1", 53, "EPERM"),
    ("udp", "255.255.255.255", 67, "EPERM"),
]


@pytest.mark.parametrize(("kind", "peer", "port", "answer"), OUTGOING)
def test_only_listed_servers_are_reached(lab, kind, peer, port, answer):
    before = lab.first.firewall.denied()
    assert lab.first.ask("ask", kind, peer, port) == answer
    assert lab.first.firewall.denied().attempts - before.attempts == (answer == "EPERM")


@pytest.mark.parametrize(("kind", "peer", "port", "answer"), OUTGOING)
def test_only_listed_servers_are_sent_datagrams(lab, kind, peer, port, answer):
    if kind == "udp":
        before = lab.first.firewall.denied()
        assert lab.first.ask("ask", kind, peer, port, None, 2, False) == answer
        assert lab.first.firewall.denied().attempts - before.attempts == (answer == "EPERM")


@pytest.mark.parametrize(
    ("kind", "peer", "port", "answer"),
    [
        ("tcp", "10.9.2.2", 7002, "yes"),
        ("udp", "10.9.2.4", 7002, "yes"),
        ("tcp", "10.9.2.2", 7001, "EPERM"),
        ("udp", "fd09:2::3", 7001, "yes"),
        ("tcp", "fd09:2::2", 7002, "EPERM"),
        ("tcp", "10.9.1.4", 7001, "EPERM"),
        ("tcp", "127.0.0.1", 7001, "EPERM"),
    ],
)
def test_each_sandbox_has_a_list_of_its_own(lab, kind, peer, port, answer):
    other = lab.first.firewall.denied()
    assert lab.second.ask("ask", kind, peer, port) == answer
    assert lab.first.firewall.denied()[:2] == other[:2]


@pytest.mark.parametrize(
    ("peer", "answer"),
    [
        ("10.9.1.4", "yes"),
        ("10.9.1.3", "EPERM"),
        ("10.9.1.2", "EPERM"),  # listed by its ports only
        ("127.0.0.1", "yes"),
        ("fd09:1::4", "yes"),
        ("::1", "yes"),
        # Linux doesn't tell a ping socket of IPv6 that its packet was dropped.
        ("fd09:1::3", "silence"),
        ("fd09:1::2", "silence"),
    ],
)
def test_only_listed_peers_are_pinged(lab, peer, answer):
    got, denied = lab.first.refused("ping", peer)
    assert got == answer
    assert (denied.outgoing > 0) == (answer != "yes")


@pytest.mark.parametrize("kind", ["tcp", "udp"])
@pytest.mark.parametrize("number", [0, 1])
def test_only_listed_peers_reach_a_server_inside(lab, kind, number):
    network = _networks(1)[number]
    port = lab.first.ask("serve", kind, f"{network}1", 0)
    before = lab.first.firewall.denied().incoming
    assert lab.peers("ask", kind, f"{network}1", port, f"{network}4") == "yes"
    assert lab.first.firewall.denied().incoming == before
    assert lab.peers("ask", kind, f"{network}1", port, f"{network}3") == "silence"
    assert lab.first.firewall.denied().incoming == before + 1


@pytest.mark.parametrize("number", [0, 1])
def test_only_listed_peers_are_heard_by_a_ping_socket(lab, number):
    network = _networks(1)[number]
    lab.first.ask("expect_ping", f"{network}1", 77)
    before = lab.first.firewall.denied().incoming
    lab.peers("forge_ping", f"{network}1", f"{network}3", 77)
    assert lab.first.ask("heard_ping") == "silence"
    assert lab.first.firewall.denied().incoming == before + 1
    lab.peers("forge_ping", f"{network}1", f"{network}4", 77)
    assert lab.first.ask("heard_ping") == "ping"
    assert lab.first.firewall.denied().incoming == before + 1


@pytest.mark.parametrize("peer", ["10.9.1.4", "fd09:1::4", "::ffff:10.9.1.4"])
def test_datagrams_larger_than_a_packet_pass_both_ways(lab, peer):
    assert lab.first.ask("ask", "udp", peer, 7001, None, 5000) == "yes"


RECORD_ROUTE = [7, 7, 4, 0, 0, 0, 0, 0]
PADDING_HEADER = [0, 0, 1, 4, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("peer", "level", "option", "value"),
    [("10.9.1.4", 0, 4, RECORD_ROUTE), ("fd09:1::4", 41, 54, PADDING_HEADER)],
)
def test_options_and_extension_headers_are_refused(lab, peer, level, option, value):
    got, denied = lab.first.refused("send_with", peer, 7001, level, option, value)
    assert got == "EPERM"
    assert denied.outgoing > 0


@pytest.mark.parametrize(
    ("family", "kind", "protocol", "answer"),
    [
        ("AF_INET", "SOCK_RAW", "IPPROTO_ICMP", "EPERM"),
        ("AF_INET", "SOCK_RAW", "IPPROTO_RAW", "EPERM"),
        ("AF_INET6", "SOCK_RAW", "IPPROTO_TCP", "EPERM"),
        ("AF_INET", "SOCK_STREAM", "IPPROTO_TCP", "yes"),
        ("AF_INET6", "SOCK_DGRAM", "IPPROTO_UDP", "yes"),
        ("AF_UNIX", "SOCK_STREAM", "IPPROTO_IP", "yes"),
    ],
)
def test_raw_sockets_are_refused(lab, family, kind, protocol, answer):
    got, denied = lab.first.refused("make", family, kind, protocol)
    assert (got, denied.sockets) == (answer, int(answer == "EPERM"))


def test_the_limits_that_the_page_names_are_as_it_says(lab):
    # Packet sockets pass by IP, and echo requests are answered by the kernel.
    assert lab.first.ask("make", "AF_PACKET", "SOCK_RAW", "IPPROTO_IP") == "yes"
    assert lab.peers("ping", "10.9.1.1") == "yes"


@pytest.mark.parametrize("kind", ["tcp", "udp"])
@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "0.0.0.0", "::1", "::"])
def test_loopback_is_open_by_default(loopback, kind, host):
    port = loopback.ask("serve", kind, host, 0)
    assert loopback.refused("ask", kind, host, port) == ("yes", Denied(0, 0, 0, 0))


def test_nothing_but_loopback_is_open_by_default(loopback):
    assert loopback.refused("ask", "tcp", "10.0.0.1", 80) == ("EPERM", Denied(0, 1, 0, 0))
    assert loopback.refused("ask", "udp", "fd00::1", 80) == ("EPERM", Denied(0, 1, 0, 0))
    assert loopback.refused("ping", "10.0.0.1")[0] == "ENETUNREACH"


@pytest.fixture(scope="module")
def loopback() -> Iterator[Box]:
    with box(Policy()) as made:
        yield made


def test_no_rules_means_nothing_at_all():
    with box(Policy(())) as made:
        port = made.ask("serve", "tcp", "127.0.0.1", 0)
        assert made.refused("ask", "tcp", "127.0.0.1", port) == ("EPERM", Denied(0, 1, 0, 0))


def test_a_group_within_is_no_freer():
    anything = Policy((Rule(ip_network("0.0.0.0/0")), Rule(ip_network("::/0"))))
    with guarded(Policy()) as group, contextlib.ExitStack() as stack:
        within = version_2(group) / "within"
        within.mkdir()
        stack.callback(within.rmdir)
        inner = stack.enter_context(Firewall(within, anything))
        inside = stack.enter_context(actor("own", within / "cgroup.procs"))
        assert inside("ask", "tcp", "192.0.2.1", 80) == "EPERM"
        assert (inner.denied().attempts, group.firewall.denied().attempts) == (0, 1)


def test_the_callers_network_is_closed_unless_it_is_shared():
    with actor("shared") as host:
        port = host("serve", "tcp", "127.0.0.1", 0)
        with box(Policy(), "shared") as made:
            question = ("ask", "tcp", "127.0.0.1", port)
            assert made.refused(*question) == ("EPERM", Denied(1, 0, 0, 0))
        with box(Policy(own_network=False), "shared") as made:
            assert made.refused(*question) == ("yes", Denied(0, 0, 0, 0))
            other = ("ask", "tcp", "192.0.2.1", 80)
            assert made.refused(*other) == ("EPERM", Denied(0, 1, 0, 0))


def test_nothing_is_left_at_the_end():
    descriptors = len(list(Path("/proc/self/fd").iterdir()))
    with guarded(Policy()) as group:
        folder = version_2(group)
        programs = attached(folder)
    assert len(programs) == len(ATTACHED)
    assert not folder.exists()
    assert len(list(Path("/proc/self/fd").iterdir())) == descriptors
    assert gone(programs)


def test_what_was_denied_is_known_after_the_end():
    with guarded(Policy()) as group, actor("own", *group.procs) as inside:
        inside("ask", "tcp", "192.0.2.1", 80)
    assert group.firewall.denied() == Denied(0, 1, 0, 0)
    group.firewall.close()


def test_a_killed_owner_leaves_nothing_once_the_next_begins():
    with guarded(Policy()):
        pass
    script = (
        "import os, sys; from thresher.sandbox.cgroup import Cgroup\n"
        "from thresher.sandbox.firewall import Policy\n"
        f"group = Cgroup({MEMORY}, {PROCESSES}, Policy()).__enter__()\n"
        "print(*group.procs, flush=True); sys.stdin.read()"
    )
    argv = [sys.executable, "-c", script]
    with subprocess.Popen(argv, stdin=-1, stdout=subprocess.PIPE, text=True) as owner:
        folders = [Path(path).parent for path in owner.stdout.readline().split()]
        programs = attached(folders[-1])
        with guarded(Policy()):
            assert all(folder.exists() for folder in folders)
        owner.send_signal(signal.SIGKILL)
    assert attached(folders[-1]) == programs
    with guarded(Policy()):
        assert not any(folder.exists() for folder in folders)
    assert gone(programs)


def version_2(group: Cgroup) -> Path:
    return next(p.parent for p in group.procs if (p.parent / "cgroup.controllers").exists())


def attached(folder: Path) -> dict[str, int]:
    """Return the id of the program at each place of a cgroup."""
    found = {}
    descriptor = os.open(folder, os.O_RDONLY)
    for name, place in ATTACHED.items():
        ids = (ctypes.c_uint32 * 4)()
        request = struct.pack("<IIIIQI", descriptor, place, 0, 0, ctypes.addressof(ids), 4)
        bpf._bpf(PROGRAM_QUERY, request)
        if ids[0]:
            found[name] = ids[0]
    os.close(descriptor)
    return found


def gone(programs: dict[str, int]) -> bool:
    """Wait until the kernel knows none of these programs: it frees them in its own time."""
    end = time.monotonic() + 10
    while left := [number for number in programs.values() if _known(number)]:
        if time.monotonic() > end:
            raise AssertionError(f"programs {left} are still there")
        time.sleep(0.02)
    return True


def _known(program: int) -> bool:
    try:
        os.close(bpf._bpf(PROGRAM_BY_ID, struct.pack("<III", program, 0, 0)))
    except OSError as error:
        assert error.errno == errno.ENOENT
        return False
    return True


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            PermissionError(errno.EPERM, "no"),
            "no right to load eBPF programs: run as root, or with CAP_BPF and CAP_NET_ADMIN",
        ),
        (
            OSError(errno.EINVAL, "no"),
            "the kernel can't: Linux 5.14 or newer with CONFIG_CGROUP_BPF is needed",
        ),
        (NotImplementedError("no eBPF assembler for vax processors"),) * 2,
        (OSError(errno.ENOMEM, "no"), "eBPF failed: [Errno 12] no"),
        (
            OSError(errno.EROFS, "no", "/cg"),
            "no cgroup of version 2 can be made ([Errno 30] no: '/cg'): run as root",
        ),
    ],
)
def test_without_the_right_the_first_wall_stands_alone(monkeypatch, caplog, error, words):
    def refuse(*arguments: object) -> int:
        raise error

    monkeypatch.setattr(bpf, "_bpf", refuse)
    cgroup._say_once.cache_clear()
    caplog.set_level(logging.WARNING)
    for _ in range(2):
        with Cgroup(MEMORY, PROCESSES, Policy()) as group:
            assert group.firewall is None
            assert group.no_firewall == reason(error) == str(words)
            plain = Cgroup(MEMORY, PROCESSES)
            with plain:
                assert (len(plain.procs), plain.limited) == (len(group.procs), group.limited)
    assert caplog.messages == [f"no second wall around the network: {words}"]


def test_a_rule_that_makes_no_sense_leaves_no_group():
    before = ours()
    with pytest.raises(OverflowError), Cgroup(MEMORY, PROCESSES, Policy(_port(70000))):
        pass
    assert ours() == before


def ours() -> set[Path]:
    return set(Path("/sys/fs/cgroup").glob(f"**/thresher-{os.getpid()}-*"))


def _port(port: int) -> tuple[Rule]:
    return (Rule(ip_network("127.0.0.1"), port),)


def test_root_of_a_user_namespace_has_no_right_and_is_told():
    script = (
        "from thresher.sandbox.cgroup import Cgroup\n"
        "from thresher.sandbox.firewall import Policy\n"
        "with Cgroup(1 << 28, 32, Policy()) as group: print(group.no_firewall)"
    )
    argv = ["unshare", "--user", "--map-root-user", sys.executable, "-c", script]
    done = subprocess.run(argv, capture_output=True, text=True)
    if "unshare" in done.stderr:
        pytest.skip("this host allows no user namespaces")
    assert done.stdout.startswith("no ")
    assert "no second wall around the network: no " in done.stderr


@pytest.mark.parametrize(
    ("name", "answer", "attempts"),
    [
        ("bubblewrap", "[Errno 1] Operation not permitted", 1),
        # Its own kernel knows no way out; the host's sees no socket.
        ("gvisor", "[Errno 113] No route to host", 0),
    ],
)
def test_a_real_sandbox_is_held_by_the_second_wall(monkeypatch, name, answer, attempts):
    seen = []

    class Guarded(Cgroup):
        def __init__(self, memory_bytes: int, processes: int, *rest: object) -> None:
            super().__init__(memory_bytes, processes, Policy())

        def __exit__(self, *error: object) -> None:
            super().__exit__(*error)
            seen.append(self.firewall.denied())

    monkeypatch.setattr(command, "Cgroup", Guarded)
    with guarded(Policy()):
        pass
    code = (
        "import socket\n"
        "server = socket.create_server(('127.0.0.1', 0))\n"
        "client = socket.create_connection(server.getsockname())\n"
        "print(server.accept()[0].send(b'hi'), client.recv(2))\n"
        "try: socket.create_connection(('192.0.2.1', 80))\n"
        "except OSError as error: print(error)\n"
    )
    try:
        done = command.run(["python3", "-c", code], wall=walls.find(name))
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    assert done.output == f"2 b'hi'\n{answer}\n"
    assert seen == [Denied(0, attempts, 0, 0)]
