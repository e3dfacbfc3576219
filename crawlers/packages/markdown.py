"""Markdown statements as a model reads them: without the targets of links, with images named."""

import re

# Comments, the targets of links, HTML that only shows an image.
DROPPED = re.compile(r"^[ ]{0,3}\[[^\]\n]+\]:.*$|<!--.*?-->", re.M | re.S)
IMAGE = re.compile(r"!\[([^\[\]\n]*)\]\(([^()\n]*)\)|<img\b[^>\n]*\bsrc=[\"']?([^\"'\s>]+)[^>\n]*>")
LINK = re.compile(r"(?<![\w$\\])\[([^\[\]\n]+)\](?:\[[^\[\]\n]*\]|\(https?://[^()\s]*\))")


def plain(source: str) -> str:
    """Return a statement without comments, with links as their text and images as their names."""
    text = IMAGE.sub(lambda found: f"[image: {found[2] or found[3] or found[1]}]", source)
    text = LINK.sub(r"\1", DROPPED.sub("", text))
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"
