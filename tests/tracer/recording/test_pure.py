"""Which names are pure, and what they lead to."""

import math

import pytest

from thresher.tracer.recording.pure import find, is_pure


@pytest.mark.parametrize(
    "name",
    ["builtins:len", "builtins:str.split", "math:gcd", "re:Pattern.sub", "urllib.parse:quote"],
)
def test_pure_functions(name):
    assert is_pure(name)


@pytest.mark.parametrize(
    "name",
    [
        "builtins:open", "builtins:eval", "builtins:super", "os:getcwd", "time:time",
        "random:random", "posixpath:abspath", "collections:namedtuple", "math:_private",
        "datetime:datetime.now", "codecs:open", "json:load",
        "builtins:str.__len__", "builtins:", "len", "", "pkg.mod:f", "math:gcd.", "_operator:add",
    ],
)  # fmt: skip
def test_other_names(name):
    assert not is_pure(name)
    assert find(name) is None


def test_names_lead_to_functions():
    assert find("math:gcd") is math.gcd
    assert find("builtins:str.split") is str.split
    assert find("math:pi") is None
    assert find("math:nothing") is None
    assert find("builtins:str.nothing.more") is None
