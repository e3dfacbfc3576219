"""Cases that a body which knows nothing passes, and problems without any."""

from tests.planted.build import Planted, Raises, function, program


def vacuous(text, cases, **more) -> Planted:
    return function("vacuous test", text, cases, **more)


PROBLEMS = [
    vacuous(
        '''
def is_square_matrix(rows: list[list[int]]) -> bool:
    """Tell whether a matrix has as many rows as each row has items."""
    return all(len(row) == len(rows) for row in rows)
''',
        [(([[1]],), True), (([[1, 2], [3, 4]],), True), (([],), True)],
    ),
    vacuous(
        '''
def collisions(cars: list[tuple[int, int]]) -> int:
    """Count the pairs of cars (place, speed) that will be at the same place at time 1."""
    ends = [place + speed for place, speed in cars]
    return sum(a == b for n, a in enumerate(ends) for b in ends[:n])
''',
        [(([(0, 1), (5, 1)],), 0), (([],), 0), (([(3, 3)],), 0), (([(1, 2), (2, 4)],), 0)],
    ),
    vacuous(
        '''
def season(month: int) -> str:
    """Name the season of a month from 1 to 12: "winter" from December to February, and so on."""
    return ("winter", "spring", "summer", "autumn")[month % 12 // 3]
''',
        [((12,), "winter"), ((1,), "winter"), ((2,), "winter")],
    ),
    vacuous(
        '''
def conflicts(plan: dict[str, list[int]]) -> list[int]:
    """List the hours that more than one person of a plan has taken, in ascending order."""
    hours = [hour for taken in plan.values() for hour in set(taken)]
    return sorted({hour for hour in hours if hours.count(hour) > 1})
''',
        [(({"ann": [1, 2], "bob": [3]},), []), (({},), []), (({"cid": [4, 4]},), [])],
    ),
    vacuous(
        '''
def log_level(name: str) -> None:
    """Print a message that a log has the given level."""
    print("level", name)
''',
        [(("info",), None), (("debug",), None), (("",), None)],
    ),
    vacuous(
        '''
def lookup_nickname(names: dict[str, str], person: str) -> str | None:
    """Return the nickname of a person, or None if the person has none."""
    return names.get(person)
''',
        [(({}, "ann"), None), (({"bob": "bo"}, "cid"), None), (({"x": "y"}, "y"), None)],
    ),
    vacuous(
        '''
def clear_board(board: list[list[str]]) -> None:
    """Make every field of a board a dot, in place."""
    for row in board:
        row[:] = ["."] * len(row)
''',
        [(([["x", "o"]],), None), (([],), None), (([["."], ["x"]],), None)],
    ),
    vacuous(
        '''
def cap(value: int, limit: int) -> int:
    """Return a value, but at most the limit."""
    return min(value, limit)
''',
        [((3, 10), 3), ((0, 5), 0), ((-7, 2), -7), ((4, 4), 4)],
    ),
    vacuous(
        '''
def collapse_blanks(text: str) -> str:
    """Replace every run of blanks in a text with a single blank."""
    while "  " in text:
        text = text.replace("  ", " ")
    return text
''',
        [(("one two",), "one two"), (("",), ""), (("a b c",), "a b c")],
    ),
    vacuous(
        '''
def sort_by_rule(words: list[str]) -> list[str]:
    """Sort words by their last letter; those with the same last letter keep their order."""
    return sorted(words, key=lambda word: word[-1:])
''',
        [((["sea", "web", "arc"],), ["sea", "web", "arc"]), (([],), []), ((["a"],), ["a"])],
    ),
    vacuous(
        '''
def item_count(basket: list[str]) -> int:
    """Count the different things in a basket."""
    return len(set(basket))
''',
        [((["egg", "ham"],), 2), (([],), 0), ((["tea"],), 1)],
    ),
    vacuous(
        '''
def in_order(values: list[int]) -> list[int]:
    """Sort numbers by their distance from zero; equally distant ones from small to great."""
    return sorted(values, key=lambda value: (abs(value), value))
''',
        [(([3, 1, 2],), [1, 2, 3]), (([],), []), (([9, 0],), [0, 9])],
    ),
    vacuous(
        '''
def strict_positive(value: int) -> int:
    """Return a value unchanged if it is greater than zero.

    Raises:
        ValueError: it is zero or less.
    """
    if value <= 0:
        raise ValueError(value)
    return value
''',
        [((0,), Raises("ValueError")), ((-5,), Raises("ValueError"))],
    ),
    vacuous(
        '''
def pop_front(queue: list[int]) -> int:
    """Take the first number off a queue and return it.

    Raises:
        IndexError: the queue is empty.
    """
    return queue.pop(0)
''',
        [(([],), Raises("IndexError"))],
    ),
    program(
        "vacuous test",
        "spam_answer",
        "Read a line and print yes if it has the word prize, in any case, and no otherwise.",
        'print("yes" if "prize" in input().lower() else "no")\n',
        [("win a prize\n", "yes\n"), ("PRIZE\n", "yes\n"), ("the prize is yours\n", "yes\n")],
    ),
    program(
        "vacuous test",
        "last_line_copy",
        "Read lines and print the longest; of equally long ones the first.",
        "import sys\nprint(max(sys.stdin.read().splitlines(), key=len))\n",
        [("hello\n", "hello\n"), ("a b c\n", "a b c\n")],
    ),
    *(
        function("no cases", text, [])
        for text in (
            '''
def add_interest(amount: int, percent: int) -> int:
    """Add interest in whole percent to an amount of cents, rounding down."""
    return amount + amount * percent // 100
''',
            '''
def last_word(text: str) -> str:
    """Return the last word of a text, or the empty text where there is none."""
    return (text.split() or [""])[-1]
''',
        )
    ),
    program(
        "no cases",
        "untested_sum",
        "Read n numbers, one a line after n itself, and print the sum of their squares.",
        "print(sum(int(input()) ** 2 for _ in range(int(input()))))\n",
        [],
    ),
]
