"""Docstrings that only stand where one should be: notes to oneself, templates, filling."""

# ruff: noqa: SIM905  (lists of words)

import re
from collections.abc import Sequence

from thresher.filters.texts.prose import prose, words

# Of nothing but these, however many, no program can be written.
VAGUE = frozenset(
    """
    a an the this that it its is and or of to for by in on as here only one my some your
    function functions method routine procedure helper helpers utility util utils code source
    internal internally private public api part purpose purposes use used using
    something stuff thing things work job magic does do did
    description descriptions describe describing summary short brief long extended detailed line
    goes what how explanation explain enter insert fill
    doc docs docstring docstrings documentation documented undocumented comment comments text
    name names says say said all self explanatory obvious
    provided available pending needed needs missing yet later soon no not
    test tests testing dummy stub placeholder temp temporary todo tbd tba fixme wip xxx
    foo bar baz qux spam eggs bla blah asdf asd qwerty abc xyz lorem ipsum
    arg args param params parameter parameters return returns value values
    """.split()
)
LATIN = frozenset(
    """
    lorem ipsum dolor sit amet consectetur consectetuer adipiscing elit sed eiusmod tempor
    incididunt ut labore et dolore magna aliqua enim minim veniam quis nostrud exercitation ullamco
    laboris nisi aliquip ea commodo consequat duis aute irure reprehenderit voluptate velit esse
    cillum eu fugiat nulla pariatur excepteur sint occaecat cupidatat proident sunt culpa qui
    officia deserunt mollit anim laborum
    """.split()
)
# What a description of a result may be made of without saying anything.
EMPTY = VAGUE | frozenset(
    """
    result results resulting output outputs returned int float str string bool boolean list dict
    dictionary tuple set object number array any type item items element elements data input
    processed computed calculated updated modified new final given desired expected corresponding
    """.split()
)
# What nonetheless tells something: a count, or a formula.
COUNT = re.compile(r"\bnumber of [a-z]", re.IGNORECASE)
FORMULA = re.compile(r"(?<!\w)\d|[=+*^%]")
UNUSED = re.compile(
    r"\b(?:do not|don t|not to be|must not be) (?:call|use|import|touch)(?:ed|d)?"
    r"(?: (?:it|this|directly))*"
)
NOTES = re.compile(
    r"n ?a|none|pass|to ?do|(?:write|document) me|see (?:the )?(?:code|source|name)"
    rf"|{UNUSED.pattern}"
)
NOTE = re.compile(
    r"\W*(?:(?:TODO|FIXME|XXX|TBD|TBA|WIP)\b|(?i:auto-?generated (?:doc|method|function|stub)))"
    r"|.*(?:\b_(?:summary|description|type)_(?!\w)|\[(?:summary|description)\]"
    r"|(?i:\b(?:add|insert|write|put) (?:\w+ )?(?:docstring|documentation|description) here))",
    re.DOTALL,
)
WITHIN = 2000  # characters in which a note stands


def is_placeholder(text: str, examples: bool) -> bool:
    """Say whether a docstring was only put where one must stand.

    Args:
        text: the docstring.
        examples: it has examples, which may say more than its sentences.
    """
    plain = " ".join(words(text.casefold()))
    if NOTES.fullmatch(plain) or NOTE.match(text[:WITHIN]):
        return True
    said = prose(text)
    if examples or not said.prose or tells(said.returned) or FORMULA.search(text):
        return False
    spoken = [word.casefold() for word in said.prose]
    repeated = len(spoken) > 1 and len(set(spoken)) == 1
    return repeated or is_latin(spoken) or is_vague(spoken)


def is_latin(spoken: Sequence[str]) -> bool:
    """Say whether words in lower case are printers' filling."""
    known = sum(word in LATIN for word in spoken)
    return known > 1 and known >= len(spoken) / 2


def is_vague(spoken: Sequence[str]) -> bool:
    """Say whether sentences of these words in lower case say nothing; none say nothing."""
    return all(word in VAGUE for word in UNUSED.sub("", " ".join(spoken)).split())


def tells(returned: Sequence[str]) -> bool:
    """Say whether words on a result say more than that there is one."""
    said = [word.casefold() for word in returned]
    return any(word not in EMPTY for word in said) or COUNT.search(" ".join(said)) is not None
