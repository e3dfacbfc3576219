"""Texts that share most of their pieces: found by MinHash, confirmed by counting.

MinHash and locality-sensitive hashing are those of `datasketch`; Broder 1997, "On the resemblance
and containment of documents".
"""

import re
import zlib
from collections.abc import Iterator, Mapping

PERMUTATIONS = 64
SEED = 1
WIDTH = 5  # tokens of a piece
MARGIN = 0.15  # how far below the threshold a pair may lie by its estimate
WORDS = re.compile(r"\w+|[^\w\s]")


def shingles(text: str) -> frozenset[str]:
    """Return the runs of `WIDTH` tokens of a text; a shorter text is one run."""
    tokens = WORDS.findall(text)
    last = max(1, len(tokens) - WIDTH + 1)
    return frozenset(" ".join(tokens[at : at + WIDTH]) for at in range(last))


def resemblance(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the share of the pieces of either that both have (Jaccard), 0 to 1."""
    either = len(left | right)
    return len(left & right) / either if either else 1.0


def _hash(piece: str) -> int:
    return zlib.crc32(piece.encode("utf-8", "surrogatepass"))


def pairs(texts: Mapping[str, str], threshold: float) -> Iterator[tuple[str, str]]:
    """Yield the names of each two texts that resemble each other at least so much, in order."""
    from datasketch import MinHash, MinHashLSH

    pieces = {name: shingles(text) for name, text in sorted(texts.items())}
    index = MinHashLSH(threshold=max(0.1, threshold - MARGIN), num_perm=PERMUTATIONS)
    sketches = MinHash.generator(pieces.values(), num_perm=PERMUTATIONS, seed=SEED, hashfunc=_hash)
    for (name, found), sketch in zip(pieces.items(), sketches, strict=True):
        for other in sorted(map(str, index.query(sketch))):
            if resemblance(found, pieces[other]) >= threshold:
                yield other, name
        index.insert(name, sketch)
