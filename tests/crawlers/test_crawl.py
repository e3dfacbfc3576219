"""Statements of collections and saved pages become problems, each once."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawlers.test_assemble import program
from thresher.crawlers.crawl import Crawler, Place
from thresher.crawlers.site import Collection, Found, Page, Seen, Site
from thresher.crawlers.statement import Statement
from thresher.errors import SourceError
from thresher.judging import Judged, Judges
from thresher.progress import PlainReporter
from thresher.store.funnel import CRAWL
from thresher.store.records import Decision, Problem, Source
from thresher.store.workspace import Workspace, open_reader, open_writer

GOOD = b"print(sum(map(int, input().split())))\n"
BAD = b"print(0)\n"


def read(folder: Path) -> Iterator[Found]:
    for path in sorted(folder.iterdir()):
        yield Found(path.stem, path.read_bytes(), parsed(path.read_bytes(), path.stem))


def parsed(page: bytes, key: str) -> Statement | SourceError:
    if b"print" not in page:
        return SourceError("not-a-problem", f"{key}: no program")
    return program(page.decode(), key=key)


def parse(page: bytes, url: str) -> Statement:
    found = parsed(page, url.rpartition("/")[2] or "saved")
    if isinstance(found, SourceError):
        raise found
    return found


COLLECTION = Collection("demo", "the files say MIT", read)
SITE = Site("demo", "https://demo.example", "terms", lambda keys: [], lambda p, b: Seen(), parse)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "items"
    folder.mkdir()
    for name, text in {"a": GOOD, "b": BAD, "c": b"nothing"}.items():
        (folder / name).write_bytes(text)
    return folder


def crawler(workspace: Workspace, judges: Judges) -> Crawler:
    return Crawler(workspace, judges, PlainReporter())


def place(folder: Path) -> Place:
    return Place(folder, "https://example.org/demo", "0123abc", "read from disk")


def decisions(workspace: Workspace) -> dict[str, str]:
    found = workspace.select(Decision, "filter = $1", CRAWL)
    return {one.subject: one.reason for one in found}


def test_every_item_of_a_collection_is_decided_once(tmp_path: Path, folder: Path) -> None:
    with Judges(1) as judges, open_writer(tmp_path / "w") as workspace:
        first = crawler(workspace, judges)
        first.collection(COLLECTION, place(folder))
        assert (first.tally.made, first.tally.aside, first.tally.known) == (1, 2, 0)
        assert decisions(workspace) == {
            "demo/a": "made",
            "demo/b": "solution-disagrees",
            "demo/c": "not-a-problem",
        }
        again = crawler(workspace, judges)
        again.collection(COLLECTION, place(folder))
        assert (again.tally.made, again.tally.aside, again.tally.known) == (0, 0, 3)
        (folder / "b").write_bytes(GOOD)
        again.collection(COLLECTION, place(folder))
        assert (again.tally.made, again.tally.known) == (1, 5)
        assert workspace.verify() is None
        assert workspace.verify_blobs() is None
    with open_reader(tmp_path / "w") as workspace:
        a, b = workspace.current(Problem)
        source = workspace.select(Source, "id = $1", a.source)[-1]
    assert (source.kind, source.url, source.revision) == (
        "problem package",
        "https://example.org/demo#a",
        "0123abc",
    )
    assert (source.licence, source.licence_evidence) == ("unknown", "the files say MIT")
    assert b.canonical_solution == GOOD.decode()


def test_saved_pages_are_read_from_folders_within(tmp_path: Path, folder: Path) -> None:
    (folder / "deep").mkdir()
    (folder / "deep" / "d.html").write_bytes(GOOD)
    (folder / "link").symlink_to("/etc/passwd")
    with Judges(1) as judges, open_writer(tmp_path / "w") as workspace:
        reading = crawler(workspace, judges)
        reading.saved(SITE, folder)
        assert (reading.tally.made, reading.tally.aside) == (2, 2)
        sources = workspace.select(Source)
        assert {source.licence_evidence for source in sources} == {"terms"}
        assert all("passwd" not in source.url for source in sources)


def test_a_saved_page_that_names_no_problem_is_named_after_its_file(tmp_path: Path) -> None:
    def nameless(page: bytes, url: str) -> Statement:
        return program(page.decode(), key="")

    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "p1.content.html").write_bytes(GOOD)
    (folder / "p2.html").write_bytes(BAD)
    with Judges(1) as judges, open_writer(tmp_path / "w") as workspace:
        crawler(workspace, judges).saved(dataclasses.replace(SITE, parse=nameless), folder)
        assert decisions(workspace) == {"demo/p1": "made", "demo/p2": "solution-disagrees"}


def test_a_fetched_page_is_named_by_its_address(tmp_path: Path) -> None:
    with Judges(1) as judges, open_writer(tmp_path / "w") as workspace:
        reading = crawler(workspace, judges)
        page = Page("https://demo.example/problem/9")
        source = reading._source(b"nothing", page.url, "allowed")
        reading.page(SITE, page, b"nothing", source)
        assert decisions(workspace) == {"demo/problem/9": "not-a-problem"}


def test_what_the_sandbox_failed_on_is_tried_again(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = Judged("infrastructure_error", None, "no sandbox", 0.0, 0.0)
    with Judges(1) as judges, open_writer(tmp_path / "w") as workspace:
        with monkeypatch.context() as patched:
            patched.setattr(judges, "verdict", lambda *_: failed)
            broken = crawler(workspace, judges)
            broken.collection(COLLECTION, place(folder))
        assert list(broken.tally.pending) == ["demo/a", "demo/b"]
        mended = crawler(workspace, judges)
        mended.collection(COLLECTION, place(folder))
        assert (mended.tally.made, mended.tally.aside, mended.tally.known) == (1, 1, 1)
