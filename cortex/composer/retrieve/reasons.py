"""Why a thread that the question names was opened, merged or closed: what was said when that happened, what did it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from cortex.composer.answer_types import gives
from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.retrieve.doing import tells_decision
from cortex.composer.retrieve.filter_words import VERBS
from cortex.composer.retrieve.graph import find_related
from cortex.composer.retrieve.listing import told_by
from cortex.composer.rows import Row
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

MOST: Final = 3

FEWEST: Final = 3
"""Words of a comment that gives a reason; an approval has fewer."""

SURE: Final = 3.0
"""What a comment is worth that says itself that it ends the thread, and stands before what fixed it."""

LATEST: Final = re.compile(r"\b(?:latest|newest|news|updates?|progress|last word|happening|going on)\b", re.I)

_NOT: Final = re.compile(r"\b(?:not|never|still)\b|n['’]t\b", re.I)
_REFUSED: Final = MappingProxyType(dict.fromkeys(("rejected", "declined", "abandoned"), "closed"))
_TAKEN_BACK: Final[Mapping[str, str]] = MappingProxyType(
    {"revert": "reverted", "supersed": "superseded", "replac": "superseded"}
)
"""Stems of what may become of a thread beside its end."""

_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_ENDS: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        "closed": re.compile(
            r"\bclos(?:e|es|ed|ing)\b|\bnot now\b|\bwon['’]?t (?:fix|do|merge)\b|\bwontfix\b|\bout of scope\b"
            r"|\bdup(?:e|licate)\b|\bsuperseded\b|\bobsolete\b|\bno longer\b|\bnot planned\b|\breject(?:ed|ing)?\b"
            r"|\b(?:fixed|done|solved|resolved|addressed) (?:by|in|with)\b",
            re.I,
        ),
        "merged": re.compile(r"\bmerg(?:e|ed|es|ing)\b", re.I),
        "open": re.compile(r"\b(?:block(?:ed|s|ing)|wait(?:ing|s)?|until|still|not yet|pending|needs?)\b", re.I),
    }
)
_CAUSES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "closed": ("fixed by", "superseded by", "duplicate of", "decided in"),
        "merged": ("fixes",),
        "open": ("decided in",),
        "created": (),
        "reverted": ("reverted by",),
        "superseded": ("superseded by",),
    }
)


class _Comment(NamedTuple):
    record_id: int
    body: str
    at_once: bool
    by_who_ended_it: bool
    last: bool
    of_project: bool
    of_stranger: bool


def asks_why(question: Question) -> str:
    """What became of a thread of which the question asks nothing but why, one of `_CAUSES`; '' where it asks more."""
    if question.type != "reason" or not question.numbers:
        return ""
    if question.rest:
        became = {_TAKEN_BACK.get(stem, "") for stem in question.rest}
        return became.pop() if len(became) == 1 else ""
    return _verb(question.text)


def ended_so(question: Question, thread: Row) -> bool:
    """Whether it asks why a thread which it does not number ended as *thread* did: was 'rejected', is 'not merged'."""
    if question.type != "reason" or question.numbers or thread.type not in ("issue", "pull"):
        return False
    verb = _verb(question.text)
    return verb in _ENDS and (thread.state != "merged" if verb == "open" else thread.state == verb)


def is_open_yet(question: Question, thread: Row) -> bool:
    """Whether it asks why a thread which it does not number ended, and *thread* is one that has not."""
    if question.type != "reason" or question.numbers or thread.type not in ("issue", "pull"):
        return False
    return thread.state == "open" and _verb(question.text) in ("closed", "merged")


def find_end(brain: Brain, question: Question, thread: Row) -> list[int]:
    """What tells why *thread* ended, best first, where the question asks that of it by its title."""
    return [*_told(brain, question, thread, _verb(question.text))] if ended_so(question, thread) else []


def _verb(text: str) -> str:
    """What *text* says became of a thread, one of `_CAUSES`; '' where it says nothing."""
    words = _WORD.findall(text.lower())
    verbs = (_REFUSED.get(word) or VERBS.get(word, "") for word in words)
    verb = next((verb for verb in verbs if verb in _CAUSES), "open" if "open" in words else "")
    return "open" if verb in ("closed", "merged") and _NOT.search(text) else verb


def find_reasons(brain: Brain, question: Question, named: Sequence[Fused]) -> list[Fused]:
    """What tells why the threads *named* were opened, merged or closed, best first; none of those that were not."""
    verb = asks_why(question)
    heads = {one.row.record_id: one for one in named if one.row.type in ("issue", "pull")} if verb else {}
    found = [
        record for head in heads.values() for record in _told(brain, question, head.row, _ended(verb, head.row.state))
    ]
    return told_by(brain, found, as_of=question.as_of)


def find_latest(brain: Brain, question: Question, named: Sequence[Fused]) -> list[Fused]:
    """The last that somebody said of the threads *named*, where the question asks for the latest of them."""
    if not (question.numbers and question.told and LATEST.search(question.text)):
        return []
    found = []
    for one in named:
        values = {"id": one.row.record_id, "verb": "open", "as_of": question.as_of}
        said = [row for row in brain.db.execute(sql("said_at_the_end"), values) if row[0] is not None]
        found += [record for record, body, *_ in said if len(_WORD.findall(body)) >= FEWEST][:1]
    return told_by(brain, found, as_of=question.as_of, relation="said last")


def _ended(verb: str, state: str) -> str:
    """What became of a record in *state* by which it is told why it *verb*: what was not merged was closed."""
    if verb == "open" and state != "open":
        return "closed"
    return "merged" if (verb, state) == ("closed", "merged") else verb


def _told(brain: Brain, question: Question, thread: Row, verb: str) -> Iterator[int]:
    """Ids of the records that tell it of one thread."""
    if verb == "created":
        yield thread.record_id
        return
    related = find_related(brain, [(thread.source_id, thread.ref)])
    causes = [link.record_id for link in related if link.relation in _CAUSES[verb]]
    if verb not in _ENDS:
        yield from causes
        return
    values = {"id": thread.record_id, "verb": verb, "as_of": question.as_of}
    rows = brain.db.execute(sql("said_at_the_end"), values).fetchall()
    if not rows:
        return
    comments = [_Comment(*row) for row in rows if row[0] is not None]
    comments = [one for one in comments if len(_WORD.findall(one.body)) >= FEWEST or _ENDS[verb].search(one.body)]
    weighed = [(_worth(one, verb), one.record_id) for one in comments]
    if verb != "open":
        weighed.sort(key=lambda one: -one[0])
    saying = [record for worth, record in weighed if worth > 1]
    own = [thread.record_id] if verb == "merged" else []
    first = saying[:1] if weighed and weighed[0][0] >= SURE else []
    yield from [*first, *own, *causes, *saying][: MOST + len(own)]


class Said(NamedTuple):
    """What somebody said in a thread.

    Attributes:
        worth: how likely it tells why the thread ended.
        of_project: whether who said it is.
        of_stranger: whether who said it has done nothing there yet, nor opened the thread.
        refuses: it says why nothing came of a pull request that was closed.
    """

    record_id: int
    body: str
    worth: float
    of_project: bool
    of_stranger: bool
    refuses: bool


def said_in(brain: Brain, question: Question, thread: Row) -> Iterator[Said]:
    """What was said in *thread* until it ended, or until now, the latest first."""
    verb = thread.state if thread.state in _ENDS else "open"
    is_refused = (thread.type, verb) == ("pull", "closed")
    values = {"id": thread.record_id, "verb": verb, "as_of": question.as_of}
    for row in brain.db.execute(sql("said_at_the_end"), values):
        comment = _Comment(*row)
        if comment.body:
            refuses = is_refused and _ENDS["closed"].search(comment.body) is not None
            worth = _worth(comment, verb)
            yield Said(comment.record_id, comment.body, worth, comment.of_project, comment.of_stranger, refuses)


def _worth(comment: _Comment, verb: str) -> float:
    """How likely a comment tells why its thread ended; it does where that is more than 1."""
    return (
        2.0 * bool(_ENDS[verb].search(comment.body))
        + 2.0 * tells_decision(comment.body)
        + gives("reason", comment.body)
        + 2.0 * comment.at_once
        + 1.5 * comment.last
        + 0.5 * comment.by_who_ended_it
    )
