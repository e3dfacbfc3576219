import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.store import wording
from thresher.store.records import Comparator


def flags(text):
    return wording.read(text).flags


@pytest.mark.parametrize(
    "sentence",
    [
        "If there are multiple answers, print any of them.",
        "If there are several solutions, output any.",
        "When many such strings exist you may print any one of them.",
        "You can print any valid layout.",
        "If there exist multiple solutions, any of them will be accepted.",
        "Print any suitable permutation.",
        "Any correct answer will be accepted.",
        "Any valid route that takes no more than 9 days is accepted.",
        "You may print the roads in any order.",
        "The names may be printed in any order.",
        "If there are several optimal solutions, output an arbitrary one.",
        "If there are multiple ways, print one of them.",
        "Otherwise, print YES and any of the plans.",
        "If there is more than one tour, find any of them.",
        "Print any palindrome of k lower-case letters.",
        "If there is one, print YES and then print any short walk that ends there.",
        "Если ответов несколько, выведите любой.",
        "答えが複数ある場合、どれを出力してもよい。",
        "如果有多组解，输出任意一组即可。",
        "정답이 여러 개면 아무거나 출력한다.",
    ],
)
def test_several_right_answers(sentence):
    text = f"Read the numbers. Add them.\n\n{sentence} Then stop."
    assert flags(text) == ("multiple_answers",)


@pytest.mark.parametrize(
    "sentence",
    [
        "The roads are given in any order.",
        "Choose any pair of stones and swap them.",
        "If there are multiple answers, print the lexicographically smallest of them.",
        "You may repeat this any number of times.",
        "Print -1 if it is impossible to obtain any array.",
        "Print -1 if there isn't any solution.",
        "In one move you choose any of the strings and delete it.",
        "Each test contains multiple test cases, one for each of the days.",
        "Do not print any extra text.",
        "Print any text that is left over.",
        "Print any words that are missing, one on a line.",
        "Print the sum of any row that has a zero.",
        "Print the answer for the day on which any tree falls.",
    ],
)
def test_one_right_answer(sentence):
    assert flags(sentence) == ()


@pytest.mark.parametrize(
    "sentence",
    [
        "You can print each letter in any case (upper or lower).",
        'Print "Yes" or "No" in any case.',
        "Capitalization doesn't matter.",
        "The checker is case-insensitive.",
        "Вы можете выводить буквы в любом регистре.",
        "大文字と小文字は区別しません。",
    ],
)
def test_the_case_of_letters_does_not_matter(sentence):
    read = wording.read(f"Print the word. {sentence}")
    assert read.comparator == Comparator(kind="tokens-ignoring-case")
    assert read.evidence == sentence
    assert read.flags == ("case_insensitive",)


@pytest.mark.parametrize(
    "sentence",
    [
        "In any case, print the sum.",
        "The string has uppercase or lowercase letters.",
        "Print the number of the test case.",
        "Use lower case letters only.",
    ],
)
def test_the_case_of_letters_matters(sentence):
    assert wording.read(sentence).comparator == Comparator(kind="tokens")


@pytest.mark.parametrize(
    ("sentence", "relative", "absolute"),
    [
        ("It counts if its absolute or relative error does not exceed $10^{-6}$.", 1e-6, 1e-6),
        ("Print it with absolute or relative error at most 10^{ - 4}.", 1e-4, 1e-4),
        ("It must be accurate to within a relative error of $10^{-9}$.", 1e-9, 0.0),
        ("The absolute error may be 10^{-6}, or the relative error 1e-9.", 1e-9, 1e-6),
        ("An absolute error of 0.01 is allowed.", 0.0, 0.01),
        ("Answers within $5 \\cdot 10^{-5}$ of ours are right.", 0.0, 5e-5),
        ("A tolerance of 1e-5 is fine.", 0.0, 1e-5),
        ("Print it with at least 6 digits after the decimal point.", 0.0, 1e-6),
        ("Print one number correct up to 4 decimal digits.", 0.0, 1e-4),
        ("絶対誤差または相対誤差が $10^{\u22126}$ 以下であれば正解とする。", 1e-6, 1e-6),
        ("Абсолютная или относительная погрешность не должна превышать 10^{-6}.", 1e-6, 1e-6),
    ],
)
def test_stated_tolerances(sentence, relative, absolute):
    read = wording.read(f"Find the length.\nPrint it. {sentence}")
    assert read.comparator == Comparator(kind="tokens", relative=relative, absolute=absolute)
    assert read.evidence == sentence
    assert read.flags == ()


@pytest.mark.parametrize(
    "sentence",
    [
        "Numbers differ by at least 10^{-3} from each other, it is guaranteed.",
        "Print it rounded to 2 decimal places, without any error.",
        "The coins differ with probability 0.5.",
        "Each x is at least 10^{-6}.",
        "There are at most 10^6 lines.",
    ],
)
def test_numbers_that_are_no_tolerance(sentence):
    assert wording.read(sentence) == (Comparator(kind="tokens"), "", (), False)


def test_the_first_rule_that_is_stated_counts():
    text = "The error may be 1e-6. Formally, the answer is accepted if the error is below 1e-9."
    assert wording.read(text).evidence == "The error may be 1e-6."


def test_letters_of_either_case_are_compared_alike_without_a_flag():
    sentence = "You may print each character of the word in uppercase or lowercase."
    read = wording.read(sentence)
    assert (read.comparator, read.evidence) == (Comparator(kind="tokens-ignoring-case"), sentence)
    assert read.flags == ()


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("This is an interactive problem.", True),
        ("Это интерактивная задача.", True),
        ("The interactor answers with a number.", True),
        ("これはインタラクティブな問題です。", True),
        ("This is a reactive problem.", True),
        ("Don't forget to flush the output after every line.", True),
        ("In C++ call fflush(stdout).", True),
        ("Their talk is an interaction of two atoms.", False),
        ("The water is used to flush the pipes.", False),
    ],
)
def test_interactive_problems(text, right):
    assert wording.read(text).interactive is right


def test_a_sentence_of_a_megabyte_ends():
    assert flags("print any " * 100_000) == ("multiple_answers",)
    assert flags("print x " * 100_000) == ()


@given(st.text())
def test_any_text_can_be_read(text):
    read = wording.read(text)
    assert read.evidence in text
    assert read.flags == tuple(sorted(read.flags))
