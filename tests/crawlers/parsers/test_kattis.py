import pytest
from hypothesis import given, settings

from tests.crawlers import broken
from thresher.crawlers.parsers import kattis
from thresher.crawlers.statement import Sample
from thresher.errors import SourceError

BODY = """<div class="problembody">
<p>Count the <span class="tex2jax_process">$n$</span> geese.</p>
<h2>Input</h2><p>One line.</p>
<h2>Output</h2><p>{output}</p>
<h2>Explanation of Sample Inputs</h2><p>There are two.</p>
{samples}</div>"""
SAMPLE = """<table class="sample" summary="sample data">
<tr><th>Sample Input {n}</th><th>Sample Output {n}</th></tr>
<tr><td><pre>{given}
</pre></td><td><pre>2
</pre></td></tr></table>"""
SAMPLES = SAMPLE.format(n=1, given="a\n b") + SAMPLE.format(n=2, given="c")
TALK = """<table class="sample"><tr><th>Read</th><th>Sample Interaction 1</th><th>Write</th></tr>
</table><div class="sampleinteractionread"><pre>3</pre></div>
<div class="sampleinteractionwrite"><pre>? 1</pre></div>"""
DEED = '<a rel="license" href="https://creativecommons.org/{0}"><img alt="{1}" src="x.png"></a>'
BY_SA = DEED.format("licenses/by-sa/3.0/", "Creative Commons License (cc by-sa)")
OLD = """<div class="problem-wrapper">
<div class="headline-wrapper"><h1>{title}</h1></div>{body}</div>
<div class="sidebar-info"><a href="/problems/geese/submit">Submit</a>
<p><strong>Problem ID: </strong> geese</p><p><strong>CPU Time limit: </strong> 2.5 seconds</p>
<p><strong>Memory limit: </strong> 1024 MB</p><p><strong>Difficulty:  </strong><span>1.5</span></p>
<p><strong>Source:</strong> <a href="/problem-sources/x">A contest</a></p>
<p><strong>License:</strong> {licence}</p></div>"""
ITEM = '<div class="{0}_list-item"><span class="{0}_list-label">{1}</span><span>{2}</span></div>'
CARD = """<div class="card"><div class="flex"><span class="text-lg">{1}</span>
<span class="info_label">{0}</span></div></div>"""


def stated(**more):
    return {"CPU Time limit": "2.5 seconds", "Memory limit": "1024 MB", **more}


def body(output="Print the number.", samples=SAMPLES):
    return BODY.format(output=output, samples=samples)


def old(inner, licence=BY_SA, title="Geese"):
    return OLD.format(title=title, body=inner, licence=licence).encode()


def listed(inner, licence=BY_SA, name="metadata"):
    facts = stated(Difficulty='<span class="difficulty_number">1.5</span>Easy', License=licence)
    items = "".join(ITEM.format(name, label, value) for label, value in facts.items())
    return f"""<h1 class="book-page-heading">Geese</h1>{inner}
    <div data-problem-name="geese"></div><div class="{name}_list">{items}</div>""".encode()


def cards(inner, licence=BY_SA):
    facts = "".join(CARD.format(label, value) for label, value in stated().items())
    return f"""<h1 class="book-page-heading">Geese</h1>{inner}<div data-problem-name="geese"></div>
    {facts}<div class="card"><span class="difficulty_number">1.5</span><div class="flex">
    <span>Easy</span><span class="info_label">Difficulty</span></div></div>
    <div class="card"><div class="flex flex-col"><span class="info_label">Source &amp;
    License</span><span><a href="/problem-authors/x">A. Uthor</a></span>
    <span class="flex">{licence}</span></div></div>""".encode()


GENERATIONS = {
    "2016": old,
    "2022": lambda inner, licence=BY_SA: listed(inner, licence, "attribute"),
    "2023": listed,
    "2024": cards,
}


@pytest.fixture(params=GENERATIONS)
def generation(request):
    return GENERATIONS[request.param]


def test_a_whole_page_of_any_age(generation):
    found = kattis.parse(generation(body()), "")
    assert (found.site, found.key, found.title) == ("kattis", "geese", "Geese")
    assert found.url == "https://open.kattis.com/problems/geese"
    assert (found.kind, found.flags, found.language) == ("stdio", (), "en")
    assert (found.time_limit, found.memory_limit) == (2.5, 1024)
    assert found.tags == ("difficulty 1.5",)
    assert found.samples == (
        Sample(input="a\n b\n", output="2\n"),
        Sample(input="c\n", output="2\n"),
    )
    assert found.licence == "CC-BY-SA-3.0"
    assert "Creative Commons License (cc by-sa)" in found.licence_evidence
    assert found.text == (
        "Count the $n$ geese.\n\nInput\n\nOne line.\n\nOutput\n\nPrint the number.\n\n"
        "Explanation of Sample Inputs\n\nThere are two."
    )


@pytest.mark.parametrize(
    ("path", "words", "right"),
    [
        ("licenses/by-sa/4.0/", "cc by-sa", "CC-BY-SA-4.0"),
        ("licenses/by/4.0/", "cc by", "CC-BY-4.0"),
        ("licenses/by-nc-sa/4.0/", "cc by-nc-sa", "CC-BY-NC-SA-4.0"),
        ("publicdomain/zero/1.0/", "CC0", "CC0-1.0"),
        ("about/pdm", "Public Domain", "CC-PDM-1.0"),
        ("publicdomain/mark/1.0/", "Public Domain", "CC-PDM-1.0"),
        ("licenses/other/", "something else", "unknown"),
    ],
)
def test_licences_by_their_deed(generation, path, words, right):
    found = kattis.parse(generation(body(), DEED.format(path, words)), "")
    assert found.licence == right
    assert words in found.licence_evidence


def test_a_restricted_licence_is_quoted(generation):
    found = kattis.parse(generation(body(), "For educational use only"), "")
    assert found.licence == "unknown"
    assert "For educational use only" in found.licence_evidence


def test_a_page_without_licence():
    assert kattis.parse(body().encode(), "").licence_evidence == "The page names no licence."


def test_a_problem_of_a_contest():
    found = kattis.parse(old(body(), title="Problem A<br/>Geese"), "")
    assert found.title == "Geese"


def test_an_interactive_problem(generation):
    found = kattis.parse(generation(body(samples=TALK)), "")
    assert (found.kind, found.samples) == ("interactive", ())
    assert "? 1" not in found.text


def test_an_interactive_problem_without_samples():
    assert kattis.parse(old(body("x</p><h2>Interaction</h2><p>y")), "").kind == "interactive"


def test_a_problem_without_samples():
    found = kattis.parse(old(body(samples="")), "")
    assert (found.kind, found.samples) == ("stdio", ())


def test_what_the_output_may_be():
    found = kattis.parse(old(body("Print any of them, with an absolute error of 10^{-4}.")), "")
    assert found.flags == ("multiple_answers",)
    assert found.comparator.absolute == 1e-4


def test_the_key_of_the_address():
    found = kattis.parse(body().encode(), "https://open.kattis.com/problems/hens?tab=metadata")
    assert found.key == "hens"


def test_a_sample_without_output_is_refused():
    lone = SAMPLE.format(n=1, given="a").replace("Output", "Input")
    with pytest.raises(SourceError) as refused:
        kattis.parse(old(body(samples=lone)), "")
    assert refused.value.reason == "samples-unpaired"


def test_a_table_with_a_text_and_no_label_is_refused():
    lone = SAMPLE.format(n=1, given="a").replace("<th>Sample Output 1</th>", "")
    with pytest.raises(SourceError) as refused:
        kattis.parse(old(body(samples=lone)), "")
    assert refused.value.reason == "samples-unpaired"


def test_a_list_is_recognised():
    source = b'<h1>Problems</h1><table><tr><td><a href="/problems/geese">Geese</a></table>'
    assert kattis.parse(source, "").kind == "listing"


def test_other_pages_are_refused():
    with pytest.raises(SourceError) as refused:
        kattis.parse(b"<h1>Log in</h1>", "")
    assert refused.value.reason == "not-a-problem"


@settings(max_examples=60)
@given(broken.pages(cards(body())))
def test_broken_pages_are_read_or_refused(source):
    try:
        found = kattis.parse(source, "")
    except SourceError as error:
        assert error.reason
    else:
        assert found.site == "kattis"
