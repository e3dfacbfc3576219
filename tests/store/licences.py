"""Texts that are recognised as licences, without any of the licences' own sentences between."""

from thresher.store.licence_texts import TEXTS


def text(name: str, title: str) -> str:
    """Return a licence's title and the phrases that it is known by."""
    known = next(each for each in TEXTS if each.licence == name)
    phrases = "; ".join(known.has)
    return f"{title}\n\nCopyright (c) 2020 Somebody\n\nIt says {phrases}.\n"
