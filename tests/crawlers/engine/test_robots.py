import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.crawlers.engine.robots import LONGEST, MOST_BYTES, read

SITE = "https://example.org"


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ("User-agent: *\nDisallow: /a\n", "/a/b", False),
        ("User-agent: *\nDisallow: /a\n", "/b", True),
        ("User-agent: *\nDisallow: /\nAllow: /a\n", "/a/b", True),
        ("User-agent: *\nDisallow: /*?order=\n", "/list?order=3", False),
        ("User-agent: *\nDisallow: /a$\n", "/a/b", True),
        ("User-agent: *\nDisallow:\n", "/a", True),
        ("User-agent: Thresher\nDisallow: /\n\nUser-agent: *\nDisallow:\n", "/a", False),
        ("User-agent: thresher\nDisallow:\n\nUser-agent: *\nDisallow: /\n", "/a", True),
        ("User-agent: thresher\nUser-agent: other\nDisallow: /a\n", "/a", False),
        ("User-agent: example\nDisallow: /\n", "/a", True),  # a word of somebody's contact
        ("\ufeffUser-agent: *\nDisallow: /a\n", "/a", False),
        ("User-agent: *\rDisallow: /a\r", "/a", False),
        ("User-agent: *\nDisallow: /ü\n", "/%C3%BC", False),
        ("<html>not found</html>", "/a", True),
        ("", "/a", True),
    ],
)
def test_rules(text, path, allowed):
    assert read(200, text.encode()).allows(SITE + path) is allowed


def test_status_4xx_is_no_rules():
    found = read(404, b"User-agent: *\nDisallow: /\n")
    assert found.allows(f"{SITE}/a")
    assert (found.said, found.body, found.delay) == ("no robots.txt (404)", b"", 0.0)


@pytest.mark.parametrize(
    ("text", "delay"),
    [
        ("User-agent: *\nCrawl-delay: 2.5\n", 2.5),
        ("User-agent: *\nCrawl-delay: 10\n\nUser-agent: thresher\nCrawl-delay: 1\n", 1.0),
        ("User-agent: *\nRequest-rate: 1/5\n", 5.0),
        ("User-agent: *\nRequest-rate: 10/1m\nCrawl-delay: 1\n", 6.0),
        (f"User-agent: *\nRequest-rate: 1/{'9' * 500}\n", float(LONGEST)),
        ("User-agent: *\nCrawl-delay: -3\n", 0.0),
        ("User-agent: *\nCrawl-delay: nan\n", 0.0),
        ("User-agent: *\nCrawl-delay: soon\n", 0.0),
        ("User-agent: other\nCrawl-delay: 9\n", 0.0),
    ],
)
def test_delays(text, delay):
    assert read(200, text.encode()).delay == delay


def test_only_the_first_500_kib_count():
    text = b"User-agent: *\nDisallow: /a\n"
    text += b"#" * (MOST_BYTES - len(text) - 1) + b"\nDisallow: /b\n"
    found = read(200, text)
    assert not found.allows(f"{SITE}/a")
    assert found.allows(f"{SITE}/b")
    assert len(found.body) == 512_000
    assert found.said == f"allowed by robots.txt (sha256 {hashlib.sha256(found.body).hexdigest()})"


@given(st.binary(), st.text())
def test_any_bytes_are_read(body, path):
    found = read(200, b"User-agent: *\nDisallow: /\n" + body)
    assert isinstance(found.allows(f"{SITE}/{path}"), bool)
    assert found.delay >= 0
