"""How `.travis.yml` becomes jobs."""

import json
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import SourceError
from thresher.tracer.ci.travis_file import jobs


def expand(text: str, *fields: str) -> list[object]:
    """Return one field, or a tuple of fields, of every job."""
    found = jobs(textwrap.dedent(text))
    if len(fields) == 1:
        return [getattr(job, fields[0]) for job in found]
    return [tuple(getattr(job, field) for field in fields) for job in found]


def test_versions_stay_as_they_are_written():
    text = "language: python\npython: [2.7, 3.10, '3.6', 3.8-dev, nightly, pypy3]\n"
    assert expand(text, "python") == ["2.7", "3.10", "3.6", "3.8-dev", "nightly", "pypy3"]


def test_the_matrix_is_the_product_of_its_axes():
    text = """
    language: python
    python: [3.7, 3.8]
    env: [A=1, A=2 B="x y"]
    """
    assert expand(text, "python", "env") == [
        ("3.7", ("A=1",)),
        ("3.7", ('A=2 B="x y"',)),
        ("3.8", ("A=1",)),
        ("3.8", ('A=2 B="x y"',)),
    ]


@pytest.mark.parametrize("key", ["jobs", "matrix"])
def test_included_excluded_and_allowed_to_fail(key):
    text = f"""
    language: python
    python: [3.7, 3.8, nightly]
    env: [A=1, A=2]
    {key}:
      include:
        - python: 3.9
          env: A=3
        - env: TOXENV=docs
      exclude:
        - python: 3.7
          env: A=2
        - python: nightly
          env: A=2
      allow_failures:
        - python: nightly
        - env: A=3
    """
    assert expand(text, "python", "env", "may_fail") == [
        ("3.7", ("A=1",), False),
        ("3.8", ("A=1",), False),
        ("3.8", ("A=2",), False),
        ("nightly", ("A=1",), True),
        ("3.9", ("A=3",), True),
        ("3.7", ("TOXENV=docs",), False),  # the first Python, since it names none
    ]


@pytest.mark.parametrize("key", ["jobs", "matrix"])
def test_jobs_listed_one_by_one_are_all_there_is(key):
    text = f"""
    language: python
    os: linux
    {key}:
      include:
        - {{python: 3.8, env: TOXENV=py38}}
        - {{python: 3.9, env: TOXENV=py39}}
    """
    assert expand(text, "python", "env") == [("3.8", ("TOXENV=py38",)), ("3.9", ("TOXENV=py39",))]


def test_the_short_form_of_an_include():
    text = """
    language: python
    matrix:
      - {python: 3.8, env: TOXENV=py38}
      - {python: 3.9, env: TOXENV=py39}
    """
    assert expand(text, "python", "env") == [("3.8", ("TOXENV=py38",)), ("3.9", ("TOXENV=py39",))]


@pytest.mark.parametrize(
    ("env", "rows"),
    [
        ("env: A=1", [("A=1",)]),
        ("env: [A=1]", [("A=1",)]),
        ("env: {A: 1, B: x y}", [("A=1", "B='x y'")]),
        (
            "env: {global: [A=1, {B: 2}], matrix: [C=3, C=4]}",
            [("A=1", "B=2", "C=3"), ("A=1", "B=2", "C=4")],
        ),
        ("env: {global: A=1, jobs: [C=3]}", [("A=1", "C=3")]),
        ("env: {global: {A: 1}}", [("A=1",)]),
        ("env: [{secure: abc}]", [()]),
        ("env: {global: [{secure: abc}, A=1]}", [("A=1",)]),
        ("env:", [()]),
        ("", [()]),
    ],
)
def test_environments_in_every_form(env, rows):
    assert expand(f"language: python\npython: 3.8\n{env}\n", "env") == rows


@pytest.mark.parametrize(
    ("script", "commands"),
    [
        ("script: pytest", ("pytest",)),
        ("script: [a, b]", ("a", "b")),
        ("script:\n  - a\n  - |\n    b\n    c\n", ("a", "b\nc\n")),
        ("script: skip", ()),
        ("script: true", ()),
        ("x: &x [a, b]\nscript: [*x, c]", ("a", "b", "c")),
        ("script:\n  - echo: b\n", ("echo: b",)),
        ("script:", ()),
    ],
)
def test_commands_in_every_form(script, commands):
    (phases,) = expand(f"python: 3.8\n{script}\n", "phases")
    assert phases == {"script": commands}


def test_anchors_and_merged_keys():
    text = """
    language: python
    .base: &base
      install: pip install tox
      script: tox
    jobs:
      include:
        - <<: *base
          python: 3.8
        - <<: *base
          python: 3.9
          script: pytest
    """
    assert expand(text, "python", "phases") == [
        ("3.8", {"install": ("pip install tox",), "script": ("tox",)}),
        ("3.9", {"install": ("pip install tox",), "script": ("pytest",)}),
    ]


def test_an_included_job_has_the_files_phases_where_it_has_none():
    text = """
    language: python
    python: 3.8
    install: a
    script: b
    after_success: codecov
    jobs:
      include:
        - {stage: lint, name: Style, script: flake8}
    """
    assert expand(text, "phases", "label", "after") == [
        ({"install": ("a",), "script": ("b",)}, "", ("after_success",)),
        ({"install": ("a",), "script": ("flake8",)}, "Style lint", ("after_success",)),
    ]


def test_systems_services_and_packages():
    text = """
    language: python
    python: 3.8
    os: [linux, osx]
    services: [redis, postgresql]
    addons: {apt: {packages: [libicu-dev]}, chrome: stable}
    """
    wants = ("service redis", "service postgresql", "package libicu-dev", "addon chrome")
    assert expand(text, "os", "wants") == [("linux", wants), ("osx", wants)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "broken-travis"),
        ("- a", "broken-travis"),
        ("a: [", "broken-travis"),
        ("a: *b", "broken-travis"),
        ("language: python\nlanguage: [}", "broken-travis"),
        ("!!python/object/apply:os.system ['true']", "broken-travis"),
        ("a: " + "[" * 2000, "broken-travis"),
        ("a: b\n" * 30_000, "broken-travis"),
        ("language: ruby", "no-travis-python"),
        ("script: make", "no-travis-python"),
    ],
)
def test_what_is_no_configuration_is_refused_by_name(text, reason):
    with pytest.raises(SourceError) as caught:
        jobs(text)
    assert caught.value.reason == reason
    assert "\n" not in str(caught.value)


def test_bombs_do_not_go_off():
    layers = "\n".join(
        f"  a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 30)}]}}" for n in range(1, 9)
    )
    assert len(jobs(f"python: 3.8\nx:\n  a0: &a0 {{b: 1, c: 2}}\n{layers}\n")) == 1
    axes = f"[{', '.join(map(str, range(400)))}]"
    assert len(jobs(f"python: {axes}\nenv: {axes}\nos: {axes}\n")) == 200


def test_a_node_may_hold_itself():
    assert jobs("python: 3.8\nscript: &a [pytest, *a]\n")[0].phases["script"][0] == "pytest"


WORDS = st.sampled_from(
    [
        "python",
        "env",
        "jobs",
        "matrix",
        "include",
        "exclude",
        "script",
        "global",
        "secure",
        "3.8",
        "<<",
    ]
)
NODES = st.recursive(
    WORDS | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(WORDS, NODES, max_size=4))
def test_any_shape_is_jobs_or_a_refusal(shape):
    try:
        found = jobs(json.dumps(shape))
    except SourceError:
        return
    assert all(isinstance(line, str) for job in found for line in job.env)


@given(st.text("ab:-[]{}&*<>!|'\" \n#", max_size=60))
def test_any_text_is_jobs_or_a_refusal(text):
    try:
        jobs(f"language: python\n{text}")
    except SourceError:
        return
