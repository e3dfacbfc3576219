"""LeetCode's answers and pages of all ages; all texts are invented, the shapes are the site's."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.crawlers.parsers import leetcode
from thresher.crawlers.statement import Call, Parameter, Signature
from thresher.errors import SourceError
from thresher.store.records import Comparator

URL = "https://leetcode.com/problems/even-pairs/"
CONTENT = """\
<p>Given a list <code>shelf</code> and a number <code>k</code>, return <em>the places</em> of two \
books whose widths are <code>k</code> together.</p>

<p>You can return the answer in any order.</p>

<p>&nbsp;</p>
<p><strong class="example">Example 1:</strong></p>

<pre>
<strong>Input:</strong> shelf = [2,5,1], k = 7
<strong>Output:</strong> [0,1]
<strong>Explanation:</strong> shelf[0] + shelf[1] == 7.
</pre>

<p><strong class="example">Example 2:</strong></p>

<pre>
<strong>Input:</strong> shelf = [4,4], k = 8
<strong>Output:</strong> [0,1]
</pre>

<p><strong>Constraints:</strong></p>

<ul>
	<li><code>2 &lt;= shelf.length &lt;= 10<sup>4</sup></code></li>
</ul>
"""
METADATA = {
    "name": "evenPairs",
    "params": [{"name": "shelf", "type": "integer[]"}, {"name": "k", "type": "integer"}],
    "return": {"type": "integer[]", "size": 2},
    "manual": False,
}
SNIPPET = (
    "class Solution:\n    def evenPairs(self, shelf: List[int], k: int) -> List[int]:\n        "
)
QUESTION = {
    "questionFrontendId": "9001",
    "title": "Even Pairs",
    "titleSlug": "even-pairs",
    "content": CONTENT,
    "translatedContent": None,
    "isPaidOnly": False,
    "categoryTitle": "Algorithms",
    "exampleTestcases": "[2,5,1]\n7\n[4,4]\n8",
    "topicTags": [{"name": "Array", "slug": "array"}, {"name": "Two Pointers", "slug": "two"}],
    "codeSnippets": [
        {"lang": "C++", "langSlug": "cpp", "code": "class Solution {};"},
        {"lang": "Python3", "langSlug": "python3", "code": SNIPPET},
    ],
    "metaData": json.dumps(METADATA),
}
CALLS = (Call({"shelf": [2, 5, 1], "k": 7}, [0, 1]), Call({"shelf": [4, 4], "k": 8}, [0, 1]))
SIGNATURE = Signature(
    "evenPairs", (Parameter("shelf", "List[int]"), Parameter("k", "int")), "List[int]"
)


def parsed(url=URL, **changes):
    return leetcode.parse(json.dumps({"data": {"question": QUESTION | changes}}).encode(), url)


def refused(page, url=URL):
    with pytest.raises(SourceError) as caught:
        leetcode.parse(page, url)
    return caught.value.reason


def refused_question(**changes):
    return refused(json.dumps({"data": {"question": QUESTION | changes}}).encode())


def test_a_question_of_today():
    found = parsed("https://leetcode.com/graphql/")
    assert (found.kind, found.key, found.title) == ("function", "even-pairs", "Even Pairs")
    assert found.url == URL
    assert found.calls == CALLS
    assert found.signature == SIGNATURE
    assert found.comparator == Comparator(kind="unordered")
    assert found.comparator_evidence == "You can return the answer in any order."
    assert (found.flags, found.tags) == (("any_order",), ("Array", "Two Pointers"))
    assert found.text == (
        "Given a list `shelf` and a number `k`, return the places of two books whose widths are "
        "`k` together.\n\nYou can return the answer in any order.\n\nConstraints:\n\n"
        "- `2 <= shelf.length <= 10^4`"
    )
    assert (found.licence, found.language) == ("unknown", "en")
    assert "terms" in found.licence_evidence


@pytest.mark.parametrize(
    "changes",
    [
        {"metaData": None},
        {"codeSnippets": None},
        {"codeSnippets": [], "exampleTestcases": None},
        {"exampleTestcases": None, "exampleTestcaseList": ["[2,5,1]\n7", "[4,4]\n8"]},
        {"exampleTestcases": "[2, 5, 1]\n7"},
        {"exampleTestcases": None, "sampleTestCase": "[9]\n1"},
        {"exampleTestcases": "[2,5,1]\r\n7\r\n", "categoryTitle": "LCOF"},
        {
            "codeSnippets": [
                {
                    "langSlug": "python",
                    "code": "class Solution(object):\n    def evenPairs(self, shelf, k):\n"
                    '        """\n        :type shelf: List[int]\n        :type k: int\n'
                    '        :rtype: List[int]\n        """\n        ',
                }
            ]
        },
        {
            "codeSnippets": None,
            "codeDefinition": json.dumps([{"value": "python3", "defaultCode": SNIPPET}]),
        },
        {
            "codeSnippets": [
                {
                    "langSlug": "python3",
                    "code": "class Solution:\n    def evenPairs(self, shelf, k):\n        ",
                }
            ]
        },
    ],
)
def test_the_fields_of_other_years(changes):
    found = parsed(**changes)
    assert (found.calls, found.signature) == (CALLS, SIGNATURE)


@pytest.mark.parametrize(
    "wrap",
    [
        lambda question: question,
        lambda question: {"question": question},
        lambda question: {"data": {"activeDailyCodingChallengeQuestion": {"question": question}}},
    ],
)
def test_other_wrappings(wrap):
    assert leetcode.parse(b"\xef\xbb\xbf" + json.dumps(wrap(QUESTION)).encode(), "").calls == CALLS


def test_a_newer_page_carries_its_question_in_parts():
    parts = [
        {"state": {"data": {"question": {key: QUESTION[key], "title": None}}}} for key in QUESTION
    ]
    data = json.dumps({"props": {"queries": [*parts, {"question": [1]}]}})
    page = f'<html><head><title>x</title></head><script id="__NEXT_DATA__">{data}</script></html>'
    found = leetcode.parse(page.encode(), "")
    assert (found.calls, found.signature, found.key) == (CALLS, SIGNATURE, "even-pairs")


def old_page(panel, script):
    return (
        "<html><head><title>LeetCode</title><meta property='og:title' content='Even Pairs'></head>"
        f"<body><div class='question-title'><h3>1. Even Pairs</h3></div>{panel}"
        f"<a href='/subscribe/'>Subscribe</a><script>var pageData = {{{script}}};</script></body>"
    ).encode()


OLD_CODE = (
    r"[{'value': 'cpp', 'text': 'C++', 'defaultCode': 'class Solution {\u000D\u000A}\u003B' },"
    r"{'value': 'python', 'text': 'Python', 'defaultCode': 'class Solution(object):\u000A    "
    r"def evenPairs(self, shelf, k):\u000A        \u0022\u0022\u0022\u000A        "
    r":type shelf: List[int]\u000A        :type k: int\u000A        :rtype: List[int]\u000A"
    r"        \u0022\u0022\u0022\u000A        ' },]"
)


def test_a_page_of_2017():
    metadata = json.dumps(METADATA).replace('"', r"\u0022")
    script = (
        "questionTitleSlug: 'even-pairs', questionTitle: 'Even Pairs\\u0021', "
        f"codeDefinition: {OLD_CODE}, metaData: JSON.parse('{metadata}' || '{{}}')"
    )
    panel = (
        "<div class='question-content'><div class='action-btn-base'>Pick One</div>"
        f"<div class='question-description'><p>{CONTENT}</p></div></div>"
    )
    found = leetcode.parse(old_page(panel, script), "")
    assert (found.calls, found.signature) == (CALLS, SIGNATURE)
    assert (found.key, found.title) == ("even-pairs", "Even Pairs!")
    assert "Pick One" not in found.text


def test_a_page_of_2016():
    panel = (
        f"<div class='question-content'><p>{CONTENT}</p><div><a href='/subscribe/'>See</a> it</div>"
        f'</div><div ng-init="init({OLD_CODE})"></div>'
    )
    found = leetcode.parse(old_page(panel, "questionTitleSlug: 'even-pairs'"), "")
    assert (found.calls, found.signature) == (CALLS, SIGNATURE)
    assert found.text.endswith("10^4`")


def test_a_bare_statement_names_its_parameters_itself():
    found = leetcode.parse(CONTENT.encode(), "")
    assert (found.kind, found.key, found.title, found.url) == ("function", "", "", "")
    assert (found.calls, found.signature, found.flags) == (CALLS, None, ("any_order",))
    found = leetcode.parse(CONTENT.encode(), URL)
    assert (found.key, found.title, found.url) == ("even-pairs", "Even Pairs", URL)


def test_without_a_title_it_is_made_of_the_name():
    found = parsed("", title=None, titleSlug=None)
    assert (found.key, found.title) == ("even-pairs", "Even Pairs")
    metadata = json.dumps(METADATA | {"name": "findTheBookOf2"})
    code = [{"langSlug": "python3", "code": SNIPPET.replace("evenPairs", "findTheBookOf2")}]
    found = parsed("", title="", titleSlug=None, metaData=metadata, codeSnippets=code)
    assert (found.key, found.title) == ("find-the-book-of-2", "Find the Book of 2")


DESIGN = """\
<p>Build the <code>Shelf</code> class.</p>
<p><strong class="example">Example 1:</strong></p>
<pre>
<strong>Input</strong>
["Shelf", "put", "put"]
[[2], [1, "a"], [2, "b"]]
<strong>Output</strong>
[null, null, 3]

<strong>Explanation</strong>
Shelf shelf = new Shelf(2);
</pre>
"""
OPERATIONS = Call(
    {"ops": ["Shelf", "put", "put"], "params": [[2], [1, "a"], [2, "b"]]}, [None, None, 3]
)


def test_classes():
    code = "class Shelf:\n\n    def __init__(self, width: int):\n\n\n"
    code += "    def put(self, n, s):\n        "
    metadata = {
        "classname": "Shelf",
        "constructor": {"params": [{"name": "width", "type": "integer"}]},
        "methods": [
            {
                "name": "put",
                "params": [{"name": "n", "type": "integer"}, {"name": "s", "type": "string"}],
                "return": {"type": "integer"},
            }
        ],
    }
    cases = '["Shelf","put","put"]\n[[2],[1,"a"],[2,"b"]]'
    put = Signature("put", (Parameter("n", "int"), Parameter("s", "str")), "int")
    start = Signature("__init__", (Parameter("width", "int"),))
    for changes in ({"codeSnippets": [{"langSlug": "python3", "code": code}]}, {}):
        more = {"codeSnippets": None, "exampleTestcases": cases} | changes
        found = parsed(content=DESIGN, metaData=json.dumps(metadata), **more)
        assert found.signature == Signature("Shelf", methods=(start, put))
        assert (found.calls, found.flags) == ((OPERATIONS,), ("design_class",))


def test_a_bare_class_tells_its_methods_by_their_use():
    found = leetcode.parse(DESIGN.encode(), "")
    methods = (Signature("__init__"), Signature("put"))
    assert found.signature == Signature("Shelf", methods=methods)
    assert (found.calls, found.flags) == ((OPERATIONS,), ("design_class",))


def test_an_argument_named_ops_makes_no_class():
    html = "<pre>Input: ops = [[1,2]]\nOutput: 3</pre>"
    found = leetcode.parse(html.encode(), "")
    assert (found.signature, found.calls) == (None, (Call({"ops": [[1, 2]]}, 3),))


def test_types_come_from_the_signature():
    html = (
        '<p>Return the last.</p><pre>Input: head = 1->2->NULL, s = "a", x = 2\nOutput: e\n</pre>'
        '<p><img src="list.png"></p>'
    )
    code = (
        "class Solution:\n    def last(self, head: Optional[ListNode], s: str, x: float) -> str:\n"
    )
    found = parsed(
        content=html,
        codeSnippets=[{"langSlug": "python3", "code": code}],
        metaData="{}",
        exampleTestcases='[1,2]\n"a"\n2',
    )
    assert found.calls == (Call({"head": [1, 2], "s": "a", "x": 2.0}, "e"),)
    assert found.flags == ("image", "linked_list")


def test_an_answer_left_in_an_argument():
    html = "<p>Sort it in-place.</p><pre>Input: a = [2,1], n = 2\nOutput: [1,2]</pre>"
    code = 'class Solution:\n    def order(self, a: List[int], n: int) -> None:\n        """\n   no'
    code += '\n        """\n        '
    found = parsed(
        content=html,
        codeSnippets=[{"langSlug": "python3", "code": code}],
        metaData=None,
        exampleTestcases="[2,1]\n2",
    )
    assert (found.calls[0].out, found.flags) == ([1, 2], ("in_place",))
    assert leetcode.parse(html.encode(), "").flags == ("in_place",)


def test_chinese_where_there_is_no_english():
    translated = (
        "<p>给定 <code>n</code>，返回任意一个。</p><pre><strong>输入：</strong>n = 3\n"
        "<strong>输出：</strong>3\n<strong>解释：</strong>无</pre>"
    )
    code = "class Solution:\n    def same(self, n: int) -> int:\n        "
    for content in (None, "<p>English description is not available for the problem.</p>"):
        found = parsed(
            content=content,
            translatedContent=translated,
            codeSnippets=[{"langSlug": "python3", "code": code}],
            metaData=None,
            exampleTestcases="3",
        )
        assert (found.language, found.calls) == ("zh", (Call({"n": 3}, 3),))
        assert found.flags == ("multiple_answers",)
    assert parsed(translatedContent=translated).language == "en"


def test_a_statement_without_examples_has_no_calls():
    found = parsed(content="<p>Think of a number.</p>", exampleTestcases="")
    assert (found.kind, found.calls) == ("function", ())


@pytest.mark.parametrize(
    ("page", "kind"),
    [
        (QUESTION | {"content": None, "isPaidOnly": True, "codeSnippets": None}, "locked"),
        (QUESTION | {"content": "", "isPaidOnly": None}, "locked"),
        (
            QUESTION | {"codeSnippets": [{"langSlug": "mysql"}, {"langSlug": "pythondata"}]},
            "sql",
        ),
        (QUESTION | {"codeSnippets": None, "categoryTitle": "Database"}, "sql"),
        (QUESTION | {"codeSnippets": None, "mysqlSchemas": ["Create table t"]}, "sql"),
        (QUESTION | {"content": "<p>This is an <b>interactive problem</b>.</p>"}, "interactive"),
        ({"content": "<pre>\nt:\n+----+---+\n| id | n |\n+----+---+\n</pre>"}, "sql"),
    ],
)
def test_what_no_problem_is_made_of(page, kind):
    found = leetcode.parse(json.dumps({"data": {"question": page}}).encode(), URL)
    assert (found.kind, found.calls, found.text) == (kind, (), "")
    assert found.flags == (("premium_locked",) if kind == "locked" else ())
    assert found.key == "even-pairs"


def test_the_page_of_a_locked_problem_in_2016():
    page = (
        b"<html><head><title></title><meta property='og:title' content=''></head>"
        b"<body><a href='/subscribe/'>Subscribe</a></body></html>"
    )
    found = leetcode.parse(page, URL)
    assert (found.kind, found.flags, found.calls) == ("locked", ("premium_locked",), ())
    assert refused(page.replace(b"content=''", b"content='Login'")) == "not-a-problem"


def test_lists_are_told_apart():
    for listed in (
        {"data": {"problemsetQuestionList": {"total": 1, "questions": [{"titleSlug": "a"}]}}},
        {"data": {"problemsetQuestionList": {"data": [{"titleSlug": "a"}]}}},
        {"data": {"allQuestions": [{"titleSlug": "a"}]}},
        {"stat_status_pairs": [{"stat": {"question__title_slug": "a"}, "paid_only": True}]},
    ):
        assert leetcode.parse(json.dumps(listed).encode(), "").kind == "listing"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"exampleTestcases": "[4,4]\n8\n[2,5,1]\n7"}, "samples-unpaired"),
        ({"exampleTestcases": "[2,5,1]\n7\n[4,4]"}, "samples-unpaired"),
        ({"exampleTestcases": "[2,5,1]\n7\n[4,4]\n9"}, "samples-unpaired"),
        ({"content": CONTENT.replace("Output", "Result", 1)}, "samples-unpaired"),
        ({"content": CONTENT.replace("[0,1]", "[0,_]", 1)}, "example-unreadable"),
        ({"content": CONTENT.replace("[0,1]", "2, shelf = [2]", 1)}, "example-unreadable"),
        ({"content": CONTENT.replace("k = 7", "j = 7", 1)}, "example-unreadable"),
        ({"content": CONTENT.replace("k = 7", "k = 7.5", 1)}, "example-unreadable"),
        ({"codeSnippets": [{"langSlug": "bash"}]}, "category-shell"),
        ({"codeSnippets": [{"langSlug": "typescript"}]}, "category-javascript"),
        ({"codeSnippets": [{"langSlug": "rust"}]}, "category-no-python"),
        ({"topicTags": [{"name": "C", "slug": "concurrency"}]}, "category-concurrency"),
        ({"codeSnippets": None, "categoryTitle": "Shell"}, "category-shell"),
        ({"content": None}, "not-a-problem"),
    ],
)
def test_what_is_refused(changes, reason):
    assert refused_question(**changes) == reason


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (b"", "empty-page"),
        (b"   \n", "empty-page"),
        (b'{"data": {"question": null}}', "not-a-problem"),
        (b'{"data": {"question"', "not-a-problem"),
        (b"[" * 100_000, "not-a-problem"),
        (b'{"errors": ["no"]}', "not-a-problem"),
        (b"[]", "not-a-problem"),
        (b"<p>Good morning.</p>", "not-a-problem"),
        (b"<html><head><title>Just a moment</title></head></html>", "not-a-problem"),
        (b"<script id='__NEXT_DATA__'>{</script>", "not-a-problem"),
        (b"<script id='__NEXT_DATA__'>{}</script><title>x</title>", "not-a-problem"),
    ],
)
def test_pages_without_a_question(page, reason):
    assert refused(page) == reason


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=5,
)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(sorted({*QUESTION, "mysqlSchemas"})), VALUES, max_size=4))
def test_fields_of_wrong_types_are_read_or_refused(changes):
    try:
        parsed(**changes)
    except SourceError as error:
        assert str(error)  # noqa: PT017


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_damaged_pages_are_read_or_refused(data):
    metadata = json.dumps(METADATA).replace('"', r"\u0022")
    page = data.draw(
        st.sampled_from(
            [
                json.dumps({"data": {"question": QUESTION}}).encode(),
                CONTENT.encode(),
                DESIGN.encode(),
                old_page(
                    f"<div class='question-description'>{CONTENT}</div>",
                    f"codeDefinition: {OLD_CODE}, metaData: JSON.parse('{metadata}')",
                ),
            ]
        )
    )
    start = data.draw(st.integers(0, len(page)))
    end = data.draw(st.integers(start, min(len(page), start + 40)))
    damaged = page[:start] + data.draw(st.binary(max_size=10)) + page[end:]
    try:
        leetcode.parse(damaged, data.draw(st.sampled_from(["", URL])))
    except SourceError as error:
        assert str(error)  # noqa: PT017
