"""The second wall around egress: eBPF programs that bind a cgroup to a list of peers.

Every socket remembers the cgroup of the process that made it, so the programs hold for whatever
that process does, in any network namespace and whoever it hands the socket to:

- *sockets*: only TCP, UDP and ping sockets can be made; no raw ones, which could forge a sender;
- *attempts*: connecting or sending elsewhere fails at once with EPERM;
- *packets*: those that go elsewhere, or come from elsewhere, are dropped, and so is anything that
  hides where it goes: IP options, extension headers, fragments (the kernel takes packets apart
  after, and puts them together before, they are seen here), protocols without a rule.

Never seen: packet and vsock sockets, which pass by IP (the first wall refuses the first for want
of capabilities), and what the kernel itself answers to strangers (resets, echo replies).
"""

import contextlib
import errno
import os
import socket
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Literal, NamedTuple, Self

from thresher.sandbox import bpf, gate

Protocol = Literal["any", "tcp", "udp"]
PROTOCOLS = {"any": 0, "tcp": socket.IPPROTO_TCP, "udp": socket.IPPROTO_UDP}
SO_NETNS_COOKIE = 71


class Rule(NamedTuple):
    """Peers that may be reached and heard.

    Attributes:
        network: an address or a prefix; IPv4 ones also hold for IPv6 sockets that use IPv4.
        port: the peer's port; 0 is any.
        protocol: ``any`` with any port includes ICMP.
    """

    network: IPv4Network | IPv6Network
    port: int = 0
    protocol: Protocol = "any"


# Connecting to "no address" is connecting to this host, as many a test suite does.
HERE = ("127.0.0.0/8", "::1", "0.0.0.0/32", "::")
LOOPBACK = tuple(Rule(ip_network(text)) for text in HERE)


class Policy(NamedTuple):
    """What a cgroup may do.

    Attributes:
        rules: the peers; all else is denied.
        own_network: no sockets in the network namespace of the caller: there, loopback would be
            all the services of the host.
    """

    rules: Sequence[Rule] = LOOPBACK
    own_network: bool = True


class Denied(NamedTuple):
    """How often something was refused: sockets, connecting or sending, packets each way."""

    sockets: int
    attempts: int
    outgoing: int
    incoming: int


class Firewall:
    """The programs on one cgroup, which hold until its folder is removed; a context manager.

    Args:
        group: the folder of a cgroup (version 2).
        policy: what those in it may do.

    Raises:
        OSError: this host doesn't let us; `reason` puts it in words.
        NotImplementedError: its processor is not known; so does `reason`.
    """

    def __init__(self, group: Path, policy: Policy) -> None:
        self._final: Denied | None = None
        with contextlib.ExitStack() as stack:
            peers = _peers(policy.rules)
            stack.callback(os.close, peers)
            self._counters = bpf.create_map(bpf.ARRAY, 4, 8, len(Denied._fields))
            failed = stack.enter_context(contextlib.ExitStack())
            failed.callback(os.close, self._counters)
            folder = os.open(group, os.O_RDONLY | os.O_DIRECTORY)
            stack.callback(os.close, folder)
            cookie = network_cookie() if policy.own_network else 0
            loaded = []
            for check in gate.checks(peers, self._counters, cookie):
                loaded.append((bpf.load_program(*check), check.attach_type))
                stack.callback(os.close, loaded[-1][0])
            for program, attach_type in loaded:
                bpf.attach(folder, program, attach_type)
            failed.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def denied(self) -> Denied:
        """Return what was refused so far, or until it was closed."""
        if self._final is not None:
            return self._final
        slots = (slot.to_bytes(4, "little") for slot in range(len(Denied._fields)))
        return Denied(*(_number(bpf.lookup(self._counters, slot, 8)) for slot in slots))

    def close(self) -> None:
        """Stop counting; the programs hold on."""
        if self._final is None:
            self._final = self.denied()
            os.close(self._counters)


def reason(error: OSError | NotImplementedError) -> str:
    """Say in words why a firewall could not be made, and what would help."""
    if isinstance(error, NotImplementedError):
        return str(error)
    if error.filename is not None:
        return f"no cgroup of version 2 can be made ({error}): run as root"
    if error.errno in (errno.EPERM, errno.EACCES):
        return "no right to load eBPF programs: run as root, or with CAP_BPF and CAP_NET_ADMIN"
    if error.errno in (errno.EINVAL, errno.ENOPROTOOPT, errno.ENOSYS):
        return "the kernel can't: Linux 5.14 or newer with CONFIG_CGROUP_BPF is needed"
    return f"eBPF failed: {error}"


def _peers(rules: Sequence[Rule]) -> int:
    """Return a trie of `rules`."""
    size = max(1, len(rules))
    trie = bpf.create_map(bpf.LPM_TRIE, gate.KEY_SIZE, 1, size, bpf.NO_PREALLOCATION)
    with contextlib.ExitStack() as failed:
        failed.callback(os.close, trie)
        for network, port, protocol in rules:
            bpf.update(trie, gate.key(network, port, PROTOCOLS[protocol]), b"\1")
        failed.pop_all()
    return trie


def network_cookie() -> int:
    """Return the kernel's number of the network namespace that we are in."""
    with socket.socket(socket.AF_UNIX) as any_socket:
        return _number(any_socket.getsockopt(socket.SOL_SOCKET, SO_NETNS_COOKIE, 8))


def _number(data: bytes) -> int:
    return int.from_bytes(data, "little")
