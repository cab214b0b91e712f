"""Which pull request a revert takes back by its title or a commit, and which puts something in another's place."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, takewhile
from typing import Final, Literal, NamedTuple

from cortex.indexers.references import is_of_part
from cortex.language.changes import Certainty, parse, title_scope
from cortex.language.patterns import patterns
from cortex.language.verbs import Op
from cortex.language.words import content_words
from cortex.substrate import links
from cortex.substrate.brain import Brain
from cortex.substrate.records import promote_anew

LONGEST_TITLE: Final = 300  # characters of a title that are read: layers of quotation marks, not prose
_AGAIN: Final = patterns("references", "taking_back")["again"]
_NUMBERED: Final = re.compile(r"[\"'`”’»]?\s*\(#([1-9]\d*)\)")

_NUMBER: Final = re.compile(r"(?:#|pr )?([1-9]\d*)", re.I)
_GAP: Final = re.compile(r"[,;:.(–—-]*\s")

_Titles = Mapping[str, Sequence[tuple[str, str]]]
"""By what they are called, the refs of pull requests, and when each was merged."""

_FEWEST: Final = 3
"""Words of a quoted title that are its subject's where what it quotes is longer, or shorter."""

Relation = Literal["reverts", "reverts_part", "reapplies"]
_RELATIONS: Final[Mapping[Op, Relation]] = {Op.REVERTS: "reverts", Op.RELANDS: "reapplies"}
_OF_PART: Final[Mapping[Op, Relation]] = {Op.REVERTS: "reverts_part"}


class _Read(NamedTuple):
    """What a title takes or brings back; `number` stands behind it, and may be its own.

    Attributes:
        gone: it is that only where it had been taken back: 'Oil the gears (again)'.
    """

    relation: Relation
    title: str
    number: str
    gone: bool = False


def link_reverts(brain: Brain, *, source_id: int) -> None:
    """Link what takes back a commit, or what another is called, to the pull request that this is; then follow them.

    What was linked so before and is no more, as a record between them changed or went, is so no longer.
    """
    with brain.transaction():
        changed = links.derive_reverts(brain, partial(_by_title, brain, source_id), source_id=source_id)
        promote_anew(brain, source_id, {ref for one, _, other in changed for ref in (one, other)})


def _by_title(brain: Brain, source_id: int, type_: str) -> Iterator[tuple[str, str, str]]:
    titled = links.titled_reverts(brain, source_id=source_id, type_=type_)
    if all(known for *_, known in titled):
        return
    merged: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for ref, title, at in links.merged_pulls(brain, source_id=source_id, commits=type_ == "commit"):
        merged[_called(title)].append((ref, at))
    ordered = sorted(merged)
    gone = defaultdict[str, set[str]](set)
    for ref, by in links.reverts_by(brain, source_id=source_id, type_=type_):
        gone[ref].add(by)
    for ref, title, at, own, known in titled:
        for read in [] if known else _readings(title):
            if pull := _meant(read, merged, ordered, gone, own={ref, f"pull:{own}"}, before=at):
                if read.relation != "reverts_part":
                    gone[pull].add(ref)
                yield ref, read.relation, pull
                break


def _readings(title: str) -> Iterator[_Read]:
    """What *title* takes or brings back; then, where that is a revert itself, what this does.

    >>> [(read.relation, read.title) for read in _readings('Revert "Revert "Oil the gears""')]
    [('reverts', 'revert "oil the gears"'), ('reapplies', 'oil the gears')]
    >>> [read.number for read in _readings("Revert 12")]
    ['12']
    """
    for one in parse(title[:LONGEST_TITLE]):
        relation = _OF_PART.get(one.op) if is_of_part(title, one) else _RELATIONS.get(one.op)
        if relation and one.certainty is Certainty.DONE:
            number = _NUMBERED.match(title, one.end) or _NUMBER.fullmatch(one.subject)
            yield _Read(relation, _called(one.subject), number[1] if number else "")
    if again := _AGAIN.search(title):
        yield _Read("reapplies", _called(title[: again.start()]), "", gone=True)


def _meant(
    read: _Read,
    merged: _Titles,
    ordered: Sequence[str],
    gone: Mapping[str, set[str]],
    *,
    own: Collection[str],
    before: str,
) -> str | None:
    titles = [read.title] if read.title in merged else _longer_or_shorter(read.title, merged, ordered)
    found = [ref for title in titles for ref, at in merged[title] if at <= before and ref not in own]
    if read.number and f"pull:{read.number}" not in own:
        numbered = f"pull:{read.number}"
        known = any(ref == numbered and at <= before for every in merged.values() for ref, at in every)
        return numbered if known else None
    standing = [ref for ref in found if (ref in gone) == (read.relation == "reapplies")]
    found = standing if len(found) > 1 or read.gone else found
    return found[0] if len(found) == 1 else None


def _longer_or_shorter(quoted: str, merged: _Titles, ordered: Sequence[str]) -> Iterator[str]:
    """The titles that go on where *quoted* ends, or end where it goes on; both begin with the same few words at least.

    >>> titles = {"oil the gears with whale oil in winter": []}
    >>> [*_longer_or_shorter("oil the gears with whale oil …", titles, [*titles])]
    ['oil the gears with whale oil in winter']
    """
    quoted = quoted.rstrip(" .…")
    cuts = [gap.start() for gap in _GAP.finditer(quoted)]
    yield from (cut for end in cuts if (cut := quoted[:end]) in merged and len(content_words(cut)) >= _FEWEST)
    if len(content_words(quoted)) >= _FEWEST:
        longer = islice(ordered, bisect_left(ordered, quoted), None)
        begun = takewhile(lambda title: title.startswith(quoted), longer)
        yield from (title for title in begun if not title[len(quoted) :][:1].isalnum())


def _called(title: str) -> str:
    return " ".join(title.split()).casefold()


def takes_back(title: str) -> bool:
    """Whether *title* says that this takes something back, or brings it back.

    >>> takes_back('Revert "Oil the gears" (#7)'), takes_back("Oil the gears")
    (True, False)
    """
    return next(_readings(title), None) is not None


_KINDS: Final = frozenset("support backend module integration library dependency".split())
"""Words that name nothing by themselves."""


def link_values(brain: Brain, *, source_id: int) -> None:
    """Link what puts another thing somewhere to what put one there before; those are promoted again."""
    with brain.transaction():
        found = replaced(links.standing_pulls(brain, source_id=source_id))
        changed = links.put_revaluing(brain, found, source_id=source_id)
        promote_anew(brain, source_id, {of for _, of in changed})


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
