"""Programs with the classes that their calls need."""

import pytest

from tests.tracer import recorded
from tests.tracer.recorded import call
from thresher.tracer.extraction.standalone import NotStandalone
from thresher.tracer.fitting import fit

SOURCE = '''
import numpy


class Point:
    """A place."""

    def __init__(self, x):
        self.x = x


class Array(numpy.ndarray):
    pass


class Odd(Exception):
    pass


def f(a):
    """Look at it."""
    return a


def g(a):
    """Make an array."""
    return numpy.array(a)
'''


def instance(name):
    return {"args": {"a": {"instance": [name, [["x", 1]], None]}}}


def fitted(tmp_path, *calls, name="f"):
    return fit(recorded.project(tmp_path, SOURCE), recorded.function(SOURCE, *calls, name=name))


def test_the_classes_of_the_calls_come_along(tmp_path):
    calls = (call(**instance("m:Point")), call(1, raises="m.Odd"), call(2, raises="struct.error"))
    made = fitted(tmp_path, *calls)
    assert made.calls == calls
    assert made.standalone.names == {"m:Point": "Point", "m:Odd": "Odd"}
    assert "class Point:" in made.standalone.prompt
    assert not made.lost


def test_calls_whose_classes_cannot_come_along_are_left_out_by_reason(tmp_path):
    good = call(**instance("m:Point"))
    calls = [good, call(**instance("m:Array")), call(**instance("other:Thing")), call(1)]
    made = fitted(tmp_path, *calls)
    assert made.calls == (good, calls[3])
    assert made.lost == {"class:third-party:numpy": 1, "class:third-party:other": 1}
    assert made.standalone.names == {"m:Point": "Point"}


def test_a_function_that_cannot_stand_alone_is_refused_whatever_its_calls(tmp_path):
    with pytest.raises(NotStandalone, match="numpy"):
        fitted(tmp_path, call(1), call(**instance("m:Point")), name="g")
