"""Standalone: enter cgroups, make a network namespace, and do there what each line asks.

Usage: ``python peer.py own|shared [CGROUP_PROCS_FILE ...]`` (``shared`` stays in the network
namespace that it was started in); a line is a JSON list of a function below and its
arguments, the answer a JSON value. Refusals are answered by name: EPERM, TimeoutError.
"""

import contextlib
import ctypes
import errno
import json
import os
import socket
import struct
import subprocess
import sys
import threading
from pathlib import Path

NEW_NETWORK = 0x40000000
SECONDS = 0.3  # to wait for a packet that shall not come
QUICK = 2.0  # to wait for one that shall
KINDS = {"tcp": socket.SOCK_STREAM, "udp": socket.SOCK_DGRAM}
kept = {}


def ip(*lines):
    subprocess.run(["ip", "-batch", "-"], input="\n".join(lines), text=True, check=True)


def serve(kind, address, port):
    """Answer whatever comes with "yes:" and what it was, for ever."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    server = socket.socket(family, KINDS[kind])
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind((address, port))
    if kind == "tcp":
        server.listen()
    target = _serve_tcp if kind == "tcp" else _serve_udp
    threading.Thread(target=target, args=(server,), daemon=True).start()
    return server.getsockname()[1]


def _serve_tcp(server):
    while True:
        client, _ = server.accept()
        with client:
            client.sendall(b"yes:" + client.recv(9999))


def _serve_udp(server):
    while True:
        data, client = server.recvfrom(9999)
        with contextlib.suppress(PermissionError):
            server.sendto(b"yes:" + data, client)


def ask(kind, address, port, source=None, size=2, connect=True):
    """Say something to a server; return "yes" when it answers."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, KINDS[kind]) as client:
        client.settimeout(SECONDS)
        if source:
            client.bind((source, 0))
        if connect:
            client.connect((address, port))
            client.send(bytes(size))
        else:
            client.sendto(bytes(size), (address, port))
        return "yes" if client.recv(9999) == b"yes:" + bytes(size) else "garbled"


def ping(address):
    """Send an echo request from a ping socket; return "yes" when it is answered."""
    with _ping_socket(address, 0) as client:
        client.sendto(_echo(address, request=True, number=0), (address, 0))
        return "yes" if client.recv(999)[8:] == b"ping" else "garbled"


def expect_ping(address, number):
    """Open a ping socket that takes replies with `number`."""
    kept["ping"] = _ping_socket(address, number)


def heard_ping():
    """Return what came to it."""
    return kept["ping"].recv(999)[8:].decode()


def forge_ping(address, source, number):
    """Send an echo reply that nobody asked for."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    protocol = socket.IPPROTO_ICMPV6 if ":" in address else socket.IPPROTO_ICMP
    with socket.socket(family, socket.SOCK_RAW, protocol) as raw:
        raw.bind((source, 0))
        raw.sendto(_echo(address, request=False, number=number), (address, 0))


def _ping_socket(address, number):
    Path("/proc/sys/net/ipv4/ping_group_range").write_text("0 2147483647")
    six = ":" in address
    protocol = socket.IPPROTO_ICMPV6 if six else socket.IPPROTO_ICMP
    client = socket.socket(socket.AF_INET6 if six else socket.AF_INET, socket.SOCK_DGRAM, protocol)
    client.settimeout(SECONDS)
    client.bind(("::" if six else "0.0.0.0", number))
    return client


def _echo(address, request, number):
    kind = (128 if request else 129) if ":" in address else (8 if request else 0)
    head = struct.pack("!BBHHH", kind, 0, 0, number, 1)
    return head[:2] + _checksum(head + b"ping") + head[4:] + b"ping"


def _checksum(data):
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    total = (total >> 16) + (total & 0xFFFF)
    return struct.pack("!H", ~(total + (total >> 16)) & 0xFFFF)


def make(family, kind, protocol):
    """Make a socket, by the names of its constants."""
    socket.socket(*(getattr(socket, name) for name in (family, kind, protocol))).close()
    return "yes"


def send_with(address, port, level, option, value):
    """Send a datagram with an option set."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as client:
        client.setsockopt(level, option, bytes(value))
        client.sendto(b"hi", (address, port))
        return "yes"


def main(network, *groups):
    for procs in groups:
        Path(procs).write_text("0")
    if network == "own":
        if ctypes.CDLL(None, use_errno=True).unshare(NEW_NETWORK):
            raise OSError(ctypes.get_errno(), "unshare")
        ip("link set lo up")
    print(os.getpid(), flush=True)
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        try:
            answer = globals()[name](*arguments)
        except TimeoutError:
            answer = "silence"
        except OSError as error:
            answer = errno.errorcode[error.errno]
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
