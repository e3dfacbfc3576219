"""Data of persons in text: e-mail addresses, phone, account and card numbers, home folders.

Only forms that can be told from ordinary data count. Left out on purpose: names, dates of birth,
IP addresses (tests are full of public ones), numbers without a check digit or an international
prefix or a word for them, and card numbers in a line with others without groups or such a word.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from thresher.filters.sensitive.known_examples import (
    NOBODY,
    NOWHERE,
    PROFILES,
    PUBLISHED,
    TOP_LEVELS,
)

EMAIL = re.compile(
    r"(?<![\w.+@-])([\w.+-]{1,64})@((?:[a-z0-9-]{1,63}\.){1,5})([a-z]{2,12})(?![\w@.]\w|\w|\()",
    re.ASCII,
)
PHONE = re.compile(
    r"(?<![^\s\"'(:,;=\[>])\+(?P<number>[1-9]\d{0,14}(?:(?:[ .-]?\(|\)?[ .-]|\))\d{1,12}){0,6})"
    r"(?![\w+*/^%]|\.\d| ?[+*/=] ?\d)",
    re.ASCII,
)
COUNTRIES = re.compile(
    r"1[2-9]|7[3-9]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]"
    r"|2[1-6]\d|29[1789]|3[578]\d|42[013]|50\d|59\d|6[7-9]\d|85[0-6]|88[06]|9[679]\d"
)
# Reserved for fiction, or typed by counting.
NUMBERS = re.compile(
    r"1555|1\d{3}555|447700900|44207946|4479\d*0000|336399|61491570|12345|23456|34567|45678|56789"
    r"|8675309|67890|98765|87654|76543|65432|54321|(\d)\1{4}|(\d\d)\2{3}"
)
IBAN = re.compile(r"(?<![\w-])([A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?)(?![\w-])")
IBAN_LENGTHS = {
    **dict.fromkeys(("BE",), 16),
    **dict.fromkeys(("DK", "FI", "NL"), 18),
    **dict.fromkeys(("AT", "BA", "EE", "LT", "LU", "XK"), 20),
    **dict.fromkeys(("CH", "HR", "LI", "LV"), 21),
    **dict.fromkeys(("BG", "DE", "GB", "GE", "IE", "ME", "RS"), 22),
    **dict.fromkeys(("AD", "CZ", "ES", "MD", "RO", "SA", "SE", "SK", "TN"), 24),
    **dict.fromkeys(("IS", "TR"), 26),
    **dict.fromkeys(("FR", "GR", "IT", "MC", "SM"), 27),
    **dict.fromkeys(("AL", "CY", "HU", "LB", "PL"), 28),
    **{"NO": 15, "SI": 19, "MK": 19, "AE": 23, "IL": 23, "PT": 25, "BR": 29, "UA": 29, "MT": 31},
}
CARD = re.compile(
    r"(?<![\w.-])(?:\d{4}([ -])\d{4}\1\d{4}\1\d{4}|3\d{3}([ -])\d{6}\2\d{5})(?![\w-]|\.\d| \d)"
    r"|(?i:\b(?:card|visa|mastercard|amex)\w{0,12}\W{1,12})(\d{15,16})(?!\w)"
    r"|^\s*(\d{15,16})\s*$",
    re.ASCII,
)
SOCIAL = re.compile(
    r"(?i:\b(?:ssn|social security)\b[^\d\n]{0,20})"
    r"(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?!\d)"
)
FICTIONAL = re.compile(r"123-45-6789|078-05-1120|219-09-9999|987-65-432\d|(\d)\1\1-\1\1-\1{4}")
ISSUERS = re.compile(r"4\d{15}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|6(?:011|5\d\d)\d{12}")
# A problem about such numbers is about published ones.
SUBJECT = re.compile(r"luhn|iban|check_? ?(?:digit|sum)|mod(?:ul\w+)?[_ ]?97|stdnum", re.IGNORECASE)
HOME = re.compile(
    r"(?<![\w.~}-])/(?:home|Users)/(?P<posix>[A-Za-z][\w.-]{2,31})/"
    r"|(?<!\w)[A-Za-z]:[\\/]{1,4}(?i:Users|Documents and Settings)[\\/]{1,4}"
    r"(?P<windows>[A-Za-z][\w.-]{2,31})(?![\w%.-])",
    re.ASCII,
)


class Personal(NamedTuple):
    """What kind of data, and what was found."""

    kind: str
    found: str


def personal_in(text: str, about_numbers: bool = False) -> Iterator[Personal]:
    """Yield personal data in a line of text.

    Args:
        text: the line.
        about_numbers: the problem is about account or card numbers, so that they are examples.
    """
    if "@" in text:
        yield from _addresses(text)
    if "+" in text:
        yield from _phones(text)
    if "/" in text or "\\" in text:
        yield from _homes(text)
    if not about_numbers and any(map(str.isdigit, text)):
        yield from _accounts(text)
        yield from _cards(text)
        yield from _social(text)


def is_about_numbers(program: str) -> bool:
    """Say whether a program is about numbers with a check digit."""
    return SUBJECT.search(program) is not None


def _addresses(text: str) -> Iterator[Personal]:
    for match in EMAIL.finditer(text):
        local, domain, top = match.groups()
        words = set(re.split(r"[._+-]+|\d+", local.casefold()))
        labels = set(re.split(r"[.-]", domain.casefold()))
        machine = re.search(r"\d{8}", local) or not any(map(str.isalpha, local))
        plain = min(len(local), len(domain) - 1) < 3 or words & NOBODY or labels & NOWHERE
        if top in TOP_LEVELS and not plain and not machine:
            yield Personal("e-mail address", match[0])


def _phones(text: str) -> Iterator[Personal]:
    for match in PHONE.finditer(text):
        digits = re.sub(r"\D", "", match["number"])
        if 10 <= len(digits) <= 13 and COUNTRIES.match(digits) and not NUMBERS.search(digits):
            yield Personal("phone number", match[0])


def _homes(text: str) -> Iterator[Personal]:
    for match in HOME.finditer(text):
        name = (match["posix"] or match["windows"]).casefold()
        if not set(re.split(r"[._-]+|\d+$", name)) & PROFILES:
            yield Personal("home folder", match[0])


def _accounts(text: str) -> Iterator[Personal]:
    for match in IBAN.finditer(text):
        account = match[0].replace(" ", "")
        right = IBAN_LENGTHS.get(account[:2]) == len(account) and account not in PUBLISHED
        digits = "".join(str(int(each, 36)) for each in account[4:] + account[:4])
        if right and int(digits) % 97 == 1:
            yield Personal("account number", match[0])


def _cards(text: str) -> Iterator[Personal]:
    for match in CARD.finditer(text):
        card = re.sub(r"\D", "", match[3] or match[4] or match[0])
        if ISSUERS.fullmatch(card) and card not in PUBLISHED and _luhn(card):
            yield Personal("card number", match[0])


def _social(text: str) -> Iterator[Personal]:
    for match in SOCIAL.finditer(text):
        if not FICTIONAL.search(match[0]):
            yield Personal("social security number", match[0])


def _luhn(digits: str) -> bool:
    doubled = (sum(divmod(2 * int(each), 10)) for each in digits[-2::-2])
    return (sum(map(int, digits[-1::-2])) + sum(doubled)) % 10 == 0 and len(set(digits)) > 3
