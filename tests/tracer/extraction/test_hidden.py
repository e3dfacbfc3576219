import pytest

from thresher.tracer.extraction.hidden import state


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("import math\ndef f(x): return math.sin(x)\n", ()),
        ("import time as t\ndef f(x): return t.time()\n", ("time",)),
        ("from datetime import datetime\ndef f(x): return datetime(x, 1, 1)\n", ()),
        ("from datetime import datetime\ndef f(x): return datetime.now()\n", ("time",)),
        ("import datetime\ndef f(x): return datetime.datetime.now()\n", ("time",)),
        ("import os, random\ndef f(x): return os.environ, random\n", ("environment", "random")),
        ("from os import path\ndef f(x): return path.join(x)\n", ()),
        ("from os import path\ndef f(x): return path.exists(x)\n", ("files",)),
        ("def f(x): return open(x)\n", ("files",)),
        ("def f(x):\n    import urllib.request\n    urllib.request.urlopen(x)\n", ("network",)),
        ("from urllib.parse import quote\ndef f(x): return quote(x)\n", ()),
        ("T = {}\ndef f(x): T[x] = 1\n", ("global-state",)),
        ("T = []\nT.append(1)\ndef f(x): return T\n", ()),
        ("T = []\ndef f(x): T.append(x)\n", ("global-state",)),
        ("T = []\nclass A:\n    def g(self): T.append(1)\n", ("global-state",)),
        ("T = []\ndef f(T): T.append(1)\n", ()),
    ],
)
def test_hidden_state_is_told_by_the_names_in_a_program(program, expected):
    assert state(program) == expected
