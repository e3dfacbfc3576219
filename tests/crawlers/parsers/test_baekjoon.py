import pytest
from hypothesis import given, settings

from tests.crawlers import broken
from thresher.crawlers.parsers import baekjoon
from thresher.crawlers.statement import Sample
from thresher.errors import SourceError

URL = "https://www.acmicpc.net/problem/90001"
PART = """<div class="col-md-12"><section id="{0}" class="problem-section"{3}>
<div class="headline"><h2>{1}</h2></div><div id="problem_{0}" class="problem-text">
{2}
</div></section></div>"""
SAMPLE = """<div class="row"><div class="col-md-6"><section id="sampleinput{n}">
<div class="headline"><h2>예제 입력 {n}
<button type="button" class="copy-button" data-clipboard-target="#sample-input-{n}">복사</button>
</h2></div><pre class="sampledata" id="sample-input-{n}">{n} 2
</pre></section></div><div class="col-md-6"><section id="sampleoutput{n}">
<div class="headline"><h2>예제 출력 {n}</h2></div>
<pre class="sampledata" id="sample-output-{n}">{n}
</pre></section></div></div>"""
PAGE = """<html><body><ul class="problem-menu"><li><a href="/problem/90001">90001번</a></li></ul>
<h1><span class="printable">90001번 - </span><span id="problem_title">닭 세기</span>{label}</h1>
<table class="table" id="problem-info"><thead><tr><th>시간 제한</th><th>메모리 제한</th></tr>
</thead><tbody><tr><td>{time}</td><td>128 MB</td><td>7</td></tr></tbody></table>
<div id="problem-body">{parts}{samples}</div>
<section id="source"><h2>출처</h2></section></body></html>"""
PARTS = (
    PART.format("description", "문제", "<p>닭이 몇 마리인지 세시오.</p>", "")
    + PART.format("input", "입력", "<p>첫째 줄에 N이 주어진다.</p>", "")
    + PART.format("output", "출력", "<p>답을 출력한다.</p>", "")
    + PART.format("limit", "제한", "", ' style="display:none;"')
)


def page(label="", time="2 초 (추가 시간 없음)", samples=(1, 2)):
    source = PAGE.replace("{parts}", PARTS).replace("{label}", label).replace("{time}", time)
    return source.replace(
        "{samples}", "".join(SAMPLE.replace("{n}", str(n)) for n in samples)
    ).encode()


def test_a_page():
    found = baekjoon.parse(page(), URL)
    assert (found.key, found.title, found.kind) == ("90001", "닭 세기", "stdio")
    assert found.samples == (Sample("1 2\n", "1\n"), Sample("2 2\n", "2\n"))
    assert (found.time_limit, found.memory_limit, found.language) == (2.0, 128, "ko")
    assert found.text == (
        "문제\n\n닭이 몇 마리인지 세시오.\n\n입력\n\n첫째 줄에 N이 주어진다.\n\n"
        "출력\n\n답을 출력한다."
    )


def test_the_key_stands_in_a_saved_page():
    assert baekjoon.parse(page(), "").key == "90001"


@pytest.mark.parametrize(
    ("time", "right"), [("0.5 초", 0.5), ("1 second", 1.0), ("하단 참고", None)]
)
def test_time_limits(time, right):
    assert baekjoon.parse(page(time=time), URL).time_limit == right


@pytest.mark.parametrize(
    ("label", "kind", "flags", "samples"),
    [
        ("스페셜 저지", "stdio", ("multiple_answers",), 2),
        ("인터랙티브", "interactive", (), 0),
        ("다국어", "stdio", (), 2),
    ],
)
def test_labels(label, kind, flags, samples):
    found = baekjoon.parse(page(f'<span class="problem-label">{label}</span>'), URL)
    assert (found.kind, found.flags, len(found.samples)) == (kind, flags, samples)


def test_a_lone_block_is_refused():
    lone = page(samples=(1,)).replace(b'id="sample-output-1"', b"")
    with pytest.raises(SourceError) as refused:
        baekjoon.parse(lone, URL)
    assert refused.value.reason == "samples-unpaired"


def test_other_pages_are_refused():
    with pytest.raises(SourceError) as refused:
        baekjoon.parse(b"<h1>404</h1>", URL)
    assert refused.value.reason == "not-a-problem"


@settings(max_examples=25, deadline=None)
@given(broken.pages(page()))
def test_broken_pages_are_read_or_refused(source):
    try:
        assert baekjoon.parse(source, "").site == "baekjoon"
    except SourceError as error:
        assert error.reason
