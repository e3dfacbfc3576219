"""A small site for the tests of the engine, and a reporter that remembers what it is told."""

import re
from collections.abc import Sequence

from thresher.crawlers.engine.crawl import Fetched
from thresher.crawlers.site import Page, Seen, Site

LINK = re.compile(rb'href="([^"]*)"')


def problem(text: str = "add") -> bytes:
    return f"<title>Problem</title><h1>{text}</h1>".encode()


def links(*paths: str) -> bytes:
    return "".join(f'<a href="{path}">go</a>' for path in paths).encode()


def toy(name: str = "toy") -> Site:
    """Return a site whose problems have a heading and whose lists have links to follow."""
    home = f"https://{name}.test"

    def start(keys: Sequence[str]) -> list[Page]:
        return [Page(f"{home}/{key}") for key in keys or [""]]

    def look(page: Page, body: bytes) -> Seen:
        found = [link.decode() for link in LINK.findall(body)]
        pages = [Page(link if "://" in link else home + link) for link in found]
        return Seen(pages, b"<h1>" in body)

    def parse(page: bytes, url: str):
        raise NotImplementedError

    return Site(name, home, "", start, look, parse)


class Listener:
    """A reporter that keeps the lines it was told to print."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def stage(self, title: str, total: int | None) -> None:
        pass

    def step(self, note: str = "") -> None:
        pass

    def advance(self, note: str = "") -> None:
        pass

    def say(self, line: str) -> None:
        self.lines.append(line)


def paths(kept: Sequence[Fetched]) -> list[str]:
    """Return the paths of what was handed on, sorted."""
    return sorted(one.page.url.removeprefix(one.site.home) for one in kept)
