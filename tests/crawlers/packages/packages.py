"""A small problem package, made for tests."""

TEX = """\
\\problemname{Two Piles}
Ida has two piles of stones. How many stones are there?

\\section*{Input}
Two integers on one line.

\\section*{Output}
Their sum, or \\texttt{NONE} where it is $0$.
"""
YAML = "name: Two Piles\nlicense: cc by-sa\nrights_owner: Ida\nkeywords: sums easy\n"
RIGHT = "a, b = map(int, input().split())\nprint(a + b or 'NONE')\n"
WRONG = "a, b = map(int, input().split())\nprint(a + b)\n"


def package(yaml: str = YAML, **more: str | bytes | None) -> dict[str, str | bytes]:
    """Return the files of a package by name; those given as None are left out."""
    files: dict[str, str | bytes | None] = {
        "problem.yaml": yaml,
        "problem_statement/problem.en.tex": TEX,
        "data/sample/1.in": "1 2\n",
        "data/sample/1.ans": "3\n",
        "data/secret/01-zero.in": "0 0\n",
        "data/secret/01-zero.ans": "NONE\n",
        "data/secret/02-large.in": "1000000 2000000\n",
        "data/secret/02-large.ans": "3000000\n",
        "submissions/accepted/sum.py": RIGHT,
        "submissions/wrong_answer/no_none.py": WRONG,
    }
    return {name: content for name, content in (files | more).items() if content is not None}
