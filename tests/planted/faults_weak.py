"""Right problems with so few or such easy cases that wrong solutions pass."""

from tests.planted.build import Planted, function, program


def weak(text, cases) -> Planted:
    return function("weak cases", text, cases)


PROBLEMS = [
    weak(
        '''
def shipping(weight: int, express: bool) -> int:
    """Return what a parcel costs: 4 up to 2 kg, 7 up to 5 kg, 12 above; express costs 6 more.

    The weight is in kilograms and positive.
    """
    price = 4 if weight <= 2 else 7 if weight <= 5 else 12
    return price + 6 if express else price
''',
        [((1, False), 4), ((9, False), 12)],
    ),
    weak(
        '''
def tally_marks(number: int) -> str:
    """Write a number that isn't negative in tally marks: fives as a slash, the rest as bars.

    Groups are separated by blanks.
    """
    fives, rest = divmod(number, 5)
    groups = ["/"] * fives + (["|" * rest] if rest else [])
    return " ".join(groups)
''',
        [((1,), "|"), ((3,), "|||")],
    ),
    weak(
        '''
def balance_scale(left: list[int], right: list[int]) -> str:
    """Say which side of a scale goes down: "left", "right" or "none"."""
    difference = sum(left) - sum(right)
    return "left" if difference > 0 else "right" if difference < 0 else "none"
''',
        [(([1], [9]), "right"), (([8], [2]), "left")],
    ),
    weak(
        '''
def cut_log(length: int, piece: int, waste: int) -> int:
    """Return how many pieces can be sawn off a log when every cut wastes some of it.

    No cut is needed behind the last piece when nothing is left.
    """
    count = 0
    while length >= piece:
        length -= piece + waste
        count += 1
    return count
''',
        [((10, 5, 0), 2), ((3, 4, 0), 0)],
    ),
    weak(
        '''
def compress_pairs(text: str) -> str:
    """Replace two equal neighbours with the letter in upper case, from the left.

    A letter that has been replaced takes no part in another pair: "aaa" gives "Aa".
    """
    out, place = [], 0
    while place < len(text):
        if text[place : place + 2] == text[place] * 2:
            out.append(text[place].upper())
            place += 2
        else:
            out.append(text[place])
            place += 1
    return "".join(out)
''',
        [(("abc",), "abc"), (("hello",), "heLo")],
    ),
    weak(
        '''
def check_height(age: int, height: int) -> str:
    """Say whether a child may ride: from 8 years on, and from 120 to 200 centimetres.

    Return "yes", "too young", "too small" or "too tall"; the age is checked first.
    """
    if age < 8:
        return "too young"
    if height < 120:
        return "too small"
    return "too tall" if height > 200 else "yes"
''',
        [((10, 150), "yes"), ((3, 90), "too young")],
    ),
    weak(
        '''
def zone_of(x: int, y: int) -> int:
    """Return the number of the quadrant of a point, 1 to 4 against the clock, or 0 on an axis."""
    if x == 0 or y == 0:
        return 0
    if x > 0:
        return 1 if y > 0 else 4
    return 2 if y > 0 else 3
''',
        [((3, 4), 1), ((-2, 7), 2)],
    ),
    weak(
        '''
def latest_before(days: list[int], day: int) -> int:
    """Return the greatest of some days that isn't after a given day.

    Raises:
        LookupError: there is none.
    """
    fitting = [each for each in days if each <= day]
    if not fitting:
        raise LookupError(day)
    return max(fitting)
''',
        [(([1, 5, 9], 6), 5), (([4, 2], 10), 4)],
    ),
    program(
        "weak cases",
        "bus_capacity",
        """
The first line has the number of seats of a bus and the number of stops n (1 <= n <= 100). Each of
the next n lines has how many people get off and then how many want to get on; people who find no
seat stay behind. Print how many people are in the bus at the end.
""",
        """
seats, n = map(int, input().split())
inside = 0
for _ in range(n):
    off, on = map(int, input().split())
    inside = min(seats, max(0, inside - off) + on)
print(inside)
""",
        [("10 1\n0 3\n", "3\n"), ("10 2\n0 4\n0 2\n", "6\n")],
    ),
]
