"""Whether a thing that a question calls by its name was merged, when and by whom: the pull request that brought it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from cortex.composer.fuse import NAMED, Fused
from cortex.composer.question import Question
from cortex.composer.retrieve.doing import ASIDE, as_done
from cortex.composer.retrieve.graph import find_related
from cortex.composer.rows import load_firsts
from cortex.substrate.brain import Brain
from cortex.substrate.search import STOP_WORDS
from cortex.substrate.search_plan import quoted
from cortex.substrate.statements import sql
from cortex.substrate.stems import split

MOST_WORDS: Final = 6
MOST: Final = 2

_THING: Final = r"(?P<{}>[^?]{{2,80}}?)"
_SOON: Final = r"(?:already |yet |ever |now |finally )*"
_END: Final = r"merged(?: (?:yet|already|now|(?:in)?to (?:the )?(?:main|master|trunk)(?: branch)?))?\W*$"
_ASKED: Final = re.compile(
    rf"^\W*(?:is|was|are|were|has|have|did) {_THING.format('is')} {_SOON}(?:been |get |got )?{_END}"
    rf"|^\W*when (?:is|was|were|did|has|have) {_THING.format('when')} {_SOON}(?:been |get |got )?{_END}"
    rf"|^\W*who merged {_THING.format('who')}\W*$",
    re.I,
)
_ARTICLES: Final = frozenset("the a an our your their this that".split())
_KINDS: Final = ("module", "support", "implementation")
"""Words for what a thing is, which its title may leave out, but not change."""

_GENERAL: Final = frozenset((*_KINDS, *"feature pr pull request change work patch branch".split()))
"""Words for what anything is that is merged, at the end of its name."""

_QUOTES: Final = r"""["'`“”‘’*]*"""
BRINGS: Final = (
    r"(?:(?:re-?)?(?:add(?:s|ed)?|implement(?:s|ed)?|introduc(?:es?|ed)|creat(?:es?|ed)|land(?:s|ed)?|merged?)"
    r"|re-?appl(?:y|ies|ied))"
)
TAKES: Final = (
    r"(?:remov(?:es?|ed|al of)|drop(?:s|ped)?|delet(?:es?|ed)|revert(?:s|ed)?|back(?:s|ed)? out|rip(?:s|ped)? out"
    r"|tak(?:es?|en) out|disabl(?:es?|ed)|get(?:s)? rid of|retir(?:es?|ed)|unship(?:s|ped)?|undo)"
)
_LEAD: Final = r"(?:(?:the|an?|new|optional|experimental)\s+)*"
_FIRST: Final = r"^\W*(?:feat(?:ure)?!?:\s*)?"
_UNDONE: Final = r"^\W*(?:(?:feat(?:ure)?|wip|draft|poc|rfc|do not merge)\b\W*)*"
_REFERENCE: Final = r"\s*\((?=[^()]*\d)[^()]*\)"
_ENDS: Final = rf"(?:{_REFERENCE})?\s*[.!]?\s*$"
_GOES_ON: Final = (
    rf"(?:{_REFERENCE})?,?\s+"
    r"(?:(?:with|using|via|as|implementing|based on|(?:that|which) (?:implements?|provides?))\s.+"
    rf"|(?:at|of|every) \d[\d.]*\W?\w*(?:{_REFERENCE})?)\W*$"
)
_AGAIN: Final = (
    r"(?:\s+(?:experiment|code|again|entirely|completely|for now|for good)|\s+(?:since|because|until|as)\s.+)*"
)
_NARROWER: Final = re.compile(
    r"\b(?:draft|wip|poc|proof|prototype|spike|groundwork|prep\w*|part\w*|step|phase|stage|milestone|stubs?|skeleton"
    r"|scaffold\w*|placeholder|mock\w*|dummy|fake|only|not|no|never|without|disabled|un\w+|tests?|bench\w*|ci|docs?"
    r"|readme|changelog|examples?|icons?|types?|schema\w*|first|initial|todo|behind|try|attempt|revert\w*|remov\w*"
    r"|drop\w*|fixups?|follow\S?ups?|v\d\S*|\d+\s*(?:/|of)\s*\d+)(?!\w)",
    re.I,
)
"""What says of a change that it brings less than the thing, or something of it."""

_MORE: Final = r"\b(?:with|and|plus)\s+(?:\w+\s+)?(?:tests?|docs?|bench\w*|examples?)\b"
"""Words of that kind that tell what it brings beside the thing."""


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


def put_merged_first(
    brain: Brain, question: Question, fused: Sequence[Fused], *, sources: Sequence[int]
) -> list[Fused]:
    """*fused*, where it asks whether or when a thing was merged, after the pull request that brought it, as 'done'.

    With what took it out since, and after one that is not merged and whose title is more exactly it.
    """
    match = None if question.numbers or question.hashes else _ASKED.search(question.text)
    if match is None or any(one.relation in ("listed", "owns") for one in fused):
        return [*fused]
    words, kind = _named(match[match.lastgroup or 0])
    if not 0 < len(words) <= MOST_WORDS or STOP_WORDS.issuperset(words):
        return [*fused]
    told = _told(brain, words, kind, question.as_of, sources, merged_now=match["is"] is not None)
    rows = load_firsts(brain, told, as_of=question.as_of)
    known = {one.row.record_id: one for one in fused if one.passage}
    top = NAMED * max((one.score for one in fused), default=1.0)
    first = [known.get(id_, Fused(0.0, 0.0, rows[id_], None)) for id_ in told if id_ in rows]
    first = [one._replace(score=top * (len(first) - place)) for place, one in enumerate(first)]
    return as_done(brain, question, first, fused) if first else [*fused]


def _named(said: str) -> tuple[list[str], str]:
    """The words of the name that *said* is, and which of `_KINDS` it is called, or ''."""
    words, kind = split(said), ""
    while words and words[0] in _ARTICLES:
        words = words[1:]
    while len(words) > 1 and words[-1] in _GENERAL:
        kind = words[-1] if words[-1] in _KINDS else kind
        words = words[:-1]
    return words, kind


def _told(
    brain: Brain, words: Sequence[str], kind: str, as_of: str, sources: Sequence[int], *, merged_now: bool
) -> list[int]:
    """The records that tell whether the thing was merged, first what decides; none where no title brings it.

    Args:
        merged_now: whether it is asked if it is, so that what took it out comes before what brought it.
    """
    own = r"[\s_-]?".join(f"{re.escape(word.removesuffix('s'))}s?" for word in words)
    kinds = kind or f"(?:{'|'.join(_KINDS)})"
    thing = rf"{_LEAD}(?:{kinds}\s+(?:(?:of|for)\s+)?{_LEAD})?{_QUOTES}{own}{_QUOTES}(?:\s+{kinds}\b)?"
    brought = rf"(?:(?:{BRINGS}|supports?)\s+)?{thing}"
    pulls = _titled(brain, words, as_of, sources)
    merged = [one for one in pulls if one.state == "merged" and not ASIDE.search(one.title)]
    exact = re.compile(f"{_FIRST}{brought}{_ENDS}", re.I)
    brings = re.compile(f"{_FIRST}{brought}(?:{_ENDS}|{_GOES_ON})", re.I)
    beside = re.compile(f"{own}|{_MORE}", re.I)
    narrower = {one.id for one in merged if _NARROWER.search(beside.sub("", one.title))}
    last = next((one for one in merged if one.id not in narrower and brings.search(one.title)), None)
    wanted = re.compile(f"{_UNDONE}{brought}{_ENDS if last else f'(?:{_ENDS}|{_GOES_ON})'}", re.I)
    unmerged = [one for one in pulls if one.state != "merged" and wanted.search(one.title)]
    opened = [one.id for one in unmerged if one.state == "open"]
    if last is None:
        since = max((one.end for one in merged if one.id not in narrower), default="")
        return [*opened, *(one.id for one in unmerged if one.state == "closed" and one.end > since)][:MOST]
    takes = re.compile(rf"{_FIRST}{TAKES}\W+{_LEAD}{brought}{_AGAIN}{_ENDS}", re.I)
    taken = [one for one in merged if one.end > last.end and takes.search(one.title)]
    reverts = [*taken, *_reverts(brain, last, as_of)]
    out = [one.id for one in reverts if not _reverts(brain, one, as_of)]
    told = [*dict.fromkeys([*out[:1], last.id] if merged_now else [last.id, *out[:1]])]
    return told if exact.search(last.title) else [*opened[:1], *told]


def _reverts(brain: Brain, pull: Pull, as_of: str) -> list[Pull]:
    """What reverted *pull* until then, not what only would."""
    ids = [one.record_id for one in find_related(brain, [(pull.source_id, pull.ref)]) if one.relation == "reverted by"]
    rows = load_firsts(brain, ids, as_of=as_of).values()
    return [
        Pull(row.record_id, row.source_id, row.ref, row.title, "merged", row.day)
        for row in rows
        if (row.type == "commit" or row.state == "merged") and (not as_of or row.day <= as_of)
    ]


def _titled(brain: Brain, words: Sequence[str], as_of: str, sources: Sequence[int]) -> list[Pull]:
    """The pull requests whose titles have *words*, the latest first."""
    match = f"context : ({' AND '.join(map(quoted, words))}) OR context : {quoted(''.join(words))}"
    asked = {"sources": json.dumps([*sources]), "as_of": as_of, "match": match}
    return [Pull(*row) for row in brain.db.execute(sql("pulls_titled"), asked)]
