"""Clean problems about text."""

from tests.planted.build import CLEAN, Planted, Raises, function


def clean(text, cases, **more) -> Planted:
    return function(CLEAN, text, cases, **more)


PROBLEMS = [
    clean(
        '''
def initials(full_name: str) -> str:
    """Return the initials of a name, each followed by a dot, in upper case.

    Parts of the name are separated by blanks.

    >>> initials("ada king lovelace")
    'A.K.L.'
    """
    return "".join(part[0].upper() + "." for part in full_name.split())
''',
        [
            (("ada king lovelace",), "A.K.L."),
            (("Grace Hopper",), "G.H."),
            (("plato",), "P."),
            (("  jean   bartik ",), "J.B."),
            (("",), ""),
        ],
    ),
    clean(
        '''
def run_lengths(text: str) -> list[tuple[str, int]]:
    """Split a text into runs of equal characters.

    Return a list of pairs: the character and the length of its run, in the order of the text.

    >>> run_lengths("aab")
    [('a', 2), ('b', 1)]
    """
    runs = []
    for char in text:
        if runs and runs[-1][0] == char:
            runs[-1] = (char, runs[-1][1] + 1)
        else:
            runs.append((char, 1))
    return runs
''',
        [
            (("aab",), [("a", 2), ("b", 1)]),
            (("",), []),
            (("zzzz",), [("z", 4)]),
            (("abab",), [("a", 1), ("b", 1), ("a", 1), ("b", 1)]),
            (("..!!!.",), [(".", 2), ("!", 3), (".", 1)]),
        ],
    ),
    clean(
        '''
def to_snake(name: str) -> str:
    """Turn a name in camel case into snake case.

    An underscore goes before every upper-case letter except at the very beginning, and all
    letters become lower case: to_snake("parseHtmlPage") is "parse_html_page".
    """
    out = []
    for place, char in enumerate(name):
        if char.isupper() and place:
            out.append("_")
        out.append(char.lower())
    return "".join(out)
''',
        [
            (("parseHtmlPage",), "parse_html_page"),
            (("Simple",), "simple"),
            (("already",), "already"),
            (("getID",), "get_i_d"),
            (("",), ""),
        ],
    ),
    clean(
        '''
def centre(line: str, width: int, fill: str = ".") -> str:
    """Centre a line within `width` columns using the character `fill`.

    When the padding can't be split evenly, the extra character goes to the right. A line that is
    as wide or wider is returned as it is.
    """
    missing = width - len(line)
    if missing <= 0:
        return line
    left = missing // 2
    return fill * left + line + fill * (missing - left)
''',
        [
            (("ab", 6), "..ab.."),
            (("ab", 5), ".ab.."),
            (("abc", 3), "abc"),
            (("abcdef", 2), "abcdef"),
            (("x", 4, "*"), "*x**"),
            (("", 3, "-"), "---"),
        ],
    ),
    clean(
        '''
def common_suffix(words: list[str]) -> str:
    """Return the longest text that all words end with.

    No words have the empty text in common.

    >>> common_suffix(["nation", "station", "ration"])
    'ation'
    """
    if not words:
        return ""
    shortest = min(words, key=len)
    for start in range(len(shortest)):
        if all(word.endswith(shortest[start:]) for word in words):
            return shortest[start:]
    return ""
''',
        [
            ((["nation", "station", "ration"],), "ation"),
            ((["one"],), "one"),
            ((["left", "right"],), "t"),
            ((["up", "down"],), ""),
            (([],), ""),
            ((["a", "", "a"],), ""),
        ],
    ),
    clean(
        '''
def wrap_words(text: str, width: int) -> list[str]:
    """Break a text into lines of at most `width` characters, between words.

    Words are put on a line as long as they fit, with single blanks between them. A word that is
    longer than `width` gets a line of its own.
    """
    lines = []
    current = ""
    for word in text.split():
        if current and len(current) + 1 + len(word) <= width:
            current += " " + word
        else:
            if current:
                lines.append(current)
            current = word
    if current:
        lines.append(current)
    return lines
''',
        [
            (("a quick brown fox", 7), ["a quick", "brown", "fox"]),
            (("one two three", 20), ["one two three"]),
            (("extraordinary day", 5), ["extraordinary", "day"]),
            (("", 5), []),
            (("a b c d", 3), ["a b", "c d"]),
            (("aa bb", 4), ["aa", "bb"]),
        ],
    ),
    clean(
        '''
def is_pangram(sentence: str) -> bool:
    """Tell whether a sentence has every letter from a to z at least once, in either case."""
    present = set(sentence.lower())
    return all(letter in present for letter in "abcdefghijklmnopqrstuvwxyz")
''',
        [
            (("The quick brown fox jumps over the lazy dog",), True),
            (("Pack my box with five dozen liquor jugs!",), True),
            (("Hello, world",), False),
            (("",), False),
            (("The quick brown fox jumps over the lazy cat",), False),
        ],
    ),
    clean(
        '''
def expand_ranges(spec: str) -> list[int]:
    """Expand page numbers such as "1-3,7" into a list.

    Parts are separated by commas; a part is a number or two numbers with a dash between them,
    both of which are included. The empty text stands for no pages.

    >>> expand_ranges("1-3,7")
    [1, 2, 3, 7]
    >>> expand_ranges("")
    []
    """
    pages = []
    for part in filter(None, spec.split(",")):
        first, _, last = part.partition("-")
        pages.extend(range(int(first), int(last or first) + 1))
    return pages
''',
        [
            (("1-3,7",), [1, 2, 3, 7]),
            (("",), []),
            (("5",), [5]),
            (("10-12",), [10, 11, 12]),
            (("4,2,8-9",), [4, 2, 8, 9]),
            (("x",), Raises("ValueError")),
        ],
    ),
    clean(
        '''
def rot_digits(text: str, by: int) -> str:
    """Shift every decimal digit of a text forward by `by`, wrapping from 9 to 0.

    Everything else stays as it is. A negative `by` shifts backward.
    """
    return "".join(
        str((int(char) + by) % 10) if char in "0123456789" else char for char in text
    )
''',
        [
            (("12:59", 1), "23:60"),
            (("a9", 1), "a0"),
            (("007", -1), "996"),
            (("none", 5), "none"),
            (("40", 10), "40"),
        ],
    ),
    clean(
        '''
def title_except(text: str, small: list[str]) -> str:
    """Capitalise the words of a title, but not those in `small` unless they come first.

    Words are separated by single blanks; `small` holds words in lower case.
    """
    words = text.lower().split(" ")
    return " ".join(
        word if place and word in small else word.capitalize() for place, word in enumerate(words)
    )
''',
        [
            (("the lord of the rings", ["of", "the"]), "The Lord of the Rings"),
            (("WAR AND PEACE", ["and"]), "War and Peace"),
            (("of mice and men", ["of", "and"]), "Of Mice and Men"),
            (("emma", []), "Emma"),
        ],
    ),
    clean(
        '''
def unquote(field: str) -> str:
    """Take the double quotes off a quoted field and turn doubled ones within into single ones.

    A field that doesn't both begin and end with a quote, or is a lone quote, comes back unchanged.
    """
    if len(field) >= 2 and field[0] == field[-1] == '"':
        return field[1:-1].replace('""', '"')
    return field
''',
        [
            (('"plain"',), "plain"),
            (('"say ""hi"""',), 'say "hi"'),
            (("bare",), "bare"),
            (('"',), '"'),
            (('""',), ""),
            (('"open',), '"open'),
        ],
    ),
    clean(
        '''
def letter_gaps(word: str) -> list[int]:
    """Give the distances between the places in the alphabet of neighbouring letters of a word.

    The word is in lower case; a step towards z counts as positive. letter_gaps("cab") == [-2, 1]
    """
    return [ord(right) - ord(left) for left, right in zip(word, word[1:])]
''',
        [
            (("cab",), [-2, 1]),
            (("az",), [25]),
            (("moon",), [2, 0, -1]),
            (("q",), []),
            (("",), []),
        ],
    ),
]
