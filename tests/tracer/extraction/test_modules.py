import textwrap

import pytest

from thresher.tracer.extraction.modules import NotStandalone, parse_module


def test_statements_keep_their_text_even_when_they_share_a_line():
    text = textwrap.dedent("""\
        é = 'é'; b = '''
        '''; c = 3  # last
        @print
        def f(): pass
    """)
    module = parse_module("m.py", text)
    assert [(s.text, s.start, s.end) for s in module.statements] == [
        ("é = 'é'", 1, 1),
        ("b = '''\n'''", 1, 2),
        ("c = 3", 2, 2),
        ("@print\ndef f(): pass", 3, 4),
    ]


def test_bindings_leave_out_what_an_import_never_runs():
    text = textwrap.dedent("""\
        from __future__ import annotations
        import os.path, re as r
        if __name__ == "__main__":
            hidden = 1
        if TYPE_CHECKING:
            from typing import Hint
        x: int = 1
        x += 1
    """)
    module = parse_module("m.py", text)
    assert module.bindings == {"annotations": [0], "os": [1], "r": [1], "x": [4, 5]}
    assert module.hints == {"Hint": 3}
    assert module.lazy


def test_invalid_escapes_do_not_warn():
    assert parse_module("m.py", "x = '\\d'\n").bindings == {"x": [0]}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x = (\n", "unparsable"),
        ("x = 1\0\n", "unparsable"),
        ("return 1; nonlocal x\n", "unparsable"),
        ("x" + ".a" * 100_000, "unparsable"),
        ("a=1;" * 20_001, "too-large"),
    ],
)
def test_hostile_text_is_refused(text, reason):
    with pytest.raises(NotStandalone) as caught:
        parse_module("m.py", text)
    assert caught.value.reason == reason
