import pytest
from hypothesis import given, settings

from tests.crawlers import broken
from thresher.crawlers.parsers import dmoj
from thresher.crawlers.statement import Sample
from thresher.errors import SourceError
from thresher.store.records import Comparator

URL = "https://dmoj.ca/problem/hens"
PAGE = """<html><body><nav><a href="/problems/">Problems</a></nav>
<div id="content"><div class="problem-title"><h2 style="display: inline-block">{title}</h2>
<a href="/problem/hens/pdf" class="view-pdf">View as PDF</a></div>
<div id="content-left"><div class="content-description screen">
<p>Count the hens in <span class="inline-math">~n~</span> rows.</p>
<h4>Input Specification</h4><p>A number.</p>
<h4>Output Specification</h4><p>{output}</p>
{samples}
{licence}
</div></div>
<div id="content-right">
<div class="problem-info-entry"><i class="fa fa-check fa-fw"></i><span class="pi-name">Points:
</span><span class="pi-value">5 (partial)</span></div>
<div class="problem-info-entry"><i class="fa fa-clock-o fa-fw"></i><span class="pi-name">Time
limit:</span>
<span class="pi-value">0.6s</span></div>
<div class="problem-lang-limits"><div class="lang-limit"><span class="lang-name">Python</span>
<span class="lang-tl">9.0s</span></div></div>
<div class="problem-info-entry"><i class="fa fa-server fa-fw"></i><span class="pi-name">Memory
limit:</span>
<span class="pi-value">64M</span></div>
<div id="problem-types"><div class="toggle closed">Problem types</div>
<div style="display:none" class="toggled">Graph Theory, Recursion</div></div>
</div></div></body></html>"""
SAMPLE = """<h4>Sample Input {n}</h4><pre><code>{n} 1
</code></pre><h4>{label} {n}</h4><pre><code>{n}
</code></pre>"""
ONE = SAMPLE.format(n=1, label="Sample Output")
DEED = '<span class="license"><a href="/license/cc-by-sa">{0}</a></span>'


def page(samples=ONE, licence="", title="Hens - Part 1", output="Print it."):
    texts = {"samples": samples, "licence": licence, "title": title, "output": output}
    source = PAGE
    for name, text in texts.items():
        source = source.replace(f"{{{name}}}", text)
    return source.encode()


def test_a_page():
    found = dmoj.parse(page(), URL)
    assert (found.key, found.title, found.kind) == ("hens", "Hens - Part 1", "stdio")
    assert found.samples == (Sample("1 1\n", "1\n"),)
    assert (found.time_limit, found.memory_limit) == (0.6, 64)
    assert found.tags == ("Graph Theory", "Recursion")
    assert found.text == (
        "Count the hens in ~n~ rows.\n\nInput Specification\n\nA number.\n\n"
        "Output Specification\n\nPrint it."
    )


def test_the_key_stands_in_a_saved_page():
    assert dmoj.parse(page(), "").key == "hens"


@pytest.mark.parametrize("label", ["Sample Output", "Output for Sample Input"])
def test_several_samples(label):
    both = SAMPLE.format(n=1, label=label) + SAMPLE.format(n=2, label=label)
    both += "<h4>Explanation for Sample 2</h4><pre>no sample</pre>"
    found = dmoj.parse(page(both), URL)
    assert found.samples == (Sample("1 1\n", "1\n"), Sample("2 1\n", "2\n"))


@pytest.mark.parametrize(
    ("name", "licence"),
    [("CC BY-SA 4.0", "CC-BY-SA-4.0"), ("CC BY-NC 4.0", "CC-BY-NC-4.0"), ("Ours", "unknown")],
)
def test_a_licence_that_the_page_names(name, licence):
    found = dmoj.parse(page(licence=DEED.format(name)), URL)
    assert (found.licence, found.licence_evidence) == (licence, f"The page says: {name}")
    assert name not in found.text


def test_a_page_without_a_licence():
    found = dmoj.parse(page(), URL)
    assert (found.licence, found.licence_evidence) == ("unknown", "")


def test_how_answers_are_compared():
    output = "Your answer may have an absolute or relative error of 10<sup>-4</sup>."
    found = dmoj.parse(page(output=output), URL)
    assert found.comparator == Comparator(kind="tokens", relative=1e-4, absolute=1e-4)


@pytest.mark.parametrize(
    "source",
    [b'{"data": {"object": {"code": "hens", "time_limit": 1}}}', b"<h2>Problem list</h2>"],
)
def test_other_answers_are_refused(source):
    with pytest.raises(SourceError) as refused:
        dmoj.parse(source, URL)
    assert refused.value.reason == "not-a-problem"


@settings(max_examples=25, deadline=None)
@given(broken.pages(page(licence=DEED.format("CC0"))))
def test_broken_pages_are_read_or_refused(source):
    try:
        assert dmoj.parse(source, "").site == "dmoj"
    except SourceError as error:
        assert error.reason
