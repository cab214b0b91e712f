"""The change that took a thing out, where a question asks whether that was done, or who did it, when or why."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from cortex.composer.answer_types import gives
from cortex.composer.events import KINDS_OF_THINGS, Event, event_of
from cortex.composer.fuse import NAMED, Fused
from cortex.composer.happened import TOLD, how_told
from cortex.composer.ordered import CITED
from cortex.composer.question import Question
from cortex.composer.retrieve.doing import after_done
from cortex.composer.retrieve.merge_titles import GONE
from cortex.composer.retrieve.removal_titles import (
    Thing,
    bare_title,
    brings_back,
    fuller,
    is_of,
    name_words,
    takes_out,
    takes_out_there,
    within,
)
from cortex.composer.retrieve.removed import MOST_WORDS, Change, changes_of
from cortex.composer.rows import STANDING, load_firsts
from cortex.language.stems import Stemmer, split
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

TOOK: Final = "took it out"
"""How a row is related to what is asked that stands first for telling why, and is weighed by its text."""

LITTLE: Final = 12
"""Words of a change below its title that are too few to tell why."""

_REFERENCE: Final = re.compile(r"https?://\S+|#\d+")
_GONE: Final = ("removal", "replacement", "leaving")
_OLD: Final = re.compile(r"^(?:(?:the|our|old|former|previous|legacy|original)\s+)+", re.I)
_ASKS_WHETHER: Final = re.compile(
    rf"^\W*(?:was|were|has|have|had|got)\s+(?P<what>.+?)\s+(?:ever\s+|been\s+|actually\s+)*(?:{GONE}|replaced)\W*$",
    re.I,
)


class _Gone(NamedTuple):
    """What a question takes to be gone, or asks that of, and what it takes to have happened."""

    thing: Thing
    event: Event | None


def put_taker_first(brain: Brain, question: Question, fused: Sequence[Fused], *, sources: Sequence[int]) -> list[Fused]:
    """*fused* after the last change that took out a thing, as 'done', where it asks if, when or by whom that was done.

    Where it asks why, after the last that tells a reason, as what `TOOK` it out, or where that says little after the
    issue of that thing by which it was done; but nothing comes before what a document tells of it.
    """
    gone = None if any(one.relation in ("listed", "owns", "done", "named") for one in fused) else _gone(brain, question)
    changes = changes_of(brain, gone.thing, question.as_of, sources) if gone else []
    thing = fuller(gone.thing, (one.title for one in changes)) if gone else None
    taken = _takers(question, changes, thing, brain.stemmer) if thing else []
    if gone is None or thing is None or not taken:
        return [*fused]
    if question.type == "reason":
        return _after_why(brain, question, gone, thing, taken, fused)
    since = [one for one in changes if one.day > taken[0].day] if question.type == "yes/no" else []
    back = [
        one for one in since if one.source_id == taken[0].source_id and brings_back(one.title, thing, brain.stemmer)
    ]
    return after_done(brain, question, [(back or taken)[0].id], fused, known={})


def _gone(brain: Brain, question: Question) -> _Gone | None:
    """What is taken to be gone; None where nothing is, or no name is given."""
    is_asked = question.type in ("person", "date", "reason", "yes/no") or question.kind in ("pull", "commit")
    if question.latest or question.numbers or not is_asked:
        return None
    whether = _ASKS_WHETHER.match(question.text) if question.type == "yes/no" else None
    event = event_of(question, brain.stemmer) if question.type != "yes/no" else None
    if whether is None and (event is None or event.kind.name not in _GONE):
        return None
    said = event.called if event else whether["what"] if whether else ""
    thing = Thing(name_words(_OLD.sub("", said)), question.stems)
    named = brain.stemmer.sequence(" ".join(thing.words))
    is_name = 0 < len(thing.words) <= MOST_WORDS and not question.content.isdisjoint(named)
    return _Gone(thing, event) if is_name else None


def _takers(question: Question, changes: Sequence[Change], thing: Thing, stemmer: Stemmer) -> list[Change]:
    """Those of *changes* that took *thing* out: out of all of the project where one did that.

    First those whose titles have most of what else is asked. Of a pull request and the commit that merged it the first.
    """
    may = [one for one in changes if not brings_back(one.title, thing, stemmer)]
    taken = [one for one in may if takes_out(one.title, thing, stemmer) is not None]
    taken = taken or [one for one in may if takes_out_there(one.title, thing, stemmer)]
    merges = {one.id for one in taken if bare_title(one.title) != one.title}
    said = {bare_title(one.title) for one in taken if one.id not in merges}
    told = [one for one in taken if one.id not in merges or bare_title(one.title) not in said]
    rest = question.content.difference(stemmer.sequence(" ".join((*thing.words, *KINDS_OF_THINGS))))
    return sorted(told, key=lambda one: len(rest - stemmer.among(rest, one.title))) if rest else told


def _after_why(
    brain: Brain, question: Question, gone: _Gone, thing: Thing, taken: Sequence[Change], fused: Sequence[Fused]
) -> list[Fused]:
    standing = [one.row for one in fused[:CITED] if one.row.type in STANDING]
    if gone.event and how_told(question, gone.event, standing, brain.stemmer) == TOLD:
        return [*fused]
    telling = [one.id for one in taken if gives("reason", one.text)][:1]
    says_more = len(split(_REFERENCE.sub(" ", taken[0].text))) > LITTLE
    around = [] if telling or says_more else _issues(brain, thing, taken[0])
    first = telling or ([*around, taken[0].id] if around else [])
    return _first(brain, question, first, fused, dict.fromkeys(around, "titled"))


def _issues(brain: Brain, thing: Thing, change: Change) -> list[int]:
    """The first issue of *thing* that the *change* mentions, or that mentions it."""
    around = brain.db.execute(sql("issues_around"), {"id": change.id})
    named = within(change.title, thing, brain.stemmer)
    return [id_ for id_, title in around if is_of(title, named)][:1]


def _first(
    brain: Brain, question: Question, told: Sequence[int], fused: Sequence[Fused], relations: Mapping[int, str]
) -> list[Fused]:
    """*fused* after the records *told*, each by its own of *relations*, else as what `TOOK` the thing out."""
    known = {one.row.record_id: one for one in fused if one.row.record_id in told}
    rows = load_firsts(brain, [id_ for id_ in told if id_ not in known], as_of=question.as_of)
    first = {id_: known.get(id_) or Fused(0.0, 0.0, rows[id_], None) for id_ in told if id_ in known or id_ in rows}
    top = NAMED * max((one.score for one in fused), default=1.0)
    scored = [one._replace(score=top, relation=relations.get(id_, TOOK)) for id_, one in first.items()]
    return [*scored, *(one for one in fused if one.row.record_id not in told)]
