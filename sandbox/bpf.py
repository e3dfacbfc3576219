"""The bpf(2) system call and an assembler of the few instructions that the firewall needs.

A program is a list of instructions and of labels (plain strings) that jumps go to. Nothing is
pinned: what is made here lives as long as its descriptor or the cgroup that it is attached to.
"""

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Iterator
from typing import NamedTuple

from thresher.sandbox.seccomp import DENIED, MACHINES

BYTE, HALF, WORD, DOUBLE = 0x10, 0x08, 0x00, 0x18  # operand sizes
SIZES = {BYTE: 1, HALF: 2, WORD: 4, DOUBLE: 8}
FRAME = 10  # the register that points to the end of the 512 bytes of stack
LOOKUP, LOAD_BYTES, NETWORK_COOKIE = 1, 26, 122  # helpers that a program may call

ARRAY, LPM_TRIE = 2, 11
NO_PREALLOCATION = 1  # a trie demands it
MAP_CREATE, MAP_LOOKUP, MAP_UPDATE, PROGRAM_LOAD, PROGRAM_ATTACH = 0, 1, 2, 5, 8
ALLOW_MULTI = 2
NAME = b"thresher"


class Instruction(NamedTuple):
    """One instruction; a jump's `offset` is the name of the label that it goes to."""

    code: int
    target: int = 0
    source: int = 0
    offset: int | str = 0
    value: int = 0


Program = list[Instruction | str]


def load(size: int, target: int, source: int, offset: int) -> Instruction:
    """Load from the memory at register `source` plus `offset`."""
    return Instruction(0x61 | size, target, source, offset)


def store(size: int, target: int, offset: int, source: int) -> Instruction:
    """Store register `source` to the memory at register `target` plus `offset`."""
    return Instruction(0x63 | size, target, source, offset)


def store_value(size: int, target: int, offset: int, value: int) -> Instruction:
    """Store a constant to the memory at register `target` plus `offset`."""
    return Instruction(0x62 | size, target, 0, offset, value)


def move(target: int, source: int) -> Instruction:
    """Copy a register."""
    return Instruction(0xBF, target, source)


def put(target: int, value: int) -> Instruction:
    """Set a register to a constant."""
    return Instruction(0xB7, target, 0, 0, value)


def add(target: int, value: int) -> Instruction:
    """Add a constant to a register."""
    return Instruction(0x07, target, 0, 0, value)


def mask(target: int, value: int) -> Instruction:
    """Keep only the bits of a register that `value` has."""
    return Instruction(0x57, target, 0, 0, value)


def jump(label: str) -> Instruction:
    """Go to `label`."""
    return Instruction(0x05, offset=label)


def jump_equal(register: int, value: int, label: str) -> Instruction:
    """Go to `label` when the low 32 bits of a register are `value`."""
    return Instruction(0x16, register, 0, label, value)


def jump_unequal(register: int, value: int, label: str) -> Instruction:
    """Go to `label` when the low 32 bits of a register are not `value`."""
    return Instruction(0x56, register, 0, label, value)


def jump_same(first: int, second: int, label: str) -> Instruction:
    """Go to `label` when two registers hold the same 64 bits."""
    return Instruction(0x1D, first, second, label)


def jump_some(register: int, label: str) -> Instruction:
    """Go to `label` when a register, of 64 bits, is not zero."""
    return Instruction(0x55, register, 0, label)


def jump_none(register: int, label: str) -> Instruction:
    """Go to `label` when a register, of 64 bits, is zero."""
    return Instruction(0x15, register, 0, label)


def put_wide(target: int, value: int) -> Program:
    """Set a register to a constant of 64 bits."""
    return [Instruction(0x18, target, 0, 0, value & 0xFFFFFFFF), Instruction(0, value=value >> 32)]


def put_map(target: int, descriptor: int) -> Program:
    """Set a register to a map."""
    return [Instruction(0x18, target, 1, 0, descriptor), Instruction(0)]


def count(target: int, source: int) -> Instruction:
    """Add register `source` to the 64 bits at register `target`, atomically."""
    return Instruction(0xDB, target, source)


def call(helper: int) -> Instruction:
    """Call a helper of the kernel: arguments in registers 1 to 5, its result in 0."""
    return Instruction(0x85, value=helper)


def leave(value: int) -> Program:
    """End the program with a constant result."""
    return [put(0, value), Instruction(0x95)]


def assemble(program: Program) -> bytes:
    """Return the machine code of `program`, with its labels resolved."""
    places: dict[str, int] = {}
    steps: list[Instruction] = []
    for step in program:
        if isinstance(step, str):
            places[step] = len(steps)
        else:
            steps.append(step)
    return b"".join(_encoded(steps, places))


def _encoded(steps: list[Instruction], places: dict[str, int]) -> Iterator[bytes]:
    for place, (code, target, source, offset, value) in enumerate(steps):
        distance = places[offset] - place - 1 if isinstance(offset, str) else offset
        yield struct.pack("<BBhI", code, source << 4 | target, distance, value & 0xFFFFFFFF)


def create_map(kind: int, key_size: int, value_size: int, entries: int, flags: int = 0) -> int:
    """Make a map; return its descriptor."""
    attributes = struct.pack("<7I16s", kind, key_size, value_size, entries, flags, 0, 0, NAME)
    return _bpf(MAP_CREATE, attributes)


def update(descriptor: int, key: bytes, value: bytes) -> None:
    """Set one element of a map."""
    held = [ctypes.create_string_buffer(data, len(data)) for data in (key, value)]
    _bpf(MAP_UPDATE, struct.pack("<IxxxxQQQ", descriptor, *map(ctypes.addressof, held), 0))


def lookup(descriptor: int, key: bytes, size: int) -> bytes:
    """Return the element of `size` bytes at `key` of a map; raise OSError when it has none."""
    held = ctypes.create_string_buffer(key, len(key)), ctypes.create_string_buffer(size)
    _bpf(MAP_LOOKUP, struct.pack("<IxxxxQQQ", descriptor, *map(ctypes.addressof, held), 0))
    return held[1].raw


def load_program(kind: int, attach_type: int, program: Program) -> int:
    """Have the kernel verify and translate a program; return its descriptor."""
    code = assemble(program)
    held = ctypes.create_string_buffer(code, len(code)), ctypes.create_string_buffer(b"Apache-2.0")
    addresses = map(ctypes.addressof, held)
    head = struct.pack("<IIQQ", kind, len(code) // 8, *addresses)
    return _bpf(
        PROGRAM_LOAD, head + struct.pack("<IIQII16sII", 0, 0, 0, 0, 0, NAME, 0, attach_type)
    )


def attach(group: int, program: int, attach_type: int) -> None:
    """Attach a program to a cgroup (an open folder), beside what others attached above or below.

    The cgroup holds it from then on: it ends with the cgroup and never before.
    """
    _bpf(PROGRAM_ATTACH, struct.pack("<IIII", group, program, attach_type, ALLOW_MULTI))


def _bpf(command: int, attributes: bytes) -> int:
    machine = platform.machine()
    if sys.byteorder != "little" or machine not in MACHINES:
        raise NotImplementedError(f"no eBPF assembler for {machine} processors")
    number = DENIED["bpf"][MACHINES[machine][1]]
    buffer = ctypes.create_string_buffer(attributes, len(attributes))
    result: int = _LIBC.syscall(number, command, buffer, len(attributes))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


_LIBC = ctypes.CDLL(None, use_errno=True)
