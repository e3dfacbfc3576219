"""A package index as it was on a day, for every installer alike, old and new.

Standalone, runs inside the sandbox: ``python dated_index.py TIME -- COMMAND ...`` serves the pages
of the index that ``THRESHER_INDEX`` names on a local port, without the files uploaded after TIME,
while COMMAND runs. Build dependencies are dated too, since they come from the same index.
"""

import datetime
import html
import http.server
import json
import os
import re
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping, Sequence
from typing import Any

INSIDE = "/thresher/dated_index.py"
# Fixed, since installers compare the index with that of an environment's last installation.
PORT = 3141
URL = f"http://127.0.0.1:{PORT}/simple"
JSON = "application/vnd.pypi.simple.v1+json"
SECONDS = 60


def wrapped(argv: Sequence[str], time: datetime.datetime) -> list[str]:
    """Return the command that runs another one with the index of a time (with a time zone)."""
    moment = time.astimezone(datetime.UTC).isoformat()
    return [sys.executable, "-I", INSIDE, moment, "--", *argv]


def variables(env: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that send installers to the dated index and nowhere else.

    Args:
        env: those of the index as it is now; local folders hold files without dates.
    """
    nowhere = ["PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "UV_INDEX", "UV_FIND_LINKS"]
    nowhere += ["PIP_CONSTRAINT", "UV_CONSTRAINT"]
    return {
        **dict.fromkeys((name for name in nowhere if name in env), ""),
        "PIP_INDEX_URL": URL,
        "UV_DEFAULT_INDEX": URL,
        "THRESHER_INDEX": env.get("PIP_INDEX_URL", "https://pypi.org/simple"),
    }


def page(listing: Mapping[str, Any], moment: datetime.datetime) -> str:
    """Return the page of a project, without the files that came later.

    A project of which nothing is left was uploaded anew, as codecov was: what its users had then
    is gone, and all of it is given.

    Args:
        listing: the project's page as JSON, as PEP 691 and 700 have it.
        moment: with a time zone.
    """
    dated = [file for file in listing["files"] if file.get("upload-time")]
    kept = [file for file in dated if _time(file["upload-time"]) <= moment] or dated
    links = "\n".join(
        f"<a {_attributes(file)}>{html.escape(file['filename'])}</a>" for file in kept
    )
    return f"<!DOCTYPE html><html><body>\n{links}\n</body></html>\n"


def _time(text: str) -> datetime.datetime:
    # Python 3.10 and older take neither the Z nor less than six digits.
    digits = re.sub(r"(?:\.\d+)?(?:Z|\+00:00)?$", "", text)
    return datetime.datetime.fromisoformat(digits).replace(tzinfo=datetime.timezone.utc)  # noqa: UP017


def _attributes(file: Mapping[str, Any]) -> str:
    digest = file.get("hashes", {}).get("sha256")
    link = file["url"] + (f"#sha256={digest}" if digest else "")
    found = {"href": link}
    if file.get("requires-python"):
        found["data-requires-python"] = file["requires-python"]
    if file.get("yanked"):
        found["data-yanked"] = str(file["yanked"])
    return " ".join(f'{name}="{html.escape(value)}"' for name, value in found.items())


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers for the pages of projects; `moment` and `upstream` are set at the start."""

    moment: datetime.datetime
    upstream: str

    def do_GET(self) -> None:  # noqa: N802 - the name that the base class calls
        """Answer with a project's page, or with what the index itself answers."""
        project = urllib.parse.urlsplit(self.path).path.rstrip("/").rpartition("/")[2]
        address = f"{self.upstream.rstrip('/')}/{project}/"
        request = urllib.request.Request(address, headers={"Accept": JSON})  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as answer:  # noqa: S310
                listing = json.loads(answer.read())
            listing["files"] = [
                {**file, "url": urllib.parse.urljoin(address, file["url"])}
                for file in listing["files"]
            ]
            self._answer(200, page(listing, self.moment))
        except urllib.error.HTTPError as error:
            self._answer(error.code, str(error))
        except (OSError, ValueError, LookupError, TypeError) as error:
            self._answer(502, f"the index gives no dates: {error}")

    def _answer(self, code: int, text: str) -> None:
        body = text.encode()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words: object) -> None:
        """Print nothing among the command's output."""


def main(moment: str, *arguments: str) -> int:
    """Serve while the command runs; return its exit code."""
    # Unlike the other variables, this one has pip go through the proxy even to our own port.
    os.environ.pop("PIP_PROXY", None)
    Handler.moment = datetime.datetime.fromisoformat(moment)
    Handler.upstream = os.environ["THRESHER_INDEX"]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return subprocess.call(arguments[arguments.index("--") + 1 :])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
