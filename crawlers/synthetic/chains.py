"""Chains of blocks, the function that each one describes, and texts to try it on."""

import math
import random
import textwrap
from collections.abc import Iterator, Sequence

from thresher.crawlers.synthetic.blocks import BLOCKS, Block

Chain = tuple[Block, ...]
ENTRY_POINT = "transform"
PAD = " " * 4
WIDTH = 84  # characters of a line of the docstring
SHORT = ("", "Egg?", "One ant. Two!")
LONG = 24  # how many texts besides these
FEWEST_WORDS, MOST_WORDS = 7, 24
# With vowels and without, short and long, in both cases.
WORDS = (
    *("The", "An", "Every", "She", "Otto", "Green", "old", "river", "seven", "kettle", "sleeps"),
    *("under", "heavy", "snow", "ice", "by", "my", "rhythm", "Umbrella", "opens", "early", "at"),
    *("eleven", "bees", "carry", "letters", "over", "Elm", "Street", "into", "a", "quiet", "house"),
    *("why", "crypt", "Fly", "lanterns", "breathe", "Evening", "tea", "cools", "I", "wander"),
)
ENDS = ("", "", "", "", ".", "!", "?", ",")


def name(chain: Chain) -> str:
    """Name a chain by its blocks, in order."""
    return "-".join(block.name for block in chain)


def count(length: int) -> int:
    """Return how many chains of `length` different blocks there are."""
    return math.perm(len(BLOCKS), length)


def draw(length: int, seed: int) -> Iterator[Chain]:
    """Yield all chains of `length` different blocks, each once, in an order that `seed` decides."""
    dice = random.Random(f"chains of {length}, seed {seed}")  # noqa: S311
    seen: set[Chain] = set()
    while len(seen) < count(length):
        chain = tuple(dice.sample(BLOCKS, length))
        if chain not in seen:
            seen.add(chain)
            yield chain


def texts(chain: Chain) -> list[str]:
    """Return texts to try a chain on: the same for the same chain."""
    dice = random.Random(name(chain))  # noqa: S311
    return [*(_text(dice) for _ in range(LONG)), *SHORT]


def _text(dice: random.Random) -> str:
    words = dice.choices(WORDS, k=dice.randint(FEWEST_WORDS, MOST_WORDS))
    return " ".join(word + dice.choice(ENDS) for word in words)


def prompt(chain: Chain, shown: Sequence[tuple[str, str]] = ()) -> str:
    """Return the signature and docstring, with (text, answer) pairs as examples."""
    numbered = enumerate(chain, 1)
    steps = [_told(f"{number}. ", block.told) for number, block in numbered]
    examples = [f">>> {ENTRY_POINT}({text!r})\n{answer!r}" for text, answer in shown]
    head = "Change a text in these steps, one after the other, and return what is left."
    if len(chain) == 1:
        head = "Change a text in this way and return what is left."
    body = "\n\n".join([head, "\n".join(steps), *examples])
    doc = textwrap.indent(f'"""{body}\n"""\n', PAD)
    return f"def {ENTRY_POINT}(text: str) -> str:\n{doc}"


def _told(start: str, sentence: str) -> str:
    return textwrap.fill(sentence, WIDTH, initial_indent=start, subsequent_indent=" " * len(start))


def solution(chain: Chain) -> str:
    """Return the body that does what the docstring says."""
    code = "\n".join([*(block.code for block in chain), "return text"])
    return textwrap.indent(f"{code}\n", PAD)


def without_each(chain: Chain) -> str:
    """Return a program whose entry point gives the answers that lack one block, block by block."""
    parts = []
    for place in range(len(chain)):
        rest = chain[:place] + chain[place + 1 :]
        parts.append(f"def without_{place}(text):\n{solution(rest)}\n")
    calls = ", ".join(f"without_{place}(text)" for place in range(len(chain)))
    return "\n".join([*parts, f"def {ENTRY_POINT}(text):\n{PAD}return [{calls}]\n"])
