"""Sdists from a real index on the loopback interface; archives made here, nothing is built."""

import hashlib
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

import pytest

from tests.tracer.archives import DEMO, reason, tar_gz, zipped
from thresher.errors import SourceError
from thresher.tracer.sources import sdist
from thresher.tracer.sources.fetched import Fetched
from thresher.tracer.sources.licence import Licence

JSON = "application/vnd.pypi.simple.v1+json"


def sha256(archive: bytes) -> str:
    return hashlib.sha256(archive).hexdigest()


class Answer(NamedTuple):
    body: bytes
    kind: str = "text/html"
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()


class Index:
    """A package index: what each path answers, 404 for the rest, and the paths asked for."""

    def __init__(self, port: int) -> None:
        self.root = f"http://127.0.0.1:{port}"
        self.url = f"{self.root}/simple"
        self.answers: dict[str, Answer] = {}
        self.asked: list[str] = []

    def page(self, name: str, *links: str, status: int = 200) -> None:
        body = "".join(f'<a href="{link}">x</a>' for link in links)
        self.answers[f"/simple/{name}/"] = Answer(body.encode(), status=status)

    def json_page(self, name: str, *files: dict[str, object]) -> None:
        body = json.dumps({"meta": {"api-version": "1.0"}, "name": name, "files": files})
        self.answers[f"/simple/{name}/"] = Answer(body.encode(), JSON)

    def file(self, name: str, archive: bytes) -> str:
        self.answers[f"/files/{name}"] = Answer(archive, "application/octet-stream")
        return f"{self.root}/files/{name}"

    def fetch(self, requirement: str) -> Fetched:
        return sdist.fetch(requirement, [self.url])


@pytest.fixture
def index() -> Iterator[Index]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.asked.append(self.path)
            answer = found.answers.get(self.path, Answer(b"none", status=404))
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.kind)
            self.send_header("Content-Length", str(len(answer.body)))
            for header in answer.headers:
                self.send_header(*header)
            self.end_headers()
            self.wfile.write(answer.body)

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        found = Index(server.server_port)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield found
        server.shutdown()
        thread.join()


def test_an_html_index(index):
    archive = tar_gz(DEMO)
    url = index.file("demo-1.0.tar.gz", archive)
    index.page("demo", f"{url}#sha256={sha256(archive)}")
    found = index.fetch("demo")
    assert (found.origin, found.archive) == ("pypi/demo/1.0", archive)
    assert index.asked == ["/simple/demo/", "/files/demo-1.0.tar.gz"]


def test_a_json_index(index):
    archive = zipped(DEMO)
    index.file("demo-1.0.zip", archive)
    file = {"filename": "demo-1.0.zip", "url": "../../files/demo-1.0.zip"}
    index.json_page("demo", {**file, "hashes": {"sha256": sha256(archive)}})
    assert index.fetch("demo").archive == archive


def test_provenance(index):
    archive = tar_gz(DEMO)
    url = index.file("demo-1.0.tar.gz", archive)
    index.page("demo", f"{url}#sha256={sha256(archive)}")
    source = index.fetch("demo").source(Licence("MIT", "PKG-INFO:4 License: MIT"))
    assert (source.kind, source.url, source.sha256) == ("sdist", url, sha256(archive))
    assert source.revision == f"1.0 sha256:{sha256(archive)}"
    assert (source.licence, source.licence_evidence) == ("MIT", "PKG-INFO:4 License: MIT")
    assert len(source.id) == 16
    again = index.fetch("demo==1.0")
    assert source.id == again.source(Licence("unknown", "")).id
    assert source.id != again.source(Licence("GPL-3.0-only", ""), "demo/part.py").id


def test_the_date_is_that_of_the_upload_where_the_index_says_it(index):
    index.file("demo-1.0.zip", zipped(DEMO))
    file = {"filename": "demo-1.0.zip", "url": "../../files/demo-1.0.zip", "hashes": {}}
    index.json_page("demo", file)
    assert index.fetch("demo").date is None
    index.json_page("demo", {**file, "upload-time": "2020-02-03T04:05:06.000Z"})
    assert str(index.fetch("demo").date) == "2020-02-03 04:05:06+00:00"


def test_a_password_in_a_link_stays_out_of_provenance(index):
    url = index.file("demo-1.0.tar.gz", tar_gz(DEMO))
    index.page("demo", url.replace("http://", "http://me:secret@"))
    assert index.fetch("demo").url == url.replace("http://", "http://***@")


@pytest.mark.parametrize(
    ("requirement", "version"),
    [
        ("demo", "1.10"),
        ("demo==1.9", "1.9"),
        ("demo<1.10", "1.9"),
        ("demo==2.0rc1", "2.0rc1"),
        ("demo>1.10", "2.0rc1"),
        ("demo==1.11", "1.11"),
        ("demo>=1,<1.10", "1.9"),
        ("demo~=1.9", "1.10"),
        ("demo!=1.10,<2", "1.9"),
        ("Demo[extra]", "1.10"),
    ],
)
def test_the_newest_that_satisfies_is_chosen(index, requirement, version):
    archive = tar_gz(DEMO)
    for name in ("demo-1.9.tar.gz", "demo-1.10.tar.gz", "demo-2.0rc1.tar.gz", "demo-1.11.tar.gz"):
        index.file(name, archive)
    links = [f"../../files/demo-{v}.tar.gz" for v in ("1.9", "1.10", "2.0rc1")]
    yanked = '../../files/demo-1.11.tar.gz" data-yanked="broken'
    index.page("demo", *links, yanked, "../../files/other-9.tar.gz")
    found = index.fetch(requirement)
    assert found.origin == f"pypi/demo/{version}"


def test_one_project_has_one_name_however_it_is_spelt(index):
    index.file("my_demo-1.0.tar.gz", tar_gz(DEMO))
    index.page("my-demo", "../../files/my_demo-1.0.tar.gz")
    assert {index.fetch(name).origin for name in ("my-demo", "My_Demo", "my.demo")} == {
        "pypi/my-demo/1.0"
    }


def test_an_index_that_redirects(index):
    index.file("demo-1.0.tar.gz", tar_gz(DEMO))
    index.page("demo", "../../files/demo-1.0.tar.gz")
    index.answers["/old/demo/"] = Answer(b"", status=301, headers=(("Location", "/simple/demo/"),))
    assert sdist.fetch("demo", [f"{index.root}/old"]).origin == "pypi/demo/1.0"


def test_a_server_that_calls_the_gz_an_encoding_gives_the_same_bytes(index):
    archive = tar_gz(DEMO)
    index.file("demo-1.0.tar.gz", archive)
    index.page("demo", f"../../files/demo-1.0.tar.gz#sha256={sha256(archive)}")
    seen = index.answers["/files/demo-1.0.tar.gz"]
    index.answers["/files/demo-1.0.tar.gz"] = seen._replace(headers=(("Content-Encoding", "gzip"),))
    assert index.fetch("demo").archive == archive


def test_another_index_may_have_it(index):
    index.file("demo-1.0.tar.gz", tar_gz(DEMO))
    index.page("demo", "../../files/demo-1.0.tar.gz")
    found = sdist.fetch("demo", [f"{index.root}/empty", index.url, f"{index.root}/empty"])
    assert found.origin == "pypi/demo/1.0"


def test_folders_of_links(tmp_path, index):
    folder = tmp_path / "a folder"
    folder.mkdir()
    archive = tar_gz(DEMO)
    (folder / "demo-3.0.tar.gz").write_bytes(archive)
    found = sdist.fetch("demo", [index.url], [str(folder)])
    assert (found.origin, found.archive) == ("pypi/demo/3.0", archive)
    assert found.url == (folder / "demo-3.0.tar.gz").as_uri()


def test_an_index_on_disk(tmp_path):
    page = tmp_path / "simple" / "demo"
    page.mkdir(parents=True)
    (tmp_path / "demo-1.0.tar.gz").write_bytes(tar_gz(DEMO))
    (page / "index.html").write_text('<a href="../../demo-1.0.tar.gz">demo</a>')
    url = (tmp_path / "simple").as_uri()
    assert sdist.fetch("demo", [url]).origin == "pypi/demo/1.0"
    assert reason(lambda: sdist.fetch("other", [url])) == "no-sdist"


@pytest.mark.parametrize("algorithm", ["sha256", "md5"])
def test_a_wrong_hash_in_an_html_link(index, algorithm):
    index.file("demo-1.0.tar.gz", tar_gz(DEMO))
    index.page("demo", f"../../files/demo-1.0.tar.gz#{algorithm}={'0' * 64}")
    assert reason(lambda: index.fetch("demo")) == "bad-hash"


def test_a_wrong_hash_in_a_json_page(index):
    url = index.file("demo-1.0.tar.gz", tar_gz(DEMO))
    index.json_page("demo", {"url": url, "hashes": {"sha256": "0" * 64}})
    assert reason(lambda: index.fetch("demo")) == "bad-hash"


def test_a_hash_by_an_algorithm_we_do_not_know_is_passed_over(index):
    url = index.file("demo-1.0.tar.gz", tar_gz(DEMO))
    index.json_page("demo", {"url": url, "hashes": {"blake9": "0", "shake_128": "0"}})
    assert index.fetch("demo").origin == "pypi/demo/1.0"


@pytest.mark.parametrize(
    "links",
    [
        ["../../files/demo-1.0-py3-none-any.whl"],
        ["../../files/demo-1.0.exe", "../../files/other-1.0.tar.gz"],
        [],
    ],
)
def test_a_release_without_a_source_archive(index, links):
    index.page("demo", *links)
    assert reason(lambda: index.fetch("demo")) == "no-sdist"


def test_an_unknown_package_and_an_unknown_version(index):
    index.page("demo", "../../files/demo-1.0.tar.gz")
    assert reason(lambda: index.fetch("nothing")) == "no-sdist"
    assert reason(lambda: index.fetch("demo==7")) == "no-sdist"


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
def test_an_index_that_refuses_is_not_a_missing_package(index, status):
    index.page("demo", status=status)
    assert reason(lambda: index.fetch("demo")) == "index-unreachable"


def test_an_index_that_is_down():
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        port = server.server_port
    down = f"http://127.0.0.1:{port}/simple"
    assert reason(lambda: sdist.fetch("demo", [down])) == "index-unreachable"


def test_plain_http_needs_trust():
    index = "http://index.invalid/simple"
    assert reason(lambda: sdist.fetch("demo", [index])) == "index-unreachable"
    with pytest.raises(SourceError, match="neither HTTPS nor a trusted host"):
        sdist.fetch("demo", [index])
    with pytest.raises(SourceError, match="didn't answer") as caught:
        sdist.fetch("demo", [index], trusted_hosts=["index.invalid"])
    assert "trusted" not in str(caught.value)


def test_a_broken_page_a_missing_file_and_a_missing_folder(index):
    index.answers["/simple/demo/"] = Answer(b"{", JSON)
    assert reason(lambda: index.fetch("demo")) == "index-unreachable"
    index.page("demo", "../../files/demo-1.0.tar.gz")
    assert reason(lambda: index.fetch("demo")) == "index-unreachable"
    missing = ["/nonexistent/folder"]
    assert reason(lambda: sdist.fetch("demo", [index.url], missing)) == "index-unreachable"


@pytest.mark.parametrize(
    "text", ["", "==1.0", "two words", "../demo", "demo==", "demo @ file:///x"]
)
def test_a_bad_requirement(text):
    assert reason(lambda: sdist.fetch(text, ["http://127.0.0.1:9/simple"])) == "bad-requirement"


def test_nothing_is_printed_for_a_missing_package(index):
    code = (
        "import sys\nfrom thresher.tracer.sources import sdist\n"
        "try: sdist.fetch('demo', [sys.argv[1]])\nexcept Exception as e: print(e.reason)"
    )
    argv = [sys.executable, "-W", "error", "-c", code, index.url]
    done = subprocess.run(argv, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert (done.stdout, done.stderr) == ("no-sdist\n", "")


def test_a_large_archive_is_not_read_to_its_end(index, monkeypatch):
    monkeypatch.setattr(sdist, "MAX_ARCHIVE", 100)
    index.file("demo-1.0.tar.gz", b"x" * 101)
    index.page("demo", "../../files/demo-1.0.tar.gz")
    assert reason(lambda: index.fetch("demo")) == "too-large"
