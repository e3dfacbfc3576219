"""More clean problems about text."""

from tests.planted.build import CLEAN, Planted, Raises, function


def clean(text, cases, **more) -> Planted:
    return function(CLEAN, text, cases, **more)


PROBLEMS = [
    clean(
        '''
def indent_depths(source: str) -> list[int]:
    """Say for each line that isn't blank how many spaces it begins with."""
    depths = []
    for line in source.split("\\n"):
        stripped = line.lstrip(" ")
        if stripped:
            depths.append(len(line) - len(stripped))
    return depths
''',
        [
            (("a\n  b\n    c\nd",), [0, 2, 4, 0]),
            (("   x",), [3]),
            (("\n\n y\n",), [1]),
            (("",), []),
            (("  \nz",), [0]),
        ],
    ),
    clean(
        '''
def caesar_guess(secret: str, crib: str) -> int:
    """Find by how many letters a message was shifted, given how it began in the clear.

    Both texts have only letters from a to z, and `secret` is at least as long as `crib`, which
    isn't empty. Return the shift from 0 to 25, or -1 when no single shift explains the beginning.
    """
    shift = (ord(secret[0]) - ord(crib[0])) % 26
    for hidden, plain in zip(secret, crib):
        if (ord(hidden) - ord(plain)) % 26 != shift:
            return -1
    return shift
''',
        [
            (("khoor", "hello"), 3),
            (("abc", "abc"), 0),
            (("zab", "abc"), 25),
            (("hellp", "hello"), -1),
            (("bcdxyz", "ab"), 1),
            (("ac", "ab"), -1),
        ],
    ),
    clean(
        '''
def mask_middle(code: str, keep: int = 2) -> str:
    """Replace all but the first and the last `keep` characters with asterisks.

    A code of at most twice `keep` characters is hidden entirely.
    """
    hidden = len(code) - 2 * keep
    if hidden <= 0:
        return "*" * len(code)
    return code[:keep] + "*" * hidden + code[len(code) - keep :]
''',
        [
            (("abcdefgh",), "ab****gh"),
            (("abcd",), "****"),
            (("abcde",), "ab*de"),
            (("abcde", 1), "a***e"),
            (("abc", 0), "***"),
            (("",), ""),
        ],
    ),
    clean(
        '''
def morse(word: str) -> str:
    """Write the vowels and n, s, t of a word in Morse code, a blank between letters.

    Letters without a code in the table are written as a question mark. Case doesn't matter.
    """
    table = {
        "a": ".-", "e": ".", "i": "..", "o": "---", "u": "..-", "n": "-.", "s": "...", "t": "-",
    }
    return " ".join(table.get(letter, "?") for letter in word.lower())
''',
        [
            (("sos",), "... --- ..."),
            (("Tea",), "- . .-"),
            (("unit",), "..- -. .. -"),
            (("zoo",), "? --- ---"),
            (("",), ""),
        ],
    ),
    clean(
        '''
def dedent_by_first(block: str) -> str:
    """Remove the indentation of the first line from every line of a block.

    Lines that are indented less lose what they have.

    >>> dedent_by_first("  a\\\\n   b\\\\n c")
    'a\\\\n b\\\\nc'
    """
    lines = block.split("\\n")
    depth = len(lines[0]) - len(lines[0].lstrip(" "))
    return "\\n".join(line[min(depth, len(line) - len(line.lstrip(" "))) :] for line in lines)
''',
        [
            (("  a\n   b\n c",), "a\n b\nc"),
            (("x\n  y",), "x\n  y"),
            (("    q",), "q"),
            (("   a\n\n   b",), "a\n\nb"),
            (("",), ""),
        ],
    ),
    clean(
        '''
def word_ladder_step(one: str, other: str) -> bool:
    """Tell whether two words of the same length differ in exactly one letter.

    Words of different lengths are never a step apart.
    """
    if len(one) != len(other):
        return False
    return sum(a != b for a, b in zip(one, other)) == 1
''',
        [
            (("cold", "cord"), True),
            (("cold", "cold"), False),
            (("cold", "warm"), False),
            (("cat", "cats"), False),
            (("a", "b"), True),
            (("lead", "dead"), True),
            (("lead", "loud"), False),
        ],
    ),
    clean(
        '''
def key_value(line: str) -> tuple[str, str]:
    """Split a line of a settings file at its first equals sign.

    Blanks around the name and the value don't belong to them.

    Raises:
        ValueError: there is no equals sign, or nothing before it.
    """
    name, sign, value = line.partition("=")
    if not sign or not name.strip():
        raise ValueError(f"no setting: {line!r}")
    return name.strip(), value.strip()
''',
        [
            (("colour = red",), ("colour", "red")),
            (("a=b=c",), ("a", "b=c")),
            (("empty=",), ("empty", "")),
            (("nothing",), Raises("ValueError")),
            (("  = 5",), Raises("ValueError")),
        ],
    ),
    clean(
        '''
def acronym_matches(acronym: str, phrase: str) -> bool:
    """Tell whether the first letters of the words in `phrase`, in order, spell `acronym`.

    Upper and lower case count as the same; words are separated by blanks or hyphens.
    """
    letters = [word[0] for word in phrase.replace("-", " ").split()]
    return "".join(letters).lower() == acronym.lower()
''',
        [
            (("NASA", "National Aeronautics and Space Administration"), False),
            (("asap", "As Soon As Possible"), True),
            (("CRT", "cathode-ray tube"), True),
            (("xyz", "x y"), False),
            (("", ""), True),
        ],
    ),
    clean(
        '''
def zigzag_rows(text: str, rows: int) -> list[str]:
    """Write a text zigzag over a number of rows and return each row from left to right.

    The pen starts in the top row, goes down one row with each character, turns at the bottom and
    at the top, and so on. There is at least one row; with a single row the text stays as it is.

    >>> zigzag_rows("ABCDEF", 3)
    ['AE', 'BDF', 'C']
    """
    out = [""] * rows
    row, step = 0, 1
    for char in text:
        out[row] += char
        if rows > 1:
            if row + step not in range(rows):
                step = -step
            row += step
    return out
''',
        [
            (("ABCDEF", 3), ["AE", "BDF", "C"]),
            (("ABC", 1), ["ABC"]),
            (("ABCD", 2), ["AC", "BD"]),
            (("", 2), ["", ""]),
            (("AB", 4), ["A", "B", "", ""]),
            (("HELLOWORLD", 3), ["HOL", "ELWRD", "LO"]),
        ],
    ),
    clean(
        '''
def braille_width(text: str) -> int:
    """Count the cells that a text takes in a simple Braille.

    Each lower-case letter and blank takes one cell, an upper-case letter two, and a run of digits
    one more than it has digits. Other characters take no cell.
    """
    cells = 0
    in_number = False
    for char in text:
        if char.isdigit():
            cells += 1 if in_number else 2
        elif char.isupper():
            cells += 2
        elif char.islower() or char == " ":
            cells += 1
        in_number = char.isdigit()
    return cells
''',
        [
            (("ab",), 2),
            (("Ab",), 3),
            (("12",), 3),
            (("1a2",), 5),
            (("Room 101!",), 10),
            (("",), 0),
        ],
    ),
    clean(
        '''
def ordinal(number: int) -> str:
    """Write a positive integer as an English ordinal in digits: 1st, 2nd, 3rd, 4th, 11th, 21st.

    ordinal(22) -> "22nd"
    ordinal(113) -> "113th"
    """
    if number % 100 in (11, 12, 13):
        ending = "th"
    else:
        ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
''',
        [
            ((22,), "22nd"),
            ((113,), "113th"),
            ((1,), "1st"),
            ((3,), "3rd"),
            ((10,), "10th"),
            ((12,), "12th"),
            ((101,), "101st"),
        ],
    ),
    clean(
        '''
def strip_comments(code: str, mark: str) -> str:
    """Remove comments from lines: everything from `mark` on, and blanks before it.

    Lines keep their order and number, so that a line with nothing but a comment becomes empty.
    """
    cleaned = []
    for line in code.split("\\n"):
        place = line.find(mark)
        cleaned.append(line if place < 0 else line[:place].rstrip())
    return "\\n".join(cleaned)
''',
        [
            (("a = 1  # one\nb = 2", "#"), "a = 1\nb = 2"),
            (("// only\nx", "//"), "\nx"),
            (("plain", ";"), "plain"),
            (("a ; b ; c", ";"), "a"),
            (("keep  \ngo", "#"), "keep  \ngo"),
        ],
    ),
]
