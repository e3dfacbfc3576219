import pytest
from hypothesis import given, settings

from tests.crawlers import broken
from thresher.crawlers.parsers import codeforces
from thresher.crawlers.statement import Sample
from thresher.errors import SourceError
from thresher.store.records import Comparator

SIDEBAR = """
<table class="rtable"><tr><th class="left"><a href="{contest}">Round 7</a></th></tr></table>
<span class="tag-box" title="x">
    sortings
</span><span class="tag-box" title="Difficulty">
    *800
</span>"""
HEADER = """<div class="header"><div class="title">B. Two Hats</div>
<div class="time-limit"><div class="property-title">time limit per test</div>2.5 seconds</div>
<div class="memory-limit"><div class="property-title">memory limit per test</div>256 megabytes</div>
<div class="input-file"><div class="property-title">input</div>{input}</div>
<div class="output-file"><div class="property-title">output</div>standard output</div></div>"""
LEGEND = "<div><p>There are $$$n$$$ hats.</p><p>Find <i>the</i> best.</p></div>"
SPECIFICATION = """
<div class="input-specification"><div class="section-title">Input</div><p>One integer
<span class="tex-span"><i>n</i></span> (<span class="tex-span">1 &le; <i>n</i> &le; 10<sup
class="upper-index">5</sup></span>).</p></div>
<div class="output-specification"><div class="section-title">Output</div><p>{output}</p></div>"""
COPY = '<div title="Copy" class="input-output-copier">Copy</div>'
NOTE = '<div class="note"><div class="section-title">Note</div><p>Two are best.</p></div>'


def sample(given, printed, title=("Input", "Output")):
    return (
        f'<div class="input"><div class="title">{title[0]}{COPY}</div><pre>{given}</pre></div>'
        f'<div class="output"><div class="title">{title[1]}</div><pre>{printed}</pre></div>'
    )


def page(
    *samples,
    output="Print the number of hats.",
    extra="",
    source="standard input",
    contest="/contest/77",
):
    shown = f'<div class="sample-tests"><div class="sample-test">{"".join(samples)}</div></div>'
    parts = (HEADER.format(input=source), LEGEND, SPECIFICATION.format(output=output), extra)
    return (
        f"<html><title>Problem - B - Codeforces</title>{SIDEBAR.format(contest=contest)}"
        f'<div class="problem-statement">{"".join(parts)}{shown}{NOTE}</div></html>'
    ).encode()


def parse(*samples, url="", **parts):
    return codeforces.parse(page(*samples, **parts), url)


def test_a_whole_page():
    found = parse(sample("\n3\n1 2\n", "\n2\n"))
    assert found.site == "codeforces"
    assert found.key == "77B"
    assert found.url == "https://codeforces.com/contest/77/problem/B"
    assert found.title == "B. Two Hats"
    assert found.kind == "stdio"
    assert found.samples == (Sample(input="3\n1 2\n", output="2\n"),)
    assert (found.time_limit, found.memory_limit) == (2.5, 256)
    assert found.tags == ("sortings", "*800")
    assert found.flags == ()
    assert found.comparator == Comparator(kind="tokens")
    assert (found.licence, found.language) == ("unknown", "en")
    assert "licence" in found.licence_evidence
    assert found.text == (
        "There are $n$ hats.\n\nFind the best.\n\nInput\n\nOne integer n (1 \u2264 n \u2264 10^5)."
        "\n\nOutput\n\nPrint the number of hats.\n\nNote\n\nTwo are best."
    )


@pytest.mark.parametrize(
    "lines",
    [
        "3<br />1 2<br />",
        "3<br/>1 2",
        "3\r\n1 2\r\n",
        '<div class="test-example-line test-example-line-even test-example-line-0">3</div>'
        '<div class="test-example-line test-example-line-odd test-example-line-1">1 2</div>',
    ],
)
def test_every_generation_of_samples(lines):
    found = parse(sample(lines, "2"), sample("5", lines))
    assert found.samples == (
        Sample(input="3\n1 2\n", output="2\n"),
        Sample(input="5\n", output="3\n1 2\n"),
    )


def test_an_empty_line_of_a_new_sample_stays():
    line = '<div class="test-example-line">{}</div>'
    lines = "".join(map(line.format, ("2", "", "ab")))
    assert parse(sample(lines, "1")).samples == (Sample(input="2\n\nab\n", output="1\n"),)


@pytest.mark.parametrize(
    ("url", "contest", "key", "where"),
    [
        ("", "/gym/103505", "103505B", "https://codeforces.com/gym/103505/problem/B"),
        (
            "",
            "/group/aBc/contest/3578",
            "3578B",
            "https://codeforces.com/group/aBc/contest/3578/problem/B",
        ),
        *(
            (url, "/contest/1", "12B2", url)
            for url in (
                "https://codeforces.com/problemset/problem/12/B2",
                "https://codeforces.com/contest/12/problem/B2",
                "https://codeforces.com/contest/12/problem/b2?locale=ru",
                "https://m1.codeforces.com/contest/12/problem/B2",
                "https://mirror.codeforces.com/gym/12/problem/B2",
            )
        ),
    ],
)
def test_the_key_is_that_of_the_address_or_the_page(url, contest, key, where):
    found = parse(url=url, contest=contest)
    assert (found.key, found.url) == (key, where)


def test_a_russian_page():
    source = page(
        sample("1", "2", ("входные данные", "выходные данные")),
        output="Выведите количество шляп, абсолютная погрешность не больше 10<sup>-4</sup>.",
        source="стандартный ввод",
    )
    russian = (
        source.decode()
        .replace("time limit per test</div>2.5 seconds", "лимит</div>2 секунды")
        .replace("256 megabytes", "64 мегабайта")
        .replace("There are", "На столе лежат шляпы, всего их")
    )
    found = codeforces.parse(russian.encode(), "")
    assert found.language == "ru"
    assert (found.time_limit, found.memory_limit) == (2.0, 64)
    assert found.samples == (Sample(input="1\n", output="2\n"),)
    assert found.comparator == Comparator(kind="tokens", absolute=1e-4)
    assert found.text.startswith("На столе")


@pytest.mark.parametrize(
    "parts",
    [
        {"extra": '<div><div class="section-title">Interaction</div><p>Ask.</p></div>'},
        {"extra": '<div><div class="section-title">Протокол взаимодействия</div></div>'},
        {"output": "This is an interactive problem."},
    ],
)
def test_interactive_problems_have_no_samples(parts):
    found = parse(sample("1", "2"), **parts)
    assert (found.kind, found.samples) == ("interactive", ())


def test_files_are_noted_in_the_text():
    found = parse(sample("1", "2"), source="hats.in")
    assert found.text.startswith("Where the statement names hats.in, read standard input")


def test_what_the_output_may_be():
    found = parse(output="Print any of them, in any case (upper or lower).")
    assert found.flags == ("case_insensitive", "multiple_answers")
    assert found.comparator.kind == "tokens-ignoring-case"
    assert found.comparator_evidence.startswith("Print any of them")


def test_a_picture_is_flagged():
    assert parse(extra='<center><img class="tex-graphics" src="x.png"></center>').flags == (
        "image",
    )


def test_a_statement_cut_out_of_its_page():
    inner = page(sample("1", "2")).decode().partition('class="problem-statement"')[2]
    link = '<a href="https://codeforces.com/contest/77/problem/{}">Two Hats</a><div'
    assert codeforces.parse(f"{link.format('B')}{inner}".encode(), "").key == "77B"
    found = codeforces.parse(f"{link.format('A')}{inner}".encode(), "")
    assert found.samples == (Sample(input="1\n", output="2\n"),)
    assert found.key == "B. Two Hats"


def test_samples_that_do_not_pair_are_refused():
    only = '<div class="input"><pre>1</pre></div>'
    with pytest.raises(SourceError) as refused:
        parse(only)
    assert refused.value.reason == "samples-unpaired"


@pytest.mark.parametrize(
    "source",
    [
        b'<title>Problemset</title><table class="problems"><tr><td>1A</td></tr></table>',
        page().replace(b"</html>", page()),
    ],
)
def test_lists_are_recognised(source):
    found = codeforces.parse(source, "https://codeforces.com/problemset")
    assert (found.kind, found.key) == ("listing", "https://codeforces.com/problemset")
    assert found.title in ("Problemset", "Problem - B - Codeforces")


@pytest.mark.parametrize("source", [b"<p>Please log in</p>", b"x", b'{"status": "OK"}'])
def test_other_pages_are_refused(source):
    with pytest.raises(SourceError) as refused:
        codeforces.parse(source, "")
    assert refused.value.reason == "not-a-problem"


@settings(max_examples=60)
@given(broken.pages(page(sample("1<br>2", "3"), sample("4", "5"))))
def test_broken_pages_are_read_or_refused(source):
    try:
        found = codeforces.parse(source, "")
    except SourceError as error:
        assert error.reason
    else:
        assert all(one.input.endswith("\n") or not one.input for one in found.samples)
