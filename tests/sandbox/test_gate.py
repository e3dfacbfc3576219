"""The packet programs, run by the kernel on packets that we make up: no network is touched."""

import contextlib
import ctypes
import os
import socket
import struct
from collections.abc import Iterator
from ipaddress import ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.sandbox import bpf, firewall, gate
from thresher.sandbox.firewall import Denied, Rule

PROGRAM_TEST_RUN = 10
IPV4, IPV6, ARP, MPLS = 0x0800, 0x86DD, 0x0806, 0x8847
TCP, UDP, ICMP, ICMP6, SCTP = 6, 17, 1, 58, 132

RULES = (
    Rule(ip_network("10.0.0.2"), 443, "tcp"),
    Rule(ip_network("10.0.0.3"), 53),
    Rule(ip_network("10.1.0.0/16")),
    Rule(ip_network("10.1.2.0/24"), 99, "udp"),
    Rule(ip_network("2001:db8::2"), 443, "tcp"),
    Rule(ip_network("2001:db8:1::/48")),
)


@contextlib.contextmanager
def loaded(rules: tuple[Rule, ...]) -> Iterator[tuple[int, int]]:
    """Give descriptors of the programs for outgoing and incoming packets."""
    with contextlib.ExitStack() as stack:
        try:
            peers = firewall._peers(rules)
            counters = bpf.create_map(bpf.ARRAY, 4, 8, len(Denied._fields))
            programs = {
                check.attach_type: bpf.load_program(*check)
                for check in gate.checks(peers, counters, 0)
            }
        except (OSError, NotImplementedError) as error:
            pytest.skip(firewall.reason(error))
        for descriptor in (peers, counters, *programs.values()):
            stack.callback(os.close, descriptor)
        yield programs[gate.EGRESS], programs[gate.INGRESS]


@pytest.fixture(scope="module")
def programs():
    with loaded(RULES) as both:
        yield both


def run(program: int, packet: bytes, ethertype: int = 0) -> bool:
    """Return what a program says of a packet; its version tells its type where none is given."""
    ethertype = ethertype or {4: IPV4, 6: IPV6}[packet[0] >> 4]
    frame = bytes(12) + ethertype.to_bytes(2, "big") + packet
    held = ctypes.create_string_buffer(frame, len(frame))
    request = struct.pack("<IIIIQQII", program, 0, len(frame), 0, ctypes.addressof(held), 0, 1, 0)
    buffer = ctypes.create_string_buffer(request, 80)
    number = bpf.DENIED["bpf"][bpf.MACHINES[bpf.platform.machine()][1]]
    if bpf._LIBC.syscall(number, PROGRAM_TEST_RUN, buffer, 80) < 0:
        raise OSError(ctypes.get_errno(), "test run")
    return bool(struct.unpack_from("<I", buffer.raw, 4)[0])


def packet_to(address, port, protocol, source="192.0.2.1", **changes):
    """Make a packet to a peer; `changes` are bytes by their place in it."""
    return packet(source, 1024, address, port, protocol, **changes)


def packet(source, source_port, address, port, protocol, **changes):
    ends = [ip_address(address).packed]
    ends.insert(0, ip_address(source).packed if len(ends[0]) == 4 else bytes(15) + b"\7")
    body = struct.pack("!HHHH", source_port, port, 8, 0)
    if protocol in (ICMP, ICMP6):
        body = bytes((8 if protocol == ICMP else 128, 0)) + bytes(6)
    if len(ends[0]) == 4:
        head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 28, 1, 0x4000, 64, protocol, 0, *ends)
    else:
        head = struct.pack("!IHBB16s16s", 6 << 28, 8, protocol, 64, *ends)
    data = bytearray(head + body)
    for place, value in changes.items():
        data[int(place[1:])] = value
    return bytes(data)


@pytest.mark.parametrize(
    ("address", "port", "protocol", "allowed"),
    [
        ("10.0.0.2", 443, TCP, True),
        ("10.0.0.2", 444, TCP, False),
        ("10.0.0.2", 443, UDP, False),
        ("10.0.0.2", 0, ICMP, False),
        ("10.0.0.3", 53, TCP, True),
        ("10.0.0.3", 53, UDP, True),
        ("10.0.0.3", 0, ICMP, False),
        ("10.0.0.4", 443, TCP, False),
        ("10.1.0.0", 1, TCP, True),
        ("10.1.255.255", 1, UDP, True),
        ("10.1.2.3", 99, UDP, True),
        ("10.1.2.3", 98, UDP, True),
        ("10.1.9.9", 0, ICMP, True),
        ("10.1.9.9", 0, ICMP6, False),
        ("10.1.9.9", 1, SCTP, False),
        ("10.2.0.0", 1, TCP, False),
        ("255.255.255.255", 67, UDP, False),
        ("2001:db8::2", 443, TCP, True),
        ("2001:db8::2", 443, UDP, False),
        ("2001:db8::3", 443, TCP, False),
        ("2001:db8:1::9", 5, UDP, True),
        ("2001:db8:1::9", 0, ICMP6, True),
        ("2001:db8:1::9", 0, ICMP, False),
        ("2001:db8:2::9", 0, ICMP6, False),
        ("ff02::1", 5353, UDP, False),
        ("::ffff:10.1.2.3", 99, UDP, False),
        ("::10.1.2.3", 99, UDP, False),
    ],
)
def test_packets_go_to_listed_peers_only(programs, address, port, protocol, allowed):
    outgoing, _ = programs
    assert run(outgoing, packet_to(address, port, protocol)) is allowed


def test_packets_come_from_listed_peers_only(programs):
    outgoing, incoming = programs
    answer = packet("10.0.0.2", 443, "192.0.2.1", 1024, TCP)
    assert (run(incoming, answer), run(outgoing, answer)) == (True, False)
    assert run(incoming, packet("10.0.0.2", 1024, "192.0.2.1", 443, TCP)) is False
    assert run(incoming, packet("192.0.2.1", 1024, "10.0.0.2", 443, TCP)) is False
    assert run(incoming, packet("10.1.2.3", 0, "192.0.2.1", 0, ICMP)) is True


@pytest.mark.parametrize(
    "changes",
    [
        {"_0": 0x46},  # an option: it might be a source route
        {"_0": 0x44},  # a header shorter than headers are
        {"_6": 0x20},  # more fragments follow
        {"_7": 0x01},  # not the first fragment
        {"_6": 0x1F, "_7": 0xFF},
    ],
)
def test_ipv4_that_hides_its_ports_or_way_is_dropped(programs, changes):
    assert run(programs[0], packet_to("10.1.2.3", 99, UDP)) is True
    assert run(programs[0], packet_to("10.1.2.3", 99, UDP, **changes)) is False


@pytest.mark.parametrize("header", [0, 43, 44, 50, 51, 59, 60, 135, 139, 140, 253])
def test_ipv6_extension_headers_are_dropped(programs, header):
    assert run(programs[0], packet_to("2001:db8:1::9", 5, UDP, _6=header)) is False


@pytest.mark.parametrize(("peer", "header"), [("10.0.0.2", 20), ("2001:db8::2", 40)])
def test_a_packet_without_its_ports_is_dropped(programs, peer, header):
    whole = packet_to(peer, 443, TCP)
    passed = [run(programs[0], whole[: header + length]) for length in range(6)]
    assert passed == [False, False, False, False, True, True]


def test_what_is_neither_ipv4_nor_ipv6_is_dropped():
    rules = (Rule(ip_network("0.0.0.0/0")), Rule(ip_network("::/0")))
    four, six = packet_to("10.0.0.2", 443, TCP), packet_to("2001:db8::2", 443, TCP)
    with loaded(rules) as (outgoing, _):
        strangers = [
            (ARP, four),
            (MPLS, six),
            (IPV4, b"\x65" + four[1:]),
            (IPV6, b"\x40" + six[1:]),
        ]
        for ethertype, data in strangers:
            assert run(outgoing, data, ethertype) is False
        assert run(outgoing, four, IPV4) is True
        assert run(outgoing, six, IPV6) is True


def test_only_neighbours_are_asked_for_without_a_rule(programs):
    kinds = [k for k in range(256) if run(programs[0], packet_to("ff02::1", 0, ICMP6, _40=k))]
    assert kinds == [135, 136]
    assert not any(run(programs[1], packet_to("ff02::1", 0, ICMP6, _40=k)) for k in range(256))


ADDRESSES = st.one_of(
    st.integers(0, 7).map(lambda low: ip_address(0x0A000000 + low)),
    st.integers(0, 7).map(lambda low: ip_address((0x20010DB8 << 96) + low)),
)


@st.composite
def rules(draw):
    address = draw(ADDRESSES)
    cut = draw(st.sampled_from([0, 1, 2, 3, 8, address.max_prefixlen]))
    network = ip_network((address, address.max_prefixlen - cut), strict=False)
    return Rule(network, draw(st.integers(0, 2)), draw(st.sampled_from(["any", "tcp", "udp"])))


@given(
    st.lists(rules(), max_size=4).map(tuple),
    st.lists(st.tuples(ADDRESSES, st.integers(1, 2), st.sampled_from([TCP, UDP])), min_size=1),
)
def test_a_packet_passes_exactly_when_a_rule_names_its_peer(listed, tried):
    numbers = {"tcp": TCP, "udp": UDP}
    with loaded(listed) as (outgoing, _):
        for address, port, protocol in tried:
            assert run(outgoing, packet_to(str(address), port, protocol)) is any(
                address in rule.network
                and rule.port in (0, port)
                and numbers.get(rule.protocol, protocol) == protocol
                for rule in listed
            )


def test_what_passes_can_be_read_by_a_parser_of_another_make(programs):
    @given(st.binary(min_size=1, max_size=60), st.booleans())
    def check(data, four):
        start = b"\x45" if four else b"\x60"
        whole = bytearray(packet_to("10.1.2.3" if four else "2001:db8:1::9", 99, UDP))
        whole[: len(data)] = start + data[1:]
        if run(programs[0], bytes(whole)):
            assert (plain_4 if four else plain_6)(bytes(whole))

    check()


def plain_4(data: bytes) -> bool:
    fragment, protocol = struct.unpack("!HxB", data[6:10])
    peer = socket.inet_ntoa(data[16:20])
    listed = peer.startswith("10.1.") or peer in ("10.0.0.2", "10.0.0.3")
    return listed and fragment & 0x3FFF == 0 and protocol in (TCP, UDP, ICMP)


def plain_6(data: bytes) -> bool:
    peer = ip_address(data[24:40])
    if data[6] == ICMP6 and data[40] in (135, 136):
        return True
    listed = peer in ip_network("2001:db8:1::/48") or peer == ip_address("2001:db8::2")
    return listed and data[6] in (TCP, UDP, ICMP6)
