"""Of the same problem from several sources one is kept, whatever order they come in."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.builders import case, problem
from tests.store.builders import program as text_program
from thresher.filters import duplicates
from thresher.filters.duplicates import Duplicates, Same, chosen
from thresher.filters.similarity import near

MEAN = '''def mean(numbers):
    """Return the arithmetic mean of numbers, or 0 where there are none."""
'''
MEAN_BODY = """\
    total = 0
    count = 0
    for number in numbers:
        total = total + number
        count = count + 1
    if count == 0:
        return 0
    return total // count
"""
CASES = tuple(case(xs, expected=sum(xs) // max(1, len(xs))) for xs in ([1, 3], [], [5], [8, 8, 2]))
MORE = (*CASES, *(case([n, n, n], expected=n) for n in (11, 12, 13)))


def mean(task_id, body=MEAN_BODY, cases=CASES, prompt=MEAN, name="mean", **more):
    made = problem(task_id, body, cases, prompt=prompt, entry_point=name)
    return msgspec.structs.replace(made, **more)


def surveyed(problems, tools, **options):
    return duplicates.survey(problems, tools._replace(options=Duplicates(**options)))


A, B = "pypi/a/1.0/a.mean-00000001", "pypi/b/1.0/b.mean-00000002"
RENAMED = MEAN_BODY.replace("number", "item").replace("total", "sum_").replace("count", "n")
OTHER_WAY = """\
    values = list(numbers)
    size = len(values)
    return sum(values) // size if size else 0
"""
NEARLY = MEAN_BODY.replace("count == 0", "count < 1")
ANOTHER = MEAN_BODY.replace("total // count", "total - count")
OTHER_PROMPT = 'def mean(numbers):\n    """Say how far the sum lies above the number of items."""\n'
OTHER_CASES = (case([7], expected=6), case([2, 4], expected=4))


@pytest.mark.parametrize(
    ("other", "level"),
    [
        (mean(B, MEAN_BODY + "\n"), "exact"),
        (mean(B, RENAMED.replace("items", "numbers")), "renamed"),
        (mean(B, NEARLY), "near"),
        (mean(B, OTHER_WAY, cases=MORE), "behaviour"),
        (mean(B, ANOTHER, OTHER_CASES, prompt=OTHER_PROMPT), None),
    ],
)
def test_the_same_is_found_at_its_level(make_tools, other, level):
    found = surveyed([mean(A), other], make_tools()[0], answers=4, near=0.7)
    assert [same.level for same in found.values()] == ([level] if level else [])


@pytest.mark.parametrize(
    "better",
    [
        {"cases": MORE},
        {"tags": ()},
        {"canonical_solution": MEAN_BODY.replace("    if count == 0:", "    if not count:")},
    ],
)
def test_the_better_one_is_kept(make_tools, better):
    worse = mean(A, tags=("undocumented",)) if "tags" in better else mean(A)
    found = surveyed([worse, mean(B, **better)], make_tools()[0], near=0.7)
    assert found == {A: Same(found[A].level, B)}


def test_decisions_name_what_was_kept(make_tools):
    tools = make_tools()[0]._replace(surveyed={A: Same("renamed", B)})
    dropped = duplicates.apply(mean(A), tools).decision
    assert (dropped.keep, dropped.reason, dropped.evidence) == (
        False,
        "duplicate-renamed",
        f"the same as {B}",
    )
    assert duplicates.apply(mean(B), tools).decision.keep


def test_what_is_trivial_is_the_same_only_in_its_words(make_tools):
    adds, joins = (f'def f(x, y):\n    """{text}."""\n' for text in ("Add", "Join two texts"))
    plus = mean(A, "    return x + y\n", (), adds, "f")
    other = mean(B, "    return x + y\n", (), joins, "f")
    again = mean("c/c.f-00000003", "    return x  +  y\n", (), adds, "f")
    assert surveyed([plus, other], make_tools()[0]) == {}
    assert list(surveyed([plus, again], make_tools()[0]).values()) == [Same("exact", A)]


def test_yes_and_no_need_many_inputs(make_tools):
    prompt = 'def big(numbers):\n    """Say whether the sum is over ten."""\n'
    one = "    total = 0\n    for each in numbers:\n        total += each\n    return total > 10\n"
    two = "    return bool(sum(list(numbers)) > int(5 + 5)) if numbers else len(numbers) > 0\n"
    cases = tuple(case([n], expected=n > 10) for n in range(6, 16))
    few, many = cases[:6], cases
    for given_, found in ((few, 0), (many, 1)):
        same = [mean(A, one, given_, prompt, "big"), mean(B, two, given_, prompt, "big")]
        assert len(surveyed(same, make_tools()[0])) == found


def test_programs_are_compared_too(make_tools):
    body = "n = int(input())\nprint(n * n + 1)\nprint(n - 1, n * 2, sep=',')\n"
    one, other = text_program(body), msgspec.structs.replace(text_program(body), task_id="z/z-1")
    assert surveyed([one, other], make_tools()[0]) == {"z/z-1": Same("exact", one.task_id)}


@given(
    links=st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")), max_size=8),
    data=st.data(),
)
def test_groups_do_not_depend_on_the_order(links, data):
    pairs = [(a, b) for a, b in links if a != b]
    shuffled = data.draw(st.permutations(pairs))
    first = chosen([("exact", pairs)], str)
    assert chosen([("exact", [(b, a) for a, b in shuffled])], str) == first
    for name, same in first.items():
        assert same.kept < name
        assert same.kept not in first


@given(st.text("abc ", max_size=60), st.text("abc ", max_size=60))
def test_resemblance_is_a_share(left, right):
    one, other = near.shingles(left), near.shingles(right)
    assert near.resemblance(one, one) == 1.0
    assert near.resemblance(one, other) == near.resemblance(other, one)
    assert 0.0 <= near.resemblance(one, other) <= 1.0


def test_near_texts_are_found_among_many():
    words = [f"word{n}" for n in range(60)]
    own = {n: [f"own{n}{other}" for other in range(20)] for n in range(9)}
    texts = {f"t{n}": " ".join([*words[n:], *own[n]]) for n in range(9)}
    texts |= {"x": " ".join(words), "y": " ".join([*words, "more"])}
    assert list(near.pairs(texts, 0.9)) == [("x", "y")]
