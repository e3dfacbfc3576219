"""BLEU as the article defines it, through sacrebleu, beside nltk's."""

import math
import sys
import warnings
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.filters.evaluation import bleu

WORDS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=12)
LONG = st.lists(st.sampled_from("ab"), min_size=4, max_size=12)
CORPORA = st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=6)


def grams(words, n):
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def by_the_article(pairs):
    """Clipped counts over the corpus, their geometric mean, and the brevity penalty."""
    logarithms = 0.0
    for n in range(1, 5):
        clipped = sum((grams(c, n) & grams(r, n)).total() for c, r in pairs)
        total = sum(grams(c, n).total() for c, _ in pairs)
        if not clipped:
            return 0.0
        logarithms += math.log(clipped / total) / 4
    c, r = (sum(len(pair[side]) for pair in pairs) for side in (0, 1))
    return (1.0 if c > r else math.exp(1 - r / c)) * math.exp(logarithms)


def scored(pairs):
    samples, references = zip(*pairs, strict=True)
    return bleu.corpus([" ".join(s) for s in samples], [" ".join(r) for r in references])


@given(CORPORA)
def test_a_corpus_scores_as_in_the_article(pairs):
    assert scored(pairs) == pytest.approx(100 * by_the_article(pairs), abs=1e-9)


# Of samples with fewer than four words nltk counts an n-gram that isn't there.
# Where nothing matches, it takes the smallest float for 0.
@given(st.lists(st.tuples(LONG, LONG), min_size=1, max_size=6))
def test_a_corpus_scores_as_in_nltk(pairs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own imports, and of corpora without matches
        from nltk.translate.bleu_score import corpus_bleu

        theirs = corpus_bleu([[r] for _, r in pairs], [c for c, _ in pairs])
    assert scored(pairs) == pytest.approx(100 * theirs, abs=1e-9)


def test_the_example_of_the_article():
    # "the the the the the the the" has 2 of 7 words right, and no pair of them
    pair = ["the"] * 7, ["the", "cat", "is", "on", "the", "mat"]
    assert scored([pair]) == 0.0
    found = bleu.CORPUS.corpus_score([" ".join(pair[0])], [[" ".join(pair[1])]])
    assert found.precisions[0] == pytest.approx(100 * 2 / 7)


def test_a_short_sample_is_scored_by_the_orders_that_it_has():
    assert bleu.sentence("return x", "return x") == pytest.approx(100)
    assert bleu.corpus(["return x"], ["return x"]) == 0.0
    assert bleu.sentence("", "return x") == 0.0


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("    return x+1  # so\n", "return x + 1"),
        ("    x = 'a  b'\n", "x = 'a b'"),
        ("    if x:\n        return [1,2]\n    return None", "if x : return [ 1 , 2 ] return None"),
        ("    return (x", "return (x"),
        ("    return '''x", "return '''x"),
        ("        x = 1\n   y = 2\n", "x = 1 y = 2"),
        ("x  =\t" + "1" * bleu.LONGEST, "x = " + "1" * bleu.LONGEST),
        ("\x00(", "\x00("),
        ("", ""),
    ],
)
def test_tokens(source, said):
    assert bleu.tokens(source) == said


@given(st.text())
def test_any_text_has_tokens(source):
    assert bleu.tokens(source) == " ".join(bleu.tokens(source).split())


def test_the_signature_says_what_decides_the_score():
    version = f"python {sys.version_info.major}.{sys.version_info.minor} tokenize"
    said = bleu.signature()
    assert said.startswith("nrefs:1|case:mixed|eff:no|tok:none|smooth:none|version:")
    assert f"|{version} (samples: nrefs:1|case:mixed|eff:yes|tok:none|smooth:none|" in said


def test_spread():
    assert bleu.spread([]) is None
    assert bleu.spread([3.0]) == (1, 3.0, 3.0, 3.0, 3.0, 3.0)
    assert bleu.spread([4.0, 1.0, 3.0, 2.0, 5.0]) == (5, 1.0, 2.0, 3.0, 4.0, 5.0)


def test_separation_is_the_share_of_pairs_in_which_the_passing_one_scores_higher():
    assert bleu.separation([1.0, 3.0], [2.0, 0.0]) == 0.75
    assert bleu.separation([1.0], [1.0]) == 0.5
    assert bleu.separation([1.0], []) is None
    assert bleu.separation([], [1.0]) is None


def test_no_samples_have_no_corpus_score():
    assert bleu.corpus([], []) is None
