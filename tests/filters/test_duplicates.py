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


SHARED = '''def cleaned(number):
    """Return the digits of a number without what stands between them."""
    kept = []
    for sign in number:
        if sign in "-. /":
            continue
        if not sign.isdigit() and not sign.isalpha():
            raise ValueError(f"{sign!r} can't stand in a number")
        kept.append(sign.upper())
    if not kept:
        raise ValueError("a number has digits")
    return "".join(kept)


def compact(number):
    """Return the number in its shortest form, without signs that aren't needed."""
'''
PADDED = "    number = cleaned(number)\n    return number.zfill(9)\n"
CUT = "    number = cleaned(number)\n    return number.removeprefix('FO')\n"
CUT_TOO = CUT.replace("return number", "return str(number)")


def compacts(one, other, *numbers):
    cases = tuple(case(number, expected="") for number in numbers)
    return [mean(A, one, cases, SHARED, "compact"), mean(B, other, cases, SHARED, "compact")]


def test_what_shares_helpers_and_words_but_gives_something_else_is_not_the_same(make_tools):
    others = compacts(PADDED, CUT, "FO38-49.41", "3849 41", "309273")
    assert surveyed(others, make_tools()[0]) == {}
    same = compacts(CUT, CUT_TOO, "FO38-49.41", "3849 41", "309273")
    assert list(surveyed(same, make_tools()[0]).values()) == [Same("near", A)]


def test_what_gives_nothing_is_the_same_only_in_its_own_code(make_tools):
    others = compacts(PADDED, CUT, "", "?", "#")  # all raise
    assert surveyed(others, make_tools()[0]) == {}
    again = PADDED.replace("9", "10").replace("    return", "    number.split()\n    return")
    long = "".join(f"    number = number.replace('{n}', '{n + 1}')\n" for n in range(9))
    same = compacts(PADDED + long, again + long, "", "?", "#")
    assert [each.level for each in surveyed(same, make_tools()[0]).values()] == ["near"]


BIG = 'def big(numbers):\n    """Say whether it is big."""\n'
BIG_SUM = """\
    total = 0
    for each in numbers:
        total += each
    return total > 10
"""
BIG_TOO = "    return bool(sum(list(numbers)) > int(5 + 5)) if numbers else len(numbers) > 0\n"
BIG_MOST = (
    "    most = 0\n    for each in numbers:\n        most = max(most, each)\n    return most > 10\n"
)


def behave(one, other, inputs, name="big", prompt=BIG):
    cases = tuple(case(given, expected=False) for given in inputs)
    return [mean(A, one, cases, prompt, name), mean(B, other, cases, prompt, name)]


def test_few_cases_are_made_up_for_by_others_like_them(make_tools):
    same = behave(BIG_SUM, BIG_TOO, [[n, 1] for n in range(6, 12)])
    assert list(surveyed(same, make_tools()[0]).values()) == [Same("behaviour", B)]


def test_what_agrees_on_its_own_inputs_alone_is_not_the_same(make_tools):
    others = behave(BIG_SUM, BIG_MOST, [[n, 1] for n in (2, 3, 4, 5, 6, 11, 12, 13)])
    assert surveyed(others, make_tools()[0]) == {}


TURN = 'def turn(side):\n    """Say whether to go on."""\n'
ONE_WAY = "    kinds = {'left': True, 'right': False}\n    return kinds.get(side, 'stop' == side)\n"
OTHER_WAY_ROUND = "    return len(side) in (4, 40) and not side.startswith('r') or side == 'go'\n"


def test_two_inputs_prove_nothing(make_tools):
    few = behave(ONE_WAY, OTHER_WAY_ROUND, ["left", "right"], "turn", TURN)
    assert surveyed(few, make_tools()[0]) == {}
    assert surveyed(few, make_tools()[0], answers=2) == {}


def test_an_answer_that_never_changes_proves_nothing(make_tools):
    never = "    seen = list(numbers)\n    return len(seen) < 0 or bool(seen and seen[0] > 10**9)\n"
    none = "    count = 0\n    for each in numbers:\n        count += 0\n    return count > 0\n"
    assert surveyed(behave(never, none, [[n, n] for n in range(30)]), make_tools()[0]) == {}


def test_programs_must_agree_on_the_inputs_of_both(make_tools):
    body = "n = int(input())\nprint(n * n + 1 if n < {} else 0)\nprint(n - 1, sep=',')\n"
    few, many = [(f"{n}\n", "") for n in range(8)], [(f"{n}\n", "") for n in range(20, 28)]
    one = text_program(body.format(10), few, '"""Compute."""\n')
    again = "n = int(input())\nm = n - 1\nprint((m + 1) ** 2 + 1 if m < 9 else 0)\nprint(m)\n"
    same = msgspec.structs.replace(text_program(again, many), task_id="z/z-1")
    other = msgspec.structs.replace(text_program(again.replace("9", "99"), many), task_id="z/z-2")
    assert surveyed([one, same], make_tools()[0]) == {"z/z-1": Same("behaviour", one.task_id)}
    assert surveyed([one, other], make_tools()[0]) == {}


@pytest.mark.parametrize(
    "body",
    [
        "    return (\n",
        "    return " + "-" * 50_000 + "1\n",
        "    import os\n    os._exit(0)\n    return [number + 1 for number in numbers]\n",
        "    raise SystemExit([number + 1 for number in numbers if number > 7])\n",
        "",
    ],
)
def test_programs_that_do_not_run_are_no_duplicates(make_tools, body):
    prompt = 'def odd(numbers):\n    """Go wrong."""\n'
    wrong = [
        mean(name, f"    {name!r}\n{body}" if body else "", name="odd", prompt=prompt)
        for name in (A, B)
    ]
    found = surveyed([mean("c/c.f-00000003"), *wrong], make_tools()[0])
    assert {same.level for same in found.values()} <= {"exact", "renamed", "near"}
    assert "c/c.f-00000003" not in found


def test_texts_that_are_none_are_compared(make_tools):
    prompt = MEAN.replace("Return", "\\ud800 Return")
    halves = [mean(A, prompt=prompt), mean(B, NEARLY, prompt=prompt)]
    assert [same.level for same in surveyed(halves, make_tools()[0], near=0.7).values()] == ["near"]


def test_a_survey_does_not_depend_on_the_order(make_tools):
    several = [mean(A), mean(B, OTHER_WAY, cases=MORE), mean("c/c.f-00000003", NEARLY)]
    several += behave(BIG_SUM, BIG_TOO, [[n, 1] for n in range(6, 12)])
    several = [
        msgspec.structs.replace(one, task_id=f"{number}/{one.task_id}")
        for number, one in enumerate(several)
    ]
    first = surveyed(several, make_tools()[0])
    assert len(first) == 3
    assert surveyed(several[::-1], make_tools()[0]) == first
    assert surveyed([*several[2:], *several[:2]], make_tools()[0]) == first


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
