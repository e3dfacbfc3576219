"""Words of strangers, fit to be stored, shown on a terminal and put into one line."""

import re

# Control characters, of which terminals take orders; what turns the direction of a line around;
# line ends; and surrogates, which bytes in the name of a file become that are no text.
_STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def plain(text: str) -> str:
    """Return text with a question mark for each character that isn't one to read."""
    return _STEERING.sub("?", text)
