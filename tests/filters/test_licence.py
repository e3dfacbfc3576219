"""Licences of sources: kept where permissive, else dropped with the reason and its evidence."""

from types import SimpleNamespace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.builders import problem, source
from thresher.filters import licence
from thresher.filters.licence import Licence

ONE = problem()  # pypi/demo/1.0/…


def found(stated, evidence="LICENSE", one=ONE, **options):
    origin = msgspec.structs.replace(source(), licence=stated, licence_evidence=evidence)
    tools = SimpleNamespace(source=lambda one: origin, options=Licence(**options))
    decision = licence.apply(one, tools).decision
    assert decision.keep == (decision.reason == "kept")
    return decision.reason, decision.evidence


@pytest.mark.parametrize(
    ("stated", "reason"),
    [
        ("MIT", "kept"),
        ("mit", "kept"),
        ("(BSD-3-Clause) AND PSF-2.0", "kept"),
        ("GPL-3.0-only OR MIT", "kept"),
        ("LicenseRef-BSD", "kept"),
        ("GPL-3.0-only", "not-permissive"),
        ("MIT AND CC-BY-SA-4.0", "not-permissive"),
        ("LGPL-2.1-or-later", "not-permissive"),
        ("LicenseRef-Proprietary", "not-permissive"),
        ("Apache-2.0 WITH LLVM-exception", "not-permissive"),
        ("unknown", "unknown-licence"),
        ("Unknown\n", "unknown-licence"),
        ("", "unknown-licence"),
        ("NOASSERTION", "unknown-licence"),
        ("NONE", "unknown-licence"),
        ("SEE LICENSE IN FILE", "unreadable-licence"),
        ("MIT AND Frobnitz", "unreadable-licence"),
        ("(MIT", "unreadable-licence"),
        ("((((", "unreadable-licence"),
        ("MIT AND " * 5000 + "MIT", "unreadable-licence"),
    ],
)
def test_licences(stated, reason):
    assert found(stated)[0] == reason


def test_the_evidence_is_the_source_s_on_one_line():
    assert found("MIT", "PKG-INFO\n License: MIT") == ("kept", "MIT: PKG-INFO License: MIT")
    assert found("unknown", "") == ("unknown-licence", "unknown: nothing says more")
    assert len(found("(" * 9999, "x" * 9999)[1]) < 700


def test_any_licence_can_be_allowed():
    assert found("unknown", any=True) == ("kept", "any licence is allowed; unknown: LICENSE")
    assert found("((", any=True)[0] == "kept"


@pytest.mark.parametrize(
    ("trusted", "keep"),
    [
        ("pypi", True),
        ("PyPI/Demo", True),
        ("pypi/demo/", True),
        ("pypi/demo/1.0", True),
        ("pypi/dem", False),
        ("demo", False),
        ("", False),
        ("/", False),
    ],
)
def test_trusted_sources(trusted, keep):
    assert (found("GPL-3.0-only", trusted=("kattis", trusted))[0] == "kept") is keep


@pytest.mark.parametrize(
    ("stated", "allowed", "keep"),
    [
        ("CC-BY-SA-4.0", "cc-by-sa-4.0", True),
        ("MIT AND CC-BY-SA-4.0", "CC-BY-SA-4.0", True),
        ("GPL-3.0-only AND CC-BY-SA-4.0", "CC-BY-SA-4.0", False),
        ("CC-BY-SA-3.0", "CC-BY-SA-4.0", False),
        ("Apache-2.0 WITH LLVM-exception", "Apache-2.0 WITH LLVM-exception", True),
        ("unknown", "CC-BY-SA-4.0", False),
    ],
)
def test_further_licences_can_be_allowed(stated, allowed, keep):
    assert (found(stated, allowed=(allowed,))[0] == "kept") is keep


@given(st.text(st.sampled_from("MITGPL-3.0() ANDORWITH+/\n\x00é"), max_size=40) | st.text())
def test_any_text_is_decided(stated):
    reasons = {"kept", "unknown-licence", "unreadable-licence", "not-permissive"}
    assert found(stated)[0] in reasons


DOUBLE = problem().prompt
TOP = "# Copyright (c) 2019 Somebody Ltd. All rights reserved.\n\n\n"
INSIDE = DOUBLE + "    # taken from a tool under the GPLv2\n"
BESIDE = "import math  # SPDX-License-Identifier: GPL-3.0-only\n\n\n"
MODULE = '"""Doubles.\n\nThis file is part of A, licensed under the GNU GPL.\n"""\n\n\n'
NAMED = "__license__ = 'GPL'\n\n\n"
TEXT = "HEADER = '''\n# SPDX-License-Identifier: GPL-3.0-only\n'''\n\n\n"
MIT = "# SPDX-License-Identifier: MIT\n# Copyright (c) 2020 A\n\n\n"


@pytest.mark.parametrize("prompt", [TOP + DOUBLE, INSIDE, BESIDE + DOUBLE, MODULE + DOUBLE])
def test_a_program_s_own_notice_counts(prompt):
    assert noticed(prompt)[0] == "other-notice"
    assert noticed(prompt, any=True)[0] == "kept"
    assert noticed(prompt, trusted=("PyPI",))[0] == "kept"
    assert noticed(prompt, "GPL-2.0-only")[0] == "not-permissive"


@pytest.mark.parametrize(
    ("prompt", "reason"),
    [
        (NAMED + DOUBLE, "other-notice"),
        ("__license__ = 'MIT'\n\n\n" + DOUBLE, "kept"),
        (TEXT + DOUBLE, "kept"),
        (MIT + DOUBLE, "kept"),
        (TOP + "def double(x:\n", "other-notice"),
    ],
)
def test_what_is_a_notice(prompt, reason):
    assert noticed(prompt)[0] == reason


def test_an_allowed_licence_s_own_name_is_no_other_notice():
    assert noticed(INSIDE, "GPL-2.0-only", allowed=("GPL-2.0-only",))[0] == "kept"
    assert noticed(INSIDE, allowed=("GPL-2.0-only",))[0] == "other-notice"


def test_the_evidence_names_the_notice():
    assert noticed(INSIDE)[1] == "'GPLv2' in the program; MIT: LICENSE"


def noticed(prompt, stated="MIT", **options):
    return found(stated, one=problem(prompt=prompt), **options)
