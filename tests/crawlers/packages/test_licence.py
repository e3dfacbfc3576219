"""The licence of a repository is that of the file at its root, and of no other."""

import pytest

from tests.crawlers.packages.put import put
from tests.store import licences
from thresher.crawlers.packages.licence import licence_of

MIT = licences.text("MIT", "MIT License")
APACHE = licences.text("Apache-2.0", "\n                 Apache License")


@pytest.mark.parametrize(
    ("text", "spdx", "evidence"),
    [
        (MIT, "MIT", "LICENSE, line 1: MIT License"),
        (APACHE, "Apache-2.0", "LICENSE, line 2: Apache License"),
    ],
)
def test_a_known_licence_is_told_with_its_line(tmp_path, text, spdx, evidence):
    put(tmp_path, {"LICENSE": text, "exercises/practice/x": ""})
    assert licence_of(tmp_path, "exercises/practice") == (spdx, evidence)
    assert licence_of(tmp_path / "exercises", "exercises/practice") == (spdx, evidence)


@pytest.mark.parametrize(
    "text",
    [
        "MIT License\n\nYou may not use this.",
        MIT + "It must not be used for trains.",
        "",
        "\n\n",
        "Apache License",
    ],
)
def test_a_title_alone_is_no_licence(tmp_path, text):
    put(tmp_path, {"LICENSE": text, "marker": ""})
    assert licence_of(tmp_path, "marker").spdx == "unknown"


def test_a_licence_beside_the_repository_says_nothing(tmp_path):
    put(tmp_path, {"LICENSE": MIT, "copied/x": ""})
    found = licence_of(tmp_path / "copied", "marker")
    assert found == ("unknown", "no folder above has marker, so no licence file is known")


def test_a_repository_without_a_licence_is_unknown(tmp_path):
    put(tmp_path, {"marker": ""})
    assert licence_of(tmp_path, "marker") == ("unknown", "the repository has no licence file")


def test_a_linked_licence_is_not_believed(tmp_path):
    put(tmp_path, {"LICENSE": MIT, "repository/marker": ""})
    (tmp_path / "repository" / "LICENSE").symlink_to("../LICENSE")
    assert licence_of(tmp_path / "repository", "marker").spdx == "unknown"
