"""Programs that do what functions of the standard library do."""

import inspect
import re

import pytest

from thresher.tracer.extraction.modules import NotStandalone
from thresher.tracer.library_program import program_of
from thresher.tracer.recording import pure


def loaded(name, has_keywords=False):
    """Return the function that the program for a name defines, and its text."""
    made = program_of(name, has_keywords)
    text = made.prompt + made.solution
    space = {}
    exec(compile(text, "program.py", "exec"), space)
    return space[made.entry_point], made


def test_a_function_with_a_signature():
    gcd, made = loaded("math:gcd")
    assert made.prompt == (
        "import math\n\n\ndef gcd(*integers):\n"
        '    """Do what Python\'s math.gcd does. Its documentation:\n\n'
        '    Greatest Common Divisor.\n    """\n'
    )
    assert made.solution == "    return math.gcd(*integers)\n"
    assert (made.entry_point, made.tags, made.mode) == ("gcd", ("built-in",), "returns")
    assert [tuple(each) for each in made.parameters] == [("integers", "VAR_POSITIONAL", False)]
    assert gcd(12, 18) == 6


def test_a_method_takes_its_object_first():
    split, made = loaded("builtins:str.split")
    assert made.prompt.startswith("def split(text: str, /, sep=None, maxsplit=-1):\n")
    assert made.solution == "    return text.split(sep, maxsplit)\n"
    assert split("a b c", maxsplit=1) == ["a", "b c"]
    sub, made = loaded("re:Pattern.sub")
    assert made.prompt.startswith("import re\n\n\ndef sub(pattern: re.Pattern, /, repl, ")
    assert sub(re.compile("a"), "b", "aa", 1) == "ba"
    isoformat, made = loaded("datetime:date.isoformat")
    assert "def isoformat(date: datetime.date, /" in made.prompt


def test_functions_that_do_not_tell_their_parameters():
    largest, made = loaded("builtins:max")
    assert made.prompt.startswith("def max_(*arguments):\n")
    assert largest(1, 3, 2) == 3
    largest, made = loaded("builtins:max", has_keywords=True)
    assert made.prompt.startswith("def max_(*arguments, **options):\n")
    assert largest([], default=4) == 4
    update, made = loaded("builtins:dict.update", has_keywords=True)
    assert made.prompt.startswith("def update(mapping: dict, /, *arguments, **options):\n")
    given = {"a": 1}
    assert update(given, {"b": 2}, mapping=3) is None
    assert given == {"a": 1, "b": 2, "mapping": 3}


def test_a_class_method_and_a_class():
    fromkeys, made = loaded("builtins:dict.fromkeys")
    assert made.solution == "    return dict.fromkeys(iterable, value)\n"
    assert fromkeys("ab") == {"a": None, "b": None}
    fraction, made = loaded("fractions:Fraction")
    assert made.prompt.startswith("import fractions\n\n\ndef fraction(numerator=0, ")
    assert str(fraction(2, 4)) == "1/2"
    assert loaded("datetime:datetime")[1].entry_point == "datetime_"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("os:system", "unknown-callee"),
        ("builtins:nothing", "unknown-callee"),
        ("math:nothing", "unknown-callee"),
        ("not even a name", "unknown-callee"),
    ],
)
def test_what_is_refused(name, reason):
    with pytest.raises(NotStandalone) as refused:
        program_of(name, False)
    assert refused.value.reason == reason


def test_every_function_of_the_list_has_a_program_that_loads():
    made = 0
    for module, names in pure.PURE.items():
        space = vars(__import__(module, fromlist=["x"]))
        for name in sorted(names or space):
            found = pure.find(f"{module}:{name}")
            if found is None or not found.__doc__:
                continue
            function, program = loaded(f"{module}:{name}", has_keywords=True)
            assert function.__doc__.startswith("Do what Python's ")
            assert inspect.cleandoc(found.__doc__)[:40].split("\n")[0] in function.__doc__
            assert len(program.prompt) < 6_000
            made += 1
    assert made > 300
