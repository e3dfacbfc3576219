"""Markdown statements keep their text, and name their images."""

import pytest

from thresher.crawlers.packages.markdown import plain


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("See [the pole][pole].\n\n[pole]: https://example.org\n", "See the pole.\n"),
        ("See [the pole](https://example.org/a).", "See the pole.\n"),
        ("As [low](#low) as it is", "As low as it is\n"),
        ("![A map](map.png)", "[image: map.png]\n"),
        ("![A map\nof the pole.](map.png)", "[image: map.png]\n"),
        ('<img alt="x" src="map.png" width="3">', "[image: map.png]\n"),
        ("a <!-- not\nseen --> b", "a  b\n"),
        ("[//]: # (a comment)\ntext", "text\n"),
        ("$a[i](j)$ and a[1](2)", "$a[i](j)$ and a[1](2)\n"),
        ("- `[1, 2]` gives [3]", "- `[1, 2]` gives [3]\n"),
        ("[a]: x\nkept\n[b]: y\nalso kept", "kept\n\nalso kept\n"),
        ("a\n\n\n\nb", "a\n\nb\n"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "| a | b |\n|---|---|\n| 1 | 2 |\n"),
        ("", "\n"),
    ],
)
def test_statements_are_read(source, expected):
    assert plain(source) == expected


@pytest.mark.parametrize("piece", ["<!--", "<img ", "<img src=", "![", "[a](", "[a]", "[a]: ", " "])
def test_long_texts_are_read_in_a_time_that_grows_with_them(piece):
    assert plain(piece * (500_000 // len(piece))).endswith("\n")
