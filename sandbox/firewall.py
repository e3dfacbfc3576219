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
import itertools
import os
import socket
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Literal, NamedTuple, Self

from thresher.sandbox import bpf
from thresher.sandbox.bpf import BYTE, DOUBLE, FRAME, HALF, WORD, Program

Protocol = Literal["any", "tcp", "udp"]
PROTOCOLS = {"any": 0, "tcp": socket.IPPROTO_TCP, "udp": socket.IPPROTO_UDP}
PINGS = (socket.IPPROTO_ICMP, socket.IPPROTO_ICMPV6)
SO_NETNS_COOKIE = 71

SKB, SOCK, SOCK_ADDR = 8, 9, 18  # program types
INGRESS, EGRESS, SOCK_CREATE, CONNECT4, CONNECT6, SENDMSG4, SENDMSG6 = 0, 1, 2, 10, 11, 14, 15

# On the stack: the key of a lookup, and below it room for a packet's header.
KEY, FAMILY, PROTOCOL, PORT, ADDRESS, HEADER = -24, -20, -19, -18, -16, -64
KEY_SIZE, KEY_BITS, ADDRESS_SIZE = 24, 160, 16
CONTEXT, R_PROTOCOL, R_PORT, R_LENGTH = 6, 7, 8, 9  # registers that calls leave alone


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


SOCKETS, ATTEMPTS, OUTGOING, INCOMING = range(len(Denied._fields))


class Firewall:
    """The programs on one cgroup, which hold until its folder is removed; a context manager.

    Args:
        group: the folder of a cgroup (version 2).
        policy: what those in it may do.

    Raises:
        OSError: this host doesn't let us (`reason` puts it in words); nothing is in force.
    """

    def __init__(self, group: Path, policy: Policy) -> None:
        with contextlib.ExitStack() as stack:
            peers = _peers(policy.rules)
            stack.callback(os.close, peers)
            self._counters = bpf.create_map(bpf.ARRAY, 4, 8, len(Denied._fields))
            failed = stack.enter_context(contextlib.ExitStack())
            failed.callback(os.close, self._counters)
            folder = os.open(group, os.O_RDONLY | os.O_DIRECTORY)
            stack.callback(os.close, folder)
            cookie = _network_cookie() if policy.own_network else 0
            loaded = {}
            for kind, attach_type, program in _programs(peers, self._counters, cookie):
                loaded[attach_type] = bpf.load_program(kind, attach_type, program)
                stack.callback(os.close, loaded[attach_type])
            for attach_type, descriptor in loaded.items():
                bpf.attach(folder, descriptor, attach_type)
            failed.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def denied(self) -> Denied:
        """Return what was refused so far."""
        slots = (slot.to_bytes(4, "little") for slot in range(len(Denied._fields)))
        return Denied(*(_number(bpf.lookup(self._counters, slot, 8)) for slot in slots))

    def close(self) -> None:
        """Stop counting; the programs hold on."""
        os.close(self._counters)


def reason(error: Exception) -> str:
    """Say in words why a firewall could not be made."""
    if isinstance(error, NotImplementedError):
        return str(error)
    number = error.errno if isinstance(error, OSError) else None
    if number in (errno.EPERM, errno.EACCES):
        return "no right to load eBPF programs: run as root, or with CAP_BPF and CAP_NET_ADMIN"
    if number in (errno.EINVAL, errno.ENOPROTOOPT, errno.ENOSYS):
        return "the kernel can't: Linux 5.14 or newer with CONFIG_CGROUP_BPF is needed"
    return f"eBPF failed: {error}"


def _programs(peers: int, counters: int, cookie: int) -> list[tuple[int, int, Program]]:
    def ended(slot: int, *parts: Program) -> Program:
        return [bpf.move(CONTEXT, 1), *itertools.chain(*parts), *_end(counters, slot)]

    decide = _decide(peers)
    return [
        (SOCK, SOCK_CREATE, ended(SOCKETS, _creation(cookie))),
        (SOCK_ADDR, CONNECT4, ended(ATTEMPTS, _address_4(), decide)),
        (SOCK_ADDR, SENDMSG4, ended(ATTEMPTS, _address_4(), decide)),
        (SOCK_ADDR, CONNECT6, ended(ATTEMPTS, _address_6(), decide)),
        (SOCK_ADDR, SENDMSG6, ended(ATTEMPTS, _address_6(), decide)),
        (SKB, EGRESS, ended(OUTGOING, _packet(peer_4=16, peer_6=24, port=2), decide)),
        (SKB, INGRESS, ended(INCOMING, _packet(peer_4=12, peer_6=8, port=0), decide)),
    ]


def _creation(cookie: int) -> Program:
    """Judge a struct bpf_sock: only TCP, UDP and ping, in a network namespace of its own."""
    elsewhere = [
        bpf.move(1, CONTEXT),
        bpf.call(bpf.NETWORK_COOKIE),
        *bpf.put_wide(1, cookie),
        bpf.jump_same(0, 1, "deny"),
    ]
    return [
        *(elsewhere if cookie else []),
        bpf.load(WORD, 2, CONTEXT, 8),
        bpf.jump_equal(2, socket.SOCK_RAW, "deny"),
        bpf.load(WORD, 2, CONTEXT, 12),
        *(
            bpf.jump_equal(2, number, "allow")
            for number in (socket.IPPROTO_TCP, socket.IPPROTO_UDP, *PINGS)
        ),
        bpf.jump("deny"),
    ]


def _address_4() -> Program:
    """Fill the key from a struct bpf_sock_addr with an IPv4 address."""
    return [
        bpf.load(WORD, 2, CONTEXT, 4),
        *_address_of_4(),
        bpf.load(WORD, R_PORT, CONTEXT, 24),
        bpf.load(WORD, R_PROTOCOL, CONTEXT, 36),
    ]


def _address_6() -> Program:
    """Fill the key from a struct bpf_sock_addr with an IPv6 address.

    An IPv4 address in IPv6 clothes is judged as IPv4, which is what will be sent.
    """
    words = [bpf.load(WORD, 2 + index, CONTEXT, 8 + 4 * index) for index in range(4)]
    return [
        bpf.load(WORD, R_PORT, CONTEXT, 24),
        bpf.load(WORD, R_PROTOCOL, CONTEXT, 36),
        *words,
        *(bpf.store(WORD, FRAME, ADDRESS + 4 * index, 2 + index) for index in range(4)),
        bpf.store_value(BYTE, FRAME, FAMILY, 6),
        bpf.jump_unequal(2, 0, "decide"),
        bpf.jump_unequal(3, 0, "decide"),
        bpf.jump_unequal(4, 0xFFFF0000, "decide"),
        bpf.move(2, 5),
        *_address_of_4(),
    ]


def _packet(peer_4: int, peer_6: int, port: int) -> Program:
    """Fill the key from a packet, given where its headers name the peer."""
    return [
        bpf.load(WORD, 2, CONTEXT, 16),  # the EtherType, in network order
        bpf.jump_equal(2, socket.htons(0x0800), "four"),
        bpf.jump_unequal(2, socket.htons(0x86DD), "deny"),
        *_read(40),
        bpf.load(BYTE, 2, FRAME, HEADER),
        bpf.mask(2, 0xF0),
        bpf.jump_unequal(2, 0x60, "deny"),
        bpf.load(BYTE, R_PROTOCOL, FRAME, HEADER + 6),
        bpf.load(DOUBLE, 2, FRAME, HEADER + peer_6),
        bpf.load(DOUBLE, 3, FRAME, HEADER + peer_6 + 8),
        bpf.store(DOUBLE, FRAME, ADDRESS, 2),
        bpf.store(DOUBLE, FRAME, ADDRESS + 8, 3),
        bpf.store_value(BYTE, FRAME, FAMILY, 6),
        bpf.put(R_LENGTH, 40),
        bpf.jump_equal(R_PROTOCOL, socket.IPPROTO_ICMPV6, "ping"),
        bpf.jump("ports"),
        "four",
        *_read(20),
        bpf.load(BYTE, 2, FRAME, HEADER),
        bpf.jump_unequal(2, 0x45, "deny"),  # version 4 without options, which could reroute it
        bpf.load(HALF, 2, FRAME, HEADER + 6),
        bpf.mask(2, socket.htons(0x3FFF)),  # more fragments, fragment offset
        bpf.jump_unequal(2, 0, "deny"),
        bpf.load(BYTE, R_PROTOCOL, FRAME, HEADER + 9),
        bpf.load(WORD, 2, FRAME, HEADER + peer_4),
        *_address_of_4(),
        bpf.put(R_LENGTH, 20),
        bpf.jump_equal(R_PROTOCOL, socket.IPPROTO_ICMP, "ping"),
        "ports",
        bpf.jump_equal(R_PROTOCOL, socket.IPPROTO_TCP, "peer"),
        bpf.jump_unequal(R_PROTOCOL, socket.IPPROTO_UDP, "deny"),
        "peer",
        bpf.move(2, R_LENGTH),
        bpf.add(2, port),
        *_read(2, at_register_2=True),
        bpf.load(HALF, R_PORT, FRAME, HEADER),
        bpf.jump("decide"),
        "ping",
        bpf.put(R_PORT, 0),
    ]


def _read(size: int, at_register_2: bool = False) -> Program:
    """Copy `size` bytes of the packet to the stack, from its start or the place in register 2."""
    return [
        *([] if at_register_2 else [bpf.put(2, 0)]),
        bpf.move(1, CONTEXT),
        bpf.move(3, FRAME),
        bpf.add(3, HEADER),
        bpf.put(4, size),
        bpf.call(bpf.LOAD_BYTES),
        bpf.jump_unequal(0, 0, "deny"),
    ]


def _address_of_4() -> Program:
    """Fill the key's family and address from register 2."""
    return [
        bpf.store_value(DOUBLE, FRAME, ADDRESS, 0),
        bpf.store_value(DOUBLE, FRAME, ADDRESS + 8, 0),
        bpf.store(WORD, FRAME, ADDRESS, 2),
        bpf.store_value(BYTE, FRAME, FAMILY, 4),
    ]


def _decide(peers: int) -> Program:
    """Look the key up with the protocol and port at hand, and with any for each and both."""
    steps: Program = [
        "decide",
        bpf.store_value(WORD, FRAME, KEY, KEY_BITS),
    ]
    for protocol, port in ((R_PROTOCOL, R_PORT), (R_PROTOCOL, 2), (2, R_PORT), (2, 2)):
        steps += [
            bpf.put(2, 0),
            bpf.store(BYTE, FRAME, PROTOCOL, protocol),
            bpf.store(HALF, FRAME, PORT, port),
            *_lookup(peers, KEY),
            bpf.jump_some(0, "allow"),
        ]
    return steps


def _lookup(descriptor: int, key: int) -> Program:
    return [
        *bpf.put_map(1, descriptor),
        bpf.move(2, FRAME),
        bpf.add(2, key),
        bpf.call(bpf.LOOKUP),
    ]


def _end(counters: int, slot: int) -> Program:
    """Refuse and count, or let pass at the label ``allow``."""
    return [
        "deny",
        bpf.store_value(WORD, FRAME, KEY, slot),
        *_lookup(counters, KEY),
        bpf.jump_none(0, "refuse"),
        bpf.put(1, 1),
        bpf.count(0, 1),
        "refuse",
        *bpf.leave(0),
        "allow",
        *bpf.leave(1),
    ]


def _peers(rules: Sequence[Rule]) -> int:
    """Return a trie of `rules`: protocol and port come first, so prefixes are of addresses."""
    trie = bpf.create_map(bpf.LPM_TRIE, KEY_SIZE, 1, max(1, len(rules)), bpf.NO_PREALLOCATION)
    with contextlib.ExitStack() as failed:
        failed.callback(os.close, trie)
        for rule in rules:
            bpf.update(trie, _key(rule), b"\1")
        failed.pop_all()
    return trie


def _key(rule: Rule) -> bytes:
    network = rule.network
    bits = KEY_BITS - 8 * ADDRESS_SIZE + network.prefixlen
    what = bytes((network.version, PROTOCOLS[rule.protocol])) + rule.port.to_bytes(2, "big")
    address = network.network_address.packed.ljust(ADDRESS_SIZE, b"\0")
    return bits.to_bytes(4, "little") + what + address


def _network_cookie() -> int:
    """Return the kernel's number of the network namespace that we are in."""
    with socket.socket(socket.AF_UNIX) as any_socket:
        return _number(any_socket.getsockopt(socket.SOL_SOCKET, SO_NETNS_COOKIE, 8))


def _number(data: bytes) -> int:
    return int.from_bytes(data, "little")
