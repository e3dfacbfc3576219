"""Functions on the topics of HumanEval's tasks that do something else, each with inputs."""

from collections.abc import Callable, Sequence
from typing import Any

INPUTS: dict[str, list[tuple[Any, ...]]] = {}
NUMBERS = [([1, 2, 3, 4],), ([5, -3, 8, 8, 0],), ([],), ([7],), ([9, 1, 12, -5, 4, 4],), ([2, 2],)]
FULL = [each for each in NUMBERS if each[0]]
WHOLE = [(0,), (1,), (2,), (3,), (7,), (10,), (12,), (30,), (97,), (100,)]
TEXTS = [
    ("hello world",),
    ("Level",),
    ("",),
    ("AbC dEf",),
    ("xyzzy",),
    ("A man, a plan",),
    ("aba",),
]
PAIRS = [(4, 6), (3, 5), (10, 25), (7, 7), (1, 9), (12, 18), (100, 64)]
WORDS = [
    (["pear", "fig", "apple"],),
    ([],),
    (["a", "bb", "cc"],),
    (["one", "two", "three", "six"],),
]
BRACKETS = [("()",), ("(()",), ("[]()",), ("(())()",), (")(",), ("",), ("((()))",)]


def on(inputs: Sequence[tuple[Any, ...]]) -> Callable[[Any], Any]:
    """Note the inputs of a function."""

    def note(function: Any) -> Any:
        INPUTS[function.__name__] = list(inputs)
        return function

    return note


@on(PAIRS)
def least_common_multiple(a: int, b: int) -> int:
    """Return the smallest positive number that both divide."""
    x, y = a, b
    while y:
        x, y = y, x % y
    return a * b // x


@on([([12, 18],), ([7],), ([100, 64, 12],), ([9, 27, 81],), ([5, 7],)])
def common_divisor_of_all(numbers: list[int]) -> int:
    """Return the greatest number that divides all."""
    found = 0
    for number in numbers:
        while number:
            found, number = number, found % number
    return found


@on(PAIRS)
def are_coprime(a: int, b: int) -> bool:
    """Say whether only one divides both."""
    while b:
        a, b = b, a % b
    return a == 1


@on(WHOLE)
def next_prime(number: int) -> int:
    """Return the smallest prime above a number."""
    candidate = number + 1
    while candidate < 2 or any(candidate % d == 0 for d in range(2, int(candidate**0.5) + 1)):
        candidate += 1
    return candidate


@on(WHOLE)
def primes_up_to_count(limit: int) -> int:
    """Count the primes that aren't above a limit."""
    sieve = [True] * (limit + 1)
    count = 0
    for number in range(2, limit + 1):
        if sieve[number]:
            count += 1
            for multiple in range(number * number, limit + 1, number):
                sieve[multiple] = False
    return count


@on(WHOLE)
def is_composite(number: int) -> bool:
    """Say whether a number has a divisor between one and itself."""
    divisor = 2
    while divisor * divisor <= number:
        if number % divisor == 0:
            return True
        divisor += 1
    return False


@on(WHOLE)
def has_two_prime_factors(number: int) -> bool:
    """Say whether a number is the product of two primes."""
    count, divisor = 0, 2
    while number > 1 and divisor <= number:
        while number % divisor == 0:
            number //= divisor
            count += 1
        divisor += 1
    return count == 2


@on(WHOLE)
def distinct_prime_factors(number: int) -> list[int]:
    """Return the primes that divide a number, each once."""
    found, divisor = [], 2
    while number > 1 and divisor <= number:
        if number % divisor == 0:
            found.append(divisor)
            while number % divisor == 0:
                number //= divisor
        divisor += 1
    return found


@on(WHOLE[1:])
def divisors(number: int) -> list[int]:
    """Return all divisors in order."""
    return [divisor for divisor in range(1, number + 1) if number % divisor == 0]


@on([(2,), (9,), (15,), (35,), (97,), (100,)])
def smallest_divisor(number: int) -> int:
    """Return the smallest divisor above one."""
    for divisor in range(2, number + 1):
        if number % divisor == 0:
            return divisor
    return number


@on(WHOLE)
def is_perfect_number(number: int) -> bool:
    """Say whether a number is the sum of its proper divisors."""
    return number > 1 and sum(d for d in range(1, number) if number % d == 0) == number


@on(WHOLE[:8])
def lucas(index: int) -> int:
    """Return a number of the sequence 2, 1, 3, 4, 7, 11."""
    a, b = 2, 1
    for _ in range(index):
        a, b = b, a + b
    return a


@on(WHOLE[:8])
def fibonacci_from_one(index: int) -> int:
    """Return a number of the sequence 1, 2, 3, 5, 8 that begins at index 0."""
    a, b = 1, 2
    for _ in range(index):
        a, b = b, a + b
    return a


@on(WHOLE[:8])
def three_step_stairs(steps: int) -> int:
    """Count the ways to climb stairs by one, two or three steps."""
    ways = [1, 1, 2]
    while len(ways) <= steps:
        ways.append(ways[-1] + ways[-2] + ways[-3])
    return ways[steps]


@on(WHOLE[:8])
def fibonacci_numbers(count: int) -> list[int]:
    """Return the first numbers of the sequence 0, 1, 1, 2, 3."""
    found = [0, 1]
    while len(found) < count:
        found.append(found[-1] + found[-2])
    return found[:count]


@on(WHOLE[1:])
def collatz_length(number: int) -> int:
    """Count the steps from a number to one when odd ones are tripled plus one, even ones halved."""
    steps = 0
    while number != 1:
        number = number * 3 + 1 if number % 2 else number // 2
        steps += 1
    return steps


@on(WHOLE)
def digit_product(number: int) -> int:
    """Multiply the digits of a number."""
    product = 1
    for digit in str(number):
        product *= int(digit)
    return product


@on(WHOLE)
def ones_in_binary(number: int) -> int:
    """Count the ones of a number in base two."""
    count = 0
    while number:
        count += number % 2
        number //= 2
    return count


@on([(1,), (4,), (9,), (14,), (49,), (90,), (400,)])
def as_upper_roman(number: int) -> str:
    """Write a number with Roman capital letters."""
    signs = [(100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V")]
    text = ""
    for value, sign in [*signs, (4, "IV"), (1, "I")]:
        while number >= value:
            text += sign
            number -= value
    return text


@on(NUMBERS)
def sorted_down(numbers: list[int]) -> list[int]:
    """Sort numbers, the largest first, by insertion."""
    found: list[int] = []
    for number in numbers:
        at = 0
        while at < len(found) and found[at] >= number:
            at += 1
        found.insert(at, number)
    return found


@on(NUMBERS)
def sorted_by_last_digit(numbers: list[int]) -> list[int]:
    """Sort numbers by their last digit."""
    return sorted(numbers, key=lambda number: (abs(number) % 10, number))


@on(NUMBERS)
def largest_and_smallest_in_turn(numbers: list[int]) -> list[int]:
    """Take the largest, then the smallest, then the next largest, and so on."""
    rest, found = sorted(numbers), []
    while rest:
        found.append(rest.pop())
        if rest:
            found.append(rest.pop(0))
    return found


@on(NUMBERS)
def running_least(numbers: list[int]) -> list[int]:
    """Return the least number so far at each place."""
    found: list[int] = []
    for number in numbers:
        found.append(min(number, found[-1]) if found else number)
    return found


@on(NUMBERS)
def ever_above_ten(changes: list[int]) -> bool:
    """Say whether a balance that starts at zero is ever above ten."""
    balance = 0
    for change in changes:
        balance += change
        if balance > 10:
            return True
    return False


@on(FULL)
def largest_partial_sum(numbers: list[int]) -> int:
    """Return the largest sum of neighbours."""
    best = here = numbers[0]
    for number in numbers[1:]:
        here = max(number, here + number)
        best = max(best, here)
    return best


@on(NUMBERS)
def second_largest(numbers: list[int]) -> int | None:
    """Return the largest number but one, None where there is none."""
    found = sorted(set(numbers))
    return found[-2] if len(found) > 1 else None


@on([([1, 4, 5], 9), ([2, 2], 4), ([], 1), ([3, 6, 1, 8], 14), ([5], 10)])
def pair_with_sum(numbers: list[int], total: int) -> bool:
    """Say whether two of the numbers have a sum."""
    seen = set()
    for number in numbers:
        if total - number in seen:
            return True
        seen.add(number)
    return False


@on(NUMBERS)
def rises_strictly(numbers: list[int]) -> bool:
    """Say whether each number is above the one before."""
    return all(left < right for left, right in zip(numbers, numbers[1:], strict=False))


@on(NUMBERS)
def repeated_numbers(numbers: list[int]) -> list[int]:
    """Return the numbers that are there more than once."""
    return sorted({number for number in numbers if numbers.count(number) > 1})


@on([([1, 2], [2, 3]), ([], [4]), ([5, 5, 1], [1]), ([7, 8], [8, 7])])
def in_one_of_both(left: list[int], right: list[int]) -> list[int]:
    """Return what is in one of two lists alone."""
    return sorted(set(left) ^ set(right))


@on([([1.0, 2.0, 4.0],), ([3.5, 3.5],), ([0.5, 9.0, -2.0],), ([8.0],)])
def variance(numbers: list[float]) -> float:
    """Return the mean square distance from the mean."""
    mean = sum(numbers) / len(numbers)
    return sum((number - mean) ** 2 for number in numbers) / len(numbers)


@on([([1.0, 2.0, 4.0],), ([3.5, 3.5],), ([0.5, 9.0, -2.0],), ([8.0],)])
def centred(numbers: list[float]) -> list[float]:
    """Take the mean from each."""
    mean = sum(numbers) / len(numbers)
    return [number - mean for number in numbers]


@on(FULL)
def lower_median(numbers: list[int]) -> int:
    """Return the middle one, the lower of two."""
    return sorted(numbers)[(len(numbers) - 1) // 2]


@on(FULL)
def most_frequent(numbers: list[int]) -> int:
    """Return the number that is there most often, the least of several."""
    return min(numbers, key=lambda number: (-numbers.count(number), number))


@on([([1, 2, 3], 0), ([], 9), ([7], 1), ([5, 5, 5, 5], 2)])
def put_after_pairs(numbers: list[int], delimiter: int) -> list[int]:
    """Put a number after each two."""
    found = []
    for place, number in enumerate(numbers):
        found.append(number)
        if place % 2:
            found.append(delimiter)
    return found


@on(TEXTS)
def is_palindrome_in_any_case(text: str) -> bool:
    """Say whether letters read the same backwards, capitals or not."""
    letters = [letter.lower() for letter in text if letter.isalpha()]
    return letters == letters[::-1]


@on(TEXTS)
def count_consonants(text: str) -> int:
    """Count the letters that are no vowels."""
    return sum(letter.isalpha() and letter.lower() not in "aeiou" for letter in text)


@on(TEXTS)
def count_capitals(text: str) -> int:
    """Count capital letters."""
    found = 0
    for letter in text:
        if "A" <= letter <= "Z":
            found += 1
    return found


@on(TEXTS)
def only_vowels(text: str) -> str:
    """Leave out all but vowels."""
    return "".join(letter for letter in text if letter.lower() in "aeiou")


@on(TEXTS)
def turned_by_three(text: str) -> str:
    """Shift small letters back by three in the alphabet."""
    return "".join(chr((ord(c) - 3 - ord("a")) % 26 + ord("a")) if c.islower() else c for c in text)


@on(TEXTS)
def turned_by_thirteen(text: str) -> str:
    """Shift small letters by thirteen in the alphabet."""
    found = ""
    for letter in text:
        found += chr((ord(letter) - 97 + 13) % 26 + 97) if letter.islower() else letter
    return found


@on(TEXTS)
def words_backwards(text: str) -> str:
    """Put the words of a text in reverse order."""
    return " ".join(reversed(text.split()))


@on(TEXTS)
def letters_once(text: str) -> int:
    """Count the letters that are there once."""
    return sum(text.count(letter) == 1 for letter in text.lower())


@on(TEXTS)
def first_letters(text: str) -> dict[str, int]:
    """Count words by their first letter."""
    found: dict[str, int] = {}
    for word in text.split():
        found[word[0]] = found.get(word[0], 0) + 1
    return found


@on([("banana", "an"), ("aaaa", "aa"), ("", "x"), ("abcabc", "c"), ("abab", "aba")])
def occurrences_apart(text: str, part: str) -> int:
    """Count a part in a text; found ones don't overlap."""
    count = at = 0
    while (at := text.find(part, at)) >= 0:
        count += 1
        at += len(part)
    return count


@on([("listen", "silent"), ("a", "aa"), ("", ""), ("abc", "cba"), ("abb", "aab")])
def are_anagrams(left: str, right: str) -> bool:
    """Say whether two texts have the same letters equally often."""
    counts: dict[str, int] = {}
    for letter in left:
        counts[letter] = counts.get(letter, 0) + 1
    for letter in right:
        counts[letter] = counts.get(letter, 0) - 1
    return not any(counts.values())


@on([("0101", "1100"), ("1", "0"), ("", ""), ("111", "101"), ("0011", "0111")])
def both_set(left: str, right: str) -> str:
    """Write a one where both texts have one, else a zero."""
    return "".join("1" if a == b == "1" else "0" for a, b in zip(left, right, strict=True))


@on(WORDS)
def shortest_word(words: list[str]) -> str | None:
    """Return the first of the shortest words, None where there are none."""
    shortest = None
    for word in words:
        if shortest is None or len(word) < len(shortest):
            shortest = word
    return shortest


@on(WORDS)
def last_of_the_longest(words: list[str]) -> str | None:
    """Return the last of the longest words, None where there are none."""
    longest = None
    for word in words:
        if longest is None or len(word) >= len(longest):
            longest = word
    return longest


@on(WORDS)
def by_length_then_name(words: list[str]) -> list[str]:
    """Sort words by length, the longest first, then by the alphabet."""
    return sorted(words, key=lambda word: (-len(word), word))


@on(BRACKETS)
def closes_in_kind(text: str) -> bool:
    """Say whether round, square and curly brackets are closed in kind."""
    ends, open_ones = {"(": ")", "[": "]", "{": "}"}, []
    for sign in text:
        if sign in ends:
            open_ones.append(ends[sign])
        elif not open_ones or open_ones.pop() != sign:
            return False
    return not open_ones


@on(BRACKETS)
def unclosed(text: str) -> int:
    """Count the brackets that lack a partner."""
    depth = missing = 0
    for sign in text:
        depth += 1 if sign == "(" else -1
        if depth < 0:
            missing, depth = missing + 1, 0
    return missing + depth


@on([(3, 4, 5), (1, 1, 1), (2, 3, 4), (5, 12, 13), (6, 6, 2), (1, 2, 9)])
def is_acute(a: int, b: int, c: int) -> bool:
    """Say whether a triangle's largest angle is below ninety degrees."""
    x, y, z = sorted([a, b, c])
    return x + y > z and x * x + y * y > z * z


@on([(3, 4, 5), (1, 1, 1), (2, 3, 4), (5, 12, 13), (1, 2, 9)])
def perimeter(a: int, b: int, c: int) -> int:
    """Return the way round a triangle, -1 where there is none."""
    if a + b <= c or a + c <= b or b + c <= a:
        return -1
    return a + b + c


@on([(3, 5), (0, 7), (10, 13), (4, 2), (6, 101)])
def power_of_three_rest(exponent: int, divisor: int) -> int:
    """Return what is left of a power of three."""
    found = 1
    for _ in range(exponent):
        found = found * 3 % divisor
    return found


@on([(1, 12), (10, 2), (5, 5), (20, 33), (100, 120)])
def evens_between(low: int, high: int) -> list[int]:
    """Return the even numbers from one to another."""
    return [number for number in range(low, high + 1) if number % 2 == 0]


@on([([[1, 2], [3]],), ([[]],), ([[4], [5, 6], []],), ([[0, 0], [1]],)])
def longest_row(rows: list[list[int]]) -> int:
    """Return the length of the longest row."""
    most = 0
    for row in rows:
        most = max(most, len(row))
    return most
