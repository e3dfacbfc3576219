import json

import pytest
from hypothesis import given, settings

from tests.crawlers import broken
from thresher.crawlers.parsers import codechef
from thresher.crawlers.statement import Sample
from thresher.errors import SourceError
from thresher.store.records import Comparator

NOTICE = "<aside style='x'><div>All submissions for this problem are available.</div></aside>"
MARKDOWN = """### Read problem statements in [Bengali](https://x/y.pdf), and [Russian](https://x/z.pdf).\r
\r
Count the hens $a_i$.\r
\r
###Input\r
- The first line has $T$.\r
\r
###Output\r
Print it.\r
\r
###Subtasks\r
**Subtask #1 (100 points):** original constraints\r
"""
SAMPLES = """
###Sample Input 1:\r
```\r
2\r
1 2\r
```\r
\r
###Sample Output 1:\r
```\r
YES\r
```\r
\r
###Explanation\r
**Test case $1$:** Because.\r
"""
NOTICES = """<h3>Read problems statements in <a href="https://x/y.pdf">Hindi,</a>
<a href="https://x/z.pdf">Mandarin chinese</a>
, <a href="https://x/w.pdf">Russian</a> as well.</h3>

"""
HTML = """
<h3> All submissions for this problem are available. </h3><p>Count the hens.</p>
<p>Like this:
<pre>function hens(S):
  return 1</pre></p>
<h3>Input</h3>
<p>A number T.</p>
<h3>Output</h3>
<p>Print it.</p>
<h3>Example</h3>

<pre>
<b>Input:</b>
2
0 1

<b>Output:</b>
1
</pre>

<h3>Explanation</h3>
The first is 1.    """
PAGE = """<html><body><h1 class="left"><a href="/"><img src="logo.svg" alt="A community"></a></h1>
<h2><span>Site Navigation</span></h2>
<h1>
  Hens
  <span>Problem Code: <strong id="problem-code">HENS</strong></span>
</h1>
<section class="content-area"><div class="problem-statement mathjax-support" id="problem-statement">
{body}
<aside><div>All submissions for this problem are available.</div></aside>
<aside class="problem-info"><p><label>Author:</label><span>somebody</span></p>
<p><label>Time Limit:</label>
  <span>0.5 secs</span></p><p><label>Source Limit:</label><span>50000 Bytes</span></p></aside>
</div></section></body></html>"""


def answer(body=MARKDOWN, **more):
    record = {
        "status": "success",
        "category_name": "easy",
        "problem_code": "HENS",
        "problem_name": "Hens",
        "body": body + NOTICE,
        "max_timelimit": "0.5",
        "languages_supported": "CPP14, C, JAVA, PYTH 3.6",
        "problem_author": "somebody",
        "tags": "<a class='x' href='/t/easy'>\n easy\n</a>, <a href='/t/somebody'>somebody</a>",
        **more,
    }
    return json.dumps(record).encode()


def components(*cases, statement=MARKDOWN, **more):
    return {
        "statement": statement,
        "inputFormat": "",
        "outputFormat": "",
        "constraints": "",
        "subtasks": "",
        "sampleTestCases": [
            {"id": "1", "input": a, "output": b, "explanation": "Why.", "isDeleted": gone}
            for a, b, gone in cases
        ],
        **more,
    }


def test_markdown_alone():
    found = codechef.parse(answer(MARKDOWN + SAMPLES), "https://www.codechef.com/x/HENS")
    assert (found.key, found.title, found.kind) == ("HENS", "Hens", "stdio")
    assert found.samples == (Sample("2\n1 2\n", "YES\n"),)
    assert (found.time_limit, found.memory_limit, found.tags) == (0.5, None, ("easy",))
    assert found.text == (
        "Count the hens $a_i$.\n\nInput\n\n- The first line has $T$.\n\nOutput\n\nPrint it.\n\n"
        "Subtasks\n\n**Subtask #1 (100 points):** original constraints"
    )


def test_a_notice_on_several_lines_is_no_text():
    text = MARKDOWN.partition("\r\n")[2]
    found = codechef.parse(answer(NOTICES + text + SAMPLES), "")
    assert found.text.startswith("Count the hens $a_i$.")


def test_samples_beside_the_statement():
    cases = (("3\r\n1 2", "NO\r\nYES", False), ("9", "9", True), ("4", "", False))
    found = codechef.parse(answer(problemComponents=components(*cases)), "")
    assert found.samples == (Sample("3\n1 2\n", "NO\nYES\n"), Sample("4\n", ""))
    assert found.text.startswith("Count the hens $a_i$.")


def test_a_statement_in_parts():
    parts = components(
        ("1", "1", False),
        statement="Count them.",
        inputFormat="- A number.",
        outputFormat='Print it. Output is case insensitive, so that "yes" and "Yes" do.',
        constraints="- $1 \\leq T$\n",
    )
    found = codechef.parse(answer("Count them.", problemComponents=parts), "")
    assert found.text == (
        "Count them.\n\nInput\n\n- A number.\n\nOutput\n\nPrint it. Output is case insensitive, so "
        'that "yes" and "Yes" do.\n\nConstraints\n\n- $1 \\leq T$'
    )
    assert found.flags == ("case_insensitive",)
    assert found.comparator == Comparator(kind="tokens-ignoring-case")


def test_parts_without_samples_leave_them_to_the_body():
    parts = components()
    found = codechef.parse(answer(MARKDOWN + SAMPLES, problemComponents=parts), "")
    assert found.samples == (Sample("2\n1 2\n", "YES\n"),)


def test_letters_of_either_case():
    words = "You may print each character of the string in uppercase or lowercase."
    found = codechef.parse(answer(MARKDOWN.replace("Print it.", words) + SAMPLES), "")
    assert found.comparator == Comparator(kind="tokens-ignoring-case")
    assert found.comparator_evidence == words


def test_html():
    found = codechef.parse(answer(HTML), "")
    assert found.samples == (Sample("2\n0 1\n", "1\n"),)
    assert found.text == (
        "Count the hens.\n\nLike this:\n\n    function hens(S):\n      return 1\n\n"
        "Input\n\nA number T.\n\nOutput\n\nPrint it."
    )


def test_a_record_from_before_the_interface():
    record = {
        "body": HTML,
        "languages_supported": "NA",
        "title": "HENS",
        "category": "NA",
        "old_version": True,
        "problem_code": "HENS",
    }
    found = codechef.parse(json.dumps(record).encode(), "")
    assert (found.title, found.key, found.time_limit) == ("HENS", "HENS", None)
    assert found.samples == (Sample("2\n0 1\n", "1\n"),)


@pytest.mark.parametrize(
    "block",
    [
        "<pre><b>Input</b>\n1\n\n<b>Output</b>\n2\n</pre>",
        "<pre><strong>Input:</strong><br>1<br><br><strong>Output:</strong><br>2</pre>",
        "<pre>Input:\n1\nOutput:\n2\n\nExplanation\nBecause it is.</pre>",
        "<pre><b>Sample Input</b>\n1\n<b>Output for Sample Input</b>\n2</pre>",
        "<pre><b>Input #1:</b>\n1\n<b>Output #1:</b>\n2</pre>",
        "<b>Input:</b><pre>1</pre><b>Output:</b><pre>2</pre>",
        "<pre><b>Input:</b></pre><pre>1</pre><pre><b>Output:</b></pre><pre>2</pre>",
        "<b>Input:</b><br />1<br /><b>Output:</b><br />2<br /><p><b>Explanation:</b><br />No.</p>",
    ],
)
def test_the_ways_to_write_an_example(block):
    found = codechef.parse(answer(f"<p>Add.</p><h3>Example</h3>{block}"), "")
    assert found.samples == (Sample("1\n", "2\n"),)
    assert found.text == "Add."


def test_answers_that_get_points():
    block = "<pre><b>Input:</b>\n1\n\n<b>Output:</b>\n2 3\n4 5\n\n<b>Score:</b>\n 0.5</pre>"
    found = codechef.parse(answer(f"<p>Sort.</p><h3>Example</h3>{block}"), "")
    assert found.samples == (Sample("1\n", "2 3\n4 5\n"),)
    assert found.flags == ("multiple_answers", "score")
    challenge = codechef.parse(answer(HTML, category_name="challenge"), "")
    assert challenge.flags == ("multiple_answers", "score")
    points = HTML.replace("A number T.", "You will score p penalty points.")
    assert codechef.parse(answer(points), "").flags == ("multiple_answers", "score")


def test_points_of_subtasks_are_no_matter():
    assert codechef.parse(answer(MARKDOWN + SAMPLES), "").flags == ()


def test_problems_that_talk():
    talk = MARKDOWN.replace("Print it.", "Don't forget to flush the output after every line.")
    found = codechef.parse(answer(talk + "### Sample Input\n```\n1\n```\n"), "")
    assert (found.kind, found.samples) == ("interactive", ())


def test_problems_for_databases():
    found = codechef.parse(answer(languages_supported="SQL"), "")
    assert found.kind == "sql"


def test_tags_may_be_a_list():
    assert codechef.parse(answer(tags=["graphs", 3, "somebody"]), "").tags == ("graphs",)
    assert codechef.parse(answer(tags=None), "").tags == ()


@pytest.mark.parametrize("limit", [None, "", "NA", [], "0"])
def test_limits_that_are_none(limit):
    assert codechef.parse(answer(max_timelimit=limit), "").time_limit is None


@pytest.mark.parametrize("first", [b"", b"codechef\n", b"codechef\r\n"])
def test_a_page(first):
    page = first + PAGE.replace("{body}", HTML).encode()
    found = codechef.parse(page, "https://www.codechef.com/problems/HENS")
    assert (found.key, found.title, found.time_limit) == ("HENS", "Hens", 0.5)
    assert found.samples == (Sample("2\n0 1\n", "1\n"),)
    assert "somebody" not in found.text
    assert "submissions" not in found.text


def test_a_page_of_the_new_site():
    page = """<h1>Site</h1><div class="_problem__title_x1"><h1>Hens</h1></div>
    <div class="_problem-statement__container_y2"><p>Count.</p><h3>Sample 1:</h3>
    <div class="_input_output__table_z3"><p>Input</p><pre>1</pre><p>Output</p><pre>2</pre></div>
    </div>"""
    found = codechef.parse(page.encode(), "https://www.codechef.com/problems/HENS")
    assert (found.key, found.title) == ("HENS", "Hens")
    assert found.samples == (Sample("1\n", "2\n"),)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (b'{"status": "error", "message": "Problem is not visible"}', "not-a-problem"),
        (b'{"status": "success", "problem_code": "X", "body": ""}', "not-a-problem"),
        (b'{"problem_code": "X", "body": ["a"]}', "not-a-problem"),
        (b'{"problem_code": "X"', "broken-json"),
        (b"<h1>Not found</h1>", "not-a-problem"),
        (b"codechef\n", "empty-page"),
    ],
)
def test_other_answers_are_refused(source, reason):
    with pytest.raises(SourceError) as refused:
        codechef.parse(source, "")
    assert refused.value.reason == reason


SOURCES = (answer(MARKDOWN + SAMPLES), answer(HTML), PAGE.replace("{body}", HTML).encode())


@pytest.mark.parametrize("source", SOURCES)
def test_broken_pages_are_read_or_refused(source):
    @settings(max_examples=25, deadline=None)
    @given(broken.pages(source))
    def run(page):
        try:
            assert codechef.parse(page, "").site == "codechef"
        except SourceError as error:
            assert error.reason

    run()
