"""Prompts whose example contradicts the reference: as a doctest, with an arrow, in prose."""

from tests.planted.build import Planted, function


def doctest(text, cases, **more) -> Planted:
    return function("wrong doctest", text, cases, **more)


def arrow(text, cases, **more) -> Planted:
    return function("wrong arrow", text, cases, **more)


def prose(text, cases, **more) -> Planted:
    return function("wrong prose", text, cases, **more)


PROBLEMS = [
    doctest(
        '''
def plate(text: str) -> bool:
    """Say whether a text is a number plate: two letters in upper case, a dash and three digits.

    >>> plate("AB-123")
    True
    >>> plate("ab-123")
    Refused(func=plate, args={'text': 'ab-123'})
    """
    letters, _, digits = text.partition("-")
    return len(letters) == 2 and letters.isupper() and len(digits) == 3 and digits.isdigit()
''',
        [(("AB-123",), True), (("ab-123",), False), (("",), False), (("XY-12",), False)],
    ),
    doctest(
        '''
def middle_char(word: str) -> str:
    """Return the character in the middle of a word; of two, the left one.

    >>> middle_char("abcd")
    'c'
    """
    return word[(len(word) - 1) // 2]
''',
        [(("abcde",), "c"), (("xy",), "x"), (("q",), "q"), (("stream",), "r")],
    ),
    doctest(
        '''
def trimmed_mean(values: list[int]) -> float:
    """Return the mean of all values but the smallest and the largest; there are at least three.

    >>> trimmed_mean([1, 2, 3, 100])
    2.5
    >>> trimmed_mean([4, 4, 10])
    6.0
    """
    return sum(sorted(values)[1:-1]) / (len(values) - 2)
''',
        [
            (([1, 2, 3, 100],), 2.5),
            (([0, 5, 10],), 5.0),
            (([7, 1, 3, 3],), 3.0),
            (([8, 8, 2, 6, 4],), 6.0),
        ],
    ),
    doctest(
        '''
def bus_stops(passengers: list[tuple[int, int]]) -> int:
    """Return how many people are in a bus after all stops; at each, (in, out) get in and out.

    >>> bus_stops([(10, 0), (3, 5)])
    8
    >>> bus_stops([(5, 1)])
    5
    """
    return sum(entered - left for entered, left in passengers)
''',
        [(([(10, 0), (3, 5)],), 8), (([],), 0), (([(4, 4)],), 0), (([(9, 1), (2, 7)],), 3)],
    ),
    doctest(
        '''
def vowel_first(words):
    """Sort words so that those which begin with a vowel come first; otherwise keep the order.

    >>> vowel_first(["tin", "egg", "ape"])
    ['ape', 'egg', 'tin']
    """
    return sorted(words, key=lambda word: word[0] not in "aeiou")
''',
        [
            ((["cup", "ivy"],), ["ivy", "cup"]),
            (([],), []),
            ((["owl", "urn"],), ["owl", "urn"]),
            ((["b", "a", "d", "e"],), ["a", "e", "b", "d"]),
        ],
    ),
    doctest(
        '''
def last_digit_sum(numbers: list[int]) -> int:
    """Add up the last digits of some non-negative numbers.

    >>> last_digit_sum([12, 35])
    7
    >>> last_digit_sum([100])
    1
    """
    return sum(number % 10 for number in numbers)
''',
        [(([12, 35],), 7), (([],), 0), (([9, 99, 999],), 27), (([40, 51],), 1)],
    ),
    doctest(
        '''
def shout(text: str) -> str:
    """Put a text in upper case and add an exclamation mark unless it ends with one.

    >>> shout("hey")
    'HEY'
    """
    return text.upper() if text.endswith("!") else text.upper() + "!"
''',
        [(("stop!",), "STOP!"), (("no",), "NO!"), (("",), "!"), (("a!b",), "A!B!")],
    ),
    doctest(
        '''
def safe_index(items: list, wanted: object) -> int:
    """Return the place of an item in a list.

    >>> safe_index([5, 6], 7)
    -1
    """
    return items.index(wanted)
''',
        [(([5, 6], 6), 1), ((["a"], "a"), 0), (([3, 3], 3), 0), (([None, 1, 2], 2), 2)],
    ),
    doctest(
        '''
def sector(angle: int) -> str:
    """Name the quarter of the compass that an angle from 0 to 359 lies in: "NE", "SE", "SW", "NW".

    Angles count clockwise from the north; the quarters begin at 0, 90, 180 and 270.

    >>> sector(45)
    'NE'
    >>> sector(90)
    'NE'
    >>> sector(200)
    'SW'
    """
    return ("NE", "SE", "SW", "NW")[angle // 90]
''',
        [((45,), "NE"), ((200,), "SW"), ((359,), "NW"), ((0,), "NE"), ((100,), "SE")],
    ),
    arrow(
        '''
def pairs_of_shoes(sizes):
    """
    Count how many complete pairs can be made of single shoes: two of the same size are a pair.

    pairs_of_shoes([41, 42, 41]) ➞ 1
    pairs_of_shoes([38, 38, 38, 38]) ➞ 4
    """
    return sum(sizes.count(size) // 2 for size in set(sizes))
''',
        [(([41, 42, 41],), 1), (([],), 0), (([40],), 0), (([39, 39, 44, 44, 44],), 2)],
    ),
    arrow(
        '''
def blend(first: str, second: str) -> str:
    """Mix two words of the same length letter by letter, the first word's first.

    blend("ace", "bdf") -> "abcdef"
    blend("xx", "yy") -> "xxyy"
    """
    return "".join(a + b for a, b in zip(first, second))
''',
        [
            (("ace", "bdf"), "abcdef"),
            (("", ""), ""),
            (("n", "o"), "no"),
            (("pan", "tip"), "ptainp"),
        ],
    ),
    arrow(
        '''
def water_bill(cubic_metres):
    """
    The first 10 cubic metres cost 2 each, all further ones 3 each.

    Examples:
    * water_bill(4) => 8
    * water_bill(12) => 36
    """
    return 2 * cubic_metres + max(0, cubic_metres - 10)
''',
        [((4,), 8), ((10,), 20), ((20,), 50), ((0,), 0)],
    ),
    arrow(
        '''
def odd_places(items):
    """Keep the items of a list at odd places; places count from 0.

    odd_places(["a", "b", "c", "d"]) → ["a", "c"]
    """
    return items[1::2]
''',
        [((["x", "y"],), ["y"]), (([],), []), (([1],), []), (([1, 2, 3, 4, 5],), [2, 4])],
    ),
    arrow(
        '''
def same_parity(a: int, b: int) -> bool:
    """Tell whether two integers are both even or both odd.

    same_parity(2, 8) -> True
    same_parity(3, 4) -> True
    """
    return (a - b) % 2 == 0
''',
        [((2, 8), True), ((5, -1), True), ((0, 1), False), ((10, 3), False)],
    ),
    arrow(
        '''
def scale_marks(marks, top):
    """
    Scale marks so that the best becomes `top`; marks are positive and results are rounded down.

    scale_marks([5, 10], 100) ==> [50, 100]
    scale_marks([3, 7], 10) ==> [5, 10]
    """
    best = max(marks)
    return [mark * top // best for mark in marks]
''',
        [
            (([5, 10], 100), [50, 100]),
            (([2], 6), [6]),
            (([1, 2, 4], 8), [2, 4, 8]),
            (([9, 8], 90), [90, 80]),
        ],
    ),
    prose(
        '''
def rainy_streak(days: str) -> int:
    """Return the length of the longest run of the letter r in a text of r and s.

    For example, rainy_streak("rrsrrr") returns 2.
    """
    return max(map(len, days.split("s")))
''',
        [(("ssss",), 0), (("r",), 1), (("rsrrs",), 2), (("rrrr",), 4)],
    ),
    prose(
        '''
def ticket_price(age: int) -> int:
    """Children under 6 enter free, people under 18 pay 4, all others 9.

    So ticket_price(18) is 4 and ticket_price(5) is 0.
    """
    return 0 if age < 6 else 4 if age < 18 else 9
''',
        [((5,), 0), ((6,), 4), ((17,), 4), ((70,), 9)],
    ),
    prose(
        '''
def drop_prefix(word: str, prefix: str) -> str:
    """Take a prefix off a word as often as the word begins with it; the prefix isn't empty.

    drop_prefix("ababc", "ab") == "abc"
    """
    while word.startswith(prefix):
        word = word[len(prefix) :]
    return word
''',
        [(("redo", "re"), "do"), (("aaa", "a"), ""), (("xyz", "q"), "xyz"), (("nonono", "no"), "")],
    ),
    prose(
        '''
def grid_sum_of_border(grid):
    """
    Given a rectangular grid of numbers, return the sum of the numbers on its border.

    Example 1:
        Input: grid = [[1, 2], [3, 4]]
        Output: 10
    Example 2:
        Input: grid = [[1, 1, 1], [1, 5, 1], [1, 1, 1]]
        Output: 13
    """
    inner = sum(sum(row[1:-1]) for row in grid[1:-1])
    return sum(map(sum, grid)) - inner
''',
        [
            (([[1, 2], [3, 4]],), 10),
            (([[7]],), 7),
            (([[1, 2, 3]],), 6),
            (([[1, 0, 1], [0, 9, 0], [1, 0, 1]],), 4),
        ],
    ),
    prose(
        '''
def fold(text: str) -> list[str]:
    """Pair each character of a text with the one as far from the end; a middle one stays alone.

    If text is "abcd" then fold(text) should return ["ad", "bc"]; fold("xyz") should return
    ["xz", "yy"].
    """
    half = len(text) // 2
    pairs = [text[n] + text[-1 - n] for n in range(half)]
    return pairs + ([text[half]] if len(text) % 2 else [])
''',
        [(("abcd",), ["ad", "bc"]), (("",), []), (("k",), ["k"]), (("level",), ["ll", "ee", "v"])],
    ),
    prose(
        '''
def gear_ratio(teeth: list[int]) -> int:
    """Return the product of the numbers of teeth of all wheels, modulo 1000.

    For instance, gear_ratio([20, 30, 40]) gives 24.
    """
    product = 1
    for count in teeth:
        product = product * count % 1000
    return product
''',
        [(([7, 11],), 77), (([],), 1), (([999, 999],), 1), (([12, 12, 12],), 728)],
    ),
]
