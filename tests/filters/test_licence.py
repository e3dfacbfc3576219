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


def found(stated, evidence="LICENSE", **options):
    origin = msgspec.structs.replace(source(), licence=stated, licence_evidence=evidence)
    tools = SimpleNamespace(source=lambda one: origin, options=Licence(**options))
    decision = licence.apply(ONE, tools).decision
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


NOTICES = [
    ("# SPDX-License-Identifier: GPL-3.0-only\n", "other-notice"),
    ("# SPDX-License-Identifier: MIT\n", "kept"),
    ("# under the terms of the GNU Lesser General Public\n# License, version 2\n", "other-notice"),
    ("# (c) 2020 A. All rights reserved.\n", "other-notice"),
    ("# (c) 2020 A. All rights reserved.\n# Redistribution and use are permitted\n", "kept"),
    ("# Proprietary and confidential.\n", "other-notice"),
    ("# This must not be redistributed.\n", "other-notice"),
    ("# Returns the general public opinion\n", "kept"),
]


@pytest.mark.parametrize(("comment", "reason"), NOTICES)
def test_a_file_s_own_notice_counts(make_tools, comment, reason):
    one = problem(prompt=comment + problem().prompt)
    tools = make_tools()[0]
    found = licence.apply(one, tools._replace(options=Licence()))
    assert found.decision.reason == reason
    anyhow = licence.apply(one, tools._replace(options=Licence(any=True)))
    assert anyhow.decision.keep
