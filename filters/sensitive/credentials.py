"""Secrets in text, found by `betterleaks` and by the plug-ins of `detect-secrets` together.

Neither asks the network. What only a name gives away (``password = …``) must also look random,
and what documentation uses as an example is none.
"""

import functools
import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import betterleaks
from detect_secrets.plugins import (
    aws,
    azure_storage_key,
    basic_auth,
    discord,
    github_token,
    gitlab_token,
    ibm_cos_hmac,
    jwt,
    keyword,
    mailchimp,
    npm,
    openai,
    pypi_token,
    sendgrid,
    slack,
    square_oauth,
    stripe,
    telegram_token,
    twilio,
)

PIECE, OVERLAP = 1000, 200  # characters: some plug-ins take quadratic time for a line
BY_NAME = re.compile(r"generic|keyword|basicauth|azure|ibmcos|bearer", re.IGNORECASE)
EXAMPLE = re.compile(
    r"example|placeholder|dummy|sample|change_?me|your|password|passwd|secret|redacted|foobar"
    r"|(.)\1{5}|abcdef|123456|qwert|\*\*\*|<[\w ]+>|\{[\w.]*\}|\$\{?[A-Z_]{3}|%s\b|%\("
    r"|eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4g",  # John Doe, in any tutorial of web tokens
    re.IGNORECASE,
)
# What neither knows, or not everywhere: Google's keys, a header that grants access, Django's form.
FURTHER = {
    "google-api-key": re.compile(r"(?<![\w-])AIza[\w-]{35}(?![\w-])"),
    "google-oauth-secret": re.compile(r"(?<![\w-])GOCSPX-[\w-]{28}(?![\w-])"),
    "bearer-token": re.compile(r"\b[Bb]earer ([\w.~+/-]{24,400}=*)"),
    "django-secret-key": re.compile(r"django-insecure-(\S{30,80})\b"),
}
# What words, calls and paths are made of: ``auth_v2_token``, ``f(x1)``, ``SecretKeyFactory2``.
PARTS = re.compile(r"[_.\-/:()\[\], ]+")
NAME = re.compile(r"(?:[A-Z]?[a-z]{2,}){1,6}\d{0,4}|[a-z]{0,3}\d{0,4}|[A-Z]{0,20}\d{0,4}")
RUN = 5  # characters in order that nobody draws by chance
LEAST, ENTROPY = 8, 2.75  # characters, and bits a character, of what looks random


class Secret(NamedTuple):
    """What kind of secret, what was found, and in which line from 0."""

    kind: str
    found: str
    line: int


def secrets_in(lines: Sequence[str]) -> list[Secret]:
    """Return the secrets in lines of text, which may be anything.

    Raises:
        BetterleaksError: the library failed.
    """
    # it takes text up to the first NUL
    text = "\n".join(lines).replace("\0", " ").encode(errors="replace").decode()
    found = [
        Secret(each.rule_id, each.secret, each.location.start_line - 1)
        for each in betterleaks.scan_string(text)
    ]
    named: dict[int, list[str]] = {}
    for each in found:
        named.setdefault(each.line, []).append(each.found)
    found += [each for each in _by_plugins(lines) if not _is_in(each, named.get(each.line, []))]
    return [each for each in dict.fromkeys(found) if _counts(each)]


def _is_in(secret: Secret, others: list[str]) -> bool:
    return any(secret.found in other for other in others)


def _by_plugins(lines: Sequence[str]) -> Iterator[Secret]:
    known: dict[str, tuple[Secret, ...]] = {}
    for number, line in enumerate(lines):
        for piece in _pieces(line):
            if piece not in known:
                known[piece] = tuple(_in_piece(piece))
            yield from (secret._replace(line=number) for secret in known[piece])


def _pieces(line: str) -> Iterator[str]:
    if len(line) < LEAST or line.upper() == line.lower():
        return  # too short, or without letters
    for start in range(0, max(len(line) - OVERLAP, 1), PIECE - OVERLAP):
        yield line[start : start + PIECE]


def _in_piece(text: str) -> Iterator[Secret]:
    for kind, analyze in _plugins().items():
        for found in analyze(text):
            if kind in ("keyword", "basicauth") or _is_whole(found, text):
                yield Secret(kind, found, 0)
    for kind, pattern in FURTHER.items():
        for match in pattern.finditer(text):
            yield Secret(kind, match[pattern.groups], 0)


def _is_whole(found: str, text: str) -> bool:
    """Say whether what was found is no part of a longer word, such as random capitals."""
    start = text.find(found)
    before, after = text[start - 1 : start], text[start + len(found) :][:1]
    return not (before.isalnum() or after.isalnum())


def _counts(secret: Secret) -> bool:
    if EXAMPLE.search(secret.found):
        return "private-key" in secret.kind  # whose body may hold any letters
    return looks_random(secret.found) if BY_NAME.search(secret.kind) else True


def looks_random(text: str) -> bool:
    """Say whether a text may be a password or key that was made to be guessed by nobody."""
    if len(text) < LEAST or any(map(str.isspace, text)):
        return False
    kinds = (str.isdigit, str.islower, str.isupper)
    mixed = sum(any(map(kind, text)) for kind in kinds) > 1
    counts = Counter(text).values()
    entropy = -sum(n / len(text) * math.log2(n / len(text)) for n in counts)
    counted = any(_is_counted(text[at : at + RUN]) for at in range(len(text) - RUN + 1))
    return (
        mixed
        and entropy >= ENTROPY
        and not counted
        and not all(map(NAME.fullmatch, PARTS.split(text)))
    )


def _is_counted(text: str) -> bool:
    """Say whether each character is the next after the one before, as in an alphabet."""
    return all(ord(b) - ord(a) == 1 for a, b in itertools.pairwise(text))


@functools.cache
def _plugins() -> dict[str, Callable[[str], Iterator[str]]]:
    """Make the plug-ins, which hold patterns and no state, by their names."""
    kinds = [
        aws.AWSKeyDetector,
        azure_storage_key.AzureStorageKeyDetector,
        basic_auth.BasicAuthDetector,
        discord.DiscordBotTokenDetector,
        github_token.GitHubTokenDetector,
        gitlab_token.GitLabTokenDetector,
        ibm_cos_hmac.IbmCosHmacDetector,
        jwt.JwtTokenDetector,
        keyword.KeywordDetector,
        mailchimp.MailchimpDetector,
        npm.NpmDetector,
        openai.OpenAIDetector,
        pypi_token.PypiTokenDetector,
        sendgrid.SendGridDetector,
        slack.SlackDetector,
        square_oauth.SquareOAuthDetector,
        stripe.StripeDetector,
        telegram_token.TelegramBotTokenDetector,
        twilio.TwilioKeyDetector,
    ]
    return {kind.__name__.removesuffix("Detector").lower(): kind().analyze_string for kind in kinds}
