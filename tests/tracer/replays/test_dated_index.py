"""An index as it was on a day."""

import datetime
import http.server
import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from thresher.tracer.replays import dated_index

DAY = datetime.datetime(2020, 6, 1, tzinfo=datetime.UTC)


def file(name: str, time: str | None, **more: object) -> dict[str, object]:
    return {"filename": name, "url": f"https://files.example/{name}", "upload-time": time, **more}


def names(*files: dict[str, object]) -> list[str]:
    page = dated_index.page({"files": list(files)}, DAY)
    return [
        line.partition(">")[2].removesuffix("</a>") for line in page.split("\n") if "<a " in line
    ]


@pytest.mark.parametrize(
    ("times", "kept"),
    [
        (["2020-05-31T23:59:59Z", "2020-06-01T00:00:01Z"], "0"),
        (["2020-05-31T23:59:59.123456Z", "2020-06-01T00:00:01.1Z"], "0"),
        (["2020-06-01T00:00:00Z"], "0"),
        (["2012-01-01T00:00:00Z", None], "0"),  # a file without a date may be newer
        (["2021-01-01T00:00:00Z", "2022-01-01T00:00:00Z", None], "01"),  # uploaded anew
        ([None], ""),
        ([], ""),
    ],
)
def test_what_came_later_is_left_out(times, kept):
    assert "".join(names(*(file(str(n), time) for n, time in enumerate(times)))) == kept


def test_links_keep_what_installers_look_at():
    told = file(
        "a-1.tar.gz",
        "2019-01-01T00:00:00Z",
        hashes={"sha256": "ab"},
        yanked='too "new"',
        **{"requires-python": ">=3.6,<4"},
    )
    assert dated_index.page({"files": [told]}, DAY).splitlines()[1] == (
        '<a href="https://files.example/a-1.tar.gz#sha256=ab" data-requires-python="&gt;=3.6,&lt;4"'
        ' data-yanked="too &quot;new&quot;">a-1.tar.gz</a>'
    )


def test_installers_are_sent_there_and_nowhere_else():
    env = {"PIP_INDEX_URL": "https://a/simple", "PIP_FIND_LINKS": "/w", "UV_INDEX": "file:///x"}
    assert dated_index.variables(env) == {
        "PIP_INDEX_URL": "http://127.0.0.1:3141/simple",
        "UV_DEFAULT_INDEX": "http://127.0.0.1:3141/simple",
        "THRESHER_INDEX": "https://a/simple",
        "PIP_FIND_LINKS": "",
        "UV_INDEX": "",
    }


class Index(http.server.BaseHTTPRequestHandler):
    """An index of one project."""

    def do_GET(self):
        found = self.path == "/simple/demo/"
        self.send_response(200 if found else 404)
        self.end_headers()
        listing = [
            file("demo-1.whl", "2020-01-01T00:00:00Z"),
            file("demo-2.whl", "2021-01-01T00:00:00Z"),
        ]
        listing[0]["url"] = "../../files/demo-1.whl"
        self.wfile.write(json.dumps({"files": listing}).encode() if found else b"no")

    def log_message(self, *words):
        pass


CLIENT = """
import os, sys, urllib.error, urllib.request
print(os.environ.get("PIP_PROXY"))
for name in ("demo", "none"):
    try:
        print(urllib.request.urlopen(f"http://127.0.0.1:3141/simple/{name}/").read().decode())
    except urllib.error.HTTPError as error:
        print(error.code)
sys.exit(7)
"""


@pytest.mark.xdist_group("port-3141")
def test_it_serves_while_the_command_runs():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Index) as upstream:
        threading.Thread(target=upstream.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{upstream.server_port}"
        argv = dated_index.wrapped([sys.executable, "-c", CLIENT], DAY)
        argv[argv.index(dated_index.INSIDE)] = str(Path(dated_index.__file__))
        done = subprocess.run(
            argv,
            env={"THRESHER_INDEX": f"{address}/simple", "no_proxy": "127.0.0.1", "PIP_PROXY": "x"},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        upstream.shutdown()
    assert done.returncode == 7, done.stderr
    assert f'<a href="{address}/files/demo-1.whl">demo-1.whl</a>' in done.stdout
    assert "demo-2" not in done.stdout
    assert done.stdout.startswith("None\n")
    assert done.stdout.endswith("404\n")
