"""Problems that are there twice: nearly, or by what they do."""

from tests.planted.faults_duplicates import twice

KINDS = [
    twice(
        "near",
        '''
def parking_fee(minutes: int) -> int:
    """Return the fee for parking some minutes, in cents.

    The first 30 minutes are free. After that every hour that has begun costs 150 cents, up to a
    maximum of 1200 cents a day; whole days cost the maximum each.
    """
    days, rest = divmod(minutes, 24 * 60)
    fee = 0
    if days or rest > 30:
        billed = rest if days else rest - 30
        fee = min(1200, -(-billed // 60) * 150)
    return days * 1200 + fee
''',
        '''
def parking_fee_cents(minutes: int) -> int:
    """Return the fee for parking some minutes, in cents.

    The first 30 minutes are free. After that every hour that has begun costs 150 cents, up to a
    maximum of 1200 cents a day; whole days cost the maximum each. `minutes` isn't negative.
    """
    days, rest = divmod(minutes, 24 * 60)
    fee = 0
    if days or rest > 30:
        billed = rest if days else rest - 30
        hours = -(-billed // 60)
        fee = min(1200, hours * 150)
    return days * 1200 + fee
''',
        [((30,), 0), ((31,), 150), ((90,), 150), ((91,), 300), ((1440,), 1200), ((1439,), 1200)],
    ),
    twice(
        "near",
        '''
def wind_name(speed: int) -> str:
    """Name the wind of a speed in kilometres per hour on a coarse scale.

    Below 2 it is calm, below 12 a light breeze, below 30 a breeze, below 62 a strong wind, below
    118 a storm, and from there on a hurricane. The speed isn't negative.
    """
    if speed < 2:
        return "calm"
    if speed < 12:
        return "light breeze"
    if speed < 30:
        return "breeze"
    if speed < 62:
        return "strong wind"
    if speed < 118:
        return "storm"
    return "hurricane"
''',
        '''
def wind_name(speed: int) -> str:
    """Name the wind of a speed in kilometres per hour on a coarse scale.

    Below 2 it is calm, below 12 a light breeze, below 30 a breeze, below 62 a strong wind, below
    118 a storm, and from there on a hurricane. The speed is never negative.
    """
    if speed < 2:
        name = "calm"
    elif speed < 12:
        name = "light breeze"
    elif speed < 30:
        name = "breeze"
    elif speed < 62:
        name = "strong wind"
    elif speed < 118:
        name = "storm"
    else:
        name = "hurricane"
    return name
''',
        [
            ((0,), "calm"),
            ((2,), "light breeze"),
            ((11,), "light breeze"),
            ((29,), "breeze"),
            ((30,), "strong wind"),
            ((117,), "storm"),
            ((118,), "hurricane"),
        ],
        name="wind_name_again",
    ),
    twice(
        "near",
        '''
def receipt(items: list[tuple[str, int, int]]) -> list[str]:
    """Write the lines of a receipt for items (name, pieces, cents each), and the total below.

    A line has the name, a blank, and the price of all pieces in euros and cents: "tea 3.50". Of
    several pieces their number comes first: "2 x tea 7.00". The last line is "total" with the sum.
    """
    lines, total = [], 0
    for name, pieces, cents in items:
        price = pieces * cents
        total += price
        head = f"{pieces} x {name}" if pieces > 1 else name
        lines.append(f"{head} {price // 100}.{price % 100:02}")
    return [*lines, f"total {total // 100}.{total % 100:02}"]
''',
        '''
def receipt_lines(items: list[tuple[str, int, int]]) -> list[str]:
    """Write the lines of a receipt for items (name, pieces, cents each), and the total below them.

    A line has the name, a blank, and the price of all pieces in euros and cents: "tea 3.50". Of
    several pieces their number comes first: "2 x tea 7.00". The last line is "total" and the sum.
    """
    lines = []
    total = 0
    for name, pieces, cents in items:
        price = pieces * cents
        total = total + price
        head = f"{pieces} x {name}" if pieces > 1 else name
        lines.append(f"{head} {price // 100}.{price % 100:02}")
    lines.append(f"total {total // 100}.{total % 100:02}")
    return lines
''',
        [
            (([("tea", 1, 350)],), ["tea 3.50", "total 3.50"]),
            (([("tea", 2, 350), ("bun", 1, 5)],), ["2 x tea 7.00", "bun 0.05", "total 7.05"]),
            (([],), ["total 0.00"]),
            (([("egg", 12, 25)],), ["12 x egg 3.00", "total 3.00"]),
        ],
    ),
    twice(
        "near",
        '''
def vending(coins: list[int], price: int) -> str:
    """Say what a vending machine does after some coins were put in, one after the other.

    As soon as they are enough it gives the thing and stops: "thanks" when nothing is left over, or
    "change N" with what it gives back. If they are never enough it answers "N missing".
    """
    paid = 0
    for coin in coins:
        paid += coin
        if paid >= price:
            return "thanks" if paid == price else f"change {paid - price}"
    return f"{price - paid} missing"
''',
        '''
def vending_machine(coins: list[int], price: int) -> str:
    """Say what a vending machine does after some coins were put in, one after the other.

    As soon as they are enough it gives the thing and stops: "thanks" when nothing is left over, or
    "change N" with what it gives back. If they're never enough it answers "N missing".
    """
    inserted = 0
    for coin in coins:
        inserted += coin
        if inserted == price:
            return "thanks"
        if inserted > price:
            return f"change {inserted - price}"
    return f"{price - inserted} missing"
''',
        [
            (([50, 50], 100), "thanks"),
            (([200], 150), "change 50"),
            (([20], 50), "30 missing"),
            (([], 10), "10 missing"),
            (([100, 100, 5], 150), "change 50"),
        ],
    ),
    twice(
        "same behaviour",
        '''
def count_local_lows(levels: list[int]) -> int:
    """Count the inner items that are smaller than both neighbours."""
    return sum(
        levels[n - 1] > levels[n] < levels[n + 1] for n in range(1, len(levels) - 1)
    )
''',
        '''
def valleys(profile: list[int]) -> int:
    """A valley is a point that lies deeper than the points left and right of it. Count them."""
    found = 0
    for left, here, right in zip(profile, profile[1:], profile[2:]):
        if not (here >= left or here >= right):
            found += 1
    return found
''',
        [(([3, 1, 2],), 1), (([],), 0), (([5, 1, 5, 0, 9, 9, 9],), 2), (([1, 2, 3],), 0)],
        [(([9, 8, 9, 8, 9],), 2), (([4],), 0), (([2, 2, 2],), 0), (([7, 3, 3, 7],), 0)],
    ),
    twice(
        "same behaviour",
        '''
def whole_weeks_and_days(days: int) -> str:
    """Write a number of days, which isn't negative, as weeks and days: "2w 3d"."""
    return f"{days // 7}w {days % 7}d"
''',
        '''
def as_calendar_span(length: int) -> str:
    """Express how long something lasts. The length counts days and is zero or more.

    The answer looks like "1w 0d": first weeks of seven days, then what is left.
    """
    weeks = 0
    while length >= 7:
        length -= 7
        weeks += 1
    return str(weeks) + "w " + str(length) + "d"
''',
        [((17,), "2w 3d"), ((0,), "0w 0d"), ((7,), "1w 0d"), ((6,), "0w 6d")],
        [((8,), "1w 1d"), ((100,), "14w 2d"), ((5,), "0w 5d"), ((700,), "100w 0d")],
    ),
    twice(
        "same behaviour",
        '''
def outer_letters(words: list[str]) -> str:
    """Take the first and the last letter of each word and join them; empty words give nothing."""
    return "".join(word[0] + word[-1] for word in words if word)
''',
        '''
def ends_of_all(parts: list[str]) -> str:
    """Build a text of the two ends of every part in turn; a part of one letter counts twice.

    Parts without letters are passed over.
    """
    text = ""
    for part in parts:
        text += part[:1]
        text += part[-1:]
    return text
''',
        [
            ((["house", "a"],), "heaa"),
            (([],), ""),
            ((["", "to"],), "to"),
            ((["abc", "xyz"],), "acxz"),
        ],
        [
            ((["table"],), "te"),
            ((["q", "", "rs"],), "qqrs"),
            (([],), ""),
            ((["one", "two"],), "oeto"),
        ],
    ),
    twice(
        "same behaviour",
        '''
def spare_keys(have: dict[str, int], need: dict[str, int]) -> dict[str, int]:
    """Return what is left of a stock after taking what is needed; nothing goes below 0.

    Things of which nothing is left don't appear.
    """
    return {k: v - need.get(k, 0) for k, v in have.items() if v - need.get(k, 0) > 0}
''',
        '''
from collections import Counter


def surplus(available: dict[str, int], required: dict[str, int]) -> dict[str, int]:
    """Work out by how much each available amount exceeds the required one.

    Only amounts with a surplus are listed.
    """
    return dict(Counter(available) - Counter({name: required.get(name, 0) for name in available}))
''',
        [
            (({"a": 3}, {"a": 1}), {"a": 2}),
            (({}, {"x": 1}), {}),
            (({"b": 2, "c": 1}, {"b": 5}), {"c": 1}),
            (({"d": 2}, {"d": 2}), {}),
        ],
        [
            (({"k": 4, "l": 4}, {"l": 4}), {"k": 4}),
            (({"m": 1}, {}), {"m": 1}),
            (({"n": 0}, {}), {}),
        ],
    ),
]
PROBLEMS = [one for pair in KINDS for one in pair]
