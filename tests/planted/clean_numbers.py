"""Clean problems about numbers."""

from tests.planted.build import CLEAN, Planted, Raises, function


def clean(text, cases, **more) -> Planted:
    return function(CLEAN, text, cases, **more)


PROBLEMS = [
    clean(
        '''
def collatz_peak(start: int) -> int:
    """Return the largest number on the way of a Collatz sequence down to 1.

    The sequence goes on with half of an even number and with three times an odd one plus one.
    `start` is a positive integer and counts itself.

    >>> collatz_peak(3)
    16
    """
    peak = start
    while start != 1:
        start = start // 2 if start % 2 == 0 else 3 * start + 1
        peak = max(peak, start)
    return peak
''',
        [((3,), 16), ((1,), 1), ((8,), 8), ((7,), 52), ((27,), 9232)],
    ),
    clean(
        '''
def digital_root_steps(number: int) -> int:
    """Count how often the digits of a non-negative number must be summed until one is left.

    >>> digital_root_steps(199)
    3
    """
    steps = 0
    while number > 9:
        number = sum(int(digit) for digit in str(number))
        steps += 1
    return steps
''',
        [((199,), 3), ((0,), 0), ((9,), 0), ((10,), 1), ((99,), 2), ((123456,), 2)],
    ),
    clean(
        '''
def clamp(value: int, low: int, high: int) -> int:
    """Limit a value to the range from `low` to `high`, both of which belong to it.

    Raises:
        ValueError: `low` is greater than `high`.
    """
    if low > high:
        raise ValueError("an empty range")
    return max(low, min(value, high))
''',
        [
            ((5, 0, 10), 5),
            ((-3, 0, 10), 0),
            ((30, 0, 10), 10),
            ((7, 7, 7), 7),
            ((1, 5, 2), Raises("ValueError")),
        ],
    ),
    clean(
        '''
def triangular_index(number: int) -> int:
    """Say which triangular number a positive integer is, or 0 when it is none.

    The triangular numbers are 1, 3, 6, 10, 15 and so on: triangular_index(10) == 4
    """
    index, total = 0, 0
    while total < number:
        index += 1
        total += index
    return index if total == number else 0
''',
        [((10,), 4), ((1,), 1), ((2,), 0), ((28,), 7), ((29,), 0), ((5050,), 100)],
    ),
    clean(
        '''
def egyptian(numerator: int, denominator: int) -> list[int]:
    """Write a fraction between 0 and 1 as a sum of different unit fractions, greedily.

    Take the largest unit fraction that still fits, again and again; return the denominators.
    Both arguments are positive, the numerator is smaller than the denominator.

    >>> egyptian(5, 6)
    [2, 3]
    """
    parts = []
    while numerator:
        part = -(-denominator // numerator)
        parts.append(part)
        numerator, denominator = numerator * part - denominator, denominator * part
    return parts
''',
        [
            ((5, 6), [2, 3]),
            ((1, 4), [4]),
            ((2, 3), [2, 6]),
            ((3, 7), [3, 11, 231]),
            ((4, 13), [4, 18, 468]),
        ],
    ),
    clean(
        '''
def power_mod(base: int, exponent: int, modulus: int) -> int:
    """Return `base` to the power of `exponent`, modulo `modulus`, by repeated squaring.

    The exponent isn't negative and the modulus is positive.
    """
    result = 1 % modulus
    base %= modulus
    while exponent:
        if exponent & 1:
            result = result * base % modulus
        base = base * base % modulus
        exponent >>= 1
    return result
''',
        [
            ((3, 4, 50), 31),
            ((2, 10, 1000), 24),
            ((7, 0, 13), 1),
            ((5, 3, 1), 0),
            ((123456789, 987654321, 1000000007), 652541198),
            ((-2, 3, 7), 6),
        ],
    ),
    clean(
        '''
def roman_value(numeral: str) -> int:
    """Return the value of a Roman numeral made of I, V, X, L, C, D and M.

    A sign that stands before a larger one is subtracted: roman_value("XIV") is 14.
    """
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
    total = 0
    for sign, following in zip(numeral, numeral[1:] + " "):
        value = values[sign]
        total += -value if value < values.get(following, 0) else value
    return total
''',
        [
            (("XIV",), 14),
            (("III",), 3),
            (("MCMXCIV",), 1994),
            (("DCCC",), 800),
            (("XL",), 40),
            (("",), 0),
        ],
    ),
    clean(
        '''
def perfect_shuffle_count(cards: int) -> int:
    """Count the perfect out-shuffles that bring a deck back into its first order.

    An out-shuffle splits the deck in halves and interleaves them so that the top card stays on
    top. The number of cards is even and positive.
    """
    deck = list(range(cards))
    order, count = deck, 0
    while True:
        half = cards // 2
        order = [card for pair in zip(order[:half], order[half:]) for card in pair]
        count += 1
        if order == deck:
            return count
''',
        [((52,), 8), ((2,), 1), ((4,), 2), ((8,), 3), ((10,), 6), ((6,), 4)],
    ),
    clean(
        '''
def bits_between(low: int, high: int) -> int:
    """Count the ones in the binary forms of all integers from `low` to `high`, both included.

    0 <= low <= high.
    """
    return sum(bin(number).count("1") for number in range(low, high + 1))
''',
        [((0, 0), 0), ((0, 7), 12), ((5, 5), 2), ((6, 8), 6), ((15, 16), 5)],
    ),
    clean(
        '''
def factorial_zeros(number: int) -> int:
    """Say with how many zeros the factorial of a non-negative number ends.

    >>> factorial_zeros(10)
    2
    """
    zeros = 0
    while number:
        number //= 5
        zeros += number
    return zeros
''',
        [((10,), 2), ((0,), 0), ((4,), 0), ((5,), 1), ((25,), 6), ((1000,), 249)],
    ),
    clean(
        '''
def catalan(index: int) -> int:
    """Return the Catalan number with the given index, which isn't negative.

    The numbers begin with 1, 1, 2, 5, 14, 42; the index of the first is 0.
    """
    value = 1
    for step in range(index):
        value = value * 2 * (2 * step + 1) // (step + 2)
    return value
''',
        [
            ((0,), 1),
            ((1,), 1),
            ((3,), 5),
            ((5,), 42),
            ((10,), 16796),
            ((40,), 2622127042276492108820),
        ],
    ),
    clean(
        '''
def amicable(first: int, second: int) -> bool:
    """Tell whether two different positive numbers each are the sum of the other's proper divisors.
    """
    def divisors(number):
        return sum(part for part in range(1, number) if number % part == 0)

    return first != second and divisors(first) == second and divisors(second) == first
''',
        [
            ((220, 284), True),
            ((284, 220), True),
            ((6, 6), False),
            ((12, 16), False),
            ((1184, 1210), True),
            ((1, 2), False),
        ],
    ),
]
