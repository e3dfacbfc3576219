"""Statements in LaTeX become text; mathematics stays as it is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.crawlers.packages import latex
from thresher.errors import SourceError

STATEMENT = r"""
\problemname{The $n$ Lamps}
% A comment that nobody sees.
\newcommand{\maxn}{2\cdot 10^5}
\illustration{0.3}{lamps.jpg}{Some lamps by \href{https://example.org}{someone}}

    Ida has $n$ lamps---all of them ``broken'', she says.
    Press \emph{at most} 5\% of the buttons on \texttt{panel}.

    \section*{Input}
    The input has:
    \begin{itemize}
        \item One line with an integer~$n$ ($1\leq n\leq\maxn$).
        \item $n$ lines, each with \textbf{two} words:
          \begin{enumerate}
            \item a name;
            \item a colour.
          \end{enumerate}
    \end{itemize}

    \begin{Output}
    Print \[ \sum_{i=1}^n a_i \] and then \(b\).\footnote{Not $c$.}
    \end{Output}
"""


def test_a_statement_is_written_as_text():
    assert (
        latex.text(STATEMENT)
        == """\
[image: lamps.jpg]

Ida has $n$ lamps—all of them “broken”, she says.
Press at most 5% of the buttons on `panel`.

## Input

The input has:

- One line with an integer $n$ ($1\\leq n\\leq2\\cdot 10^5$).
- $n$ lines, each with two words:

1. a name;
2. a colour.

## Output

Print
$$ \\sum_{i=1}^n a_i $$
and then $b$. (Not $c$.)
"""
    )


def test_the_name_is_that_of_the_problem():
    assert latex.problem_name(STATEMENT) == "The $n$ Lamps"
    assert latex.problem_name("No name here.") == ""
    assert latex.problem_name("% \\problemname{Old}\n\\problemname{New {\\em one}}") == "New one"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a\n\n\n\nb", "a\n\nb\n"),
        ("50\\% of \\$3 \\& more", "50% of $3 & more\n"),
        ("`quoted' and ``twice''", "'quoted' and “twice”\n"),
        ("\\url{https://example.org/a_b}", "https://example.org/a_b\n"),
        ("\\href{https://example.org}{here}", "here\n"),
        ("\\subsection{Notes} \\noindent Some.", "## Notes\n\nSome.\n"),
        ("\\includegraphics[width=0.5\\textwidth]{map}", "[image: map]\n"),
        (
            "\\begin{figure}[h]\\centering\\includegraphics{a.png}\\caption{A map.}\\end{figure}",
            "[image: a.png]A map.\n",
        ),
        (
            "\\begin{tabular}{|l|r|}\\hline\nA & B \\\\ \\hline\n$1$ & 2 \\\\\n\\end{tabular}",
            "A  |  B\n$1$  |  2\n",
        ),
        ("\\begin{verbatim}\n  x = $1\n    y\n\\end{verbatim}", "```\n  x = $1\n    y\n```\n"),
        ("a\\begin{verbatim}\n% 5\\% \\x\n\\end{verbatim}b", "a\n\n```\n% 5\\% \\x\n```\n\nb\n"),
        ("\\begin{lstlisting}[language=C]\nif\n\\end{lstlisting}", "```\nif\n```\n"),
        ("\\begin{lstlisting}\nif a:\n    b\n\\end{lstlisting}", "```\nif a:\n    b\n```\n"),
        ("\\vspace{1cm}a\\hspace*{2em}b\\label{here}", "ab\n"),
        ("\\unknown{kept} text", "kept text\n"),
        ("\\nextsample{} end \\remainingsamples", "end\n"),
        ("{\\tt code} {\\bf bold}", "code bold\n"),
        ("the \\mbox{$9$-metre} dash \\textsf{ends}", "the $9$-metre dash ends\n"),
        ("\\parbox{3cm}{a} \\raisebox{1pt}{b} \\multicolumn{2}{c}{d}", "a b d\n"),
        ("\\SI{3}{\\cm} or \\qty{4}{\\km\\per\\h}, \\si{m^2} \\SI", "3 cm or 4 km per h, m^2\n"),
        ("\\begin{minipage}[t][2cm]{0.5\\textwidth}a\\end{minipage}", "a\n"),
        ("\\minipage{0.5\\textwidth}a\\endminipage", "a\n"),
        ("a\\begin{tikzpicture}\\node {x};\\end{tikzpicture}", "a\n\n[image: a drawing]\n"),
        ("See Figure~\\ref{fig} for it.", "See Figure for it.\n"),
        (
            "\\begin{itemize}\\begin{samepage}\\item a\\end{samepage}\\item b\\end{itemize}",
            "- a\n- b\n",
        ),
        ("$a\\$b$", "$a\\$b$\n"),
        ("a % gone\n  b", "a b\n"),
        ("", "\n"),
    ],
)
def test_commands_are_written(source, expected):
    assert latex.text(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"\newcommand{\x}{7}$\x$ \x{} \xy", "$7$ 7 \n"),
        (r"\newcommand\x{7}\x.", "7.\n"),
        (r"\def\x{7}\x.", "7.\n"),
        (r"\providecommand{\x}[2]{#2-#1}\x{a}{b}.", "b-a.\n"),
        (r"\newcommand{\x}{\y}\newcommand{\y}{{z}}\x", "z\n"),
        (r"\newcommand{\x}{a}\renewcommand{\x}{b}\x", "b\n"),
    ],
)
def test_commands_of_its_own_mean_what_it_says(source, expected):
    assert latex.text(source).replace(" \n", "\n") == expected.replace(" \n", "\n")


@pytest.mark.parametrize(
    "source",
    [
        "x" * ((1 << 16) + 1),
        r"\def\x{\x\x}\x" + "\\x" * 20_000,
        r"\newcommand{\x}[1]{" + "#1" * 50_000 + "}" + r"\x{" + "y" * 50_000 + "}",
        r"\def\x{" + "y" * 10_000 + "}" + r"\x" * 10_000,
        "{" * 5_000,
        r"\begin{itemize}\item " * 2_000,
    ],
)
def test_what_is_too_long_or_too_deep_is_refused(source):
    with pytest.raises(SourceError) as refused:
        latex.text(source)
    assert refused.value.reason == "bad-latex"


@pytest.mark.parametrize(
    "piece",
    ["\\def\\a ", "\\newcommand{", "%", "\\begin{verbatim}", "$", "`", "\\item", "&", "\\["],
)
def test_long_texts_are_read_in_a_time_that_grows_with_them(piece):
    source = piece * (20_000 // len(piece)) + " " * 20_000
    try:
        latex.text(source)
    except SourceError as error:
        assert error.reason == "bad-latex"


PIECES = ["\\", "{", "}", "$", "%", "\\item", "\\begin{itemize}", "\\end{itemize}", "&", "[", "]"]
PIECES += ["\\newcommand", "\\def\\x", "\\x", "#1", "\\section*", "\\[", "\\(", "\n\n", "a", "~"]
PIECES += [
    "\\begin{verbatim}",
    "\\begin{tabular}",
    "\\includegraphics",
    "\\footnote",
    "`",
    "\\verb",
]


@settings(max_examples=80)
@given(st.lists(st.sampled_from(PIECES), max_size=30))
def test_broken_latex_raises_nothing_else(pieces):
    try:
        assert latex.text("".join(pieces)).endswith("\n")
        latex.problem_name("\\problemname" + "".join(pieces))
    except SourceError as error:
        assert error.reason == "bad-latex"
