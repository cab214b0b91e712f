"""Whether a thing that a question calls by its name was merged, when and by whom: the pull request that brought it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.retrieve.aside import ASIDE
from cortex.composer.retrieve.doing import AREA, after_done
from cortex.composer.retrieve.merge_titles import (
    KINDS,
    Said,
    begins_bringing,
    may_bring,
    said_of,
    tells_bringing,
    tells_merge,
    tells_taking,
    words_of,
)
from cortex.language.stems import split
from cortex.language.words import STOP_WORDS
from cortex.substrate.brain import Brain
from cortex.substrate.search_plan import quoted
from cortex.substrate.statements import sql

MOST_WORDS: Final = 6
MOST: Final = 2
BRINGING: Final = ("brings", "brings with more", "brings anew")
_UNDONE: Final = re.compile(r"^\W*(?:(?:wip|draft|poc|rfc|do not merge)\b\W*)+", re.I)

_THING: Final = r"(?P<{}>[^?]{{2,80}}?)"
_SOON: Final = r"(?:already |yet |ever |now |finally )*"
_END: Final = r"merged(?: yet| already| now| (?:in)?to (?:the )?(?:main|master|trunk)(?: branch)?)*\W*$"
_ASKED: Final = re.compile(
    rf"^\W*(?:is|was|are|were|has|have|did) {_THING.format('is')} {_SOON}(?:been |get |got )?{_END}"
    rf"|^\W*when (?:is|was|were|did|has|have) {_THING.format('when')} {_SOON}(?:been |get |got )?{_END}"
    rf"|^\W*did [\w-]+ merge {_THING.format('did')}\W*$"
    rf"|^\W*who merged {_THING.format('who')}\W*$",
    re.I,
)
_ANY: Final = re.compile(r"(?:any|some|every|no)(?:thing|body|one)?\b", re.I)
_WHOSE: Final = re.compile(r"@?(?P<whose>[\w-]+)['’]s?\s+(?P<what>\S.*)$")
_ARTICLES: Final = frozenset("the a an our your their this that".split())
_GENERAL: Final = frozenset((*KINDS, *"feature pr pull request change work patch branch".split()))
"""Words for what anything is that is merged, at the end of its name."""


class Thing(NamedTuple):
    """What a question asks of whether it was merged.

    Attributes:
        name: as the question has it.
        words: those of its name as they are written.
        kind: which of `KINDS` it is called, or ''.
        whose: who made it, where that is asked of; else ''.
        is_asked: whether it is asked if it is, so that what took it out comes before what brought it.
    """

    name: str
    words: Sequence[str]
    kind: str
    is_asked: bool
    whose: str = ""


class Pull(NamedTuple):
    """A pull request whose title has the words of a thing, as it stood when the question is of.

    Attributes:
        end: when it was merged, else when it was made, ISO 8601.
    """

    id: int
    source_id: int
    ref: str
    title: str
    state: str
    end: str
    author: str

    def is_by(self, whose: str) -> bool:
        """Whether who made it is called so; nobody need be where *whose* is ''."""
        return not whose or self.author.lower().split("-")[0] == whose.lower() or self.author.lower() == whose.lower()


def put_merged_first(
    brain: Brain, question: Question, fused: Sequence[Fused], *, sources: Sequence[int]
) -> list[Fused]:
    """*fused*, where it asks whether or when a thing was merged, after the pull request that brought it, as 'done'.

    With what took it out since, and after one that is not merged and whose title is more exactly it. Where none brought
    it, after those that would have, to whatever place.
    """
    thing = thing_asked(question)
    if thing is None or any(one.relation in ("listed", "owns") for one in fused):
        return [*fused]
    told = _told(brain, thing, question.as_of, sources)
    first = [] if told else _titled_first(brain, question, thing, fused)
    if first:
        return first
    told = told or _proposed(brain, thing, question.as_of, sources)
    return after_done(brain, question, told, fused, {one.row.record_id: one for one in fused if one.passage})


def is_merge_untold(question: Question, rows: Sequence[Fused]) -> bool:
    """Whether it asks if or when a thing was merged, and none of *rows* says so, brought it, or may have by its title.

    'I'll merge it, then the lock' and 'it can be merged into the lock' do not.
    """
    thing = thing_asked(question)
    if thing is None or any(one.relation in ("done", "titled", "listed", "owns") for one in rows):
        return False
    return not any(tells_merge(one.row.text, thing.words) for one in rows)


def _titled_first(brain: Brain, question: Question, thing: Thing, fused: Sequence[Fused]) -> list[Fused]:
    """*fused* after the merged ones, first what adds something, whose titles have all that it is called, as 'titled'.

    Where it asks who merged it, as 'done' where they add something, for that is told of these. None where none has.
    """
    stems = frozenset(brain.stemmer.sequence(" ".join(thing.words)))
    merged = [one for one in fused if (one.row.type, one.row.state) == ("pull", "merged")]
    may = [one for one in merged if may_bring(one.row.title, stems, brain.stemmer)]
    if not may:
        return []
    may = sorted(may, key=lambda one: (not tells_bringing(one.row.title), one.row.day))[:MOST]
    top = max((one.score for one in fused), default=1.0)
    sure = question.type == "person" and tells_bringing(may[0].row.title)
    may = [one._replace(relation="done" if sure else "titled") for one in may]
    first = [one._replace(score=top * (len(may) - place)) for place, one in enumerate(may)]
    return [*first, *(one for one in fused if one.row.record_id not in {its.row.record_id for its in may})]


def _proposed(brain: Brain, thing: Thing, as_of: str, sources: Sequence[int]) -> list[int]:
    """The pull requests that were not merged and begin with that they bring the thing: 'Add the lock to the gate'."""
    stems = frozenset(brain.stemmer.sequence(" ".join(thing.words)))
    pulls = _titled(brain, thing.words, as_of, sources)
    titled = ((one, _UNDONE.sub("", one.title)) for one in pulls)
    bringing = [
        one.id
        for one, title in titled
        if one.state != "merged" and one.is_by(thing.whose)
        and may_bring(title, stems, brain.stemmer) and begins_bringing(title, thing.words, thing.kind)
    ][:MOST]  # fmt: skip
    merged = {one.id for one in pulls if one.state == "merged"}  # what these brought their titles tell
    return bringing or [id_ for id_ in _called(brain, pulls, thing) if id_ not in merged]


def pull_called(brain: Brain, name: str, *, whole: bool, as_of: str, sources: Sequence[int]) -> list[int]:
    """The one pull request whose title begins with the words of *name*, or has no others; none where several do.

    Args:
        whole: no others; but for one of bringing, as in 'Add the lock'.
    """
    thing = _thing(name, is_asked=True)
    return _called(brain, _titled(brain, thing.words, as_of, sources), thing, whole=whole) if thing else []


def _called(brain: Brain, pulls: Sequence[Pull], thing: Thing, *, whole: bool = False) -> list[int]:
    """The one of *pulls* whose title begins with just the words of the thing: 'Port to Qt' is the Qt port.

    One word may be of anything, unless no other title has it, or it is a *whole* title.
    """
    wanted = {*brain.stemmer.sequence(" ".join(thing.words))}
    found = []
    for one in pulls:
        words = [word for word in split(AREA.sub("", _UNDONE.sub("", one.title))) if word not in STOP_WORDS]
        bare = words[1:] if whole and len(words) > len(thing.words) and tells_bringing(words[0]) else words
        stems = brain.stemmer.sequence(" ".join(bare))
        begins = {*(stems if whole else stems[: len(wanted)])}
        if begins == wanted and one.is_by(thing.whose) and not ASIDE.search(one.title):
            found.append(one.id)
    return found if len(found) == 1 and (whole or len(wanted) > 1 or len(pulls) == 1) else []


def thing_asked(question: Question) -> Thing | None:
    """The thing of which it asks whether, when or by whom it was merged; None where it asks of none by its name."""
    match = None if question.numbers or question.hashes else _ASKED.search(question.text)
    if match is None or _ANY.match(match[match.lastgroup or 0]):
        return None
    name = match[match.lastgroup or 0]
    is_asked = match["is"] is not None or match["did"] is not None
    return _thing(name, is_asked=is_asked)


def _thing(name: str, *, is_asked: bool, whose: str = "") -> Thing | None:
    words, kind = words_of(name), ""
    while words and words[0].lower() in _ARTICLES:
        words = words[1:]
    while len(words) > 1 and words[-1].lower() in _GENERAL:
        kind = words[-1].lower() if words[-1].lower() in KINDS else kind
        words = words[:-1]
    known = 0 < len(words) <= MOST_WORDS and not STOP_WORDS.issuperset(word.lower() for word in words)
    return Thing(name, words, kind, is_asked, whose) if known else None


def _told(brain: Brain, thing: Thing, as_of: str, sources: Sequence[int]) -> list[int]:
    """The records that tell whether the thing was merged, first what decides, of each source by itself.

    Where nothing is called 'ada's lock' it is the lock that ada made.
    """
    titled = [one for one in _titled(brain, thing.words, as_of, sources) if one.is_by(thing.whose)]
    pulls = [(one, said_of(one.title, thing.words, thing.kind)) for one in titled]
    each = {one.source_id: [read for read in pulls if read[0].source_id == one.source_id] for one, _ in pulls}
    told = [id_ for some in each.values() for id_ in _told_in(brain, some, thing, as_of)]
    owned = None if told or thing.whose else _WHOSE.match(thing.name)
    of_one = _thing(owned["what"], is_asked=thing.is_asked, whose=owned["whose"]) if owned else None
    return _told(brain, of_one, as_of, sources) if of_one else told


def _told_in(brain: Brain, pulls: Sequence[tuple[Pull, Said]], thing: Thing, as_of: str) -> list[int]:
    """Those of one source, of *pulls* with what their titles say of the thing, the latest first."""
    merged = [(one, said) for one, said in pulls if one.state == "merged"]
    begun = [one.end for one, said in pulls if said == "takes" or (one.state == "closed" and said in BRINGING)]
    first = min(begun, default="")
    last = next(
        ((one, said) for one, said in merged if said in BRINGING and (said != "brings anew" or "" < first < one.end)),
        None,
    )
    unmerged = [one for one, said in pulls if one.state != "merged" and _is_meant(one, said, thing, exact=bool(last))]
    opened = [one.id for one in unmerged if one.state == "open"]
    if last is None:
        since = max((one.end for one, said in merged if said), default="")
        return [*opened, *(one.id for one in unmerged if one.state == "closed" and one.end > since)][:MOST]
    brought, said = last
    told = _since(brain, brought, merged, thing, as_of)
    return told if said != "brings with more" else [*opened[:1], *told]


def _is_meant(pull: Pull, said: Said, thing: Thing, *, exact: bool) -> bool:
    """Whether one that was not merged would bring the thing, be it a draft of it; just that where *exact*."""
    said = said or said_of(_UNDONE.sub("", pull.title), thing.words, thing.kind)
    return said in (("brings", "brings anew") if exact else BRINGING)


def _since(brain: Brain, last: Pull, merged: Sequence[tuple[Pull, Said]], thing: Thing, as_of: str) -> list[int]:
    """The one that brought the thing last, and what has become of it since: what took it out, and what may be of it.

    What links tell to have brought it back takes away what took it out before.
    """
    later = [(one, said) for one, said in merged if one.end > last.end]
    again = _linked(brain, last, "reapplies", as_of)
    taken = [*(one for one, said in later if said == "takes"), *_linked(brain, last, "reverts", as_of)]
    out = [one for one in taken if not _linked(brain, one, "reverts", as_of)]
    out = [one for one in out if not any(back.end > one.end for back in again)][:1]
    if not out:
        beside = [one.id for one, said in later if said == "is of"]
        return [*dict.fromkeys([last.id, *(one.id for one in again[:1]), *beside])][:MOST]
    unsure = [one for one, said in later if one.end > out[0].end and said in ("is of", "names")]
    maybe = [one.id for one in unsure if not tells_taking(one.title)][:1]
    order = [out[0].id, *maybe, last.id] if thing.is_asked else [last.id, out[0].id, *maybe]
    return [*dict.fromkeys(order)]


def _linked(brain: Brain, pull: Pull, relation: str, as_of: str) -> list[Pull]:
    """What reverts or reapplies *pull* until then, the latest first; not what only would."""
    asked = {"source_id": pull.source_id, "ref": pull.ref, "relation": relation, "as_of": as_of}
    return [Pull(*row) for row in brain.db.execute(sql("merged_linking_to"), asked)]


def _titled(brain: Brain, words: Sequence[str], as_of: str, sources: Sequence[int]) -> list[Pull]:
    """The pull requests whose titles have *words*, the latest first."""
    plain = split(" ".join(words))
    match = f"context : ({' AND '.join(map(quoted, plain))}) OR context : {quoted(''.join(plain))}"
    asked = {"sources": json.dumps([*sources]), "as_of": as_of, "match": match}
    return [Pull(*row) for row in brain.db.execute(sql("pulls_titled"), asked)]
