import pytest
from hypothesis import given, settings

from tests.crawlers import broken
from thresher.crawlers.parsers import cses
from thresher.crawlers.statement import Sample
from thresher.errors import SourceError

FRAME = """<html><body><div class="navigation"><div class="title-block">
<h3><a href="/problemset/list/">Set</a></h3><h1>Frog Jumps</h1>
<ul class="nav"><li><a href="{path}" class="current">Task</a></li></ul></div></div>
<div class="content-wrapper"><div class="content"><title>CSES - Frog Jumps</title>
<script>var x;</script>
<ul class="task-constraints">
<li><b>Time limit:</b> 1.50 s</li>
<li><b>Memory limit:</b> 512 MB</li>
</ul>
<input type="hidden" name="course" value="problemset">
<input type="hidden" name="task" value="{number}">
{body}</div><div class="nav sidebar"><a class="current" href="/problemset/task/9">x</a></div></div>
"""
OLD = """A frog wants to cross $n$ stones.<br />
<br />
<b id="input">Input</b><br />
<br />
The only line has $n$.<br />
<br />
<b id="output">Output</b><br />
<br />
Print the jumps.<br />
<b id="constraints">Constraints</b><br />
<ul>
<li>$1 \\le n \\le 9$<br />
</ul>
"""
OLD_SAMPLE = """<b id="example{number}">Example {number}</b><br />
<br />
Input:<br />
<code>{given}</code><br />
<br />
Output:<br />
<code>{printed}</code><br />
<br />
"""
NEW = """<div class="md"><p>A frog wants to cross <span class="math inline">n</span> stones.</p>
<h1 id="input">Input</h1>
<p>The only line has <code>n</code>.</p>
<h1 id="output">Output</h1>
<p>Print the jumps.</p>
<h1 id="constraints">Constraints</h1>
<ul>
<li><span class="math inline">1 \\le n \\le 9</span></li>
</ul>
<h1 id="example">{example}</h1>
<p>{labels[0]}:</p>
<pre>2
 1 1
</pre>
<p>{labels[1]}:</p>
<pre>0
</pre>
<p>Explanation: <code>0</code> jumps.</p></div>"""
ENGLISH = NEW.format(example="Example", labels=("Input", "Output"))


def page(body, path="/problemset/task/9999/", number="9999"):
    return FRAME.format(body=body, path=path, number=number).encode()


def test_an_old_page():
    shown = OLD_SAMPLE.format(number=1, given="4 6", printed="AB<br />\nBA") + OLD_SAMPLE.format(
        number=2, given="1", printed="NO"
    )
    found = cses.parse(page(OLD + shown), "")
    assert (found.site, found.key, found.title) == ("cses", "9999", "Frog Jumps")
    assert found.url == "https://cses.fi/problemset/task/9999/"
    assert (found.time_limit, found.memory_limit) == (1.5, 512)
    assert found.samples == (
        Sample(input="4 6\n", output="AB\nBA\n"),
        Sample(input="1\n", output="NO\n"),
    )
    assert found.text == (
        "A frog wants to cross $n$ stones.\n\nInput\n\nThe only line has $n$.\n\nOutput\n\n"
        "Print the jumps.\nConstraints\n\n- $1 \\le n \\le 9$"
    )
    assert (found.kind, found.flags, found.licence) == ("stdio", (), "unknown")


def test_a_new_page_keeps_its_explanation():
    found = cses.parse(page(ENGLISH), "https://cses.fi/problemset/task/9999")
    assert found.url == "https://cses.fi/problemset/task/9999"
    assert found.samples == (Sample(input="2\n 1 1\n", output="0\n"),)
    assert found.text == (
        "A frog wants to cross $n$ stones.\n\nInput\n\nThe only line has `n`.\n\nOutput\n\n"
        "Print the jumps.\n\nConstraints\n\n- $1 \\le n \\le 9$\n\nExplanation: `0` jumps."
    )


def test_a_saved_page_that_names_no_task_has_no_key():
    saved = FRAME.format(
        path="", number="", body=OLD + OLD_SAMPLE.format(number=1, given="2", printed="1")
    )
    saved = saved.replace('class="current"', "")
    assert cses.parse(saved.encode(), "").key == ""


def test_a_finnish_page():
    body = NEW.format(example="Esimerkki", labels=("Syöte", "Tuloste"))
    assert cses.parse(page(body), "").samples == (Sample(input="2\n 1 1\n", output="0\n"),)


def test_a_task_of_a_contest():
    found = cses.parse(page(ENGLISH, path="/251/task/L/", number="1783"), "")
    assert (found.key, found.url) == ("1783", "https://cses.fi/251/task/L/")


def test_flags():
    body = ENGLISH.replace("Print the jumps.", 'Print any valid answer. <img src="/file/a">')
    assert cses.parse(page(body), "").flags == ("image", "multiple_answers")


def test_an_interactive_task():
    body = ENGLISH.replace("A frog", "This is an interactive problem. A frog")
    found = cses.parse(page(body), "")
    assert (found.kind, found.samples) == ("interactive", ())


def test_a_lone_input_is_refused():
    body = ENGLISH.replace("<p>Output:</p>", "<p>Input:</p>")
    with pytest.raises(SourceError) as refused:
        cses.parse(page(body), "")
    assert refused.value.reason == "samples-unpaired"


def test_a_list_is_recognised():
    source = b'<title>CSES</title><ul class="task-list"><li class="task"><a href="/x">y</a></ul>'
    assert cses.parse(source, "https://cses.fi/problemset/").kind == "listing"


def test_other_pages_are_refused():
    with pytest.raises(SourceError) as refused:
        cses.parse(b"<h1>Login</h1>", "")
    assert refused.value.reason == "not-a-problem"


@settings(max_examples=60)
@given(broken.pages(page(ENGLISH + OLD_SAMPLE.format(number=2, given="1", printed="NO"))))
def test_broken_pages_are_read_or_refused(source):
    try:
        found = cses.parse(source, "")
    except SourceError as error:
        assert error.reason
    else:
        assert found.site == "cses"
