"""What a host's robots.txt says, as RFC 9309 has it read."""

import hashlib
from dataclasses import dataclass

from protego import Protego

NAME = "thresher"  # our name in robots.txt; a whole user agent would match words of the contact
MOST_BYTES = 500 << 10
LONGEST = 1 << 30  # seconds; more digits than a float has may stand there


@dataclass(frozen=True)
class Robots:
    """The rules for us on one host.

    Attributes:
        said: the decision on a page that is allowed, for its source's record.
        delay: the seconds that shall lie between two requests.
        body: the file, empty where there is none.
    """

    rules: Protego
    said: str
    delay: float = 0.0
    body: bytes = b""

    def allows(self, url: str) -> bool:
        """Say whether we may ask for a page."""
        return self.rules.can_fetch(url, NAME)


def read(status: int, body: bytes) -> Robots:
    """Return the rules in an answer with status 2xx or 4xx; the latter says that there are none."""
    if status >= 400:
        return Robots(Protego.parse(""), f"no robots.txt ({status})")
    kept = body[:MOST_BYTES]
    rules = Protego.parse(kept.decode("utf-8-sig", "replace"))
    said = f"allowed by robots.txt (sha256 {hashlib.sha256(kept).hexdigest()})"
    return Robots(rules, said, _delay(rules), kept)


def _delay(rules: Protego) -> float:
    rate = rules.request_rate(NAME)
    spread = min(rate.seconds, LONGEST) / rate.requests if rate else 0.0
    return max(rules.crawl_delay(NAME) or 0.0, spread)
