"""Sdists from a real index on the loopback interface; archives made here, nothing is built."""

import gzip
import hashlib
import io
import json
import os
import random
import subprocess
import sys
import tarfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.errors import SourceError
from thresher.tracer import sdist

METADATA = (
    "Metadata-Version: 2.4\nName: demo\nVersion: 1.0\nLicense-Expression: MIT\n\nLicense: no\n"
)
DEMO = {"demo-1.0/PKG-INFO": METADATA, "demo-1.0/demo/__init__.py": "x = 1\n"}
JSON = "application/vnd.pypi.simple.v1+json"


def tar_gz(files: dict[str, str], *others: tarfile.TarInfo) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz") as tar:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            tar.addfile(info, io.BytesIO(text.encode()))
        for info in others:
            tar.addfile(info)
    return target.getvalue()


def zipped(files: dict[str, str]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, text in files.items():
            bundle.writestr(name, text)
    return target.getvalue()


def special(name: str, kind: bytes, linkname: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, linkname
    return info


def sha256(archive: bytes) -> str:
    return hashlib.sha256(archive).hexdigest()


def reason(call: Callable[[], object]) -> str:
    with pytest.raises(SourceError) as caught:
        call()
    assert "\n" not in str(caught.value)
    return caught.value.reason


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

    def fetch(self, requirement: str) -> sdist.Sdist:
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
    assert (found.name, found.version, found.archive) == ("demo", "1.0", archive)
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
    source = index.fetch("demo").source
    assert (source.kind, source.url, source.sha256) == ("sdist", url, sha256(archive))
    assert source.revision == f"1.0 sha256:{sha256(archive)}"
    assert (source.licence, source.licence_evidence) == ("MIT", "PKG-INFO License-Expression: MIT")
    assert len(source.id) == 16
    assert source.id == index.fetch("demo==1.0").source.id


def test_a_password_in_a_link_stays_out_of_provenance(index):
    url = index.file("demo-1.0.tar.gz", tar_gz(DEMO))
    index.page("demo", url.replace("http://", "http://me:secret@"))
    source = index.fetch("demo").source
    assert source.url == url.replace("http://", "http://***@")


@pytest.mark.parametrize(
    ("requirement", "version"),
    [
        ("demo", "1.10"),
        ("demo==1.9", "1.9"),
        ("demo<1.10", "1.9"),
        ("demo==2.0rc1", "2.0rc1"),
        ("demo>1.10", "2.0rc1"),
        ("demo==1.11", "1.11"),
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
    assert (found.name, found.version) == ("demo", version)


def test_one_project_has_one_name_however_it_is_spelt(index):
    index.file("my_demo-1.0.tar.gz", tar_gz(DEMO))
    index.page("my-demo", "../../files/my_demo-1.0.tar.gz")
    assert {index.fetch(name).name for name in ("my-demo", "My_Demo", "my.demo")} == {"my-demo"}


def test_an_index_that_redirects(index):
    index.file("demo-1.0.tar.gz", tar_gz(DEMO))
    index.page("demo", "../../files/demo-1.0.tar.gz")
    index.answers["/old/demo/"] = Answer(b"", status=301, headers=(("Location", "/simple/demo/"),))
    assert sdist.fetch("demo", [f"{index.root}/old"]).version == "1.0"


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
    assert found.version == "1.0"


def test_folders_of_links(tmp_path, index):
    folder = tmp_path / "a folder"
    folder.mkdir()
    archive = tar_gz(DEMO)
    (folder / "demo-3.0.tar.gz").write_bytes(archive)
    found = sdist.fetch("demo", [index.url], [str(folder)])
    assert (found.version, found.archive) == ("3.0", archive)
    assert found.source.url == (folder / "demo-3.0.tar.gz").as_uri()


def test_an_index_on_disk(tmp_path):
    page = tmp_path / "simple" / "demo"
    page.mkdir(parents=True)
    (tmp_path / "demo-1.0.tar.gz").write_bytes(tar_gz(DEMO))
    (page / "index.html").write_text('<a href="../../demo-1.0.tar.gz">demo</a>')
    url = (tmp_path / "simple").as_uri()
    assert sdist.fetch("demo", [url]).version == "1.0"
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
    assert index.fetch("demo").version == "1.0"


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
        "import sys\nfrom thresher.tracer import sdist\n"
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


def test_a_damaged_archive_is_told_when_fetched(index):
    index.file("demo-1.0.tar.gz", b"not an archive")
    index.page("demo", "../../files/demo-1.0.tar.gz")
    assert reason(lambda: index.fetch("demo")) == "bad-archive"


def tree(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("make", [tar_gz, zipped])
def test_unpacking(tmp_path, make):
    stale = tmp_path / "out" / "stale"
    stale.parent.mkdir()
    stale.write_text("from an earlier run")
    sdist.unpack(make(DEMO), "demo", tmp_path / "out")
    assert tree(tmp_path / "out") == {"PKG-INFO": METADATA, "demo/__init__.py": "x = 1\n"}


def test_unpacking_bz2(tmp_path):
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:bz2") as tar:
        tar.addfile(tarfile.TarInfo("demo-1.0/a"))
    sdist.unpack(target.getvalue(), "demo", tmp_path / "out")
    assert tree(tmp_path / "out") == {"a": ""}


def test_files_beside_the_top_folder_and_dots_in_names(tmp_path):
    archive = tar_gz({"pax_global": "", "./demo-1.0/a": "1", "demo-1.0//b/./c": "2"})
    sdist.unpack(archive, "demo", tmp_path / "out")
    assert tree(tmp_path / "out") == {"a": "1", "b/c": "2"}


@pytest.mark.parametrize("make", [tar_gz, zipped])
@pytest.mark.parametrize("path", ["../evil", "demo-1.0/../../evil", "/evil/evil", "//evil/evil"])
def test_paths_outside_the_folder_are_refused(tmp_path, make, path):
    archive = make({**DEMO, path: "evil"})
    assert reason(lambda: sdist.unpack(archive, "demo", tmp_path / "out")) == "bad-archive"
    assert "evil" not in tree(tmp_path).values()


@pytest.mark.parametrize(
    "entry",
    [
        special("demo-1.0/link", tarfile.SYMTYPE, "/etc"),
        special("demo-1.0/link", tarfile.LNKTYPE, "demo-1.0/PKG-INFO"),
        special("demo-1.0/null", tarfile.CHRTYPE),
        special("demo-1.0/disk", tarfile.BLKTYPE),
        special("demo-1.0/pipe", tarfile.FIFOTYPE),
        special("demo-1.0/folder", tarfile.DIRTYPE),
        special("../link", tarfile.SYMTYPE, ".."),
    ],
    ids=lambda entry: f"{entry.name}-{entry.type!r}",
)
def test_links_and_devices_are_passed_over(tmp_path, entry):
    sdist.unpack(tar_gz(DEMO, entry), "demo", tmp_path / "out")
    assert sorted(path.name for path in tmp_path.rglob("*")) == [
        "PKG-INFO",
        "__init__.py",
        "demo",
        "out",
    ]


def test_nothing_is_written_through_a_link(tmp_path):
    link = special("demo-1.0/out", tarfile.SYMTYPE, str(tmp_path))
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz") as tar:
        tar.addfile(link)
        tar.addfile(tarfile.TarInfo("demo-1.0/out/evil"))
    sdist.unpack(target.getvalue(), "demo", tmp_path / "out")
    assert tree(tmp_path) == {"out/out/evil": ""}


def test_links_in_a_zip_are_passed_over(tmp_path):
    link = zipfile.ZipInfo("demo-1.0/link")
    link.external_attr = 0o120777 << 16
    target = io.BytesIO(zipped(DEMO))
    with zipfile.ZipFile(target, "a") as bundle:
        bundle.writestr(link, "/etc/passwd")
    sdist.unpack(target.getvalue(), "demo", tmp_path / "out")
    assert tree(tmp_path / "out").keys() == {"PKG-INFO", "demo/__init__.py"}


@pytest.mark.parametrize(
    "files",
    [
        {"demo/a": "", "demo/a/b": ""},
        {"demo/a/b": "", "demo/a": ""},
        {"demo/" + "x" * 300: ""},
    ],
)
def test_members_that_clash(tmp_path, files):
    archive = tar_gz(files)
    assert reason(lambda: sdist.unpack(archive, "demo", tmp_path / "out")) == "bad-archive"


def test_a_disk_that_cannot_be_written_is_not_the_archives_fault(tmp_path):
    if os.geteuid() == 0:
        target = Path("/proc/thresher")
    else:
        tmp_path.chmod(0o500)
        target = tmp_path / "out"
    with pytest.raises(OSError):
        sdist.unpack(tar_gz(DEMO), "demo", target)


@pytest.mark.parametrize("make", [tar_gz, zipped])
def test_bombs(tmp_path, monkeypatch, make):
    monkeypatch.setattr(sdist, "MAX_UNPACKED", 30_000)
    archive = make({"demo/a": "0" * 20_000, "demo/b": "0" * 20_000})
    assert len(archive) < 1000
    assert reason(lambda: sdist.unpack(archive, "demo", tmp_path / "out")) == "too-large"


def test_a_bomb_in_a_header(tmp_path, monkeypatch):
    monkeypatch.setattr(sdist, "MAX_UNPACKED", 100_000)
    header = special("name", tarfile.GNUTYPE_LONGNAME)
    header.size = 1 << 30
    plain = header.tobuf(tarfile.GNU_FORMAT) + bytes(200_000)
    archive = gzip.compress(plain)
    assert reason(lambda: sdist.unpack(archive, "demo", tmp_path / "out")) == "too-large"


def forged(name: str, kind: bytes, field: slice, value: bytes) -> bytes:
    """Make a tar header with a field that tarfile wouldn't write."""
    block = bytearray(special(name, kind).tobuf(tarfile.GNU_FORMAT))
    block[field] = value
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


SIZE, REAL_SIZE = slice(124, 136), slice(483, 495)
SPARSE = forged("demo/a", tarfile.GNUTYPE_SPARSE, REAL_SIZE, b"77777777777\0")


def negative(size: int) -> bytes:
    return size.to_bytes(12, "big", signed=True)


@pytest.mark.parametrize(
    "headers",
    [
        SPARSE,
        forged("demo/b", tarfile.DIRTYPE, SIZE, negative(-(1 << 60))) + SPARSE,
        forged("demo/b", b"~", SIZE, negative(-512)),  # would be read for ever
    ],
    ids=["sparse", "sparse after a negative size", "endless"],
)
def test_forged_sizes(headers):
    archive = gzip.compress(special("demo/0", tarfile.REGTYPE).tobuf() + headers + bytes(1024))
    assert reason(lambda: list(sdist.members(archive, "demo"))) == "too-large"


@pytest.mark.parametrize("kind", [tarfile.REGTYPE, tarfile.DIRTYPE])
def test_too_many_entries(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(sdist, "MAX_MEMBERS", 10)
    archive = tar_gz({}, *(special(f"demo/{n}", kind) for n in range(11)))
    assert reason(lambda: sdist.unpack(archive, "demo", tmp_path / "out")) == "too-large"


def test_a_truncated_archive(tmp_path):
    archive = tar_gz({"demo/a": random.Random(1).randbytes(50_000).hex()})
    for end in (0, 1, 5, 20, 1000, len(archive) // 2, len(archive) - 1):
        broken = archive[:end]
        assert reason(lambda b=broken: sdist.unpack(b, "demo", tmp_path / "out")) == "bad-archive"


def test_damage_inside_a_member(tmp_path):
    archive = bytearray(zipped({"demo/a": random.Random(1).randbytes(5_000).hex()}))
    archive[2_000] ^= 0xFF
    assert reason(lambda: sdist.unpack(bytes(archive), "demo", tmp_path / "out")) == "bad-archive"


def test_an_encrypted_zip(tmp_path):
    archive = bytearray(zipped(DEMO))
    for sign, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        archive[archive.index(sign) + offset] |= 1
    assert reason(lambda: sdist.unpack(bytes(archive), "demo", tmp_path / "out")) == "bad-archive"


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damage_anywhere_is_a_source_error_or_nothing(data):
    archive = bytearray(data.draw(st.sampled_from([PLAIN_ZIP, PLAIN_TAR])))
    for _ in range(data.draw(st.integers(1, 4))):
        archive[data.draw(st.integers(0, len(archive) - 1))] = data.draw(st.integers(0, 255))
    packed = bytes(archive) if archive[:1] == b"P" else gzip.compress(bytes(archive), 1)
    try:
        found = list(sdist.members(packed, "demo"))
    except SourceError as error:
        assert error.reason in {"bad-archive", "too-large"}
    else:
        assert all(".." not in m.path.parts and not m.path.is_absolute() for m in found)


PLAIN_ZIP, PLAIN_TAR = zipped(DEMO), gzip.decompress(tar_gz(DEMO))
PARTS = st.sampled_from(["..", ".", "", "/", "a", "b", "~", "C:", "\\", "..\\x", "é", "\x01", " "])
NAMES = st.lists(PARTS, min_size=1, max_size=5).map("/".join)


@settings(max_examples=150, deadline=None)
@given(names=st.lists(NAMES, max_size=4), make=st.sampled_from([tar_gz, zipped]))
def test_nothing_is_ever_written_outside(tmp_path_factory, names, make):
    root = tmp_path_factory.mktemp("root")
    archive = make(dict.fromkeys(filter(None, names), "x"))
    try:
        sdist.unpack(archive, "demo", root / "deep" / "out")
    except SourceError as error:
        assert error.reason == "bad-archive"
    outside = [path for path in root.rglob("*") if root / "deep" / "out" not in path.parents]
    assert sorted(outside) == [root / "deep", root / "deep" / "out"]


def test_metadata_is_the_top_pkg_info(tmp_path):
    nested = {"demo-1.0/demo.egg-info/PKG-INFO": "Name: nested\n", **DEMO}
    found = sdist.metadata(tar_gz(nested), "demo")
    assert (found["Name"], found["License"]) == ("demo", None)


def test_metadata_of_an_archive_without_any():
    assert not sdist.metadata(tar_gz({"demo/setup.py": "raise SystemExit('built')"}), "demo").keys()


def test_metadata_in_an_odd_encoding():
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as bundle:
        bundle.writestr("demo/PKG-INFO", b"Name: demo\nAuthor: Andr\xe9\nLicense: MIT\n")
    found = sdist.metadata(archive.getvalue(), "demo")
    assert (found["Author"], found["License"]) == ("Andr�", "MIT")


def test_members_are_relative_to_the_top_folder():
    assert [m.path for m in sdist.members(tar_gz(DEMO), "demo")] == [
        PurePosixPath("PKG-INFO"),
        PurePosixPath("demo/__init__.py"),
    ]
