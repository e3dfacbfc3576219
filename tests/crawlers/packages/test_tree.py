"""Files of a package are read by name, never from outside of it."""

import io
import os
import tarfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.crawlers.packages.put import put
from thresher.crawlers.packages import tree
from thresher.errors import SourceError


def reason(call, *arguments):
    """Return the reason that a call is refused with."""
    with pytest.raises(SourceError) as refused:
        call(*arguments)
    return refused.value.reason


def test_a_file_is_read(tmp_path):
    put(tmp_path, {"data/1.in": "4 2\n"})
    assert tree.read(tmp_path, "data/1.in") == b"4 2\n"


def test_a_link_within_the_package_is_followed(tmp_path):
    put(tmp_path, {"data/1.in": "4 2\n"})
    (tmp_path / "data" / "2.in").symlink_to("1.in")
    assert tree.read(tmp_path, "data/2.in") == b"4 2\n"


def test_a_link_out_of_the_package_is_refused(tmp_path):
    put(tmp_path, {"secret": "mine", "package/problem.yaml": "name: x"})
    (tmp_path / "package" / "1.in").symlink_to("../secret")
    assert reason(tree.read, tmp_path / "package", "1.in") == "outside-package"


@pytest.mark.parametrize("name", ["../secret", "../../secret", "inner/../../secret"])
def test_a_name_out_of_the_package_is_refused(tmp_path, name):
    put(tmp_path, {"secret": "mine", "a/secret": "mine", "a/package/inner/x": ""})
    assert reason(tree.read, tmp_path / "a" / "package", name) in ("outside-package", "no-file")


def test_an_absolute_name_is_refused(tmp_path):
    put(tmp_path, {"secret": "mine", "package/x": ""})
    assert reason(tree.read, tmp_path / "package", str(tmp_path / "secret")) == "outside-package"


def test_what_is_no_file_is_refused(tmp_path):
    put(tmp_path, {"data/1.in": ""})
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    for name in ("data", "pipe", "loop", "missing", "null\0"):
        assert reason(tree.read, tmp_path, name) == "no-file"


def test_a_large_file_is_refused(tmp_path):
    put(tmp_path, {"1.in": b"x" * 101})
    assert reason(tree.read, tmp_path, "1.in", 100) == "too-large"
    assert len(tree.read(tmp_path, "1.in", 101)) == 101


def test_text_loses_its_mark_and_carriage_returns():
    assert tree.text(b"\xef\xbb\xbfa\r\nb\rc\n", "x") == "a\nb\nc\n"


@pytest.mark.parametrize("content", [b"\xff\xfe", b"a\0b", "é".encode("latin-1")])
def test_what_is_no_text_is_refused(content):
    assert reason(tree.text, content, "x") == "no-text"


def test_folders_are_found_by_a_file_in_them(tmp_path):
    put(tmp_path, {"b/problem.yaml": "", "a/x/problem.yaml": "", "c/other.yaml": ""})
    put(tmp_path, {"b/inner/problem.yaml": "", ".git/problem.yaml": ""})
    found = [
        folder.relative_to(tmp_path).as_posix() for folder in tree.folders(tmp_path, "problem.yaml")
    ]
    assert found == ["a/x", "b"]


def test_a_folder_may_be_the_one_itself(tmp_path):
    put(tmp_path, {".meta/config.json": "{}"})
    assert list(tree.folders(tmp_path, ".meta/config.json")) == [tmp_path]


def test_linked_folders_are_not_gone_into(tmp_path):
    put(tmp_path, {"outside/a/problem.yaml": "", "inside/b/problem.yaml": ""})
    (tmp_path / "inside" / "c").symlink_to("../outside")
    assert [each.name for each in tree.folders(tmp_path / "inside", "problem.yaml")] == ["b"]


def test_files_are_listed_in_order_without_hidden_ones(tmp_path):
    put(tmp_path, {"b": "", "a/2": "", "a/1": "", ".git/x": "", "a/.x": ""})
    assert tree.files(tmp_path) == ["a/1", "a/2", "b"]


def test_files_far_down_are_not_listed(tmp_path):
    put(tmp_path, {"1/2/3/deep": "", "1/2/3/4/deeper": ""})
    assert tree.files(tmp_path, depth=3) == ["1/2/3/deep"]


@given(
    st.dictionaries(st.text("abc/é", min_size=1, max_size=8), st.binary(max_size=50), max_size=4)
)
def test_an_archive_gives_the_files_back(files):
    packed = tree.archive(files)
    assert packed == tree.archive(dict(reversed(files.items())))
    with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
        found = [tar.extractfile(member).read() for member in tar.getmembers()]
    assert found == [files[name] for name in sorted(files)]
