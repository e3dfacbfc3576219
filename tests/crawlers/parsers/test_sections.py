import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from thresher.crawlers.parsers import sections
from thresher.crawlers.statement import Sample
from thresher.crawlers.text import markup
from thresher.errors import SourceError


def of_html(page):
    return sections.parts(sections.of_html(markup.document(page.encode())))


def of_markdown(source):
    return sections.parts(sections.of_markdown(source))


def pairs(parts):
    return [(one.input, one.output) for one in parts.samples()]


def test_a_page_is_cut_at_its_headings():
    page = "<p>Count the hens.</p><h2>Input</h2><pre>n\na b</pre><p>One line.</p><h3>Notes</h3>"
    cut = sections.of_html(markup.document(page.encode()))
    assert [(one.title, one.blocks) for one in cut] == [
        ("", ()),
        ("Input", ("n\na b",)),
        ("Notes", ()),
    ]


def test_blocks_outside_the_samples_stay_in_the_text():
    parts = of_html("<h2>Input</h2><p>As here:</p><pre>\nn\n  a b\n</pre><p>and no more.</p>")
    assert parts.text == "Input\n\nAs here:\n\n    n\n      a b\n\nand no more."
    assert parts.shown == ()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Sample Input", "Sample Output"),
        ("Sample Input 1", "Output for the Sample Input 1"),
        ("SAMPLE INPUT:", "SAMPLE OUTPUT:"),
        ("Example Input", "Example Ouput"),
        ("入力例", "出力例"),
        ("入力例 １", "出力例 １"),
        ("Sample Input 1 Copy", "Sample Output 1 Copy"),
        ("예제 입력 1", "예제 출력 1"),
    ],
)
def test_samples_have_headings(first, second):
    page = f"<p>Add.</p><h3>{first}</h3><pre>1 2\n</pre><h3>{second}</h3><pre>3\n</pre>"
    parts = of_html(page)
    assert pairs(parts) == [("1 2\n", "3\n")]
    assert parts.text == "Add."


def test_only_the_first_block_below_a_label_is_the_sample():
    page = """<h3>Sample Input 1</h3><pre>1</pre><h3>Sample Output 1</h3><pre>2</pre>
    <p>The steps are:</p><pre>1
1 1</pre>"""
    assert pairs(of_html(page)) == [("1\n", "2\n")]


def test_plain_labels_are_samples_below_a_heading_for_examples():
    page = """<h2>入力</h2><pre>N</pre><h2>出力</h2><p>和</p><h2>サンプル入出力</h2>
    <h3>入力1</h3><pre>1</pre><h3>出力1</h3><pre>2</pre><p>説明</p>
    <h3>入力2</h3><pre>3</pre><h3>出力2</h3><pre>4</pre><h2>出典</h2><p>コンテスト</p>"""
    parts = of_html(page)
    assert pairs(parts) == [("1\n", "2\n"), ("3\n", "4\n")]
    assert parts.text == "入力\n\n    N\n\n出力\n\n和\n\n出典\n\nコンテスト"


def test_bold_lines_are_headings_too():
    page = """<p><b>Input</b><br>a number</p><h2>Example</h2><b>Input:</b><br><pre>1</pre>
    <b>Output:</b><br><pre>2</pre>"""
    parts = of_html(page)
    assert pairs(parts) == [("1\n", "2\n")]
    assert parts.text == "Input\n\na number"


def test_labels_may_stand_in_the_block():
    page = """<h3>Example</h3><pre><b>Input:</b>
2
a b

<b>Output:</b>
 c
</pre>"""
    assert pairs(of_html(page)) == [("2\na b\n", " c\n")]


def test_headings_in_a_block_are_labels():
    page = "<pre><h3>Sample Input</h3>\n1\n<h3>Sample Output</h3>\n8\n8\n</pre>"
    assert pairs(of_html(page)) == [("1\n", "8\n8\n")]


def test_a_block_with_both_labels_needs_no_heading():
    page = "<h3>Constraints</h3><p>n &lt; 9</p><pre>Input:\n1\nOutput:\n2</pre>"
    parts = of_html(page)
    assert pairs(parts) == [("1\n", "2\n")]
    assert parts.text == "Constraints\n\nn < 9"


def test_a_label_alone_in_a_block_is_that_of_the_next():
    page = "<h3>Example</h3><pre><b>Input:</b></pre><pre>1\n2</pre><pre><b>Output:</b>\n3</pre>"
    assert pairs(of_html(page)) == [("1\n2\n", "3\n")]


def test_text_below_a_label_counts_by_its_lines():
    page = "<h3>Example Input</h3>2<br>3 3<br><hr><h3>Example Output</h3>4<br>"
    assert pairs(of_html(page)) == [("2\n3 3\n", "4\n")]


def test_a_block_without_a_label_is_no_sample():
    page = "<h3>Example</h3><pre>1\n2</pre><p><b>Output:</b></p><pre>3</pre>"
    with pytest.raises(SourceError) as refused:
        pairs(of_html(page))
    assert refused.value.reason == "samples-unpaired"


def test_explanations_are_left_out():
    page = """<h3>Sample Input</h3><pre>1</pre><h3>Sample Output</h3><pre>2</pre>
    <h3>Explanation</h3><pre>Input: 5
Output: 6</pre><h3>Output details</h3><p>Why.</p><h3>Source</h3><p>A book.</p>"""
    parts = of_html(page)
    assert pairs(parts) == [("1\n", "2\n")]
    assert parts.text == "Source\n\nA book."


def test_a_sample_may_print_nothing():
    page = "<h3>Sample Input</h3><pre>1</pre><h3>Sample Output</h3><pre></pre>"
    assert pairs(of_html(page)) == [("1\n", "")]


def test_markdown_with_fences():
    source = """Add *two* numbers, $a_1$ and $a_2$.\r
\r
###Input\r
- a line\r
\r
### Example Input\r
```\r
1 2\r
 3\r
```\r
\r
### Example Output\r
```\r
6\r
```\r
\r
### Explanation\r
It is 6.\r
"""
    parts = of_markdown(source)
    assert pairs(parts) == [("1 2\n 3\n", "6\n")]
    assert parts.text == "Add *two* numbers, $a_1$ and $a_2$.\n\nInput\n\n- a line"


def test_markdown_with_indented_samples():
    source = (
        "###Sample Input:\n\t2\n\t3 4\n\n###Sample Output:\n\t7\n\t8\n\n###EXPLANATION:\nSee.\n"
    )
    assert pairs(of_markdown(source)) == [("2\n3 4\n", "7\n8\n")]


def test_html_in_markdown():
    source = """Let a &lt; b and c &gt; d.<br>Print <b>a</b>.
<aside style='x'><div>An advertisement.</div></aside>
### Example
<pre><b>Input:</b>
1 &lt; 2
<b>Output:</b>
1</pre>"""
    parts = of_markdown(source)
    assert pairs(parts) == [("1 < 2\n", "1\n")]
    assert parts.text == "Let a < b and c > d.Print a."


def test_comparisons_in_markdown_are_no_tags():
    assert of_markdown("For all i<j and x>y, a<b.").text == "For all i<j and x>y, a<b."


def test_a_fence_that_never_ends():
    assert of_markdown("Read.\n```\nx\ny").text == "Read.\n\n    x\n    y"


def test_samples_keep_what_is_in_them():
    page = "<h3>Sample Input</h3><pre>\n\n a\n\n# b\n</pre><h3>Sample Output</h3><pre>```\n</pre>"
    assert of_html(page).samples() == (Sample("\n a\n\n# b\n", "```\n"),)


@example("</1")
@given(st.text(alphabet="ab \n#`<>/pre*1:Input\ue000\ue001", max_size=80))
def test_any_text_is_cut(source):
    parts = of_markdown(source)
    assert "\ue001" not in parts.text
    try:
        of_html(source)
    except SourceError as error:  # such as nothing but a tag that closes
        assert error.reason == "empty-page"
        assert not source.strip() or "<" in source


@given(st.lists(st.text(alphabet="xyz 12\n", min_size=1, max_size=20), min_size=2, max_size=6))
def test_what_is_shown_comes_back(texts):
    texts = texts[: len(texts) // 2 * 2]
    labels = ("Input", "Output")
    blocks = "".join(
        f"### Sample {labels[n % 2]} {n // 2 + 1}\n```\n{text}\n```\n\n"
        for n, text in enumerate(texts)
    )
    shown = of_markdown("Do it.\n\n" + blocks).samples()
    assert [text.split() for one in shown for text in (one.input, one.output)] == [
        text.split() for text in texts
    ]
