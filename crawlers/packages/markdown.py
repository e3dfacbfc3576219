"""Markdown statements as a model reads them: without the targets of links, with images named."""

import re

# Comments, and the targets of links. Each pattern ends soon wherever it begins: texts may be long.
DROPPED = re.compile(r"^[ ]{0,3}\[[^\]\n]{1,200}\]:[^\n]*$|<!--(?:(?!-->|<!--).)*+-->", re.M | re.S)
IMAGE = re.compile(
    r"!\[([^\[\]]{0,500})\]\(([^()\n]{0,500})\)"
    r"|<img\b[^<>\n]{0,300}\bsrc=[\"']?([^\"'\s<>]{1,300})[^<>\n]{0,300}>"
)
LINK = re.compile(
    r"(?<![\w$\\])\[([^\[\]\n]{1,500})\]"
    r"(?:\[[^\[\]\n]{0,200}\]|\((?:https?://|#)[^()\s]{0,500}\))"
)


def plain(source: str) -> str:
    """Return a statement without comments, with links as their text and images as their names."""
    text = IMAGE.sub(lambda found: f"[image: {found[2] or found[3] or found[1]}]", source)
    text = LINK.sub(r"\1", DROPPED.sub("", text))
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"
