"""Which pull request a revert takes back that names it by its title, or by a commit of it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from cortex.language.changes import Certainty, StatedChange, parse, states, title_scope
from cortex.language.patterns import patterns
from cortex.language.sentences import sentences
from cortex.language.verbs import Op
from cortex.language.words import content_stems
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

_ENGLISH: Final = patterns("references", "taking_back")

LONGEST_TITLE: Final = 300
"""Characters of a title that are read: layers of quotation marks, not prose."""

FEWEST: Final = 2
"""Words of what is removed, for it to be what a pull request brought."""

_NUMBERS: Final = re.compile(r"\d[\w.,]*")
_NUMBERED: Final = re.compile(r"[\"'`”’»]?\s*\(#([1-9]\d*)\)")
_REFERENCE: Final = re.compile(r"#[1-9]\d*(?![\w-])(?!\.\d)")

_IN_PART: Final = _ENGLISH["in_part"]

_Titles = Mapping[str, Sequence["_Merged"]]


Relation = Literal["reverts", "reapplies"]


class _Merged(NamedTuple):
    ref: str
    title: str
    at: str


class _Read(NamedTuple):
    """What a title takes or brings back; `number` stands behind it, and may be its own."""

    relation: Relation
    title: str
    number: str


def link_reverts(brain: Brain, *, source_id: int) -> None:
    """Link what takes back a commit, or what another is called, to the pull request that this is; then follow them."""
    with brain.transaction() as db:
        db.execute(sql("pulls_of_reverted_commits"), {"source_id": source_id})
        link = "insert or ignore into links (source_id, from_ref, relation, to_source, to_ref) values (?, ?, ?, '', ?)"
        for type_ in ("pull", "commit"):
            db.executemany(link, [(source_id, *found) for found in _by_title(brain, source_id, type_)])
        removed = [(source_id, by, "supersedes", pull) for by, pull in _removed(brain, source_id)]
        db.executemany(link, [*removed, *((source_id, by, "reverts", pull) for by, pull in _told(brain, source_id))])
        db.execute(sql("parts_of_reverted_commits"), {"source_id": source_id})  # what no title says is all of it
        db.execute(sql("resolve_reverts"), {"source_id": source_id})


def _by_title(brain: Brain, source_id: int, type_: str) -> Iterator[tuple[str, str, str]]:
    titled = brain.db.execute(sql("titled_reverts"), {"source_id": source_id, "type": type_}).fetchall()
    if all(known for *_, known in titled):
        return
    merged: dict[str, list[_Merged]] = defaultdict(list)
    for row in brain.db.execute(sql("merged_pulls"), {"source_id": source_id}):
        one = _Merged(*row)
        merged[_called(one.title)].append(one)
    gone = _taken_back(brain, source_id, type_)
    for ref, title, at, own, known in titled:
        for read in [] if known else _readings(title):
            if pull := _meant(read, merged, gone, own=own, before=at):
                gone[pull].add(ref)
                yield ref, read.relation, pull
                break


def _removed(brain: Brain, source_id: int) -> Iterator[tuple[str, str]]:
    """Which pull request removed what another had brought: its words for that name most of the other, or its number."""
    for by, own, body, pull, title in brain.db.execute(sql("pulls_speaking_of"), {"source_id": source_id}).fetchall():
        whole, number = content_stems(title), pull.replace("pull:", "#")
        if any(_names(one, whole) for one in _removals(body, number)):
            yield by, pull
        for found in _ENGLISH["was"].finditer(body):
            same = content_stems(own) - content_stems(_NUMBERS.sub(" ", title))
            is_it = f"#{found['number']}" == number and content_stems(found["what"]) <= whole
            if is_it and all(word.isdecimal() for word in same):
                yield by, pull
        removing = (
            None if _IN_PART.search(body) or states(title, Op.REMOVES) else states(title_scope(own)[1], Op.REMOVES)
        )
        if removing and _names(removing, whole):
            yield by, pull


def _removals(body: str, number: str) -> Iterator[StatedChange]:
    """What *body* says it removes of what pull request *number* brought."""
    for span in sentences(body):
        said = body[span.start : span.end]
        for one in parse(said) if number in said else ():
            told = _REFERENCE.search(said, one.start)
            if one.op is Op.REMOVES and one.certainty is Certainty.DONE and told and told[0] == number:
                yield one


def _names(removed: StatedChange, whole: frozenset[str]) -> bool:
    """Whether it is most of *whole* that is *removed*, everywhere, and nothing else."""
    named = content_stems(_REFERENCE.sub(" ", removed.subject))
    return not removed.scope and len(named) >= FEWEST and named <= whole and 2 * len(named) >= len(whole)


def _told(brain: Brain, source_id: int) -> Iterator[tuple[str, str]]:
    """Which pull request took back which that was merged before it, as a text tells that is of neither or of either."""
    asked = {"source_id": source_id}
    texts = brain.db.execute(sql("texts_telling_reverts"), asked).fetchall()
    merged = {row[0]: row[2] for row in brain.db.execute(sql("merged_pulls"), asked)} if texts else {}
    for (text,) in texts:
        for span in sentences(text):
            for one in parse(text[span.start : span.end]):
                of = _REFERENCE.search(one.subject)
                by, pull = one.by.replace("#", "pull:"), of[0].replace("#", "pull:") if of else ""
                known = by in merged and pull in merged and merged[pull] < merged[by]
                if known and one.op is Op.REVERTS and one.certainty is Certainty.DONE and not one.partial:
                    yield by, pull


def _taken_back(brain: Brain, source_id: int, type_: str) -> defaultdict[str, set[str]]:
    """What was taken back, and by which records of this type."""
    reverts = "select to_ref, from_ref from links where source_id = ? and relation = 'reverts' and from_ref glob ?"
    found = defaultdict(set)
    for ref, by in brain.db.execute(reverts, (source_id, f"{type_}:*")):
        found[ref].add(by)
    return found


def _readings(title: str) -> Iterator[_Read]:
    """What *title* takes or brings back; then, where that is a revert itself, what this does.

    >>> [(read.relation, read.title) for read in _readings('Revert "Revert "Oil the gears""')]
    [('reverts', 'revert "oil the gears"'), ('reapplies', 'oil the gears')]
    """
    for one in parse(title[:LONGEST_TITLE]):
        if one.op in (Op.REVERTS, Op.RELANDS) and not one.partial and one.certainty is Certainty.DONE:
            number = _NUMBERED.match(title, one.end)
            relation: Relation = "reverts" if one.op is Op.REVERTS else "reapplies"
            yield _Read(relation, _called(one.subject), number[1] if number else "")


def _meant(read: _Read, merged: _Titles, gone: Mapping[str, set[str]], *, own: str, before: str) -> str | None:
    """The one pull request merged before that is called so, or has the number that is not the revert's own."""
    found = [one.ref for one in merged.get(read.title, ()) if one.at <= before and one.ref != f"pull:{own}"]
    if read.number not in ("", own):
        numbered = f"pull:{read.number}"
        known = any(one.ref == numbered and one.at <= before for every in merged.values() for one in every)
        return numbered if known else None
    standing = [ref for ref in found if (ref in gone) == (read.relation == "reapplies")]
    found = standing if len(found) > 1 else found
    return found[0] if len(found) == 1 else None


def _called(title: str) -> str:
    return " ".join(title.split()).casefold()


def takes_back(title: str) -> bool:
    """Whether *title* says that this takes something back, or brings it back.

    >>> takes_back('Revert "Oil the gears" (#7)'), takes_back("Oil the gears")
    (True, False)
    """
    return next(_readings(title), None) is not None
