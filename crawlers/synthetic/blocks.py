"""Thirteen small steps that change a text (paper, appendix C), in our own words and code."""

from typing import NamedTuple


class Block(NamedTuple):
    """A step: its name, what the docstring says of it, and the statements that do it to `text`."""

    name: str
    told: str
    code: str


BLOCKS = (
    Block("e", 'Remove every lower-case "e".', 'text = text.replace("e", "")'),
    Block(
        "bangs",
        "Write an exclamation mark in place of each space.",
        'text = text.replace(" ", "!")',
    ),
    Block("lower", "Turn all letters into lower case.", "text = text.lower()"),
    Block(
        "trim",
        "Cut off two characters at the beginning and two at the end.",
        "text = text[2:-2]",
    ),
    Block(
        "vowels",
        "Remove the vowels a, e, i, o and u in both cases.",
        'text = "".join(char for char in text if char not in "aeiouAEIOU")',
    ),
    Block(
        "thirds",
        "Remove the third character and every third one after it.",
        'text = "".join(char for place, char in enumerate(text, 1) if place % 3)',
    ),
    Block(
        "front",
        "Keep the first half of the characters; of an odd number, the smaller half.",
        "text = text[: len(text) // 2]",
    ),
    Block("wide", "Widen each space to three spaces.", 'text = text.replace(" ", "   ")'),
    Block(
        "back",
        "Put the words in reverse order, with single spaces between them.",
        'text = " ".join(reversed(text.split()))',
    ),
    Block(
        "rest",
        "Drop the first half of the words; of an odd number, the smaller half. Join the others "
        "with single spaces.",
        'words = text.split()\ntext = " ".join(words[len(words) // 2 :])',
    ),
    Block(
        "apples",
        'Put the word "apples" after each word, with single spaces between all of them.',
        'text = " ".join(f"{word} apples" for word in text.split())',
    ),
    Block(
        "upper",
        "Turn the first character and every second one after it into upper case.",
        'text = "".join(char if place % 2 else char.upper() for place, char in enumerate(text))',
    ),
    Block(
        "marks",
        "Remove all exclamation marks, question marks and full stops.",
        'text = "".join(char for char in text if char not in "!?.")',
    ),
)
