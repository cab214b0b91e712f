"""Which pull request put something in the place of what an earlier one brought, or removed it, as their titles say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from cortex.language.changes import Certainty, parse, title_scope
from cortex.language.verbs import Op
from cortex.language.words import content_words
from cortex.substrate.brain import Brain
from cortex.substrate.records import promote_anew
from cortex.substrate.statements import sql

_KINDS: Final = frozenset("support backend module integration library dependency".split())
"""Words that name nothing by themselves."""


def link_values(brain: Brain, *, source_id: int) -> None:
    """Link what puts another thing somewhere to what put one there before; those are promoted again."""
    with brain.transaction() as db:
        asked = "select from_ref, to_ref from links where source_id = ? and relation = 'revalues'"
        pulls = db.execute(sql("standing_pulls"), {"source_id": source_id}).fetchall()
        had, has = {*db.execute(asked, (source_id,))}, {*replaced(pulls)}
        db.executemany(
            "delete from links where source_id = ? and from_ref = ? and relation = 'revalues' and to_ref = ?",
            [(source_id, *one) for one in had - has],
        )
        db.executemany(
            "insert into links (source_id, from_ref, relation, to_source, to_ref) values (?, ?, 'revalues', '', ?)",
            [(source_id, *one) for one in has - had],
        )
        promote_anew(db, source_id, {of for _, of in had ^ has})


def replaced(pulls: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, str]]:
    """Which of *pulls* replaced, or removed, what the last one before it brought, where one calls it as the other does.

    Args:
        pulls: ref, title and body of each, as they were merged.
    """
    brought: dict[str, tuple[str, frozenset[str], frozenset[str]]] = {}
    added: dict[frozenset[str], str] = {}
    for ref, title, _ in pulls:
        plain = title_scope(title)[1] == title  # 'docs: remove Telex' is of a part
        stated = next((one for one in parse(title) if plain and one.certainty is Certainty.DONE), None)
        op, old = (stated.op, _words(stated.old)) if stated else ("", [])
        subject = _words(f"{stated.subject} {stated.scope}") if stated else []
        whole = frozenset(subject)
        if op is Op.REPLACES and old and (before := brought.get(old[-1])):
            if {*old} <= before[1] and (whole == {*old} or whole <= before[2]):
                yield ref, before[0]
        elif op is Op.REMOVES and whole in added:
            yield ref, added.pop(whole)
        if op is Op.ADDS and whole:
            added[whole] = ref
        _, placed, place = title.rpartition(" to ")
        if new := _words(place) if placed else subject if op is Op.ADDS else []:
            brought[new[-1]] = (ref, frozenset(new), frozenset(_words(title)))


def _words(text: str) -> list[str]:
    return [word for word in content_words(text) if word not in _KINDS]
