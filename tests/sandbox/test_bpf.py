import errno

import pytest

from thresher.sandbox import bpf


def test_instructions_are_encoded_as_the_kernel_reads_them():
    program = [
        bpf.load(bpf.WORD, 2, 1, 16),
        bpf.store(bpf.HALF, bpf.FRAME, -18, 8),
        bpf.store_value(bpf.DOUBLE, bpf.FRAME, -16, 0),
        bpf.add(2, -24),
        *bpf.put_map(1, 7),
    ]
    assert bpf.assemble(program).hex(" ", 8) == (
        "6112100000000000 6b8aeeff00000000 7a0af0ff00000000 "
        "07020000e8ffffff 1811000007000000 0000000000000000"
    )


def test_jumps_go_to_their_labels_in_both_directions():
    program = ["top", bpf.jump_equal(3, 5, "end"), bpf.jump("top"), "end", *bpf.leave(1)]
    assert bpf.assemble(program).hex(" ", 8) == (
        "1603010005000000 0500feff00000000 b700000001000000 9500000000000000"
    )


def test_a_wide_constant_takes_two_instructions():
    code = bpf.assemble(bpf.put_wide(1, 0x1122334455667788))
    assert code.hex(" ", 8) == "1801000088776655 0000000044332211"


def test_a_label_that_is_missing_is_an_error():
    with pytest.raises(KeyError, match="nowhere"):
        bpf.assemble([bpf.jump("nowhere")])


def test_an_unknown_processor_is_named(monkeypatch):
    monkeypatch.setattr(bpf.platform, "machine", lambda: "vax")
    with pytest.raises(NotImplementedError, match="vax"):
        bpf.create_map(bpf.ARRAY, 4, 8, 1)


def test_the_kernel_says_no_by_number():
    with pytest.raises(OSError) as caught:
        bpf.lookup(1 << 20, b"\0" * 4, 8)
    assert caught.value.errno in (errno.EBADF, errno.EPERM)
