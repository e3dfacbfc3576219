from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.store.licence import UNKNOWN, is_permissive, normalise
from thresher.tracer.sources.licence import CLASSIFIERS, NAMES, Licence, detect, headers

OSI = "License :: OSI Approved"
MIT = """\
The MIT License (MIT)

Copyright (c) 2020 Somebody, Somebody Else

Permission is hereby granted, free of charge, to any person obtaining a copy of this thing, to
deal in it with the rights to use, copy, modify, merge, publish, distribute, sublicense,
and/or sell copies of it, if the above copyright notice and this permission notice shall be
included in all copies. No warranty.
"""
BSD = """\
Redistribution and use in source and binary forms, with or without modification, are permitted
provided that the following conditions are met:
* Redistributions of source code must retain this.
* Redistributions in binary form must reproduce this.
"""
THREE = BSD + "* No name may be used to endorse or promote products.\n"
APACHE = "Licensed under the Apache License, Version 2.0: you may not use this file except in "
APACHE += "compliance with the License.\n"
GPL = "GNU GENERAL PUBLIC LICENSE\n   Version 2, June 1991\n" + "some words " * 1000
PKG = "Metadata-Version: 2.1\nName: demo\n"


def found(root: Path, files: dict[str, str]) -> Licence:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return detect(root)


def pkg_info(*fields: str) -> dict[str, str]:
    return {"PKG-INFO": "\n".join([PKG.strip(), *fields, "", "License: AGPL-3.0-only"])}


@pytest.mark.parametrize(
    ("fields", "expression", "evidence"),
    [
        (["License-Expression: MIT"], "MIT", "PKG-INFO:3 License-Expression: MIT"),
        (["License-Expression: mit"], "MIT", "PKG-INFO:3 License-Expression: mit"),
        (["License-Expression: apache-2.0 or MIT"], "Apache-2.0 OR MIT", ""),
        (["License: ISC", "License-Expression: MIT"], "MIT AND ISC", ""),
        (["License: BSD-3-Clause"], "BSD-3-Clause", "PKG-INFO:3 License: BSD-3-Clause"),
        (["License: MIT", f"Classifier: {OSI} :: MIT License"], "MIT", ""),
        (["License: BSD-3-Clause", f"Classifier: {OSI} :: BSD License"], "BSD-3-Clause", ""),
        (["License: MIT", f"Classifier: {OSI} :: BSD License"], "MIT AND LicenseRef-BSD", ""),
        (
            ["Classifier: Topic :: Software", f"Classifier: {OSI} :: MIT License"],
            "MIT",
            f"PKG-INFO:4 Classifier: {OSI} :: MIT License",
        ),
        ([f"Classifier: {OSI}", f"Classifier: {OSI} :: MIT License"], "MIT", ""),
        (
            [f"Classifier: {OSI} :: BSD License", f"Classifier: {OSI} :: Apache Software License"],
            "LicenseRef-BSD AND Apache-2.0",
            "",
        ),
        (["License: UNKNOWN", f"Classifier: {OSI} :: ISC License (ISCL)"], "ISC", ""),
        (["License: Apache 2.0"], "Apache-2.0", "PKG-INFO:3 License: Apache 2.0"),
        (["License: Apache Software License"], "Apache-2.0", ""),
        (["License: Apache License, Version 2.0"], "Apache-2.0", ""),
        (["License: The MIT License (MIT)"], "MIT", ""),
        (["License: 3-Clause BSD"], "BSD-3-Clause", ""),
        (["License: BSD 3-Clause License"], "BSD-3-Clause", ""),
        (["License: " + MIT.replace("\n", "\n        ").rstrip()], "MIT", ""),
    ],
)
def test_what_pkg_info_states(tmp_path, fields, expression, evidence):
    licence = found(tmp_path, pkg_info(*fields))
    assert licence.expression == expression
    assert licence.evidence.startswith(evidence)


@pytest.mark.parametrize(
    ("fields", "evidence"),
    [
        ([], "no file of the project names one"),
        (["License: see LICENSE.txt"], "PKG-INFO:3 License: see LICENSE.txt"),
        (["License: Dual License"], "PKG-INFO:3 License: Dual License"),
        (["License-File: LICENSE"], "no file of the project names one"),
        ([f"Classifier: {OSI}"], "no file of the project names one"),
        (
            ["Classifier: License :: Other/Proprietary License"],
            "PKG-INFO:3 Classifier: License :: Other/Proprietary License",
        ),
        ([f"License: {'(MIT and ' * 3000}MIT{')' * 3000}"], "PKG-INFO:3 License: (MIT and (MIT"),
    ],
)
def test_what_cannot_be_told(tmp_path, fields, evidence):
    licence = found(tmp_path, pkg_info(*fields))
    assert licence.expression == UNKNOWN
    assert licence.evidence.startswith(evidence)
    assert len(licence.evidence) < 200


@pytest.mark.parametrize("classifier", ["Other/Proprietary License", "Freeware"])
def test_a_classifier_of_no_known_licence_is_no_permission(tmp_path, classifier):
    licence = found(tmp_path, pkg_info("License: MIT", f"Classifier: License :: {classifier}"))
    assert licence.expression == "MIT AND LicenseRef-unrecognised"
    assert not is_permissive(licence.expression)


@pytest.mark.parametrize(
    ("files", "expression", "evidence"),
    [
        (
            {"pyproject.toml": '[project]\nname = "x"\nlicense = "MIT"\n'},
            "MIT",
            "pyproject.toml:3 license: MIT",
        ),
        ({"pyproject.toml": '[project]\nlicense = {text = "ISC"}'}, "ISC", "pyproject.toml:2"),
        ({"pyproject.toml": '[tool.poetry]\nlicense = "MIT"'}, "MIT", "pyproject.toml:2"),
        ({"pyproject.toml": '[tool.flit.metadata]\nlicense = "MIT"'}, "MIT", "pyproject.toml:2"),
        (
            {"pyproject.toml": f'[project]\nclassifiers = [\n  "x",\n  "{OSI} :: MIT License",\n]'},
            "MIT",
            f"pyproject.toml:4 classifiers: {OSI} :: MIT License",
        ),
        (
            {"setup.cfg": "[metadata]\nlicense = BSD\n"},
            "LicenseRef-BSD",
            "setup.cfg:2 license: BSD",
        ),
        ({"setup.cfg": f"[metadata]\nclassifiers =\n  {OSI} :: MIT License"}, "MIT", "setup.cfg:3"),
        ({"setup.py": "setup(name='x',\n  license='MIT')\nraise SystemExit"}, "MIT", "setup.py:2"),
        ({"setup.py": f"C = ['{OSI} :: MIT License']\nsetup(classifiers=C)"}, "MIT", "setup.py:1"),
        ({"LICENSE": MIT}, "MIT", "LICENSE:1 has the text of MIT"),
        ({"licence.md": "# " + MIT}, "MIT", "licence.md:1"),
        ({"COPYING": GPL}, "GPL-2.0-only", "COPYING:1"),
        ({"LICENSE": BSD}, "BSD-2-Clause", ""),
        ({"LICENSE.rst": THREE}, "BSD-3-Clause", ""),
        ({"LICENSE": APACHE}, "Apache-2.0", ""),
        ({"LICENSE": MIT + THREE}, "MIT AND BSD-3-Clause", "LICENSE:1 has the text of MIT, BSD-3"),
        ({"LICENSE-MIT": MIT, "LICENSE-APACHE": APACHE}, "Apache-2.0 AND MIT", ""),
        ({"LICENSES/MIT.txt": "", "LICENSES/CC0-1.0.txt": ""}, "CC0-1.0 AND MIT", "LICENSES/CC0"),
        ({"LICENSES/LicenseRef-own.txt": "You may not."}, UNKNOWN, "LICENSES/LicenseRef-own.txt:1"),
        ({"docs/LICENSE": MIT, "license.py": MIT}, UNKNOWN, "no file"),
        ({"LICENSE": ""}, UNKNOWN, "no file"),
        ({"LICENSE": "Do what you are told."}, UNKNOWN, "LICENSE:1 isn't recognised"),
        ({"pyproject.toml": "[project\n", "setup.cfg": "x", "setup.py": "("}, UNKNOWN, "no file"),
        ({"pyproject.toml": "project = 1\ntool = [1]"}, UNKNOWN, "no file"),
        ({"setup.py": "license=" + "(" * 5000}, UNKNOWN, "no file"),
        ({"setup.py": "setup(license=MIT, classifiers=x)"}, UNKNOWN, "no file"),
    ],
)
def test_files_that_state_a_licence(tmp_path, files, expression, evidence):
    licence = found(tmp_path, files)
    assert licence.expression == expression
    assert licence.evidence.startswith(evidence)


@pytest.mark.parametrize(
    ("stated", "text", "expression"),
    [
        ("MIT", MIT, "MIT"),
        ("BSD", THREE, "BSD-3-Clause"),
        ("BSD", MIT, "LicenseRef-BSD AND MIT"),
        ("GPL-2.0-or-later", GPL, "GPL-2.0-or-later"),
        ("MIT", GPL, "MIT AND GPL-2.0-only"),
        ("MIT OR Apache-2.0", MIT, "MIT OR Apache-2.0"),
        ("MIT OR Apache-2.0", GPL, "(MIT OR Apache-2.0) AND GPL-2.0-only"),
        ("MIT AND ISC", MIT, "MIT AND ISC"),
        ("MIT", "The licence is in the file COPYING.\n", "MIT"),
        (
            "MIT",
            "This is not for non-commercial use, by license.\n",
            "MIT AND LicenseRef-unrecognised",
        ),
        ("MIT", MIT + "But not for non-commercial use.", "MIT AND LicenseRef-unrecognised"),
        ("MIT", MIT + "other words " * 200, "MIT AND LicenseRef-unrecognised"),
        ("MIT", MIT + "Copyright (c) by somebody else again\n" * 200, "MIT"),
    ],
)
def test_what_is_stated_and_the_text_beside_it(tmp_path, stated, text, expression):
    licence = found(tmp_path, {**pkg_info(f"License: {stated}"), "LICENSE": text})
    assert licence.expression == expression
    assert "PKG-INFO:3" in licence.evidence


def test_links_and_folders_are_no_licence_files(tmp_path):
    (tmp_path / "outside").write_text(MIT)
    root = tmp_path / "project"
    (root / "LICENSE.d").mkdir(parents=True)
    (root / "LICENSE").symlink_to(tmp_path / "outside")
    (root / "COPYING").mkdir()
    assert found(root, {}).expression == UNKNOWN


def test_an_odd_encoding_and_a_file_too_large_are_read_as_far_as_they_go(tmp_path):
    (tmp_path / "PKG-INFO").write_bytes(b"Author: Andr\xe9\nLicense: MIT\n")
    (tmp_path / "LICENSE").write_text(MIT * 10_000)
    assert detect(tmp_path) == Licence("MIT", "PKG-INFO:2 License: MIT")


def test_files_with_a_licence_of_their_own():
    texts = {
        "same.py": "# SPDX-License-Identifier: MIT\n",
        "none.py": "x = 1\n",
        "own.py": "#!/usr/bin/python\n# SPDX-License-Identifier: GPL-3.0-only\nx = 1\n",
        "two.py": '"""Text.\n\nSPDX-License-Identifier: ISC\nSPDX-License-Identifier: MIT\n"""\n',
        "odd.py": "# SPDX-License-Identifier: No Such Licence\n",
        "string.py": "LICENCE = 'SPDX-License-Identifier: ISC'\n",
        "late.py": "\n" * 5000 + "# SPDX-License-Identifier: ISC\n",
    }
    assert headers(texts, Licence("MIT", "")) == {
        "own.py": Licence("GPL-3.0-only", "own.py:2 SPDX-License-Identifier: GPL-3.0-only"),
        "two.py": Licence("ISC AND MIT", "two.py:3 SPDX-License-Identifier: ISC AND MIT"),
        "odd.py": Licence(UNKNOWN, "odd.py:1 SPDX-License-Identifier: No Such Licence"),
    }


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=300))
def test_any_text_is_a_licence_or_unknown(tmp_path_factory, text):
    root = tmp_path_factory.mktemp("root")
    licence = found(root, {"PKG-INFO": f"License: {text}\n", "LICENSE": text})
    assert licence.expression == UNKNOWN or licence.expression
    assert "\n" not in licence.evidence


@pytest.mark.parametrize("expression", sorted({*CLASSIFIERS.values(), *NAMES.values()}))
def test_the_tables_name_spdx_licences(expression):
    assert expression.startswith("LicenseRef-") or normalise(expression) == expression
