"""Of a package's statements the English one is read, in whatever format there is."""

import pytest

from tests.crawlers.packages.packages import TEX
from tests.crawlers.packages.put import put
from thresher.crawlers.packages.package import opened
from thresher.crawlers.packages.statements import Written, written
from thresher.errors import SourceError


def read(root, files, said=None):
    """Return the statement of a package."""
    return written(opened(put(root, files), {}), said or {})


def test_latex_is_read_with_its_title(tmp_path):
    found = read(tmp_path, {"problem_statement/problem.en.tex": TEX})
    assert found.title == "Two Piles"
    assert found.language == "en"
    assert found.text.startswith("Ida has two piles of stones.")
    assert "## Input\n\nTwo integers on one line.\n" in found.text


def test_markdown_is_read_without_the_places_of_samples(tmp_path):
    text = "Ida has *two* piles.\n\n## Input\n\n$n$ stones.\n"
    source = text + "\n{{nextsample}}\n\n{{ remainingsamples }}\n"
    found = read(
        tmp_path, {"statement/problem.sv.md": source}, {"name": {"sv": "Högar", "en": "x"}}
    )
    assert found == Written("sv", "Högar", text)


@pytest.mark.parametrize(
    ("names", "language"),
    [
        (["statement/problem.sv.tex", "statement/problem.en.tex"], "en"),
        (["problem_statement/problem.tex", "problem_statement/problem.da.tex"], "en"),
        (["statement/problem.sv.tex", "statement/problem.da.tex"], "da"),
        (["statement/problem.pt-BR.tex"], "pt-BR"),
        (["statement/problem.en.tex", "statement/problem.de.md"], "en"),
    ],
)
def test_the_english_one_is_preferred(tmp_path, names, language):
    found = read(tmp_path, {name: f"From {name}" for name in names})
    assert found.language == language


def test_the_name_that_the_package_states_counts(tmp_path):
    files = {"problem_statement/problem.en.tex": TEX}
    assert read(tmp_path, files, {"name": "Piles"}).title == "Piles"
    assert read(tmp_path, files, {"name": {"en": "Stones"}}).title == "Stones"
    assert read(tmp_path, files, {"name": {"de": "Steine"}}).title == "Two Piles"
    assert read(tmp_path, files, {"name": ["odd"]}).title == "odd"


def test_constants_are_put_in_their_places(tmp_path):
    constants = {"n": "100", "k": {"value": "500", "tex": "5\\cdot 10^2"}, "bad": ["x"]}
    tex = "$\\constant{n}$, $\\constant{k.tex}$, $\\constant{k}$"
    assert read(tmp_path, {"statement/problem.en.tex": tex}, {"constants": constants}).text == (
        "$100$, $5\\cdot 10^2$, $500$\n"
    )
    markdown = {"statement/problem.en.md": "{{n}} {{ k.value }} {{other}} {{bad}} {{k.no}}"}
    assert read(tmp_path, markdown, {"constants": constants}).text == (
        "100 500 {{other}} {{bad}} {{k.no}}\n"
    )


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"problem_statement/problem.en.pdf": b"%PDF"}, "pdf-statement"),
        ({"statement/problem.de.pdf": b"%PDF"}, "pdf-statement"),
        ({"problem.pdf": b"%PDF"}, "pdf-statement"),
        ({"problem_statement/other.tex": "x", "attachments/a.pdf": ""}, "no-statement"),
        ({"statement/problem.en.tex": b"\xff"}, "no-text"),
        ({"statement/problem.en.tex": "x" * 100_000}, "bad-latex"),
    ],
)
def test_what_cant_be_read_is_set_aside(tmp_path, files, reason):
    with pytest.raises(SourceError) as refused:
        read(tmp_path, files)
    assert refused.value.reason == reason
