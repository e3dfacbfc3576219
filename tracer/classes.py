"""Which members of the taken classes a program needs, and the text of a class in part."""

from collections.abc import Iterator

from thresher.tracer.members import WISHED
from thresher.tracer.modules import Statement
from thresher.tracer.slices import MemberKey, Slice
from thresher.tracer.uses import own_uses, reaches


def necessary(found: Slice) -> list[MemberKey]:
    """Return the members not yet taken that methods of the same class name, and those asked for."""
    keys: list[MemberKey] = []
    for file, index, statement in _classes(found):
        taken = found.members.get((file, index), set())
        own = found.entry.asked.union(*(statement.members[place].own for place in taken))
        if (file, index) == (found.entry.file, found.entry.owner):
            own |= own_uses(found.entry.statement.node)
        keys += [
            (file, index, place)
            for place, member in enumerate(statement.members)
            if place not in taken and member.binds & own
        ]
    return keys


def possible(found: Slice) -> Iterator[MemberKey]:
    """Yield the members not yet taken, nor refused, that some taken code may reach."""
    uses = WISHED.union(
        *(statement.uses for _, _, _, statement in found.statements()),
        *(
            found.project.module(file).statements[index].members[place].uses
            for (file, index), places in found.members.items()
            for place in places
        ),
    )
    for file, index, statement in _classes(found):
        taken = found.members.get((file, index), set())
        for place, member in enumerate(statement.members):
            is_open = place not in taken and (file, index, place) not in found.refused
            if is_open and any(reaches(uses, name) for name in member.binds):
                yield file, index, place


def text_of(statement: Statement, places: set[int]) -> str:
    """Return the text of a class with some of its members."""
    pieces = [statement.members[place].text for place in sorted(places)]
    if not pieces:
        return f"{statement.header}\n    pass"
    return "\n".join([statement.header, pieces[0].lstrip("\n"), *pieces[1:]])


def _classes(found: Slice) -> Iterator[tuple[str, int, Statement]]:
    for file, index, _, statement in found.statements():
        if statement.members:
            yield file, index, statement
