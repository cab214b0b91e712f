"""What took a thing out that a question asks after: whether it is still there, or used now."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from cortex.composer.dates import LATEST
from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.retrieve.changelogs import tells_what_was
from cortex.composer.retrieve.doing import after_done
from cortex.composer.retrieve.merge_titles import tells_taking
from cortex.composer.retrieve.removal_titles import (
    ENDING_USE,
    SHORTEST,
    TAKING,
    Thing,
    brings_back,
    is_of,
    is_of_part,
    moves_from,
    name_words,
    takes_out,
)
from cortex.composer.rows import Row
from cortex.language.sentences import sentences
from cortex.language.stems import Stemmer
from cortex.substrate.brain import Brain
from cortex.substrate.search_plan import quoted
from cortex.substrate.statements import sql

LOOKED_AT: Final = 20
MOST_WORDS: Final = 5
"""Of a thing's name."""

_OVER: Final = re.compile(
    r"\b(?:not|never|no|none|nor|without|used to|was|were|had|formerly|previously|until|before|instead|old|than)\b"
    r"|n['’]t\b|\d{4}-\d\d-\d\d",
    re.I,
)
"""What says of a thing that it is not there, or was."""

_ASKED: Final = re.compile(
    r"^\W*(?:(?:and|so|but)\s+)?(?:(?:is|are)\s+there\s+(?P<there>.+)|(?:is|are)\s+(?P<is>.+)"
    r"|(?:do|does|can|could|may|should|must)\s+(?P<does>.+))$",
    re.I | re.S,
)
_SUBJECT: Final = re.compile(r"(?:the\s+)?[\w'’-]+", re.I)
_HAS: Final = re.compile(r"(?:\w+ing(?:\s+(?:on|in|with))?|on|in|with)\s+(?P<what>.+)", re.I)
"""What a subject still does with a thing, or runs on: 'using Kafka', 'on Kafka'; 'used' is done to the subject."""

_TAKING: Final = " OR ".join(map(quoted, TAKING.split()))


class Change(NamedTuple):
    """A commit, or a pull request that was merged, when that was, ISO 8601, and how its text begins."""

    id: int
    source_id: int
    title: str
    day: str
    text: str


class _Told(NamedTuple):
    """What tells what became of a thing: the records, best first, and when it or a part was taken out, ISO 8601.

    Attributes:
        in_part: they say that it is out of some place, or something of it was moved.
    """

    thing: Thing
    records: Sequence[int]
    day: str
    is_out: bool
    in_part: bool = False


def put_removed_first(
    brain: Brain, question: Question, fused: Sequence[Fused], *, sources: Sequence[int]
) -> list[Fused]:
    """*fused*, where it asks whether a thing is there still or now, after the change that took it out, as 'done'.

    And after what brought it back since, or a directive, or a document no older, that says of it what is asked. Where
    a later change is of it none is told, for it seems to be there.
    """
    if question.type != "yes/no" or not question.latest or question.numbers or question.hashes:
        return [*fused]
    if any(one.relation in ("listed", "owns", "done") for one in fused):
        return [*fused]
    each = [one for said in _called(question.text) if (one := _told(brain, question, said, sources))]
    if not each:
        return [*fused]
    found = next((one for one in each if one.records), each[0])
    kept = [one for one in fused[:LOOKED_AT] if one.passage and _stands(one.row, question, found.thing, brain.stemmer)]
    kept = _since(brain, kept, found.day)[: found.is_out]
    told = [*(one.row.record_id for one in kept), *found.records]
    rows = after_done(brain, question, told, fused, known={one.row.record_id: one for one in kept})
    part = found.records if found.in_part else ()
    return [one._replace(relation="titled", fact=None) if one.row.record_id in part else one for one in rows]


def _called(text: str) -> Iterator[str]:
    """What the thing may be called that *text* asks after: what 'still' stands after, or what is done to it."""
    asked = _ASKED.match(text.strip(" ?!.\n"))
    if asked is None:
        return
    said = LATEST.sub("\0", asked[asked.lastgroup or 0], count=1)
    before, _, after = (part.strip(" ,") for part in said.partition("\0"))
    if asked.lastgroup == "is" and before and after:
        yield before
        if has := _HAS.match(after):
            yield from _beginnings(has["what"])
    elif asked.lastgroup == "does":
        subject = before if after else "".join(_SUBJECT.findall(before)[:1])
        _, _, done_to = (after or before.removeprefix(subject).strip()).partition(" ")
        yield from (*_beginnings(done_to), subject)
    else:
        yield from _beginnings(f"{before} {after}".strip())


def _beginnings(said: str) -> Iterator[str]:
    words = said.split()[: MOST_WORDS + 1]
    return (" ".join(words[:end]) for end in range(len(words), 0, -1))


def _stands(row: Row, question: Question, thing: Thing, stemmer: Stemmer) -> bool:
    """Whether a document says of *thing* in one sentence what is asked, as it is now."""
    if row.type not in ("doc", "directive") or row.state not in ("", "active") or row.unverified:
        return False
    if tells_what_was(row.ref, row.title):
        return False
    said = (row.text[span.start : span.end] for span in sentences(row.text))
    asked = question.content.difference(ENDING_USE, stemmer.sequence(" ".join(thing.words)))
    return any(
        is_of(one, thing) and not _OVER.search(one) and not tells_taking(one)
        and asked <= stemmer.among(asked, f"{row.title} {one}") for one in said
    )  # fmt: skip


def _since(brain: Brain, kept: Sequence[Fused], day: str) -> list[Fused]:
    """Those of *kept* that are directives, or of files that nothing shows to be older than *day*, directives first."""
    asked = {"ids": json.dumps([one.row.record_id for one in kept])}
    touched = dict(brain.db.execute(sql("docs_touched"), asked).fetchall())
    days = {one.row.record_id: max(one.row.day, touched.get(one.row.record_id, "")) for one in kept}
    rules = [one for one in kept if one.row.type == "directive"]
    return [*rules, *(one for one in kept if one not in rules and not "" < days[one.row.record_id] < day)]


def _told(brain: Brain, question: Question, said: str, sources: Sequence[int]) -> _Told | None:
    """The change that took out what is *said*, after what brought it back; no record where it is but a part."""
    thing = Thing(name_words(said), question.stems)
    named = brain.stemmer.sequence(" ".join(thing.words))
    if not 0 < len(thing.words) <= MOST_WORDS or question.content.isdisjoint(named):
        return None
    changes = changes_of(brain, thing, question.as_of, sources)
    partial = {one.title: one for one in changes if is_of_part(one.text)}
    for taken in changes:
        where = takes_out(taken.title, thing, brain.stemmer)
        is_moved = where is None and moves_from(taken.title, thing, brain.stemmer)
        if where is None and not is_moved:
            continue
        if part := partial.get(taken.title.partition(" (#")[0]):  # a squashed commit has its pull request's number
            return _Told(thing, [part.id], "", is_out=True, in_part=True)
        since = [one for one in changes if one.day > taken.day and one.source_id == taken.source_id]
        since = [one for one in since if is_of(one.title, thing) and _is_there(one.title, where, brain.stemmer)]
        back = next((one for one in since if brings_back(one.title, thing, brain.stemmer)), None)
        if back and not is_moved:
            return _Told(thing, [back.id, taken.id], taken.day, is_out=False)
        return None if since else _Told(thing, [taken.id], taken.day, is_out=True, in_part=is_moved)
    of_part = (one for one in changes if tells_taking(one.title) and {*named} <= brain.stemmer.among(named, one.title))
    return next((_Told(thing, [], one.day, is_out=True) for one in of_part), None)


def _is_there(title: str, where: Collection[str] | None, stemmer: Stemmer) -> bool:
    return not where or {*where} <= stemmer.among(where, title)


def changes_of(brain: Brain, thing: Thing, as_of: str, sources: Sequence[int]) -> list[Change]:
    """The changes titled by *thing*, or that have it below a title that may take something out, the latest first."""
    words, last = thing.words, thing.words[-1]
    every = " AND ".join(map(quoted, words))
    if len(words) == 1:
        every = f"({every} OR {quoted(f'lib{last}')})"
    titled = " AND ".join([*map(quoted, words[:-1]), f"{quoted(last)} *" if len(last) >= SHORTEST else quoted(last)])
    match = f"context : ({titled}) OR (({every}) AND context : ({_TAKING}))"
    asked = {"sources": json.dumps([*sources]), "as_of": as_of, "match": match}
    return [Change(*row) for row in brain.db.execute(sql("changes_with"), asked)]
