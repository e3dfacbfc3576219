"""Notices in comments: of other licences, of no rights, and what only sounds like one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.store.notices import against

RESTRICTED = [
    "SPDX-License-Identifier: GPL-3.0-only\nCopyright (c) 2020 A",
    "spdx-license-identifier: gpl-2.0+",
    "SPDX-License-Identifier: MIT AND GPL-2.0-only",
    "SPDX-License-Identifier: LicenseRef-Acme",
    "SPDX-License-Identifier: MIT\nSPDX-License-Identifier: MPL-2.0",
    "under the terms of the GNU Lesser\nGeneral Public License, version 2",
    "Licensed under the GPL.",
    "License: GPL",
    "license: GPL v3",
    "License: LGPL v3",
    ":license: AGPLv3",
    "Released under the terms of the GPL",
    "see http://www.gnu.org/licenses/",
    "Licensed under the Mozilla Public License 2.0",
    "Mozilla Public License, v. 2.0",
    "Eclipse Public License",
    "Server Side Public License",
    "Business Source License 1.1",
    "Apache 2.0 with Commons Clause",
    "Released under CC BY-NC-SA 4.0",
    "CC-BY-SA 3.0",
    "https://creativecommons.org/licenses/by-nc/4.0/",
    "Creative Commons Attribution-NonCommercial",
    "(c) 2020 A. All rights reserved.",
    "Copyright 2020 A. All rights reserved. Unlicensed copying is forbidden.",
    "All rights reserved. No part of this file may be reproduced.",
    "Not to be used without the prior written permission of A.",
    "Unauthorised copying of this file, via any medium, is strictly prohibited.",
    "Reproduction in whole or in part is forbidden",
    "Proprietary and confidential.",
    "This file is proprietary to A.",
    "CONFIDENTIAL",
    "Company confidential - do not distribute",
    "Strictly confidential",
    "Trade secret of A Corp",
    "This must not be redistributed.",
    "This software may not be copied or sold",
    "You may not use, copy, modify or distribute this code",
    "Not licensed for redistribution",
    "For academic use only",
    "for research and educational purposes only",
    "for non-commercial research purposes only",
    "free for personal, noncommercial use",
]
FREE = [
    "SPDX-License-Identifier: MIT\nCopyright (c) 2020 A",
    "SPDX-License-Identifier: GPL-2.0-only OR MIT",
    "SPDX-License-Identifier: BSD-3-Clause -->",
    "Copyright 2019 A Inc. All rights reserved.\nUse of this source code is governed by a\n"
    "BSD-style license that can be found in the LICENSE file.",
    "All rights reserved. Redistribution and use in source and binary forms are permitted",
    "Neither the name of A nor the names of its contributors may be used to endorse or promote\n"
    "products derived from this software without specific prior written permission.",
    "not be used in advertising or publicity pertaining to distribution of the software without\n"
    "specific, written prior permission.",
    "Dual licensed under the MIT and GPL licenses.",
    "MIT or GPL v2, at your option",
    "GNU General Public License version 2 or the BSD license",
    "you may not use this file except in compliance with the License.",
    "the PSF license is GPL-compatible",
    "the GPL text has 3 parts",
    "Returns the general public opinion",
    "confidential values are masked here",
    "proprietary formats are skipped",
    "the number of rights reserved by a user",
    "all keys are reserved",
    "use of negative numbers is prohibited",
    "a value may not be copied twice",
    "must not be distributed over the workers",
    "the attributes that you cannot modify",
    "CC by default",
    "internal use only",
    "research on commercial use",
    "",
]


@pytest.mark.parametrize("text", RESTRICTED)
def test_what_restricts(text):
    assert against(text)


@pytest.mark.parametrize("text", FREE)
def test_what_does_not(text):
    assert against(text) is None


def test_what_was_found_is_told_on_one_line():
    found = against("A\nSPDX-License-Identifier:  GPL-2.0-only\nB")
    assert found == "SPDX-License-Identifier: GPL-2.0-only"
    assert against("is strictly\nconfidential, so") == "strictly confidential"


def test_names_count_only_where_no_licence_is_allowed_beside():
    assert against("SPDX-License-Identifier: MPL-2.0", ["mpl-2.0"]) is None
    assert against("under the MPL 2.0", names=False) is None
    assert against("under the MPL 2.0, confidential property of A", names=False)


@given(st.text(max_size=300))
def test_any_text_is_read(text):
    assert "\n" not in (against(text) or "")


@pytest.mark.parametrize(
    "unit",
    ["MIT or ", "GPL v", "without prior ", "endorse ", "use of this file ", "for research, "],
)
def test_hostile_texts_are_read(unit):
    against(unit * 10_000)
