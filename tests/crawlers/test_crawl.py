"""Statements of collections and saved pages become problems, each once."""

import dataclasses
import errno
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.crawlers.test_assemble import program
from thresher.crawlers import assemble, crawl
from thresher.crawlers.crawl import Crawler, Place
from thresher.crawlers.own import with_solutions
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
    found = parsed(page, url.rpartition("/")[2] or page.decode().partition("#")[2].strip() or "s")
    if isinstance(found, SourceError):
        raise found
    return found


COLLECTION = Collection("demo", "the files say MIT", read)
SITE = Site("demo", "https://demo.example", "terms", lambda keys: [], lambda p, b: Seen(), parse)


@pytest.fixture(scope="module")
def judges() -> Iterator[Judges]:
    with Judges(1) as running:
        yield running


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


def test_every_item_of_a_collection_is_decided_once(
    tmp_path: Path, folder: Path, judges: Judges
) -> None:
    with open_writer(tmp_path / "w") as workspace:
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


def test_saved_pages_are_read_from_folders_within(
    tmp_path: Path, folder: Path, judges: Judges
) -> None:
    (folder / "deep").mkdir()
    (folder / "deep" / "d.html").write_bytes(GOOD + b"# deep\n")
    (folder / "link").symlink_to("/etc/passwd")
    with open_writer(tmp_path / "w") as workspace:
        reading = crawler(workspace, judges)
        reading.saved(SITE, folder)
        assert (reading.tally.made, reading.tally.aside) == (2, 2)
        sources = workspace.select(Source)
        assert {source.licence_evidence for source in sources} == {"terms"}
        assert all("passwd" not in source.url for source in sources)


def test_a_saved_page_that_names_no_problem_is_named_after_its_file(
    tmp_path: Path, judges: Judges
) -> None:
    def nameless(page: bytes, url: str) -> Statement:
        return program(page.decode(), key="")

    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "p1.content.html").write_bytes(GOOD)
    (folder / "p2.html").write_bytes(BAD)
    with open_writer(tmp_path / "w") as workspace:
        crawler(workspace, judges).saved(dataclasses.replace(SITE, parse=nameless), folder)
        assert decisions(workspace) == {"demo/p1": "made", "demo/p2": "solution-disagrees"}


def test_a_fetched_page_is_named_by_its_address(tmp_path: Path, judges: Judges) -> None:
    with open_writer(tmp_path / "w") as workspace:
        reading = crawler(workspace, judges)
        page = Page("https://demo.example/problem/9")
        source = reading._source(b"nothing", page.url, "allowed")
        reading.page(SITE, page, b"nothing", source)
        assert decisions(workspace) == {"demo/problem/9": "not-a-problem"}


def test_what_the_sandbox_failed_on_is_tried_again(
    tmp_path: Path, folder: Path, judges: Judges, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = Judged("infrastructure_error", None, "no sandbox", 0.0, 0.0)
    with open_writer(tmp_path / "w") as workspace:
        with monkeypatch.context() as patched:
            patched.setattr(judges, "verdict", lambda *_: failed)
            broken = crawler(workspace, judges)
            broken.collection(COLLECTION, place(folder))
        assert list(broken.tally.pending) == ["demo/a", "demo/b"]
        mended = crawler(workspace, judges)
        mended.collection(COLLECTION, place(folder))
        assert (mended.tally.made, mended.tally.aside, mended.tally.known) == (1, 1, 1)


def test_a_name_that_is_taken_takes_nothing_away(
    tmp_path: Path, folder: Path, judges: Judges
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "a").write_bytes(GOOD + b"# another\n")
    (other / "c").write_bytes(b"nothing, either")
    places = [place(folder), Place(other, "https://example.org/other", "", "read from disk")]
    with open_writer(tmp_path / "w") as workspace:
        for _ in range(2):
            reading = crawler(workspace, judges)
            for each in places:
                reading.collection(COLLECTION, each)
        assert reading.tally.known == 5
        found = decisions(workspace)
        assert found.pop("demo/a of https://example.org/other#a") == "name-taken"
        assert found.pop("demo/c of https://example.org/other#c") == "not-a-problem"
        assert found.keys() == {"demo/a", "demo/b", "demo/c"}
        (kept,) = workspace.current(Problem)
        assert "another" not in kept.canonical_solution


def test_what_nobody_thought_of_is_left_out_and_said(
    tmp_path: Path, judges: Judges, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(page: bytes, url: str) -> Statement:
        raise KeyError(page.decode())

    def surrogate(page: bytes, url: str) -> Statement:
        return program(GOOD.decode(), text="a \ud800 b")

    def torn(folder: Path) -> Iterator[Found]:
        yield Found("one", b"", SourceError("no-samples", "none"))
        raise ValueError("torn")

    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "p.html").write_bytes(GOOD)
    with open_writer(tmp_path / "w") as workspace:
        reading = crawler(workspace, judges)
        reading.saved(dataclasses.replace(SITE, parse=broken), pages)
        assert decisions(workspace) == {"demo/p.html": "parse-failed"}
        reading.saved(dataclasses.replace(SITE, parse=surrogate), pages)
        assert decisions(workspace) == {"demo/p.html": "no-text"}
        with pytest.raises(SourceError, match="demo fails on .*torn"):
            reading.collection(dataclasses.replace(COLLECTION, read=torn), place(pages))
        assert decisions(workspace)["demo/one"] == "no-samples"
        with monkeypatch.context() as patched:
            patched.setattr(assemble, "make", lambda *_: [][1])
            reading.saved(SITE, pages)
        assert "IndexError" in reading.tally.pending["demo/p.html"]


def test_a_place_with_nothing_in_it_is_said(tmp_path: Path, judges: Judges) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with open_writer(tmp_path / "w") as workspace:
        reading = crawler(workspace, judges)
        with pytest.raises(SourceError, match="demo finds no problems at https://example.org/demo"):
            reading.collection(COLLECTION, place(empty))
        with pytest.raises(SourceError, match="no pages of demo are in"):
            reading.saved(SITE, empty)


def test_saved_pages_that_cannot_be_read_are_said(
    tmp_path: Path, folder: Path, judges: Judges, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crawl, "MAX_PAGE", len(GOOD) - 1)
    with open_writer(tmp_path / "w") as workspace:
        reading = crawler(workspace, judges)
        reading.saved(SITE, folder)
        assert list(reading.tally.pending) == ["demo/a"]
        monkeypatch.setattr(Path, "read_bytes", refuse)
        reading.saved(SITE, folder)
        assert "can't be read: Permission denied" in reading.tally.pending["demo/b"]


def refuse(path: Path) -> bytes:
    raise PermissionError(errno.EACCES, "Permission denied", str(path))


def test_the_last_run_decides_with_which_solutions(tmp_path: Path, judges: Judges) -> None:
    def bare(page: bytes, url: str) -> Statement:
        return msgspec.structs.replace(program(GOOD.decode(), key="sum"), solutions=())

    pages, own = tmp_path / "pages", tmp_path / "own"
    for each in (pages, own / "demo"):
        each.mkdir(parents=True)
    (pages / "p.html").write_bytes(b"a page")
    (own / "demo" / "sum.py").write_bytes(GOOD)
    site = dataclasses.replace(SITE, parse=bare)
    found = []
    with open_writer(tmp_path / "w") as workspace:
        for solutions in (own, None, own, own):
            reading = dataclasses.replace(crawler(workspace, judges), solutions=solutions)
            reading.saved(site, pages)
            (problem,) = workspace.current(Problem)
            found.append((problem.canonical_solution, reading.tally.known))
    assert found == [(GOOD.decode(), 0), ("", 0), (GOOD.decode(), 0), (GOOD.decode(), 1)]


@pytest.mark.parametrize("key", ["..", ".", "a\nb", "x" * 300, "\udc80", "../sum"])
def test_what_a_page_calls_its_problem_leads_to_no_other_file(tmp_path: Path, key: str) -> None:
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "sum.py").write_bytes(GOOD)
    (tmp_path / "private.py").write_bytes(GOOD)
    statement = program(BAD.decode(), key=key)
    assert with_solutions(statement, tmp_path) == statement
    assert len(with_solutions(program(BAD.decode(), key="sum"), tmp_path).solutions) == 2


def test_words_of_strangers_steer_no_terminal(tmp_path: Path, folder: Path, judges: Judges) -> None:
    def steering(folder: Path) -> Iterator[Found]:
        yield Found("\x1b[2J\udcff", b"", SourceError("bad-yaml", "a \x9b0m \u202e\n b"))
        yield Found("plain", b"", program(GOOD.decode(), key=""))
        bell = program(GOOD.decode(), key="\x07", licence_evidence="\x1b]0;mine\x07 words")
        yield Found("bell", b"", bell)

    with open_writer(tmp_path / "w") as workspace:
        reading = crawler(workspace, judges)
        reading.collection(dataclasses.replace(COLLECTION, read=steering), place(folder))
        assert decisions(workspace) == {
            "demo/?[2J?": "bad-yaml",
            "demo/plain": "made",
            "demo/?": "made",
        }
        stored = [*workspace.select(Decision), *workspace.select(Source)]
        assert all(repr(text) == f"'{text}'" for each in stored for text in words(each))
        assert reading.tally.pending == {}


def words(record: Decision | Source) -> list[str]:
    return [text for text in msgspec.structs.astuple(record) if isinstance(text, str)]
