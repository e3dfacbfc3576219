"""What may be printed: names and words that came from elsewhere must not command the terminal."""

LAYOUT = "\n\t"


def printable(text: str) -> str:
    """Return text with everything escaped that a terminal would obey instead of showing it."""
    return "".join(c if c.isprintable() or c in LAYOUT else ascii(c)[1:-1] for c in text)
