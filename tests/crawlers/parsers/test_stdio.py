import pytest

from thresher.crawlers.parsers import stdio
from thresher.crawlers.parsers.sections import Parts
from thresher.crawlers.statement import Sample
from thresher.crawlers.text import markup
from thresher.store.records import Comparator

SHOWN = (("Input", "1"), ("Output", "2"))


def statement(text, shown=SHOWN, **known):
    return stdio.statement(Parts(text, shown), site="toy", key="k", title="T", **known)


def test_a_statement_says_what_its_text_says():
    found = statement("Print x. You may print letters in any case.", flags=("score",))
    assert found.kind == "stdio"
    assert found.samples == (Sample("1\n", "2\n"),)
    assert found.comparator == Comparator(kind="tokens-ignoring-case")
    assert found.comparator_evidence == "You may print letters in any case."
    assert found.flags == ("case_insensitive", "score")
    assert found.language == "en"


def test_an_interactive_problem_has_no_samples():
    found = statement("This is an interactive problem.", shown=(("Input", "1"),))
    assert (found.kind, found.samples) == ("interactive", ())


def test_what_is_known_goes_before_what_is_read():
    assert statement("Print x.", kind="sql").samples == ()
    assert statement("Print x.", language="ja").language == "ja"


@pytest.mark.parametrize("text", ["See [image: a tree].", "See [image].", "See ![tree](a.png)."])
def test_pictures_are_flagged(text):
    assert statement(text).flags == ("image",)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Time Limit: 2 sec / Memory Limit: 1024 MB", (2.0, 1024)),
        ("Time Limit: 2.5 sec / Memory Limit: 1024 MiB", (2.5, 1024)),
        ("実行時間制限: 1 sec / メモリ制限: 64 MB", (1.0, 64)),
        ("Time limit : 2sec / Memory limit : 256MB", (2.0, 256)),
        ("Time Limit : 1 sec, Memory Limit : 131072 KB", (1.0, 128)),
        ("Time Limit:\n 0.5 secs\n Source Limit: 50000 Bytes", (0.5, None)),
        ("Time Limit: 500 ms", (0.5, None)),
        ("There is no time limit to kindness.", (None, None)),
    ],
)
def test_limits(text, right):
    assert stdio.limits_in(text) == right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Print the number of Tanaka's hens.", "en"),
        ("整数 N が与えられます。N を出力してください。", "ja"),
        ("첫째 줄에 N이 주어진다.", "ko"),
        ("输入两个整数，输出它们的和。", "zh"),
        ("Выведите число.", "ru"),
        ("", "en"),
        ("A friend of 高橋 wants to count all of the roads of the city.", "en"),
    ],
)
def test_language(text, right):
    assert stdio.language(text) == right


def test_first():
    tree = markup.document(b"<h2> A  <i>b</i>\n</h2><h2>C</h2>")
    assert stdio.first(tree, "h2") == "A b"
    assert stdio.first(tree, "h3") == ""
