"""Which pull request gave another value to what an earlier one had given one: by a setting's name, or in its title."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from cortex.indexers.replacing import replaced
from cortex.language.patterns import patterns
from cortex.language.stems import split
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

_ENGLISH: Final = patterns("references", "revaluing")

FEWEST: Final = 2
"""Words of a title, beside its numbers, that say what it gives a value to."""

_VALUE: Final = r"(?<![\d.,:])\d(?:[\d.,:]{0,20}\d)?"
_NUMBER: Final = re.compile(_VALUE)


def link_values(brain: Brain, *, source_id: int) -> None:
    """Link what gives another value, or puts another thing there, to what did before; those are promoted again."""
    with brain.transaction() as db:
        asked = "select from_ref, to_ref from links where source_id = ? and relation = 'revalues'"
        pulls = db.execute(sql("standing_pulls"), {"source_id": source_id}).fetchall()
        had, has = {*db.execute(asked, (source_id,))}, {*revalued(pulls), *replaced(pulls)}
        db.executemany(
            "delete from links where source_id = ? and from_ref = ? and relation = 'revalues' and to_ref = ?",
            [(source_id, *one) for one in had - has],
        )
        db.executemany(
            "insert into links (source_id, from_ref, relation, to_source, to_ref) values (?, ?, 'revalues', '', ?)",
            [(source_id, *one) for one in has - had],
        )
        db.executemany(
            "delete from promotions where record_id in (select id from records where source_id = ? and ref = ?)",
            [(source_id, of) for _, of in had ^ has],
        )


def revalued(pulls: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, str]]:
    """Which of *pulls* set otherwise what an earlier one is titled to have set, each with the last that had.

    Either sets a setting to the number in its title, or has the title of the other but for one number, which it tells.

    Args:
        pulls: ref, title and body of each, as they were merged.
    """
    given: dict[str, tuple[str, str]] = {}
    titled: dict[tuple[str, ...], tuple[str, list[str]]] = {}
    for ref, title, body in pulls:
        numbers = _NUMBER.findall(title)
        for what, value in (found.groups() for found in _ENGLISH["set"].finditer(body)):
            if value in numbers:
                before, had = given.get(what, (ref, value))
                given[what] = (ref, value)
                if before != ref and had != value:
                    yield ref, before
        said = tuple(split(_NUMBER.sub(" ", title)))
        before, values = titled.get(said, ("", []))
        titled[said] = (ref, numbers)
        if len(said) >= FEWEST and _follow(numbers, values, body):
            yield ref, before


def _follow(numbers: Sequence[str], before: Sequence[str], body: str) -> bool:
    """Whether one of the numbers is another than *before*, and *body* tells which it was."""
    if len(before) != len(numbers):
        return False
    changed = [old for old, new in zip(before, numbers, strict=True) if old != new]
    told = {one for match in _ENGLISH["before"].finditer(body) for one in match.groups()}
    return len(changed) == 1 and changed[0] in told
