import pytest
from lxml import html

from thresher.crawlers.text import formulas


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (r"so \(n\) and \[n^2\]", "so $n$ and $$n^2$$"),
        ("$$$a$$$ $$$$$$b$$$$$$ $c$ $$d$$", "$a$ $$b$$ $c$ $$d$$"),
        ("$$$a$$$$$$b$$$", "$a$$b$"),
        ("\\(a\n+ b\\)", "$a\n+ b$"),
        (r"f(x) \) [y] 5$", r"f(x) \) [y] 5$"),
        (r"\( left open, \(n\)", r"\( left open, $n$"),
    ],
)
def test_delimiters(text, right):
    assert formulas.delimited(text) == right


@pytest.mark.parametrize(
    ("alt", "right"),
    [("$n$", "$n$"), (r"\(n  + 1\)", "$n + 1$"), ("a tree", ""), ("$", ""), ("", "")],
)
def test_images(alt, right):
    assert formulas.of_image(html.fromstring(f'<img alt="{alt}">')) == right


def test_mathml():
    noted = '<math><annotation encoding="application/x-tex"> a\n b</annotation></math>'
    assert formulas.of_mathml(html.fromstring(noted)) == "a b"
    assert formulas.of_mathml(html.fromstring('<math alttext="c"><mi>c</mi></math>')) == "c"
    assert formulas.of_mathml(html.fromstring("<math><mi>c</mi></math>")) == ""


@pytest.mark.parametrize(
    ("span", "right"),
    [
        ('<span class="math inline">n</span>', True),
        ('<span class="math display">n</span>', True),
        ('<span class="math inline">$n$</span>', False),
        ('<span class="math inline"><b>n</b></span>', False),
        ('<span class="math">n</span>', False),
    ],
)
def test_bare_formulas(span, right):
    assert formulas.is_bare(html.fromstring(span)) is right


def test_a_text_of_beginnings_ends():
    flood = "\\(\\[" * 500_000
    assert formulas.delimited(flood) == flood
