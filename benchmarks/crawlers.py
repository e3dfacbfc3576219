"""What a crawl costs: our engine and plain Scrapy on the same site with the same parser.

A server in a process of its own, whose CPU time isn't counted, gives a site in the shape of
Codeforces: lists that lead to problems. Nothing waits: no delay, no throttling. Each way crawls all
of it into parsed statements. Plain Scrapy is measured as it comes, and with its own cache of pages
on disk, because ours keeps every page too. The ways run one after another, round by round; what
counts is the median of a way's pages per CPU second, start-up included.
"""

import argparse
import asyncio
import json
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from thresher.crawlers.parsers import codeforces
from thresher.crawlers.site import Page, Seen, Site

EXAMPLES = """\
examples:
  python benchmarks/crawlers.py                         5,000 pages, 3 rounds
  python benchmarks/crawlers.py --pages 1000 --rounds 1
"""
WAYS = ("ours", "plain", "plain+cache")
PER_LIST, CONCURRENCY = 100, 16
LINK = re.compile(rb'href="(/problemset/(?:page|problem)/[^"]+)"')
WORDS = ("tram", "depot", "signal", "junction", "driver", "ticket", "platform", "timetable")


def problem(number: int) -> bytes:
    """Return a page of some 40 KB, most of it around the statement, as on the real site."""
    say = random.Random(number)  # noqa: S311

    def text(words: int) -> str:
        return " ".join(say.choices(WORDS, k=words)) + "."

    paragraphs = "".join(f"<p>{text(40)} $$$1 \\le n \\le 10^{{{i}}}$$$</p>" for i in range(2, 8))
    samples = "".join(
        f'<div class="input"><div class="title">Input</div><pre>\n{a} {a + 1}\n</pre></div>'
        f'<div class="output"><div class="title">Output</div><pre>\n{2 * a + 1}\n</pre></div>'
        for a in say.sample(range(1000), 3)
    )
    menu = "".join(
        f'<li class="item"><a class="menu" href="/m/{i}">{text(3)}</a></li>' for i in range(450)
    )
    return f"""<!DOCTYPE html><html lang="en"><head><title>Problem - {number}A</title>
<meta charset="utf-8"><script>var started = {number};</script></head><body><ul>{menu}</ul>
<div class="problemindexholder"><div class="ttypography"><div class="problem-statement">
<div class="header"><div class="title">A. Trams {number}</div>
<div class="time-limit"><div class="property-title">time limit per test</div>2 seconds</div>
<div class="memory-limit"><div class="property-title">memory limit per test</div>256 megabytes</div>
<div class="input-file"><div class="property-title">input</div>standard input</div>
<div class="output-file"><div class="property-title">output</div>standard output</div></div>
<div>{paragraphs}</div>
<div class="input-specification"><div class="section-title">Input</div><p>{text(60)}</p></div>
<div class="output-specification"><div class="section-title">Output</div><p>{text(30)}</p></div>
<div class="sample-tests"><div class="section-title">Examples</div>
<div class="sample-test">{samples}</div></div>
<div class="note"><div class="section-title">Note</div><p>{text(20)}</p></div>
</div></div></div><span class="tag-box">math</span></body></html>""".encode()


def listing(page: int, pages: int) -> bytes:
    first, last = (page - 1) * PER_LIST + 1, min(page * PER_LIST, pages)
    links = [f"/problemset/problem/{number}/A" for number in range(first, last + 1)]
    if last < pages:
        links.append(f"/problemset/page/{page + 1}")
    return "".join(f'<a href="{link}">go</a>' for link in links).encode()


def answer(path: str, pages: int) -> bytes | None:
    if path == "/robots.txt":
        return b"User-agent: *\nDisallow: /secret\n"
    _, _, kind, number, *_ = f"{path}///".split("/")
    if kind == "page":
        return listing(int(number), pages)
    return problem(int(number)) if kind == "problem" else None


async def serve(pages: int) -> None:
    """Serve until killed; the port is the first line of output."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readuntil(b"\r\n\r\n"):
            body = answer(head.split()[1].decode(), pages)
            status = "200 OK" if body else "404 Not Found"
            line = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: "
            writer.write(f"{line}{len(body or b'')}\r\n\r\n".encode() + (body or b""))
            await writer.drain()

    async def client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await handle(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(client, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def look(page: Page, body: bytes) -> Seen:
    """Follow the links of lists only: those of a statement lead nowhere new."""
    if "/problem/" in page.url:
        return Seen(is_statement=True)
    found = [Page(codeforces.HOME + link.decode()) for link in LINK.findall(body)]
    return Seen(follow=found)


SITE = Site(
    "codeforces",
    codeforces.HOME,
    "",
    lambda keys: [Page(f"{codeforces.HOME}/problemset/page/1")],
    look,
    codeforces.parse,
)


class Meter:
    """Counts pages, and notes the memory of this process and its children as they come."""

    def __init__(self, pages: int) -> None:
        self.count, self.memory = 0, dict.fromkeys((pages // 5, pages * 3 // 5, pages), 0)

    def page(self) -> None:
        """Count one page."""
        self.count += 1
        if self.count in self.memory:
            self.memory[self.count] = sum(map(resident, [os.getpid(), *children(os.getpid())]))

    def result(self) -> dict[str, Any]:
        """Return the pages, the CPU seconds of all processes, and the memory on the way."""
        used = [resource.getrusage(of) for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        cpu = sum(usage.ru_utime + usage.ru_stime for usage in used)
        return {"pages": self.count, "cpu": cpu, "memory": list(self.memory.values())}


def children(pid: int) -> list[int]:
    return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def resident(pid: int) -> int:
    """Return the MiB of memory that a process has."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) // 1024


def ours(home: str, folder: Path, meter: Meter) -> None:
    from thresher.crawlers.engine.crawl import Fetched, Polite, Wanted, crawl
    from thresher.progress import PlainReporter
    from thresher.store.workspace import open_writer

    def keep(fetched: Fetched) -> None:
        codeforces.parse(fetched.body, fetched.page.url)
        meter.page()

    polite = Polite(delay=0, throttle=False, concurrency=CONCURRENCY)
    with open_writer(folder / "workspace") as workspace:
        wanted = [Wanted(SITE, home=home)]
        summary = crawl(wanted, workspace, "bench@example.org", PlainReporter(), keep, polite)
    print(summary, file=sys.stderr)


def plain(home: str, folder: Path, meter: Meter, cache: bool) -> None:
    import scrapy
    from scrapy.crawler import AsyncCrawlerProcess

    class Problems(scrapy.Spider):
        name = "problems"
        start_urls = [f"{home}/problemset/page/1"]

        def parse(self, response: Any) -> Iterator[Any]:
            url = codeforces.HOME + response.url.removeprefix(home)
            seen = look(Page(url), response.body)
            for page in seen.follow:
                yield scrapy.Request(home + page.url.removeprefix(codeforces.HOME))
            if seen.is_statement:
                yield {"statement": codeforces.parse(response.body, url)}

    class Count:
        def process_item(self, item: Any) -> Any:
            meter.page()
            return item

    settings = {
        "ROBOTSTXT_OBEY": True,
        "LOG_LEVEL": "ERROR",
        "TELNETCONSOLE_ENABLED": False,
        "CONCURRENT_REQUESTS": CONCURRENCY,
        "CONCURRENT_REQUESTS_PER_DOMAIN": CONCURRENCY,
        "ITEM_PIPELINES": {Count: 1},
        "HTTPCACHE_ENABLED": cache,
        "HTTPCACHE_DIR": str(folder / "cache"),
    }
    process = AsyncCrawlerProcess(settings)
    process.crawl(Problems)
    process.start()


def crawl_once(way: str, home: str, pages: int) -> None:
    meter = Meter(pages)
    with tempfile.TemporaryDirectory() as folder:
        if way == "ours":
            ours(home, Path(folder), meter)
        else:
            plain(home, Path(folder), meter, way == "plain+cache")
    print(json.dumps(meter.result()))


def run(*argv: object) -> list[str]:
    return [sys.executable, __file__, *map(str, argv)]


def measure(way: str, home: str, pages: int) -> dict[str, Any]:
    command = run("--way", way, "--home", home, "--pages", pages)
    output = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
    found: dict[str, Any] = json.loads(output.splitlines()[-1])
    assert found["pages"] == pages, found
    return found


def compare(pages: int, rounds: int, ways: list[str]) -> None:
    rates: dict[str, list[float]] = {way: [] for way in ways}
    with subprocess.Popen(run("--serve", "--pages", pages), stdout=subprocess.PIPE) as server:
        try:
            assert server.stdout
            home = f"http://127.0.0.1:{int(server.stdout.readline())}"
            for number in range(rounds):
                for way in ways:
                    found = measure(way, home, pages)
                    rates[way].append(pages / found["cpu"])
                    print(
                        f"{number} {way:12} {rates[way][-1]:6.0f} pages per CPU second, MiB at a "
                        f"fifth, three fifths and the end: {found['memory']}",
                        flush=True,
                    )
        finally:
            server.kill()
    middle = {way: statistics.median(rates[way]) for way in ways}
    for way in ways:
        print(f"{way:12} {middle[way]:6.0f}  ours is {middle['ours'] / middle[way]:.2f} of it")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)
    parser.add_argument("--home", help=argparse.SUPPRESS)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        asyncio.run(serve(options.pages))
    elif options.way:
        crawl_once(options.way, options.home, options.pages)
    else:
        compare(options.pages, options.rounds, list(WAYS))


if __name__ == "__main__":
    main()
