import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.crawlers import broken
from thresher.crawlers.text import markup
from thresher.errors import SourceError


def body(html):
    return markup.document(f"<body>{html}</body>".encode()).css("body")[0]


def text(html):
    return markup.text(body(html))


@pytest.mark.parametrize(
    ("html", "right"),
    [
        ("<p>One  two\n three.</p><p>Four.</p>", "One two three.\n\nFour."),
        (
            "<h2>Input</h2>A line.<br>Another.<br/><br/>Apart.",
            "Input\n\nA line.\nAnother.\n\nApart.",
        ),
        ("<p>a<br>b</p>", "a\nb"),
        ("<div><div><p>x</p></div></div><div>y</div>z", "x\n\ny\nz"),
        ("a&nbsp;b &lt;c&gt; &quot;d&quot; \u200be", 'a b <c> "d" e'),
        ("<b>bold</b>, <i>it</i>.", "bold, it."),
        ("no<!-- gone --> comment<script>var x;</script><style>p{}</style>", "no comment"),
        ("<p>cut <del>out</del> <s>of</s></p>", "cut ~~out~~ ~~of~~"),
        ("", ""),
    ],
)
def test_paragraphs_and_lines(html, right):
    assert text(html) == right


@pytest.mark.parametrize(
    ("html", "right"),
    [
        ("<ul><li>one<li>two</ul>after", "- one\n- two\n\nafter"),
        ("<p>so:</p><ol><li>one</li><li>two</li></ol>", "so:\n\n1. one\n2. two"),
        ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n\n  - b\n\n- c"),
        ("<ul><li><p>a</p><p>b</p></li></ul>", "- a\n\n  b"),
    ],
)
def test_lists_have_markers(html, right):
    assert text(html) == right


def test_a_table_of_data_has_a_line_for_each_row():
    cells = "<tr><th>Group</th><th><p>Points</p></th></tr><tr><td>1</td><td>  3<br>4 </td></tr>"
    assert text(f"x<table>{cells}</table>y") == "x\n\nGroup | Points\n1 | 3 4\n\ny"


def test_a_table_that_only_lays_out_is_no_row():
    html = "<table><tr><td><h2>Input</h2><pre>1\n 2</pre></td><td>beside</td></tr></table>"
    assert text(html) == "Input\n\n    1\n     2\n\nbeside"


@pytest.mark.parametrize(
    ("html", "right"),
    [
        ("the $$$n$$$-th, $$$$$$x^2$$$$$$", "the $n$-th, $$x^2$$"),
        (r"so \(n\) and \[n^2\]", "so $n$ and $$n^2$$"),
        ("the <var>n</var>th <var></var>", "the $n$th"),
        ("<var>a<sub>i</sub></var>", "$a_i$"),
        ("x<sub>i</sub> 10<sup>18</sup> x <sub>ij</sub>", "x_i 10^{18} x_{ij}"),
        (
            '<span class="tex-span"><i>x</i><sub class="lower-index"><i>i</i></sub> = 2</span>',
            "x_i = 2",
        ),
        (
            'a <span class="MathJax_Preview">n</span><span class="MathJax" id="m">n</span>'
            '<script type="math/tex">n_1</script>.',
            "a $n_1$.",
        ),
        ('<script type="math/tex; mode=display">n</script>', "$$n$$"),
        (
            '<span class="math inline"><span class="katex"><span class="katex-mathml"><math>'
            "<semantics><mi>n</mi><annotation encoding='application/x-tex'>1 \\le n</annotation>"
            '</semantics></math></span><span class="katex-html">1\u2264n</span></span></span>',
            "$1 \\le n$",
        ),
        ('for <span class="math inline">n \\le 5</span>', "for $n \\le 5$"),
        ('<span class="math display">n \\le 5</span>', "$$n \\le 5$$"),
        ('<span class="math inline">\\(n\\)</span>', "$n$"),
        ("<math><msup><mi>a</mi><mn>20</mn></msup></math>", "a^{20}"),
        ("<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>", "1/2"),
        ('<math alttext="a+b"><mi>a</mi></math>', "$a+b$"),
        ('<img alt="$n$"> lines', "$n$ lines"),
    ],
)
def test_formulas_stay_readable(html, right):
    assert text(html) == right


@pytest.mark.parametrize(
    ("html", "right"),
    [
        ("print <code>YES</code>.", "print `YES`."),
        ('<span class="tex-font-style-tt">a</span>', "`a`"),
        ("<p>x</p><pre>\n  a\n\n b\n</pre><p>y</p>", "x\n\n      a\n\n     b\n\ny"),
        ("<code>a<br>\nb</code>", "    a\n    b"),
        ("x<pre>\n \n</pre><code></code>", "x"),
        (
            '<img src="a.png" alt="a tree"> <img src="b.png" alt="/img/b.png">',
            "[image: a tree] [image]",
        ),
    ],
)
def test_code_and_images(html, right):
    assert text(html) == right


def test_pictures_are_told_from_formulas():
    assert markup.has_image(body('<img src="x.png">'))
    assert not markup.has_image(body('<img alt="$n$"><p>none</p>'))


@pytest.mark.parametrize(
    ("html", "right"),
    [
        ("<pre>\n1 2\n  3\n</pre>", "\n1 2\n  3\n"),
        ("<pre>7<br />j.<br /></pre>", "7\nj.\n"),
        ("<pre>1<br/><br/>2</pre>", "1\n\n2"),
        ("<code>AB<br />\nCD</code>", "AB\nCD"),
        (
            "<pre><div class='t'>4</div><div class='t'></div><div class='t'>1\u00a02</div></pre>",
            "4\n\n1 2\n",
        ),
        ("<pre>x &lt; <b>y</b>\u200b</pre>", "x < y"),
    ],
)
def test_a_sample_keeps_its_lines(html, right):
    assert markup.pre(body(html).css("pre, code")[0]) == right


@pytest.mark.parametrize(
    "page",
    [
        "<meta charset=shift_jis><p>入力</p>".encode("shift_jis"),
        '<meta http-equiv="Content-Type" content="text/html; charset=EUC-JP"><p>入力</p>'.encode(
            "euc_jp"
        ),
        "<meta charset=shift_jis><p>入力</p>".encode(),
        "<p>入力</p>".encode("utf-16"),
        b"\xef\xbb\xbf" + "<p>入力</p>".encode(),
        "<meta charset=iso-2022-jp><p>入力</p>".encode("iso2022_jp"),
    ],
)
def test_the_encoding_is_found(page):
    assert markup.line(markup.document(page).css("p")[0]) == "入力"


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (b"", "empty-page"),
        (b" \n\x00", "empty-page"),
        (b"<!-- -->", "empty-page"),
        (b"%PDF-1.5 \x00", "pdf-statement"),
        (b"x" * (markup.MAX_PAGE + 1), "page-too-large"),
        (b"a<br>" * (markup.MAX_ELEMENTS + 1), "page-too-large"),
    ],
)
def test_what_is_no_page_is_refused_by_name(page, reason):
    with pytest.raises(SourceError) as refused:
        markup.document(page)
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    "tag", ["div", "sub", "table><tr><td", "ul><li", "pre", "var", "math><msup"]
)
def test_nesting_is_no_recursion(tag):
    tree = markup.document(b"x" + f"<{tag}>".encode() * 50_000 + b"y")
    assert markup.text(tree).startswith("x")
    markup.pre(tree)


def test_titles_and_lines():
    tree = markup.document(b"<title>A\n  B</title><h1>One<br>two <sub>i</sub></h1>")
    assert markup.title(tree) == "A B"
    assert markup.line(tree.css("h1")[0]) == "One two_i"
    assert markup.title(markup.document(b"x")) == ""


def test_links_are_given_once_in_order():
    page = b'<a href="/p/2">b</a><a href="/p/1">a</a><a href="/p/2">c</a><a href="/q">d</a><a>e</a>'
    assert markup.links(page, re.compile(r"/p/(\d)$")) == ["2", "1"]
    assert markup.links(b"", re.compile(r"/p/(\d)$")) == []


PAGE = """<p>A <var>n</var>, <sub>i</sub></p><ul><li>x<ol><li>y</ol></ul>
<table><tr><td>1<td><math><msup><mi>a</mi><mi>b</mi></msup></math></table><pre>1<br>2</pre>"""


@given(broken.pages(PAGE.encode()))
def test_any_page_gives_tidy_text_or_is_refused(page):
    try:
        tree = markup.document(page)
    except SourceError:
        return
    got = markup.text(tree)
    if b"pre" not in page:
        assert "\n\n\n" not in got
    assert got == got.rstrip("\n")
    assert isinstance(markup.pre(tree), str)


@given(st.text(alphabet=st.characters(codec="ascii", exclude_characters="<>&\x00"), max_size=30))
def test_plain_words_come_through(words):
    assert markup.text(body(f"<i>{words}</i>x")).split()[-1].endswith("x")


def test_a_tag_with_very_many_attributes_is_refused():
    with pytest.raises(SourceError) as raised:
        markup.document(
            b"<p " + b" ".join(b"a%d=b" % number for number in range(50_000)) + b">x</p>"
        )
    assert raised.value.reason == "page-too-large"
    few = b"<p " + b" ".join(b"a%d=b" % number for number in range(500)) + b">x</p>"
    assert markup.text(markup.document(few)) == "x"
