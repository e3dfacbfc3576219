import json

import pytest
from hypothesis import given, settings

from tests.crawlers import broken
from thresher.crawlers.parsers import aoj
from thresher.crawlers.statement import Sample
from thresher.errors import SourceError

OLD = """
<script type="text/x-mathjax-config">MathJax.Hub.Config({ tex2jax: {} });</script>

<H1>Hen House</H1>

<center><img src="https://judgeapi.u-aizu.ac.jp/resources/images/IMAGE1_hens"></center>

<p>
Write a program which counts the hens in a house of $n$ rows; a row has {more}
no more than 100 of them, and every one of them counts.
</p>

<H2>Input</H2>

<pre>
n
a<sub>1</sub>
 :
</pre>

<H2>Output</H2>

<p>Print the number.</p>

<H2>{input}</H2>
<pre>
2
 -1 3
 3 -1
</pre>

<H2>{output}</H2>

<pre>
4
</pre>

<H2>Source</H2>
<p>A contest.</p>
"""
BOLD = """<h1>にわとり (Hens)</h1>
<h2>問題文</h2><p>にわとりがいます。かずをかぞえてください。</p>
<h2>入力・出力</h2>
<p><b>入力</b><br>にわとりのかず <var>N</var></p><p><b>出力</b><br>わを出力せよ。<br>
<!-- <h2>小課題</h2><p><b>入力例 9</b></p><pre>9</pre> -->
<h2>入出力例</h2>
<b>入力例 1</b><br><pre>
4 3
</pre>
<b>出力例 1</b><br><pre>
7
</pre><p>せつめい。</p><hr>
<b>入力例 2</b><br><pre>
1 1
</pre>
<b>出力例 2</b><br><pre>
2
</pre>"""
BELOW = """<h1 class="ndoc-heading1">Problem B: Hens</h1><p class="ndoc-top">かぞえる。</p>
<h2 class="ndoc-heading2">入力</h2><p>かず</p><h2 class="ndoc-heading2">出力</h2><p>わ</p>
<h2 class="ndoc-heading2">サンプル入出力</h2>
<h3 class="ndoc-heading3">入力1</h3>
<pre>
1 3
</pre>
<h3 class="ndoc-heading3">出力1</h3>
<pre>
4
</pre><p>であるから。</p>
<h3 class="ndoc-heading3">入力2</h3><pre>
2
</pre><h3 class="ndoc-heading3">出力2</h3><pre>
2
</pre>"""


def old(first="Sample Input", second="Output for the Sample Input", more="places for hens and"):
    return OLD.replace("{input}", first).replace("{output}", second).replace("{more}", more * 3)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Sample Input", "Output for the Sample Input"),
        ("Sample Input 1", "Output for the Sample Input 1"),
        ("Sample Input", "Sample Output"),
        ("入力例", "出力例"),
    ],
)
def test_a_description(first, second):
    found = aoj.parse(old(first, second).encode(), "")
    assert (found.title, found.kind, found.language) == ("Hen House", "stdio", "en")
    # Leading blanks belong to the sample.
    assert found.samples == (Sample("2\n -1 3\n 3 -1\n", "4\n"),)
    assert "Input\n\n    n\n    a1\n     :\n\nOutput\n\nPrint the number." in found.text
    assert found.text.endswith("Source\n\nA contest.")
    assert (found.time_limit, found.memory_limit) == (None, None)


def test_bold_headings_and_what_is_commented_out():
    found = aoj.parse(BOLD.encode(), "")
    assert found.title == "にわとり (Hens)"
    assert found.language == "ja"
    assert found.samples == (Sample("4 3\n", "7\n"), Sample("1 1\n", "2\n"))
    assert "小課題" not in found.text


def test_headings_below_one_for_all_samples():
    found = aoj.parse(BELOW.encode(), "")
    assert found.samples == (Sample("1 3\n", "4\n"), Sample("2\n", "2\n"))
    assert found.text == "かぞえる。\n\n入力\n\nかず\n\n出力\n\nわ"


def test_angles_that_are_no_tags():
    source = (
        "<h1>T</h1><h2>Sample Input</h2><pre>\na->b<-c\n</pre><h2>Sample Output</h2><pre>b</pre>"
    )
    assert aoj.parse(source.encode(), "").samples == (Sample("a->b<-c\n", "b\n"),)


def test_an_answer_of_the_interface():
    answer = {
        "problem_id": "9001",
        "language": "en",
        "html": old(),
        "time_limit": 8,
        "memory_limit": 131072,
        "commentaries": [],
    }
    found = aoj.parse(json.dumps(answer).encode(), "https://judgeapi.u-aizu.ac.jp/x/9001")
    assert (found.key, found.title) == ("9001", "Hen House")
    assert (found.time_limit, found.memory_limit) == (8.0, 128)
    assert len(found.samples) == 1


def test_a_page_of_the_old_site():
    page = f"""<html><body><h1>Aizu Online Judge</h1><div id="pageinfo"><span class="text-red3">
    Time Limit : 1 sec, Memory Limit : 65536 KB</span></div>
    <div class="description">{old()}</div></body></html>"""
    found = aoj.parse(page.encode(), "http://judge.u-aizu.ac.jp/x/description.jsp?id=9001&lang=en")
    assert (found.key, found.title) == ("9001", "Hen House")
    assert (found.time_limit, found.memory_limit) == (1.0, 64)


def test_a_page_of_the_new_site():
    page = f"""<html><body><h1>AOJ</h1><div class="problemInfo"><span class="el-tag">Time Limit :
    2 sec</span><span class="el-tag">Memory Limit : 131072 KB</span></div>
    <div class="problemBody">{old()}</div></body></html>"""
    found = aoj.parse(page.encode(), "https://onlinejudge.u-aizu.ac.jp/problems/9001")
    assert (found.key, found.title) == ("9001", "Hen House")
    assert (found.time_limit, found.memory_limit) == (2.0, 128)


def test_pictures_are_flagged_where_there_is_little_else():
    assert aoj.parse(old().encode(), "").flags == ()
    bare = "<h1>T</h1><p><img src='a'></p><h2>Sample Input</h2><pre>1</pre>"
    bare += "<h2>Sample Output</h2><pre>2</pre>"
    assert aoj.parse(bare.encode(), "").flags == ("image",)


@pytest.mark.parametrize(
    "source",
    [
        b'[{"id": 1, "code": "RESOURCE_NOT_EXIST_ERROR", "message": "None"}]',
        b'{"code": 1}',
        b'{"html": "<p>Nothing.</p>"}',
        b"<h1>Volume 1</h1><a href='description.jsp?id=0100'>0100</a>",
        b"<p>Welcome</p>",
    ],
)
def test_other_answers_are_refused(source):
    with pytest.raises(SourceError) as refused:
        aoj.parse(source, "")
    assert refused.value.reason == "not-a-problem"


def test_an_answer_that_ends_early_is_refused():
    with pytest.raises(SourceError) as refused:
        aoj.parse(b'{"html": "<h1>T</h1>', "")
    assert refused.value.reason == "broken-json"


@settings(max_examples=25, deadline=None)
@given(broken.pages((old() + BOLD).encode()))
def test_broken_pages_are_read_or_refused(source):
    for page in (source, json.dumps({"html": source.decode("utf-8", "ignore")}).encode()):
        try:
            assert aoj.parse(page, "").site == "aoj"
        except SourceError as error:
            assert error.reason
