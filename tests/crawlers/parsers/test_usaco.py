import pytest
from hypothesis import given, settings

from tests.crawlers import broken
from thresher.crawlers.parsers import usaco
from thresher.crawlers.statement import Sample
from thresher.errors import SourceError

URL = "https://usaco.org/index.php?page=viewproblem2&cpid=9001"
PAGE = """<html><body><div class="panel"><h2> USACO 2031 December Contest, Bronze </h2>
<h2> Problem 1. Hens </h2>
<div class="problem-text"><span id="probtext-text" class="mathjax">
Farmer Jane counts $N$ hens ($1 \\leq N$).
<pre>
o o
</pre>
{body}
</span></div></div></body></html>"""
NEW = """<div class='prob-in-spec'><h4>INPUT FORMAT (file hens.in):</h4>
The first line has $N$.</div>
<div class='prob-out-spec'><h4>OUTPUT FORMAT (file hens.out):</h4>
The number.</div>
<h4>SAMPLE INPUT:</h4><pre class='in'>
3
 o
</pre><h4>SAMPLE OUTPUT:</h4> <pre class='out'>
1
</pre>
There is one hen.
<h4>SAMPLE INPUT:</h4><pre class='in'>
4
</pre><h4>SAMPLE OUTPUT:</h4> <pre class='out'>
2
</pre>
Problem credits: Nobody"""
OLD = """<html><body><div class="panel"><h2>USACO 2030 February Contest, Silver</h2>
<h2>Problem 2. Hens</h2><div class="problem-text"><pre>
Problem 2: Hens [Somebody, 2030]

Farmer Jane counts N hens.

PROBLEM NAME: hens

INPUT FORMAT:

* Line 1: The integer N.

SAMPLE INPUT (file hens.in):

3
 o
ooo

INPUT DETAILS:

There are three.

OUTPUT FORMAT:

* Line 1: The number.

SAMPLE OUTPUT (file hens.out):

4

OUTPUT DETAILS:

One, and three.
</pre></div></div></body></html>"""


def test_a_page():
    found = usaco.parse(PAGE.replace("{body}", NEW).encode(), URL)
    assert (found.key, found.title, found.kind) == ("9001", "Problem 1. Hens", "stdio")
    assert found.samples == (Sample("3\n o\n", "1\n"), Sample("4\n", "2\n"))
    assert found.text == (
        "Farmer Jane counts $N$ hens ($1 \\leq N$).\n\n    o o\n\n"
        "INPUT FORMAT (standard input)\n\nThe first line has $N$.\n\n"
        "OUTPUT FORMAT (standard output)\n\nThe number."
    )


def test_a_page_that_is_one_text():
    found = usaco.parse(OLD.encode(), URL)
    assert found.title == "Problem 2. Hens"
    assert found.samples == (Sample("3\n o\nooo\n", "4\n"),)
    assert found.text == (
        "Problem 2: Hens [Somebody, 2030]\n\nFarmer Jane counts N hens.\n\nPROBLEM NAME: hens\n\n"
        "INPUT FORMAT\n\n* Line 1: The integer N.\n\nOUTPUT FORMAT\n\n* Line 1: The number."
    )


def test_a_problem_with_nothing_to_read_has_no_samples():
    found = usaco.parse(PAGE.replace("{body}", "Name the hens.").encode(), URL)
    assert found.samples == ()


def test_other_pages_are_refused():
    with pytest.raises(SourceError) as refused:
        usaco.parse(b"<h2>Contests</h2>", URL)
    assert refused.value.reason == "not-a-problem"


@pytest.mark.parametrize("whole", [PAGE.replace("{body}", NEW), OLD])
def test_broken_pages_are_read_or_refused(whole):
    @settings(max_examples=25, deadline=None)
    @given(broken.pages(whole.encode()))
    def run(source):
        try:
            assert usaco.parse(source, "").site == "usaco"
        except SourceError as error:
            assert error.reason

    run()
