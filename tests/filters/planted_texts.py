"""Made-up secrets, personal data and what only looks like them; none was ever in use.

Each is a line of text as it may stand in a program or a value. They are put together here so that
no scanner takes this file for a leak.
"""

import base64
import hashlib
import json
import random
import string
import uuid
from collections.abc import Callable

LETTERS = string.ascii_letters + string.digits
UPPER = string.ascii_uppercase + string.digits
HEX = "0123456789abcdef"


def _chars(name: str, length: int, alphabet: str = LETTERS) -> str:
    """Return characters that only depend on the name."""
    return "".join(random.Random(name).choices(alphabet, k=length))


def _part(data: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(data).encode()).decode().rstrip("=")


def _body(chars: Callable[..., str]) -> str:
    return "\n".join(chars(f"row {row}", 64, LETTERS + "+/") for row in range(12))


def _pem(chars: Callable[..., str], kind: str) -> str:
    return f"-----BEGIN {kind}-----\n{_body(chars)}\n-----END {kind}-----"


def secrets(seed: int = 0) -> dict[str, str]:
    """Return by kind a text that holds such a secret; each seed gives others."""

    def chars(name: str, length: int, alphabet: str = LETTERS) -> str:
        return _chars(f"{seed} {name}", length, alphabet)

    head, claims = {"alg": "HS256", "typ": "JWT"}, {"sub": str(8812 + seed), "iat": 1516239022}
    web = f"{_part(head)}.{_part(claims)}"
    return {
        "aws access key": f"AKIA{chars('aws', 16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}",
        "aws secret key": f'aws_secret_access_key = "{chars("aws secret", 40)}"',
        "github token": f"ghp_{chars('github', 36)}",
        "github app token": f"ghs_{chars('github app', 36)}",
        "github fine-grained": f"github_pat_{chars('fine', 22)}_{chars('grained', 59)}",
        "gitlab token": f"glpat-{chars('gitlab', 20)}",
        "slack bot token": f"xoxb-{chars('s1', 12, string.digits)}-{chars('s2', 12, string.digits)}"
        f"-{chars('s3', 24)}",
        "slack webhook": f"https://hooks.slack.com/services/T{chars('w1', 8, UPPER)}/"
        f"B{chars('w2', 8, UPPER)}/{chars('w3', 24)}",
        "stripe key": f"sk_live_{chars('stripe', 24)}",
        "stripe restricted": f"rk_live_{chars('stripe r', 24)}",
        "google api key": f"AIza{chars('google', 35)}",
        "google oauth secret": f"GOCSPX-{chars('oauth', 28)}",
        "openai key": f"sk-proj-{chars('o1', 74)}T3BlbkFJ{chars('o2', 74)}",
        "anthropic key": f"sk-ant-api03-{chars('anthropic', 93)}AA",
        "hugging face token": f"hf_{chars('hf', 34, string.ascii_letters)}",
        "npm token": f"npm_{chars('npm', 36)}",
        "pypi token": f"pypi-AgEIcHlwaS5vcmc{chars('pypi', 90)}",
        "sendgrid key": f"SG.{chars('sg1', 22)}.{chars('sg2', 43)}",
        "twilio key": f"SK{chars('twilio', 32, HEX)}",
        "mailgun key": f"mailgun_key = 'key-{chars('mailgun', 32, HEX)}'",
        "mailchimp key": f"mailchimp_api_key = '{chars('mailchimp', 32, HEX)}-us12'",
        "telegram bot": f"telegram_token = '{chars('t1', 9, '123456789')}:AA{chars('t2', 33)}'",
        "discord bot": f"discord_token = 'M{chars('d1', 23)}.{chars('d2', 6)}.{chars('d3', 27)}'",
        "digitalocean token": f"dop_v1_{chars('do', 64, HEX)}",
        "shopify token": f"shpat_{chars('shopify', 32, HEX)}",
        "square token": f"sq0csp-{chars('square', 43)}",
        "azure storage": f"AccountKey={chars('azure', 86, LETTERS)}==",
        "json web token": f"{web}.{chars('jwt', 43)}",
        "rsa private key": _pem(chars, "RSA PRIVATE KEY"),
        "openssh private key": _pem(chars, "OPENSSH PRIVATE KEY"),
        "ec private key": _pem(chars, "EC PRIVATE KEY"),
        "pkcs8 private key": _pem(chars, "PRIVATE KEY"),
        "password in a url": f"postgres://admin:{chars('url', 14)}@db.corp.internal:5432/live",
        "basic auth in a url": f"https://deploy:{chars('basic', 16)}@git.corp.io/x.git",
        "password assigned": f'password = "{chars("pw", 14, LETTERS + "!%+")}9x"',
        "secret of a client": f'client_secret = "{chars("client", 32)}"',
        "api key assigned": f'API_KEY = "{chars("api", 32, HEX)}"',
        "token in a header": f'"Authorization: Bearer {chars("bearer", 40)}"',
        "api key in json": json.dumps({"api_key": chars("json", 36)}),
        "django key": f"SECRET_KEY = 'django-insecure-{chars('django', 50, LETTERS + '#%*+')}'",
        "databricks token": f"dapi{chars('dapi', 32, HEX)}",
        "vault token": f"hvs.{chars('vault', 95)}",
    }


SECRETS = secrets()
# kind: a text that holds such data
PERSONAL = {
    "address": "Written by Henrik Osterwald <h.osterwald@uni-muenster.de>",
    "free mail": "karin_brandstetter84@gmail.com",
    "subdomain": "mlopez@cs.berkeley.edu",
    "plus sign": "t.vandermeer+bills@protonmail.com",
    "address in a tuple": "('Oksana', 'oksana.hrytsenko@ukr.net', 41)",
    "mailto": '<a href="mailto:pierre.lacombe@orange.fr">',
    "german mobile": "+49 171 6239084",
    "british mobile": "+447911863052",
    "american phone": "+1 (212) 736-5041",
    "french phone": "call +33 6 48 21 97 03 at night",
    "indian phone": "+91-98230-57614",
    "dashed phone": "+1-415-682-9037",
    "german account": "DE75512108001245126199",
    "british account": "GB59 LOYD 3096 3847 1920 56",
    "dutch account": "pay to NL39RABO0300065264",
    "visa card": "4929 4212 3460 0821",
    "master card": "5307-7321-6553-1580",
    "american express": "card: 371642190784801",
    "home folder": "/home/alice/projects/tool/main.py",
    "home folder of a mac": "open('/Users/kbrandt/Desktop/data.csv')",
    "windows profile": r"C:\Users\bob\AppData\Local",
    "escaped profile": r"'D:\\Users\\tkowalczyk\\notes.txt'",
    "profile, slashes": "c:/users/mkowalski/out.log",
}
# kind: a text that holds neither
INNOCENT = {
    "md5": hashlib.md5(b"a").hexdigest(),
    "sha1": hashlib.sha1(b"abc").hexdigest(),
    "sha256": hashlib.sha256(b"abc").hexdigest(),
    "sha512": hashlib.sha512(b"abc").hexdigest(),
    "sha256 assigned": f'expected = "{hashlib.sha256(b"x").hexdigest()}"',
    "digest of a file": f'checksum = "sha256:{hashlib.sha256(b"y").hexdigest()}"',
    "commit": f"see commit {hashlib.sha1(b'z').hexdigest()}",
    "uuid": str(uuid.UUID(int=2**127 + 12345)),
    "uuid assigned": f"key = '{uuid.UUID(int=2**126 + 99999)}'",
    "base64 of words": base64.b64encode(b"the quick brown fox jumps over the lazy dog").decode(),
    "base64 assigned": f"encoded = '{base64.b64encode(b'hello world, hello moon').decode()}'",
    "hex text": "deadbeefcafebabe0123456789abcdef",
    "alphabet": string.ascii_letters + string.digits,
    "base64 alphabet": f'ALPHABET = "{LETTERS}+/"',
    "base58 key name": "key = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'",
    "plain password": 'password = "secret"',
    "doc password": "login(user='admin', password='password')",
    "password hint": 'password="your-password-here"',
    "password changeme": "PASSWORD = 'changeme'",
    "password annotated": "def login(user: str, password: str) -> bool:",
    "password passed on": "connect(host, password=options.password)",
    "password read": 'password = os.environ["PASSWORD"]',
    "password asked": "password = getpass.getpass()",
    "password words": "password: the password of the user, or None",
    "token of a lexer": 'token = "IDENTIFIER"',
    "token of text": "token == 'function_definition'",
    "key of a dict": 'key = "customer_name"',
    "sort key": "sorted(rows, key=lambda row: row.secret)",
    "secret number": "secret = 42",
    "secret word": 'secret = "banana"',
    "xs for a key": 'api_key = "xxxxxxxxxxxxxxxxxxxxxxxx"',
    "your key": "api_key = 'YOUR_API_KEY'",
    "angle key": "api_key=<your api key>",
    "placeholder url": "postgres://user:password@localhost:5432/db",
    "url of a test": "http://user:pass@example.com/path",
    "url of letters": "http://a:b@c.d/e",
    "url with port": "http://example.com:8080/path@1.2",
    "aws example": "AKIAIOSFODNN7EXAMPLE",
    "public key": _pem(_chars, "PUBLIC KEY"),
    "certificate": _pem(_chars, "CERTIFICATE"),
    "header of a key": 'if "-----BEGIN RSA PRIVATE KEY-----" in text:',
    "documented web token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
    "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ."
    "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    "random capitals": f"{_chars('capitals', 300, UPPER)}AKIA{_chars('more capitals', 300, UPPER)}",
    "random letters": _chars("letters", 900),
    "random digits": _chars("digits", 900, string.digits),
    "message id": "<960723163407.20117h@cac.washington.edu>",
    "song": "tel:+1-800-867-5309",
    "simplified path": "/home//foo/ /home/of/foo/../../bar/../../is/./here/.",
    "class path": "key=java.security.KeyFactory2",
    "name of a secret": "secret_name='aws/prod/db_password_v2'",
    "sort by token": "tokens = sorted(tokens, key=token_priority_v2)",
    "format of a token": 'token = f"{header}.{payload}.{signature}"',
    "env name": "API_KEY = os.getenv('SERVICE_API_KEY_2')",
    "word of capitals": "ACCOUNTMANAGEMENTSYSTEMSINTERNATIONAL",
    "dna": "ACGTACGGTTAACCGGTACGATCGATCGATTAGCCATGCA",
    "long number": "3141592653589793238462643383279502884197",
    "roman": "MMMCMXCIX MCMXLIV",
    "isbn": "978-3-16-148410-0",
    "ean": "4006381333931",
    "timestamp": "2026-11-30T23:59:59.123456+01:00",
    "epoch": "1700000000000000",
    "counter": "1000000000000000",
    "example address": "user@example.com",
    "example subdomain": "jane.roe@mail.example.org",
    "test domain": "karin@server.test",
    "localhost address": "root@localhost",
    "no reply": "noreply@github.com",
    "no-reply": "no-reply@accounts.google.com",
    "role address": "support@corp.io",
    "placeholder address": "foo@bar.com",
    "john doe": "john.doe@gmail.com",
    "short address": "a@b.co",
    "git address": "git@github.com:org/repo.git",
    "package": "pip install package@1.2.3",
    "decorator": "x@decorator.register",
    "matrix": "a@b.T @ c.real",
    "fictional phone": "+1 555 0123 456",
    "fictional american": "+1-202-555-0143",
    "counted phone": "+12345678901",
    "other counted": "+1 (234) 567-8901",
    "equal digits": "+44 1111 111111",
    "sum": "1+2345678901234",
    "offsets": "x = y +49 171 + 6239084",
    "signed number": "+9876543210123",
    "test visa": "4111 1111 1111 1111",
    "stripe's visa": "4242424242424242",
    "test master card": "5555555555554444",
    "test amex": "378282246310005",
    "wrong check digit": "4929 4212 3460 0822",
    "sixteen digits": "1234567812345670",
    "zeros": "0000000000000000",
    "wikipedia's iban": "GB82 WEST 1234 5698 7654 32",
    "example iban": "DE89370400440532013000",
    "wrong iban": "DE75512108001245126198",
    "home of user": "/home/user/.config/app",
    "home of a runner": "/home/runner/work/repo",
    "home of foo": "/home/foo/bar",
    "home variable": "$HOME/.cache /home/$USER/x /home/{user}/y /home/%s/z",
    "shared folder": "/Users/Shared/Library",
    "public profile": r"C:\Users\Public\Documents",
    "profile variable": r"C:\Users\%USERNAME%\AppData",
    "route": "GET /users/profile/edit",
    "web route": "https://api.example.com/home/products/list",
    "version": "1.2.3.4",
    "address of a net": "192.168.0.1 10.0.0.1 127.0.0.1 8.8.8.8",
    "date": "2026-11-30 20261130 30.11.2026",
}
