"""Signatures from the site's description of types and from Python of every age."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.crawlers.functions import signatures
from thresher.crawlers.statement import Parameter, Signature
from thresher.errors import SourceError

PACK = Signature(
    "pack", (Parameter("sizes", "List[int]"), Parameter("limit", "int")), "List[List[int]]"
)


@pytest.mark.parametrize(
    ("name", "annotation"),
    [
        ("integer", "int"),
        ("long", "int"),
        ("double", "float"),
        ("character", "str"),
        ("string[]", "List[str]"),
        ("character[][]", "List[List[str]]"),
        ("list<integer>", "List[int]"),
        ("list<list<String>>", "List[List[str]]"),
        ("list<integer[]>", "List[List[int]]"),
        ("boolean", "bool"),
        ("void", "None"),
        ("ListNode[]", "List[Optional[ListNode]]"),
        ("TreeNode", "Optional[TreeNode]"),
        ("NestedInteger", "NestedInteger"),
        ("List[int]", "List[int]"),
    ],
)
def test_types_as_the_site_names_them(name, annotation):
    assert signatures.python_type(name) == annotation


def test_parts_of_an_annotation():
    assert signatures.parts("List[List[int]]") == ("List", "List[int]")
    assert signatures.parts(" typing.Optional[TreeNode] ") == ("Optional", "TreeNode")
    assert signatures.parts("int") == ("int", "")
    assert signatures.parts("List[int] | None") == ("Optional", "List[int] ")


def described(**more):
    return {
        "name": "pack",
        "params": [
            {"name": "sizes", "type": "integer[]"},
            {"name": "limit", "type": "integer"},
        ],
        "return": {"type": "list<list<integer>>", "size": 2},
        **more,
    }


def test_metadata_of_a_function():
    assert signatures.from_metadata(json.dumps(described(manual=False))) == PACK


def test_metadata_of_a_class():
    text = json.dumps(
        {
            "classname": "Shelf",
            "constructor": {"params": [{"name": "width", "type": "integer"}]},
            "methods": [
                {"name": "put", "params": [], "return": {"type": "void"}},
                {"name": "all", "return": {"type": "string[]"}},
            ],
            "systemdesign": True,
        }
    )
    assert signatures.from_metadata(text) == Signature(
        "Shelf",
        methods=(
            Signature("__init__", (Parameter("width", "int"),)),
            Signature("put", (), "None"),
            Signature("all", (), "List[str]"),
        ),
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        '"pack"',
        "{",
        "[" * 100000,
        '{"name": 3}',
        '{"mysql": ["create table"], "database": true}',
        json.dumps(described(params=["sizes"])),
        json.dumps(described(params={"sizes": "integer"})),
        json.dumps(described(params=[{"name": "sizes"}])),
        '{"classname": "Shelf", "methods": [{"name": 1}]}',
    ],
)
def test_metadata_that_describes_no_function(text):
    assert signatures.from_metadata(text) is None


KEYS = ["name", "params", "return", "type", "classname", "methods", "constructor"]


@settings(max_examples=40)
@given(
    st.recursive(
        st.none() | st.sampled_from(KEYS) | st.integers(0, 3),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
        ),
        max_leaves=12,
    )
)
def test_any_json_is_a_description_or_none(found):
    signatures.from_metadata(json.dumps(found))


HINTED = """\
class Solution:
    def pack(self, sizes: List[int], limit: int) -> List[List[int]]:
        """
DOCUMENTED = '''\
class Solution(object):
    def pack(self, sizes, limit):
        """
        :type sizes: List[int]
        :type limit: int
        :rtype: List[List[int]]
        """
        '''


@pytest.mark.parametrize(
    "code",
    [
        HINTED,
        HINTED.replace("\n", "\r\n"),
        HINTED.replace("    ", "\t"),
        HINTED + "while True:\n            return []\n\n    def _other(self): pass\n",
        DOCUMENTED,
        "import re\n\ndef pack(sizes: List[int], limit: int) -> List[List[int]]:\n    return []\n",
        "class Node: pass\n\n" + HINTED,
    ],
)
def test_python_of_a_function(code):
    assert signatures.from_python(code) == PACK


def test_in_place_functions_return_none_in_old_docstrings_too():
    code = (
        "class Solution(object):\n    def turn(self, grid):\n"
        '        """\n        :type grid: List[List[int]]\n'
        '        :rtype: void Do not return anything, change it where it is.\n        """\n        '
    )
    found = signatures.from_python(code)
    assert found == Signature("turn", (Parameter("grid", "List[List[int]]"),), "None")


SHELF = """\
class Shelf:

    def __init__(self, width: int):


    def put(self, name: str) -> None:


    def all(self) -> List[str]:


# Your Shelf object will be instantiated and called as such:
# obj = Shelf(width)
"""


@pytest.mark.parametrize("code", [SHELF, SHELF.replace("Shelf", "Solution")])
def test_python_of_a_class(code):
    found = signatures.from_python(code)
    assert [method.name for method in found.methods] == ["__init__", "put", "all"]
    assert found.methods[0].parameters == (Parameter("width", "int"),)
    assert found.methods[2].returns == "List[str]"


def test_a_function_is_found_by_its_name():
    code = "def helper(x):\n    return x\n\ndef pack(n=3, *, flag=True):\n    return n\n"
    assert signatures.from_python(code, "pack") == Signature("pack", (Parameter("n", "", "3"),))
    assert signatures.from_python("class A:\n    def f(self, x): pass\n", "A").methods == (
        Signature("f", (Parameter("x"),)),
    )


@pytest.mark.parametrize(
    "code",
    ["", "x = 1", "function pack() {}", "class Solution:\n    ", "def _f(): pass", "(" * 10000],
)
def test_code_without_a_function_is_refused(code):
    with pytest.raises(SourceError) as caught:
        signatures.from_python(code)
    assert caught.value.reason == "no-signature"


def test_types_that_code_lacks_come_from_the_description():
    written = signatures.from_python("class Solution:\n    def pack(self, sizes, limit):\n        ")
    assert signatures.filled(written, PACK) == PACK
    assert signatures.filled(written, None) == written


def test_flags_of_nodes():
    tree = Signature("f", (Parameter("root", "Optional[TreeNode]"),), "Optional[ListNode]")
    assert signatures.node_flags(tree) == {"tree", "linked_list"}
    assert signatures.node_flags(Signature("C", methods=(tree,))) == {"tree", "linked_list"}
    assert signatures.node_flags(None) == frozenset()
