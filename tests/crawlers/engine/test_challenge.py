import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.crawlers.engine.challenge import HEADERS, START, mark

NONE = dict.fromkeys(HEADERS, "")
LAYOUT = b'<form action="/enter"><div class="g-recaptcha"></div></form>'


@pytest.mark.parametrize(
    ("status", "body", "found"),
    [
        (403, b"<TITLE>Just a moment...</TITLE>", "just a moment..."),
        (
            403,
            b"<title>Attention Required! | Cloudflare</title>",
            "attention required! | cloudflare",
        ),
        (503, b'<form id="cf-challenge"><input name="cf-chl-tk">', "cf-chl"),
        (503, b"<title>DDOS-GUARD</title>", "ddos-guard"),
        (403, b'<iframe src="/_Incapsula_Resource?SWUDNSAI=31">', "incapsula"),
        (429, b"<h1>Solve this CAPTCHA to go on</h1>", "captcha"),
        (401, b'<div id="px-captcha"></div>', "captcha"),
        (200, b"<script>window._cf_chl_opt={cvId:'3'};</script>", "_cf_chl_opt"),
        (200, b"<p>Request unsuccessful. Incapsula incident ID: 1-2</p>", "request unsuccessful"),
        (200, b'<script>document.cookie="RCPC="+toHex(x);</script>', 'document.cookie="rcpc='),
        (202, b"<script>window.gokuProps = {}</script>", "gokuprops"),
    ],
)
def test_marks_of_firewalls(status, body, found):
    assert mark(status, NONE, body).startswith(found)


@pytest.mark.parametrize("status", [200, 403, 503])
def test_headers_say_it_whatever_the_page_is(status):
    assert mark(status, {**NONE, "cf-mitigated": "challenge"}, b"") == "cf-mitigated"
    assert mark(status, {**NONE, "x-amzn-waf-action": "captcha"}, b"") == "x-amzn-waf-action"


@pytest.mark.parametrize(
    "body",
    [
        b"<title>Captcha recognition</title><p>A captcha is shown. Just a moment...</p>",
        b"<title>Problem - 7B - DDoS-Guard</title><p>Incapsula turnstile</p>" + LAYOUT,
        b'<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script><h1>Sums</h1>',
        b"",
    ],
)
def test_a_page_that_is_about_such_things_is_none(body):
    assert mark(200, NONE, body) == ""


def test_what_was_not_found_or_failed_plainly_is_none():
    assert mark(404, NONE, LAYOUT) == ""
    assert mark(500, NONE, LAYOUT) == ""
    assert mark(403, NONE, b"<h1>Forbidden</h1><p>Members only.</p>") == ""


def test_only_the_beginning_is_read():
    assert mark(403, NONE, b" " * START + b"captcha") == ""


@given(st.integers(100, 599), st.binary())
def test_any_bytes_are_read(status, body):
    assert isinstance(mark(status, NONE, body), str)
