import pytest
from hypothesis import given, settings

from tests.crawlers import broken
from thresher.crawlers.parsers import atcoder
from thresher.crawlers.statement import Sample
from thresher.errors import SourceError
from thresher.store.records import Comparator

URL = "https://atcoder.jp/contests/abc900/tasks/abc900_c"
PART = '<div class="part">\n<section>\n<h3>{0}</h3>{1}\n</section>\n</div>\n'
OLD_PART = '<div class="part">\n<h3>{0}</h3>\n<section>\n{1}\n</section>\n</div>\n'
PAGE = """<!DOCTYPE html>
<html><head><title>C - Two Hens</title>
<meta property="og:title" content="C - Two Hens" />
<meta property="og:url" content="https://atcoder.jp/contests/abc900/tasks/abc900_c" />
<script>var contestScreenName = "abc900";</script></head><body>
<div class="col-sm-12"><span class="h2">
    C - Two Hens
    <a class="btn btn-default btn-sm" href="/contests/abc900/tasks/abc900_c/editorial">Editorial</a>
</span>
<span id="task-lang-btn"><span data-lang="ja"><img src="ja.png"></span></span><hr/>
<p>{limits}</p>
<div id="task-statement">
<div class="alert alert-warning"><p>Don't talk about this task until 22:40.</p></div>
<span class="lang">{languages}</span>
</div></div></body></html>"""


def english(samples=2, output="<p>Print the sum.</p>"):
    return '<span class="lang-en">\n<p>Score : <var>300</var> points</p>\n' + "".join(
        [
            PART.format("Problem Statement", "<p>Add <var>A</var> and <var>B_1</var>.</p>"),
            PART.format("Constraints", "<ul>\n<li><var>1 \\leq A</var></li></ul>"),
            '<hr />\n<div class="io-style">',
            PART.format(
                "Input", "<p>From Standard Input:</p><pre><var>A</var> <var>B_1</var>\n</pre>"
            ),
            PART.format("Output", output),
            "</div>",
            *(
                PART.format(f"Sample Input {n}", f"<pre>{n} 1\n</pre>\n")
                + PART.format(
                    f"Sample Output {n}",
                    f"<pre>{n + 1}\n</pre>\n<p>The steps:</p><pre>no sample\n</pre>",
                )
                for n in range(1, samples + 1)
            ),
            "</span>",
        ]
    )


def japanese(samples=2):
    return '<span class="lang-ja">\n<p>配点 : <var>300</var> 点</p>\n' + "".join(
        [
            PART.format("問題文", "<p>ふたつのかずをたしてください。</p>"),
            PART.format("入力", "<p>ひょうじゅん入力から。</p><pre><var>A</var></pre>"),
            PART.format("出力", "<p>わを出力せよ。</p>"),
            *(
                PART.format(f"入力例 {n}", f"<pre>{n} 1\n</pre>\n")
                + PART.format(f"出力例 {n}", f"<pre>{n + 1}\n</pre>")
                for n in range(1, samples + 1)
            ),
            "</span>",
        ]
    )


def page(*languages, limits="Time Limit: 2 sec / Memory Limit: 1024 MiB"):
    return PAGE.replace("{limits}", limits).replace("{languages}", "\n".join(languages)).encode()


def test_a_page_in_two_languages_is_read_in_english():
    found = atcoder.parse(page(japanese(), english()), URL)
    assert (found.key, found.title, found.kind) == ("abc900_c", "C - Two Hens", "stdio")
    assert found.samples == (Sample("1 1\n", "2\n"), Sample("2 1\n", "3\n"))
    assert (found.time_limit, found.memory_limit) == (2.0, 1024)
    assert (found.language, found.flags, found.url) == ("en", (), URL)
    assert found.comparator == Comparator(kind="tokens")
    assert found.text == (
        "Problem Statement\n\nAdd $A$ and $B_1$.\n\nConstraints\n\n- $1 \\leq A$\n\n"
        "Input\n\nFrom Standard Input:\n\n    A B_1\n\nOutput\n\nPrint the sum."
    )


def test_japanese_alone():
    limits = "実行時間制限: 1.5 sec / メモリ制限: 256 MB"
    found = atcoder.parse(page(japanese(1), limits=limits), URL)
    assert found.language == "ja"
    assert found.samples == (Sample("1 1\n", "2\n"),)
    assert (found.time_limit, found.memory_limit) == (1.5, 256)
    assert found.text.startswith("問題文")


def test_a_translation_without_samples_gives_way():
    found = atcoder.parse(page(japanese(1), english(0)), URL)
    assert found.language == "ja"
    assert len(found.samples) == 1


def test_a_page_from_before_there_were_languages():
    old = "".join(
        [
            "<h4>注意</h4><p>ふるい問題です。</p>",
            OLD_PART.format("問題文", "にわとりをかぞえてください。<br />"),
            OLD_PART.format("入力", "ここから。<pre>\nN\n</pre>"),
            OLD_PART.format("出力", "わを出力せよ。"),
            OLD_PART.format(
                "入力例 1", '<pre class="prettyprint linenums">\n3\na-b\n</pre><ul></ul>'
            ),
            OLD_PART.format("出力例 1", '<pre class="prettyprint linenums">\n1\n</pre>'),
        ]
    )
    source = PAGE.replace("{limits}", "Time limit : 2sec / Memory limit : 64MB")
    source = source.replace('<span class="lang">{languages}</span>', old)
    found = atcoder.parse(source.encode(), URL)
    assert found.samples == (Sample("3\na-b\n", "1\n"),)
    assert (found.time_limit, found.memory_limit) == (2.0, 64)
    assert found.language == "ja"
    assert "until 22:40" not in found.text


def test_a_page_saved_from_a_browser():
    buttons = (
        '<span class="btn btn-default btn-sm btn-copy">Copy</span></h3><div class="div-btn-copy">'
    )
    buttons += '<span class="btn-copy btn-pre">Copy</span></div>'
    rendered = english(1).replace("</h3><pre>1", f"{buttons}<pre id='pre-sample0'>1")
    found = atcoder.parse(page(rendered), URL)
    assert found.samples == (Sample("1 1\n", "2\n"),)


def test_a_statement_cut_out_of_its_page():
    found = atcoder.parse(english(2).encode(), "")
    assert (found.title, found.key, found.time_limit, found.memory_limit) == ("", "", None, None)
    assert len(found.samples) == 2


@pytest.mark.parametrize("one", [english(1), japanese(1)])
def test_a_statement_without_the_span_around_it(one):
    inner = one.partition(">")[2].removesuffix("</span>")
    assert atcoder.parse(inner.encode(), "").samples == (Sample("1 1\n", "2\n"),)


def test_a_statement_that_is_cut_off():
    cut = english(0).partition("<h3>Output</h3>")[0] + "</section></div></div></span>"
    found = atcoder.parse(cut.encode(), "")
    assert found.kind == "stdio"
    assert found.flags == ("truncated_statement",)
    assert found.samples == ()


def test_a_sample_without_its_output_is_refused():
    cut = english(2).partition("<h3>Sample Output 2</h3>")[0]
    with pytest.raises(SourceError) as refused:
        atcoder.parse(cut.encode(), "")
    assert refused.value.reason == "samples-unpaired"


def test_an_interactive_task():
    talk = PART.format("Input and Output", "<p>Ask: <code>? i</code></p>")
    talk += PART.format("Sample Input and Output", "<table><tr><td>3</td></tr></table>")
    source = english(0).replace("Add <var>A</var>", "This is an interactive task. Add")
    found = atcoder.parse(page(source.replace("</span>", talk + "</span>")), URL)
    assert (found.kind, found.samples) == ("interactive", ())


def test_how_answers_are_compared():
    output = "<p>Print it. It is right when the absolute error is at most <var>10^{-6}</var>.</p>"
    found = atcoder.parse(page(english(output=output)), URL)
    assert found.comparator == Comparator(kind="tokens", absolute=1e-6)
    assert found.comparator_evidence.startswith("It is right when the absolute error")
    output = "<p>If there are multiple solutions, print any of them.</p><p><img src='a.png'></p>"
    assert atcoder.parse(page(english(output=output)), URL).flags == ("image", "multiple_answers")


def test_answers_that_get_points():
    part = PART.format("Scoring", "<p>A shorter answer gets more points.</p>")
    source = english().replace("<hr />", part, 1)
    assert atcoder.parse(page(source), URL).flags == ("multiple_answers", "score")
    part = PART.format("Partial Score", "<p>30 points where A is 1.</p>")
    assert atcoder.parse(page(english().replace("<hr />", part, 1)), URL).flags == ()


def test_pictures_in_explanations_are_no_matter():
    source = english(1).replace("<p>The steps:</p>", "<p><img src='a.png'></p>")
    assert atcoder.parse(page(source), URL).flags == ()


def test_a_list_of_tasks_is_recognised():
    source = b"""<title>Tasks - Contest 900</title><table class="table"><tbody><tr>
    <td><a href="/contests/abc900/tasks/abc900_a">A</a></td></tr></tbody></table>"""
    found = atcoder.parse(source, "https://atcoder.jp/contests/abc900/tasks")
    assert (found.kind, found.title, found.samples) == ("listing", "Tasks - Contest 900", ())


@pytest.mark.parametrize("source", [b"<h1>404 Page Not Found</h1>", b"<p>Sign In</p>"])
def test_other_pages_are_refused(source):
    with pytest.raises(SourceError) as refused:
        atcoder.parse(source, URL)
    assert refused.value.reason == "not-a-problem"


def test_an_empty_page_is_refused():
    with pytest.raises(SourceError):
        atcoder.parse(b"", URL)


@settings(max_examples=25, deadline=None)
@given(broken.pages(page(japanese(1), english(2))))
def test_broken_pages_are_read_or_refused(source):
    try:
        found = atcoder.parse(source, "")
    except SourceError as error:
        assert error.reason
    else:
        assert found.site == "atcoder"
