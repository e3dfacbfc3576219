"""The firewall's eBPF programs: each fills a key with a peer, looks it up, and counts refusals."""

import itertools
import socket
import struct
from ipaddress import IPv4Network, IPv6Network
from typing import NamedTuple

from thresher.sandbox import bpf
from thresher.sandbox.bpf import BYTE, DOUBLE, FRAME, HALF, WORD, Program

SKB, SOCK, SOCK_ADDR = 8, 9, 18  # program types
INGRESS, EGRESS, SOCK_CREATE, CONNECT4, CONNECT6, SENDMSG4, SENDMSG6 = 0, 1, 2, 10, 11, 14, 15

# On the stack: the key of a lookup, and below it room for a packet's header.
KEY, FAMILY, PROTOCOL, PORT, ADDRESS, HEADER = -24, -20, -19, -18, -16, -64
KEY_SIZE, KEY_BITS, ADDRESS_SIZE = 24, 160, 16
CONTEXT, R_PROTOCOL, R_PORT, R_LENGTH = 6, 7, 8, 9  # registers that calls leave alone

NEIGHBOURS = (135, 136)  # types of ICMPv6: solicitation, advertisement
PINGS = (socket.IPPROTO_ICMP, socket.IPPROTO_ICMPV6)
SOCKETS, ATTEMPTS, OUTGOING, INCOMING = range(4)  # slots of the counters


class Check(NamedTuple):
    """A program, its type, and where it is attached."""

    kind: int
    attach_type: int
    program: Program


def key(network: IPv4Network | IPv6Network, port: int, protocol: int) -> bytes:
    """Return the key of a rule; what is exact comes first, so that prefixes are of addresses.

    Args:
        network: the peers.
        port: theirs; 0 for any.
        protocol: its number; 0 for any.
    """
    bits = KEY_BITS - 8 * ADDRESS_SIZE + network.prefixlen
    address = network.network_address.packed.ljust(ADDRESS_SIZE, b"\0")
    return struct.pack("<IBB", bits, network.version, protocol) + port.to_bytes(2, "big") + address


def checks(peers: int, counters: int, cookie: int) -> list[Check]:
    """Return all checks of a cgroup.

    Args:
        peers: the trie of allowed peers, a descriptor.
        counters: the array of what was refused, a descriptor.
        cookie: the network namespace to make no sockets in; 0 for none.
    """

    def ended(slot: int, *parts: Program) -> Program:
        return [bpf.move(CONTEXT, 1), *itertools.chain(*parts), *_end(counters, slot)]

    decide = _decide(peers)
    outgoing = _packet(peer_4=16, peer_6=24, port=2, ours=_neighbours())
    incoming = _packet(peer_4=12, peer_6=8, port=0, ours=[])
    return [
        Check(SOCK, SOCK_CREATE, ended(SOCKETS, _creation(cookie))),
        Check(SOCK_ADDR, CONNECT4, ended(ATTEMPTS, _address_4(), decide)),
        Check(SOCK_ADDR, SENDMSG4, ended(ATTEMPTS, _address_4(), decide)),
        Check(SOCK_ADDR, CONNECT6, ended(ATTEMPTS, _address_6(), decide)),
        Check(SOCK_ADDR, SENDMSG6, ended(ATTEMPTS, _address_6(), decide)),
        Check(SKB, EGRESS, ended(OUTGOING, outgoing, decide)),
        Check(SKB, INGRESS, ended(INCOMING, incoming, decide)),
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


def _packet(peer_4: int, peer_6: int, port: int, ours: Program) -> Program:
    """Fill the key from a packet, given where its headers name the peer.

    `ours` looks for ICMPv6 that the kernel sends.
    """
    return [
        bpf.load(WORD, 2, CONTEXT, 16),  # the EtherType, in network order
        bpf.jump_equal(2, socket.htons(0x0800), "four"),
        bpf.jump_unequal(2, socket.htons(0x86DD), "deny"),
        *_read(0, 40),
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
        bpf.jump_unequal(R_PROTOCOL, socket.IPPROTO_ICMPV6, "ports"),
        *ours,
        bpf.jump("ping"),
        "four",
        *_read(0, 20),
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
        bpf.add(R_LENGTH, port),
        *_read(R_LENGTH, 2),
        bpf.load(HALF, R_PORT, FRAME, HEADER),
        bpf.jump("decide"),
        "ping",
        bpf.put(R_PORT, 0),
    ]


def _neighbours() -> Program:
    """Let the kernel ask for the hardware address of an IPv6 neighbour, and answer.

    It does so from a socket that belongs to whoever made the network namespace. Others can't:
    ping sockets send echo requests alone.
    """
    return [
        *_read(R_LENGTH, 1),
        bpf.load(BYTE, 2, FRAME, HEADER),
        *(bpf.jump_equal(2, kind, "allow") for kind in NEIGHBOURS),
    ]


def _read(register: int, size: int) -> Program:
    """Copy `size` bytes of the packet to the stack, from where a register says; 0 is its start."""
    return [
        bpf.move(2, register) if register else bpf.put(2, 0),
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


def _lookup(descriptor: int, place: int) -> Program:
    return [
        *bpf.put_map(1, descriptor),
        bpf.move(2, FRAME),
        bpf.add(2, place),
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
