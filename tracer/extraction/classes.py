"""Which members of the taken classes a program needs, and the text of a class in part."""

from collections.abc import Iterator

from thresher.tracer.extraction.members import WISHED, Member
from thresher.tracer.extraction.modules import Statement
from thresher.tracer.extraction.slices import MemberKey, Slice
from thresher.tracer.extraction.uses import beginnings

_MAKING = frozenset(["__init__", "__new__", "__post_init__"])


def necessary(found: Slice) -> list[MemberKey]:
    """Return the members not yet taken that the taken code can't do without.

    They are those that methods of the same class name, those that make the instances of a class
    that is called, and those asked for.
    """
    keys: list[MemberKey] = []
    called = frozenset[str]().union(
        *(statement.called for _, _, _, statement in found.statements()),
        *(member.called for member in _members(found)),
    )
    for file, index, statement in _classes(found):
        taken = found.members.get((file, index), set())
        own = found.entry.asked.union(*(statement.members[place].own for place in taken))
        if (file, index) == (found.entry.file, found.entry.owner):
            own |= found.entry.statement.own
        if not statement.names.binds.isdisjoint(called):
            own |= _MAKING
        keys += [
            (file, index, place)
            for place, member in enumerate(statement.members)
            if place not in taken and not member.binds.isdisjoint(own)
        ]
    return keys


def possible(found: Slice) -> Iterator[MemberKey]:
    """Yield the members not yet taken, nor refused, that some taken code may reach."""
    uses = WISHED | _uses(found)
    begun = beginnings(uses)
    for file, index, statement in _classes(found):
        taken = found.members.get((file, index), set())
        for place, member in enumerate(statement.members):
            is_open = place not in taken and (file, index, place) not in found.refused
            if is_open and _is_reached(member, uses, begun):
                yield file, index, place


def _uses(found: Slice) -> frozenset[str]:
    """Return what the taken code may reach, but for what is only wished and that no code needs."""
    uses = frozenset[str]().union(*(each.uses for _, _, _, each in found.statements()))
    waiting = list(_members(found))
    while waiting:
        begun = beginnings(uses)
        active: list[Member] = []
        idle: list[Member] = []
        for each in waiting:
            is_active = not each.binds <= WISHED or _is_reached(each, uses, begun)
            (active if is_active else idle).append(each)
        if not active:
            break
        uses = uses.union(*(each.uses for each in active))
        waiting = idle
    return uses


def _is_reached(member: Member, uses: frozenset[str], begun: tuple[str, ...]) -> bool:
    return not member.binds.isdisjoint(uses) or any(name.startswith(begun) for name in member.binds)


def text_of(statement: Statement, places: set[int]) -> str:
    """Return the text of a class with some of its members."""
    pieces = [statement.members[place].text for place in sorted(places)]
    if not pieces:
        return f"{statement.header}\n    pass"
    return "\n".join([statement.header, pieces[0].lstrip("\n"), *pieces[1:]])


def _members(found: Slice) -> Iterator[Member]:
    for (file, index), places in found.members.items():
        members = found.project.module(file).statements[index].members
        yield from (members[place] for place in places)


def _classes(found: Slice) -> Iterator[tuple[str, int, Statement]]:
    for file, index, _, statement in found.statements():
        if statement.members:
            yield file, index, statement
