"""The programs of a package are kept by language, right and wrong."""

import pytest

from tests.crawlers.packages.put import put
from thresher.crawlers.packages.package import opened
from thresher.crawlers.packages.submissions import solutions
from thresher.crawlers.statement import Solution


def read(root, files):
    """Return the programs of a package."""
    return list(solutions(opened(put(root, {f"submissions/{k}": v for k, v in files.items()}), {})))


def test_python_comes_first_right_and_wrong(tmp_path):
    files = {
        "accepted/a.cpp": "int main() {}\n",
        "accepted/b.py": "print(1)\n",
        "wrong_answer/c.py": "print(2)\n",
        "run_time_error/d.java": "class D {}\n",
        "time_limit_exceeded/e.py": "while True: pass\n",
        "partially_accepted/f.py": "print(3)\n",
        "accepted/dir/g.py": "print(4)\n",
        "accepted/README.md": "hello\n",
        "accepted/.h.py": "print(5)\n",
    }
    assert read(tmp_path, files) == [
        Solution("python", "print(1)\n"),
        Solution("python", "print(2)\n", right=False),
        Solution("c++", "int main() {}\n"),
        Solution("java", "class D {}\n", right=False),
    ]


@pytest.mark.parametrize(
    ("name", "text", "language"),
    [
        ("a.py", "print(1)\n", "python"),
        ("a.py3", "print(1)\n", "python"),
        ("a.py", "print 1\n", "python2"),
        ("a.py", "n = raw_input()\n", "python2"),
        ("a.py", "#!/usr/bin/python2\nprint(1)\n", "python2"),
        ("a.py", "#!/usr/bin/env python3\nprint(1)\n", "python"),
        ("a.py2", "print(1)\n", "python2"),
        ("a.cc", "int main() {}\n", "c++"),
        ("a.kt", "fun main() {}\n", "kotlin"),
    ],
)
def test_languages_are_told_by_ending_and_text(tmp_path, name, text, language):
    assert read(tmp_path, {f"accepted/{name}": text}) == [Solution(language, text)]


def test_some_are_enough(tmp_path):
    files = {f"accepted/{n:02}.py": f"print({n})\n" for n in range(12)}
    files |= {f"wrong_answer/{n:02}.py": f"print({n})\n" for n in range(3)}
    found = read(tmp_path, files)
    assert [each.right for each in found] == [True] * 8 + [False] * 3
    assert found[0].text == "print(0)\n"


def test_what_cant_be_read_is_a_program_less(tmp_path):
    files = {"accepted/a.py": b"\xff", "accepted/b.py": "x" * 70_000, "accepted/c.py": "print(1)\n"}
    put(tmp_path.parent, {"secret.py": "print(2)\n"})
    put(tmp_path, {"submissions/accepted/x": ""})
    (tmp_path / "submissions" / "accepted" / "d.py").symlink_to("../../../secret.py")
    assert read(tmp_path, files) == [Solution("python", "print(1)\n")]
