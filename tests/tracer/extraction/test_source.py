import ast
import textwrap

from hypothesis import given
from hypothesis import strategies as st

from thresher.tracer.extraction.source import Edit, dedented, edited, insertion, over, tokens


def test_edits_go_by_bytes_and_may_span_lines():
    text = "é = a.b\nc(d,\n  e)\n"
    nodes = {ast.unparse(node): node for node in ast.walk(ast.parse(text)) if hasattr(node, "ctx")}
    made = [over(nodes["a.b"], "x"), insertion((2, 2), "z, "), Edit((2, 3), (3, 2), "ü\n")]
    assert edited(text, made) == "é = x\nc(z, dü\ne)\n"


def test_tokens_have_the_places_of_syntax_trees():
    assert [(t.text, t.start, t.end) for t in tokens("é = ö\n")][:3] == [
        ("é", (1, 0), (1, 2)),
        ("=", (1, 3), (1, 4)),
        ("ö", (1, 5), (1, 7)),
    ]


def test_strings_keep_their_indentation_but_for_docstrings():
    lines = [
        "  def f():",
        '    """Doc.',
        "",
        '    more"""',
        "    return '''a",
        "    b''' + \\",
        "      c",
    ]
    assert dedented(lines, "  ").split("\n") == [
        "def f():", '  """Doc.', "", '  more"""', "  return '''a", "    b''' + \\", "    c",
    ]  # fmt: skip


bodies = st.lists(
    st.sampled_from(["x = 1", "# note", "", "if x:\n    y = '''\n  z'''", "z = (1,\n2)"]),
    max_size=5,
)


@given(bodies)
def test_dedenting_undoes_indenting(body):
    text = "def f():\n" + textwrap.indent("\n".join([*body, "return 1"]), "    ")
    inner = [f"    {line}" if line else line for line in text.split("\n")]
    found = ast.parse(dedented(inner, "    "))
    wanted = ast.parse("if 1:\n" + "\n".join(inner)).body[0].body
    assert [ast.dump(node) for node in found.body] == [ast.dump(node) for node in wanted]
