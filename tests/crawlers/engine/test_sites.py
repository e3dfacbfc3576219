"""Loopback copies of five sites, with invented problems, crawled from their first pages to the end.

Each is served as the site is: its lists, paging, robots.txt and page shapes. What is parsed out of
the pages that the engine hands on must be every problem once, and nothing else.
"""

import contextlib
import json
from collections.abc import Callable, Iterator

import pytest

from tests.crawlers.engine.toy import Listener
from tests.crawlers.server import Answer, Answers, Asked, serve
from thresher.crawlers.engine.crawl import Fetched, Polite, Summary, Wanted, crawl
from thresher.crawlers.site import Site
from thresher.crawlers.sites import atcoder, codeforces, cses, kattis, leetcode
from thresher.crawlers.statement import Call, Sample, Statement
from thresher.store.workspace import open_writer

POLITE = Polite(delay=0, throttle=False, concurrency=4, back_off=0.1)
JSON = {"Content-Type": "application/json"}


def to_json(content: object) -> Answer:
    return Answer(json.dumps(content).encode(), headers=JSON)


def sums(number: int) -> tuple[str, str]:
    """Return what a sample of a problem reads and prints; all sites but CSES show two."""
    return f"{number} {number + 1}", f"{2 * number + 1}"


# Codeforces: a list of all problems as JSON, then a page for each.


def codeforces_page(number: int, index: str) -> bytes:
    (given, wanted), (other, sum_of_other) = sums(number), sums(number + 1)
    return f"""<!DOCTYPE html><html><head><title>Problem - {number}{index}</title></head><body>
<div class="problem-statement"><div class="header"><div class="title">{index}. Two Trams</div>
<div class="time-limit"><div class="property-title">time limit per test</div>2 seconds</div>
<div class="memory-limit"><div class="property-title">memory limit per test</div>256 megabytes</div>
<div class="input-file"><div class="property-title">input</div>standard input</div>
<div class="output-file"><div class="property-title">output</div>standard output</div></div>
<div><p>Tram $$$a$$$ follows tram $$$b$$$. Add their numbers.</p></div>
<div class="input-specification"><div class="section-title">Input</div><p>Two integers.</p></div>
<div class="output-specification"><div class="section-title">Output</div><p>Their sum.</p></div>
<div class="sample-tests"><div class="section-title">Example</div><div class="sample-test">
<div class="input"><div class="title">Input</div><pre>
{given}
</pre></div><div class="output"><div class="title">Output</div><pre>
{wanted}
</pre></div><div class="input"><div class="title">Input</div><pre>
{other}
</pre></div><div class="output"><div class="title">Output</div><pre>
{sum_of_other}
</pre></div></div></div></div></body></html>""".encode()


def codeforces_copy(asked: Asked) -> Answer | bytes | None:
    if asked.path == "/robots.txt":
        return b"User-agent: *\nDisallow: /submissions/\n"
    if asked.path == "/api/problemset.problems":
        rows = [(11, "A"), (11, "B"), (12, "C1")]
        problems = [{"contestId": contest, "index": index} for contest, index in rows]
        return to_json({"status": "OK", "result": {"problems": problems}})
    _, _, kind, contest, index = asked.path.split("/")
    return codeforces_page(int(contest), index) if kind == "problem" else None


# Kattis: pages of a list, told by a query.


def kattis_page(key: str) -> bytes:
    (given, wanted), (other, sum_of_other) = sums(len(key)), sums(len(key) + 1)
    return f"""<!DOCTYPE html><html><head><title>{key.title()} - Kattis</title></head><body>
<div class="headline-wrapper"><h1>{key.title()}</h1></div><div class="problembody">
<p>Some geese meet other geese.</p><h2>Input</h2><p>Two numbers.</p>
<h2>Output</h2><p>How many meet.</p><table class="sample"><tr><th>Sample Input 1</th>
<th>Sample Output 1</th></tr><tr><td><pre>{given}
</pre></td><td><pre>{wanted}
</pre></td></tr></table><table class="sample"><tr><th>Sample Input 2</th>
<th>Sample Output 2</th></tr><tr><td><pre>{other}
</pre></td><td><pre>{sum_of_other}
</pre></td></tr></table></div><div><strong>CPU Time limit</strong> 1 second</div>
<div><strong>License</strong> <a rel="license" href="https://creativecommons.org/licenses/by-sa/4.0">
<img alt="CC BY-SA"></a></div></body></html>""".encode()


def kattis_copy(asked: Asked) -> bytes | None:
    flocks = [["geese", "hens2"], ["owls"], ["rooks", "swans"]]
    path, _, query = asked.path.partition("?page=")
    if path == "/problems" and query.isdigit():
        keys = flocks[int(query)]
        rows = "".join(f'<tr><td><a href="/problems/{key}">x</a></td></tr>' for key in keys)
        paging = "".join(f'<a href="/problems?page={n}">{n}</a>' for n in range(len(flocks)))
        return f"<table>{rows}</table>{paging}".encode()
    key = path.removeprefix("/problems/")
    return kattis_page(key) if key in sum(flocks, []) else None


# CSES: one list, with the host's wish for a delay.


def cses_page(number: int) -> bytes:
    given, wanted = sums(number)
    return f"""<!DOCTYPE html><html><head><title>CSES - Lanterns</title></head><body>
<div class="title-block"><h3>CSES Problem Set</h3><h1>Lanterns {number}</h1></div>
<div class="content"><ul class="task-constraints"><li><b>Time limit:</b> 1.00 s</li>
<li><b>Memory limit:</b> 512 MB</li></ul><div class="md"><p>Count the lanterns.</p>
<h1 id="input">Input</h1><p>Two integers.</p><h1 id="output">Output</h1><p>One integer.</p>
<h1 id="example">Example</h1><p>Input:</p><pre>{given}
</pre><p>Output:</p><pre>{wanted}
</pre></div></div></body></html>""".encode()


def cses_copy(asked: Asked) -> bytes | None:
    if asked.path == "/robots.txt":
        return b"User-agent: *\nCrawl-delay: 0.05\n"
    if asked.path == "/problemset/list/":
        tasks = "".join(f'<a href="/problemset/task/{n}">x</a>' for n in (2001, 2002, 2003))
        return f'{tasks}<a href="/251/task/L">x</a><a href="/login">x</a>'.encode()
    number = asked.path.strip("/").rpartition("/")[2]
    return cses_page(int(number)) if number.isdigit() else None


# LeetCode: one address, told apart by what is sent; a list that is one page long.


def leetcode_question(slug: str) -> dict[str, object]:
    content = """<p>Given two kites <code>a</code> and <code>b</code>, return their height.</p>
<p><strong class="example">Example 1:</strong></p><pre>
<strong>Input:</strong> a = 2, b = 3
<strong>Output:</strong> 5
</pre><p><strong class="example">Example 2:</strong></p><pre>
<strong>Input:</strong> a = 4, b = 5
<strong>Output:</strong> 9
</pre><p><strong>Constraints:</strong></p><ul><li><code>1 &lt;= a, b &lt;= 9</code></li></ul>"""
    parameters = [{"name": "a", "type": "integer"}, {"name": "b", "type": "integer"}]
    meta = {"name": "kiteHeight", "params": parameters, "return": {"type": "integer"}}
    code = "class Solution:\n    def kiteHeight(self, a: int, b: int) -> int:\n        "
    return {
        "questionFrontendId": "9001",
        "title": slug.replace("-", " ").title(),
        "titleSlug": slug,
        "content": content,
        "isPaidOnly": False,
        "categoryTitle": "Algorithms",
        "exampleTestcases": "2\n3\n4\n5",
        "exampleTestcaseList": ["2\n3", "4\n5"],
        "sampleTestCase": "2\n3",
        "metaData": json.dumps(meta),
        "topicTags": [],
        "codeSnippets": [{"langSlug": "python3", "code": code}],
    }


def leetcode_copy(asked: Asked) -> Answer | None:
    if asked.path != "/graphql/" or asked.method != "POST":
        return None
    sent = json.loads(asked.body)
    if sent["operationName"] == "questionData":
        slug = sent["variables"]["titleSlug"]
        return to_json({"data": {"question": leetcode_question(slug)}})
    rows = [("high-kites", False), ("paid-kites", True), ("low-kites", False)]
    listed = [{"titleSlug": slug, "paidOnly": paid} for slug, paid in rows]
    return to_json({"data": {"problemsetQuestionList": {"total": 3, "questions": listed}}})


# AtCoder: an archive in pages, contests with lists of tasks, and a host that is busy for a moment.


def atcoder_page(task: str) -> bytes:
    (given, wanted), (other, sum_of_other) = sums(len(task)), sums(len(task) + 1)
    return f"""<!DOCTYPE html><html><head><title>A - Ferry</title></head><body>
<span class="h2">A - Ferry<a class="btn" href="/editorial">Editorial</a></span>
<p>Time Limit: 2 sec / Memory Limit: 1024 MB</p><div id="task-statement"><span class="lang">
<span class="lang-en"><div class="part"><section><h3>Problem Statement</h3>
<p>A ferry carries <var>A</var> and then <var>B</var> people.</p></section></div>
<div class="part"><section><h3>Input</h3><p>Two integers.</p></section></div>
<div class="part"><section><h3>Output</h3><p>Print the sum.</p></section></div>
<div class="part"><section><h3>Sample Input 1</h3><pre>{given}
</pre></section></div><div class="part"><section><h3>Sample Output 1</h3><pre>{wanted}
</pre></section></div><div class="part"><section><h3>Sample Input 2</h3><pre>{other}
</pre></section></div><div class="part"><section><h3>Sample Output 2</h3><pre>{sum_of_other}
</pre></section></div></span></span></div></body></html>""".encode()


def atcoder_copy() -> Answers:
    busy = [Answer(status=503, headers={"Retry-After": "0"}), Answer(status=429)]

    def answer(asked: Asked) -> Answer | bytes | None:
        path = asked.path.removeprefix("/contests/")
        if path.startswith("archive?page="):
            contests = {"1": ["abc901", "abc902"], "2": ["arc801"]}[path[-1]]
            links = [*contests, *(f"archive?page={page}" for page in (1, 2))]
            return "".join(f'<a href="/contests/{link}">x</a>' for link in links).encode()
        contest, _, task = path.partition("/tasks")
        if not task and contest != asked.path:
            names = [f"{contest}_{letter}" for letter in "ab"]
            return "".join(f'<a href="{asked.path}/{name}">x</a>' for name in names).encode()
        if busy and task:
            return busy.pop()
        return atcoder_page(task[1:]) if task else None

    return answer


COPIES: list[tuple[Site, Callable[[], Answers]]] = [
    (codeforces.SITE, lambda: codeforces_copy),
    (kattis.SITE, lambda: kattis_copy),
    (cses.SITE, lambda: cses_copy),
    (leetcode.SITE, lambda: leetcode_copy),
    (atcoder.SITE, atcoder_copy),
]
Crawled = tuple[dict[str, list[Statement]], Summary, Summary]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    parsed: dict[str, list[Statement]] = {site.name: [] for site, _ in COPIES}

    def keep(fetched: Fetched) -> None:
        statement = fetched.site.parse(fetched.body, fetched.page.url)
        parsed[fetched.site.name].append(statement)

    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(serve(copy())) for _, copy in COPIES]
        wanted = [
            Wanted(site, home=server.home)
            for (site, _), server in zip(COPIES, servers, strict=True)
        ]
        folder = tmp_path_factory.mktemp("sites")
        with open_writer(folder) as workspace:
            summaries = [
                crawl(wanted, workspace, "tests@example.org", Listener(), then, POLITE)
                for then in (keep, lambda fetched: None)
            ]
            assert workspace.verify() is None
            yield parsed, summaries[0], summaries[1]


def keys(crawled: Crawled, name: str) -> list[str]:
    return sorted(statement.key for statement in crawled[0][name])


def test_every_problem_of_every_site_once(crawled):
    assert keys(crawled, "codeforces") == ["11A", "11B", "12C1"]
    assert keys(crawled, "kattis") == ["geese", "hens2", "owls", "rooks", "swans"]
    assert keys(crawled, "cses") == ["2001", "2002", "2003"]
    assert keys(crawled, "leetcode") == ["high-kites", "low-kites"]
    assert keys(crawled, "atcoder") == [
        "abc901_a",
        "abc901_b",
        "abc902_a",
        "abc902_b",
        "arc801_a",
        "arc801_b",
    ]


def test_what_was_fetched_and_what_not(crawled):
    _, first, second = crawled
    assert first == Summary(fetched=4 + 8 + 4 + 3 + 11)
    assert second == Summary(known=30)


def test_programs_have_their_samples(crawled):
    for name in ("codeforces", "kattis", "cses", "atcoder"):
        for statement in crawled[0][name]:
            assert statement.kind == "stdio"
            number = {"codeforces": statement.key[:2], "cses": statement.key}.get(name, "")
            first = int(number) if number else len(statement.key)
            shown = (sums(first),) if name == "cses" else (sums(first), sums(first + 1))
            assert statement.samples == tuple(Sample(f"{a}\n", f"{b}\n") for a, b in shown)


def test_functions_have_their_calls(crawled):
    for statement in crawled[0]["leetcode"]:
        assert statement.kind == "function"
        assert statement.signature.name == "kiteHeight"
        assert statement.calls == (Call({"a": 2, "b": 3}, 5), Call({"a": 4, "b": 5}, 9))


def test_addresses_are_the_sites_own(crawled):
    for site, _ in COPIES:
        for statement in crawled[0][site.name]:
            assert statement.url.startswith(f"{site.home}/")
