import email.message
import email.parser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.store.licence import UNKNOWN, normalise
from thresher.tracer.licence import CLASSIFIERS, NAMES, Licence, from_metadata

OSI = "License :: OSI Approved"
MIT_TEXT = (
    "License: MIT License\n        \n        Copyright (c) 2020 Somebody\n        \n"
    "        Permission is hereby granted, free of charge, to any person obtaining a copy\n"
)


def licence(*fields: str) -> Licence:
    text = "\n".join(["Metadata-Version: 2.1", "Name: demo", *fields, "", "License: AGPL-3.0-only"])
    return from_metadata(email.parser.HeaderParser().parsestr(text))


@pytest.mark.parametrize(
    ("fields", "expression", "evidence"),
    [
        (["License-Expression: MIT"], "MIT", "License-Expression: MIT"),
        (["License-Expression: mit"], "MIT", "License-Expression: mit"),
        (
            ["License-Expression: apache-2.0 or BSD-3-Clause"],
            "Apache-2.0 OR BSD-3-Clause",
            "License-Expression: apache-2.0 or BSD-3-Clause",
        ),
        (["License: ISC", "License-Expression: MIT"], "MIT", "License-Expression: MIT"),
        (["License: BSD-3-Clause"], "BSD-3-Clause", "License: BSD-3-Clause"),
        (
            ["License: MIT", f"Classifier: {OSI} :: BSD License"],
            "MIT",
            "License: MIT",
        ),
        ([f"Classifier: {OSI} :: MIT License"], "MIT", f"Classifier: {OSI} :: MIT License"),
        (
            ["License: BSD", f"Classifier: {OSI} :: BSD License", "Classifier: Topic :: Software"],
            "LicenseRef-BSD",
            f"Classifier: {OSI} :: BSD License",
        ),
        (
            [f"Classifier: {OSI}", f"Classifier: {OSI} :: MIT License"],
            "MIT",
            f"Classifier: {OSI}; {OSI} :: MIT License",
        ),
        (
            [f"Classifier: {OSI} :: BSD License", f"Classifier: {OSI} :: Apache Software License"],
            "Apache-2.0 AND LicenseRef-BSD",
            f"Classifier: {OSI} :: BSD License; {OSI} :: Apache Software License",
        ),
        (["License: UNKNOWN", f"Classifier: {OSI} :: ISC License (ISCL)"], "ISC", "Classifier: "),
        (["License: Apache 2.0"], "Apache-2.0", "License: Apache 2.0"),
        (["License: Apache Software License"], "Apache-2.0", "License: Apache Software License"),
        (["License: The MIT License"], "MIT", "License: The MIT License"),
        (["License: 3-Clause BSD"], "BSD-3-Clause", "License: 3-Clause BSD"),
    ],
)
def test_licences_that_are_stated(fields, expression, evidence):
    found = licence(*fields)
    assert found.expression == expression
    assert found.evidence.startswith(f"PKG-INFO {evidence}")


@pytest.mark.parametrize(
    ("fields", "evidence"),
    [
        ([], "PKG-INFO names none"),
        (["License: UNKNOWN"], "PKG-INFO License: UNKNOWN"),
        (["License: see LICENSE.txt"], "PKG-INFO License: see LICENSE.txt"),
        (["License: Dual License"], "PKG-INFO License: Dual License"),
        (["License-File: LICENSE"], "PKG-INFO names none"),
        (["Classifier: Topic :: Software Development"], "PKG-INFO names none"),
        ([f"Classifier: {OSI}"], "PKG-INFO names none"),
        (["Classifier: License :: Other/Proprietary License"], "PKG-INFO names none"),
        (
            [f"Classifier: {OSI} :: MIT License", "Classifier: License :: Freeware"],
            "PKG-INFO names none",
        ),
        (
            ["License: MIT License", "Classifier: License :: Other/Proprietary License"],
            "PKG-INFO License: MIT License",
        ),
    ],
)
def test_licences_that_cannot_be_told(fields, evidence):
    assert licence(*fields) == Licence(UNKNOWN, evidence)


def test_a_whole_licence_text_counts_by_its_classifier():
    assert licence(MIT_TEXT.rstrip(), f"Classifier: {OSI} :: MIT License").expression == "MIT"


def test_a_whole_licence_text_alone_is_evidence_of_one_line():
    found = licence(MIT_TEXT.rstrip())
    assert found.expression == UNKNOWN
    assert found.evidence.startswith("PKG-INFO License: MIT License Copyright (c) 2020 Somebody")
    assert len(found.evidence) <= 100


def test_a_hostile_expression_is_not_parsed():
    assert licence(f"License: {'(MIT and ' * 3000}MIT{')' * 3000}").expression == UNKNOWN


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=300))
def test_any_text_is_a_licence_or_unknown(text):
    metadata = email.message.Message()
    metadata["License"] = text
    found = from_metadata(metadata)
    assert found.expression == UNKNOWN or normalise(found.expression) != UNKNOWN
    assert "\n" not in found.evidence


@pytest.mark.parametrize("expression", sorted({*CLASSIFIERS.values(), *NAMES.values()}))
def test_the_tables_name_spdx_licences(expression):
    assert expression.startswith("LicenseRef-") or normalise(expression) == expression
