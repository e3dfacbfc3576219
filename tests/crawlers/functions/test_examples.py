"""Examples in the HTML and the plain text of statements."""

import pytest

from thresher.crawlers.functions import examples
from thresher.crawlers.functions.examples import Example
from thresher.crawlers.text import markup
from thresher.errors import SourceError

OLD = """\
<p>Add them.</p>
<p><strong>Example 1:</strong></p>
<pre>
<strong>Input:</strong> a = [1,
 2], b = 3
<strong>Output:</strong> 6
<strong>Explanation:</strong> All of <u>them</u>.
Output has no colon here.
</pre>
<p><strong class="example">Example 2:</strong></p>
<p><img alt="two" src="two.png" /></p>
<pre><b>Input:</b> a = [], b = 0<b>Output:</b> 0</pre>
<p>Limits stay.</p>
<pre>for x in a:
    x</pre>
"""
NEW = """\
<p>Join them.</p>
<p><strong class="example">Example 1:</strong></p>
<div class="example-block">
<p><strong>Input:</strong> <span class="example-io">s = &quot;ab&quot;, t = &quot;c&quot;</span></p>

<p><strong>Output:</strong> <span class="example-io">&quot;abc&quot;</span></p>

<p><strong>Explanation:</strong></p>
<ul><li>Nothing to say.</li></ul>
<pre>Input: none</pre>
</div>
"""


def read(html):
    document = markup.document(html.encode())
    return examples.read(document), markup.text(document)


def test_pre_elements_are_read_and_taken_out_with_their_headings_and_pictures():
    found, text = read(OLD)
    assert found == [Example("a = [1,\n 2], b = 3", "6"), Example("a = [], b = 0", "0")]
    assert text == "Add them.\n\nLimits stay.\n\n    for x in a:\n        x"


def test_example_blocks():
    html = NEW.replace("<pre>Input: none</pre>", "")
    assert read(html) == ([Example('s = "ab", t = "c"', '"abc"')], "Join them.")


def test_labels_without_colons_and_values_below_them():
    html = (
        '<p>Build a shelf.</p><pre>\n<strong>Input</strong>\n["Shelf", "put"]\n[[2], [1]]\n'
        "<strong>Output</strong>\n[null, 3]\n\n<strong>Explanation</strong>\n"
        "Shelf s = new Shelf(2);\ns.put(1); // returns 3\n</pre>"
    )
    assert read(html)[0] == [Example('["Shelf", "put"]\n[[2], [1]]', "[null, 3]")]


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("Input:\ns = 1\nt = 2\n\nOutput:\ne\n\nExplanation:\nSo.", ("s = 1\nt = 2", "e")),
        ("Input: s = 1 Output: 2", ("s = 1", "2")),
        ("Input: s = 1\nOutput: 2Explanation: glued", ("s = 1", "2")),
        ("Input: s = 1\nOutput: 2\nExplantion: misspelt", ("s = 1", "2")),
        ("Input: s = 1\nOutput: true\nNote: that.", ("s = 1", "true")),
        ("输入：s = 1\n输出：2\n解释：如此", ("s = 1", "2")),
        ('Input: s = "no input: here"\nOutput: 2', ('s = "no input: here"', "2")),
    ],
)
def test_labels_of_all_ages(text, pair):
    assert read(f"<pre>{text}</pre>")[0] == [Example(*pair)]


def test_what_is_bold_inside_a_value_stays_in_it():
    html = '<pre><b>Input:</b> s = "a<b>b</b>c"\n<b>Output:</b> [<strong>1</strong>,2]</pre>'
    assert read(html)[0] == [Example('s = "abc"', "[1,2]")]


def test_several_examples_in_one_element():
    html = "<pre>Example 1:\n\nInput: a\nOutput: b\nExample 2:\nInput: c\nOutput: d</pre>"
    assert read(html)[0] == [Example("a", "b"), Example("c", "d")]


@pytest.mark.parametrize(
    "text",
    [
        "Input: 1",
        "Output: 1",
        "Input: 1\nInput: 2\nOutput: 3",
        "Input: 1\nOutput: Output: 3",
        "Input: 1\nOutput: 2\nExplanation: so\nOutput: 3",
    ],
)
def test_parts_that_do_not_alternate_are_refused_and_never_shifted(text):
    with pytest.raises(SourceError) as caught:
        read(f"<pre>{text}</pre>")
    assert caught.value.reason == "samples-unpaired"


def test_an_example_that_talks_of_input_again_is_refused():
    with pytest.raises(SourceError, match="don't pair"):
        read(NEW)


def test_prose_before_an_example_stays():
    html = "<p>Mind this:</p> and that <pre>Input: 1\nOutput: 2</pre> after"
    assert read(html)[1] == "Mind this:\n\nand that after"


def test_plain_text_is_cut():
    text = (
        "Add them.\n\nExample 1:\n\nInput: a = 1\nOutput: 2\nExplanation: So.\n\nExample 2:\n\n"
        "Input: a = 2\nOutput: 3\n\n\xa0\nConstraints:\n\n1 <= a\n"
    )
    kept, found = examples.cut(text)
    assert kept == "Add them.\n\nConstraints:\n\n1 <= a"
    assert found == [Example("a = 1", "2"), Example("a = 2", "3")]
    assert examples.cut("No examples.\n") == ("No examples.", [])
