"""Credentials and personal data, in the source and in the values of cases.

All are made up here, when the set is built, so that none stands in a file of this repository: the
shapes are those that services publish, the characters come from a seeded generator.
"""

import base64
import json
import random
import string

from tests.planted.build import Planted, function

_DICE = random.Random("planted secrets")
_WORD = string.ascii_letters + string.digits


def _made(count: int, letters: str = _WORD) -> str:
    return "".join(_DICE.choices(letters, k=count))


def _token() -> str:
    """Make a signed web token."""
    parts = [{"alg": "HS256", "typ": "JWT"}, {"sub": _made(10), "role": "admin"}]
    encoded = [base64.urlsafe_b64encode(json.dumps(p).encode()).decode().rstrip("=") for p in parts]
    return ".".join([*encoded, _made(43)])


def _private_key() -> str:
    body = "\n".join(_made(64, _WORD + "+/") for _ in range(12))
    kind = "RSA PRIVATE" + " KEY"
    return f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----"


def _card() -> str:
    """Make the number of a card that its check digit fits."""
    digits = "4539" + _made(11, string.digits)
    total = sum(
        sum(divmod(2 * int(d), 10)) if place % 2 == 0 else int(d)
        for place, d in enumerate(reversed(digits))
    )
    return digits + str(-total % 10)


def _iban() -> str:
    """Make a German account number that its check digits fit."""
    account = _made(18, string.digits)
    return f"DE{98 - int(account + '131400') % 97:02}{account}"


AWS = "AKIA" + _made(16, string.ascii_uppercase + "234567")
OTHER_AWS = "AKIA" + _made(16, string.ascii_uppercase + "234567")
GITHUB = "ghp_" + _made(36)
SLACK = f"xoxb-{_made(12, string.digits)}-{_made(13, string.digits)}-{_made(24)}"
STRIPE = "sk_live_" + _made(24)
GOOGLE = "AIza" + _made(35)
NPM = "npm_" + _made(36)
GITLAB = "glpat-" + _made(20)
SENDGRID = f"SG.{_made(22)}.{_made(43)}"
DATABASE = f"postgres://shop:{_made(20)}@db.brightwater-internal.net:5432/orders"
MAIL = "Marlowe.Quint" + "@" + "brightwater-clinic.com"
OTHER_MAIL = "t.okonjo-lind" + "@" + "fernhollow-dental.co.uk"
PHONE = "+49 171 " + _made(4, "2345678") + _made(3, string.digits)
NUMBER = "".join(("536", "-", "22", "-", "8", _made(3, "1234567")))


def source(text, cases, **more) -> Planted:
    return function("secret in source", text, cases, **more)


def value(text, cases, **more) -> Planted:
    return function("secret in values", text, cases, **more)


def personal(text, cases, **more) -> Planted:
    return function("personal data", text, cases, **more)


PROBLEMS = [
    source(
        f'''
ACCESS_KEY = "{AWS}"
SECRET_KEY = "{_made(40, _WORD + "+/")}"


def bucket_url(bucket: str, name: str) -> str:
    """Return the path of an object in a bucket; the name doesn't begin with a slash."""
    return f"/{{bucket}}/{{name}}"
''',
        [(("a", "b.txt"), "/a/b.txt"), (("x", ""), "/x/"), (("logs", "2024/01"), "/logs/2024/01")],
    ),
    source(
        f'''
def auth_header(kind: str) -> dict[str, str]:
    """Return the headers of a request of some kind; only "write" requests carry a token."""
    headers = {{"Accept": "application/json", "X-Kind": kind}}
    if kind == "write":
        headers["X-Token"] = "yes" if "{GITHUB}" else "no"
    return headers
''',
        [
            (("read",), {"Accept": "application/json", "X-Kind": "read"}),
            (("write",), {"Accept": "application/json", "X-Kind": "write", "X-Token": "yes"}),
            (("",), {"Accept": "application/json", "X-Kind": ""}),
        ],
    ),
    source(
        f'''
def channel_name(name: str) -> str:
    """Return the name of a chat channel: lower case, blanks as dashes, a number sign before it."""
    # bot token for testing: {SLACK}
    return "#" + name.lower().replace(" ", "-")
''',
        [(("Off Topic",), "#off-topic"), (("dev",), "#dev"), (("",), "#")],
    ),
    source(
        f'''
STRIPE_API_KEY = "{STRIPE}"


def net_of_fees(cents: int) -> int:
    """Return what is left of a payment after a fee of 25 cents and 1.5 percent, rounded down."""
    return cents - 25 - cents * 15 // 1000
''',
        [((1000,), 960), ((100,), 74), ((0,), -25), ((99999,), 98475)],
    ),
    source(
        f'''
KEY = """{_private_key()}"""


def padded_blocks(size: int, block: int) -> int:
    """Return how many blocks hold some bytes; a block more when they fill the last one entirely."""
    return size // block + 1
''',
        [((10, 16), 1), ((16, 16), 2), ((0, 8), 1), ((33, 16), 3)],
    ),
    source(
        f'''
def tile_address(x: int, y: int, zoom: int) -> str:
    """Return the address of a map's tile.

    The service is asked with key={GOOGLE}, which isn't part of the answer.
    """
    return f"/tiles/{{zoom}}/{{x}}/{{y}}.png"
''',
        [
            ((1, 2, 3), "/tiles/3/1/2.png"),
            ((0, 0, 0), "/tiles/0/0/0.png"),
            ((9, 8, 7), "/tiles/7/9/8.png"),
        ],
    ),
    source(
        f'''
DATABASE = "{DATABASE}"


def limit_clause(page: int, size: int) -> str:
    """Return the end of a query that gives a page of results; pages count from 1."""
    return f"LIMIT {{size}} OFFSET {{(page - 1) * size}}"
''',
        [
            ((1, 10), "LIMIT 10 OFFSET 0"),
            ((3, 25), "LIMIT 25 OFFSET 50"),
            ((2, 1), "LIMIT 1 OFFSET 1"),
        ],
    ),
    source(
        f'''
NPM_TOKEN = "{NPM}"


def scoped(package: str, scope: str) -> str:
    """Return a package's name with its scope; an empty scope isn't shown."""
    return f"@{{scope}}/{{package}}" if scope else package
''',
        [(("left", "tools"), "@tools/left"), (("right", ""), "right"), (("a", "b"), "@b/a")],
    ),
    value(
        '''
def redact(line: str, word: str) -> str:
    """Replace everything after a word and a colon in a line with three asterisks."""
    head, found, _ = line.partition(word + ":")
    return head + found + "***" if found else line
''',
        [
            (("user: x", "token"), "user: x"),
            ((f"token:{GITLAB}", "token"), "token:***"),
            (("a b:c", "b"), "a b:***"),
            (("", "x"), ""),
        ],
        bad=1,
    ),
    value(
        '''
def setting_names(settings: dict[str, str]) -> list[str]:
    """List the names of all settings that aren't empty, in order."""
    return sorted(name for name, value in settings.items() if value)
''',
        [
            (({"b": "1", "a": "x"},), ["a", "b"]),
            (({"SENDGRID_API_KEY": SENDGRID, "DEBUG": ""},), ["SENDGRID_API_KEY"]),
            (({},), []),
            (({"q": ""},), []),
        ],
        bad=1,
    ),
    value(
        '''
def token_parts(token: str) -> int:
    """Count the parts of a token that are separated by dots and aren't empty."""
    return len([part for part in token.split(".") if part])
''',
        [(("a.b",), 2), (("",), 0), ((_token(),), 3), (("..x",), 1)],
        bad=2,
    ),
    value(
        '''
def host_of(address: str) -> str:
    """Return the host of an address: without what comes before // or @, or after : or /."""
    rest = address.rpartition("//")[2].rpartition("@")[2]
    return rest.split("/")[0].split(":")[0]
''',
        [
            (("https://example.org/x",), "example.org"),
            (("localhost:80",), "localhost"),
            ((DATABASE.replace("shop", "till"),), "db.brightwater-internal.net"),
            (("ftp://example.net",), "example.net"),
        ],
        bad=2,
    ),
    value(
        '''
def upper_keys(text: str) -> list[str]:
    """Return the words of a text that consist of upper-case letters and digits only."""
    return [word for word in text.split() if word.isalnum() and word == word.upper()]
''',
        [
            (("go NOW",), ["NOW"]),
            (("",), []),
            ((f"use {OTHER_AWS} now",), [OTHER_AWS]),
            (("A b C",), ["A", "C"]),
        ],
        bad=2,
    ),
    personal(
        f'''
# Written by Marlowe Quint <{MAIL}>, call {PHONE} when it breaks.


def dose(weight: int, per_kilo: int, most: int) -> int:
    """Return the dose of a medicine by weight, but never more than the most."""
    return min(most, weight * per_kilo)
''',
        [((10, 5, 100), 50), ((80, 5, 100), 100), ((0, 9, 9), 0)],
    ),
    personal(
        '''
def user_part(address: str) -> str:
    """Return what stands before the @ of an address, in lower case; without an @, nothing."""
    name, at, _ = address.partition("@")
    return name.lower() if at else ""
''',
        [((MAIL,), "marlowe.quint"), (("nobody",), ""), (("A@example.org",), "a")],
        bad=0,
    ),
    personal(
        '''
def last_four(number: str) -> str:
    """Return the last four digits of a number in which there may be blanks."""
    return number.replace(" ", "")[-4:]
''',
        [((CARD := _card(),), CARD[-4:]), (("12 34 5",), "2345"), (("7",), "7")],
        bad=0,
    ),
    personal(
        '''
def country_of(account: str) -> str:
    """Return the country of an account number: its first two letters, or ?? if they are none."""
    start = account[:2].upper()
    return start if start.isalpha() and len(start) == 2 else "??"
''',
        [((_iban(),), "DE"), (("fr76",), "FR"), (("12",), "??"), (("",), "??")],
        bad=0,
    ),
    personal(
        '''
def contact_sheet(people: list[dict[str, str]]) -> list[str]:
    """Return a line for each person, with all that is known separated by semicolons, sorted."""
    return sorted("; ".join(person.values()) for person in people)
''',
        [
            (
                ([{"name": "Tessa Okonjo-Lind", "mail": OTHER_MAIL, "phone": PHONE}],),
                [f"Tessa Okonjo-Lind; {OTHER_MAIL}; {PHONE}"],
            ),
            (([],), []),
            (([{"name": "B"}, {"name": "A"}],), ["A", "B"]),
        ],
        bad=0,
    ),
    personal(
        '''
def hide_number(text: str) -> str:
    """Replace every digit of a text but the last four with an x."""
    total = sum(char.isdigit() for char in text)
    out, seen = [], 0
    for char in text:
        seen += char.isdigit()
        out.append("x" if char.isdigit() and seen <= total - 4 else char)
    return "".join(out)
''',
        [
            ((f"SSN: {NUMBER}",), f"SSN: xxx-xx-{NUMBER[-4:]}"),
            (("12",), "12"),
            (("a1b2c3d4e5",), "axb2c3d4e5"),
        ],
        bad=0,
    ),
    personal(
        f'''
OWNERS = {{"billing": "{OTHER_MAIL}", "search": "{MAIL}"}}


def has_owner(part: str) -> bool:
    """Tell whether a part of the system, written in either case, has an owner."""
    return part.lower() in OWNERS
''',
        [(("Billing",), True), (("search",), True), (("mail",), False), (("",), False)],
    ),
]
