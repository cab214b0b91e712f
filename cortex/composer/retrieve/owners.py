"""Who owns a path, a topic or all there is, what somebody owns, and what of that bears on a question."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.retrieve.owner_files import is_list
from cortex.composer.rows import Row
from cortex.language.stems import split
from cortex.language.words import STOP_WORDS
from cortex.substrate.brain import Brain
from cortex.substrate.owners import CODEOWNERS, Owner, in_force, owner_lines, owners_of
from cortex.substrate.paths import Known, owners_at
from cortex.substrate.statements import sql

MOST_OF_TOPIC: Final = 2
"""Owners of a topic beside what else tells of it."""

MOST_OF_ALL: Final = 6
"""Lines that are told where all are asked for."""

OVERRIDDEN: Final = "overridden"

_PAIR: Final = 2
_OWNED: Final = re.compile(
    r"\b(?:own|owns|owned|owner|owners|codeowners?|maintain|maintains|maintainers?|responsible)\b", re.I
)
_OWNS: Final = re.compile(r"\b(?:owns|owned by|owners?|maintain(?:s|ed by|ers?)|responsible for)\b", re.I)
_LOGIN: Final = r"@?([^\W_](?:[\w/-]*[^\W_])?)"
_BY: Final = re.compile(
    rf"\b(?:does|do)\s+{_LOGIN}\s+(?:own|maintain)\b|\b(?:owned|maintained) by\s+{_LOGIN}"
    rf"|\b(?:is|are)\s+{_LOGIN}\s+(?:responsible for|(?:an? |the )?(?:owner|maintainer) of)\W*$",
    re.I,
)
_WHO: Final = re.compile(r"\bwho(?:se|m)?\b", re.I)
_DOES_OWN: Final = re.compile(r"\b(?:owns|owned|owners?|(?:does|do|did|not) own)\b|n[’']t own\b", re.I)
_NONE: Final = re.compile(r"\b(?:not|never|no|nobody|without|else)\b", re.I)
_NOT: Final = re.compile(r"n[’']t\b", re.I)
_BEFORE: Final = re.compile(r"\b(?:former|previous|used to)\b", re.I)
_OWNED_OR_BY: Final = re.compile(r"\b(?:(owned)|by)\b", re.I)
_ABOUT_OWNERS: Final = re.compile(
    rf"{_OWNED.pattern}|\b(?:reviews?|reviewers?|in charge|looks? after|takes? care|contact"
    r"|(?:whom?|i|we) (?:to )?ask)\b",
    re.I,
)
_ALL: Final = re.compile(r"\b(?:every ?thing|any ?thing|all|whole|entire|rest|default owners?)\b", re.I)
_CODE_OWNERS: Final = re.compile(r"\bowners\b|\bcode ?owners?\b|\breview", re.I)
_AUTOMATIC: Final = re.compile(r"\bautomatic(?:ally)?\b|\bby default\b|\bdefault reviewers?\b", re.I)
_SOMEBODY: Final = re.compile(
    r"\bwho(?:se|m)?\b|\b(?:which|what) (?:people|persons?|(?:default )?reviewers?|teams?)\b", re.I
)
_REVIEW: Final = re.compile(r"\b(?:review\w*|approv\w*)\b", re.I)
_CHANGE: Final = r"(?:changes?|edits?|modifications|pull requests?|prs?|patch(?:es)?|commits?)"
_REVIEWS_CHANGES: Final = re.compile(
    rf"\bwhom?\b[^?]{{0,40}}\b(?:review|approve|reviews|approves)\s+(?:(?:an?|the|all|any|every|my|our)\s+)?{_CHANGE}"
    r"\s+(?:of|to|in|on|under|touching|that (?:touch|change)(?:es)?)\b",
    re.I,
)
_OF_REVIEWS: Final = re.compile(
    rf"{_AUTOMATIC.pattern}|{_REVIEW.pattern}|\b{_CHANGE}\b"
    r"|\b(?:gets?|got|asked|requested|required|added|assigned|notified|pinged|has|have|must|should|needs?|touch(?:es|ing)?)\b",
    re.I,
)
_GENERIC: Final = frozenset(
    """folder folders directory directories code codebase module package component file files path area part subsystem
    project repository repo currently now everything anything whole entire default rest else listed named""".split()
)


class Owning(NamedTuple):
    """Records that tell who owns what is asked for, and what they are to the question.

    Attributes:
        relation: 'owns' where it names a topic, of which other rows may tell more; `OVERRIDDEN` where later lines leave
            them nothing.
        wider: they are of what the last word of the topic belongs to: of `/pumps/`, for 'the pumps app'.
    """

    found: list[tuple[int, int | None]]
    relation: str = "listed"
    wider: bool = False


def find_owners(brain: Brain, question: Question, *, sources: Sequence[int]) -> Owning:
    """Who owns the path that is asked for, the topic or all, or what somebody owns."""
    text = question.text
    if not (_OWNED.search(text) or _asks_for_reviewers(question)) or _is_of_none(text) or _is_of_before(text):
        return Owning([])
    paths = [path.strip("/") for path in question.paths]
    known = Known(brain, sources)
    owners = [owner for path in paths for owner in owners_at(known, path)]
    owned = [] if paths else _whether_owned(brain, question, sources)
    if not paths and not owned:
        theirs = _owned_by(brain, question, sources)
        lines = owner_lines(brain, sources=sources) if theirs else []
        owned = [one for one in theirs if in_force(one, lines) == one]
        if theirs and not owned:
            return Owning([], OVERRIDDEN)
    of_topic = [] if paths or owned else _owners_of_topic(brain, question, sources)
    wider = [] if paths or owned or of_topic else _owners_of_name(brain, question, sources)
    owners = owners if paths else owned or of_topic or wider
    owners.sort(key=lambda owner: not owner.of.strip("*/"))  # last whose everything is
    handles = [owner.handle for owner in owners]
    found = brain.db.execute(sql("facts_by_handle"), {"handles": json.dumps(handles)})
    by_handle = {handle: (record, fact) for handle, record, fact in found}
    relation = "listed" if paths or owned or not handles else "owns"
    return Owning([by_handle[handle] for handle in handles if handle in by_handle], relation, bool(wider))


def _asks_for_reviewers(question: Question) -> bool:
    """Whether it asks who reviews all that is changed, or some place of it: owners are asked to, by default."""
    text = question.text
    if question.numbers or question.type == "reason" or not (_SOMEBODY.search(text) and _REVIEW.search(text)):
        return False
    return _AUTOMATIC.search(text) is not None or _REVIEWS_CHANGES.search(text) is not None


def only_owning(brain: Brain, question: Question, fused: Sequence[Fused]) -> list[Fused]:
    """Of *fused*, where owners of a topic are among them, these and what else tells of owning it.

    A line that only says who owns a path is left out where the question asks nothing of owners and names no such path.
    """
    if all(one.relation != "owns" for one in fused):
        if _ABOUT_OWNERS.search(question.text):
            return list(fused)
        return [one for one in fused if not _only_owns(one.row) or _names(question.paths, one.row)]
    topic = _topic(brain, question)
    told = [one for one in fused if one.relation != "owns" and (_OWNS.search(one.row.text) or is_list(one.row))]
    told = [one for one in told if topic or one.row.type != "ownership"]
    told = [one for one in told if topic <= brain.stemmer.among(topic, f"{one.row.title} {one.row.text}")]
    return [*(one for one in fused if one.relation == "owns"), *told]


def names_no_owner(question: Question, found: Iterable[tuple[Fused, AbstractSet[str]]]) -> bool:
    """Whether the question asks who owns something, and nothing that was *found* says who owns it.

    Args:
        found: each with the stems of the question that stand in it.
    """
    if not _says_after_who(question.text, _DOES_OWN):
        return False
    if _is_of_none(question.text):
        return True  # nobody notes that
    if _is_of_before(question.text):
        found = [(one, held) for one, held in found if one.row.type != "ownership"]
    topic = {stem for stem in question.content if not _OWNED.match(stem)}
    return not any(
        one.relation in ("listed", "owns")
        or (not question.paths and _says_owner(one.row) and not (topic and topic.isdisjoint(held)))
        for one, held in found
    )


def _says_after_who(text: str, pattern: re.Pattern[str]) -> bool:
    """Whether a sentence of *text* has what *pattern* finds after its first 'who': no place is looked at from all."""
    firsts = ((one, _WHO.search(one)) for one in text.split("?"))
    return any(who and pattern.search(one, who.end()) for one, who in firsts)


def _is_of_none(text: str) -> bool:
    """Whether it is asked who does not own something."""
    return _NOT.search(text) is not None or _says_after_who(text, _NONE)


def _is_of_before(text: str) -> bool:
    """Whether it is asked who owned something once: 'owned', with no 'by' after it."""
    if _BEFORE.search(text):
        return True
    every = ([*_OWNED_OR_BY.finditer(one)][-1:] for one in text.split("?"))
    return any(last[0][1] for last in every if last)


def _says_owner(row: Row) -> bool:
    return row.type == "ownership" or _OWNS.search(row.text) is not None


def _only_owns(row: Row) -> bool:
    """Whether a row is a single line of an ownership file; a block of MAINTAINERS tells more."""
    return row.type == "ownership" and "\n" not in row.text.strip()


def _names(paths: Iterable[str], row: Row) -> bool:
    return any(path.strip("/") in row.text for path in paths)


def _whether_owned(brain: Brain, question: Question, sources: Sequence[int]) -> list[Owner]:
    """The lines of what is asked whether somebody owns it: whose it is tells that."""
    if question.type != "yes/no":
        return []
    topic = _topic(brain, question) - {*brain.stemmer.sequence(" ".join(_names_of_owners(question)))}
    return _lines_of(brain, topic, sources) if topic else []


def _names_of_owners(question: Question) -> set[str]:
    return {name.lower() for match in _BY.finditer(question.text) for name in match.groups() if name}


def _owned_by(brain: Brain, question: Question, sources: Sequence[int]) -> list[Owner]:
    """The lines of those whose property is asked for."""
    names = _names_of_owners(question)
    if names <= STOP_WORDS:
        return []
    lines = owner_lines(brain, sources=sources)
    return [one for one in lines if not names.isdisjoint(who.lower() for who in one.who)]


def _owners_of_topic(brain: Brain, question: Question, sources: Sequence[int]) -> list[Owner]:
    """The lines of what the question asks about; where that is no part of the whole, those of everything."""
    topic = _topic(brain, question)
    if not topic:
        return owners_of(brain, "", sources=sources) or _every_code_owner(brain, question, sources)
    found = _lines_of(brain, topic, sources)
    default = not found and not _OWNED.search(question.text) and _AUTOMATIC.search(question.text)
    return owners_of(brain, "", sources=sources) if default else found


def _every_code_owner(brain: Brain, question: Question, sources: Sequence[int]) -> list[Owner]:
    """The lines of CODEOWNERS where it is asked who they are, none is of everything, and they are few."""
    if _ALL.search(question.text) or not _CODE_OWNERS.search(question.text):
        return []
    lines = [one for one in owner_lines(brain, sources=sources) if one.path.rpartition("/")[2] == CODEOWNERS]
    return lines if len(lines) <= MOST_OF_ALL else []


def _owners_of_name(brain: Brain, question: Question, sources: Sequence[int]) -> list[Owner]:
    """The lines of what stands right before the last word of the question: of `/pumps/`, for 'the pumps app'."""
    words = split(question.text)[-2:]
    if len(words) < _PAIR or any(word in STOP_WORDS or _OWNED.fullmatch(word) for word in words):
        return []
    topic = _topic(brain, question) - {*brain.stemmer.sequence(words[1])}
    return _lines_of(brain, topic, sources) if topic == {*brain.stemmer.sequence(words[0])} else []


def _lines_of(brain: Brain, topic: AbstractSet[str], sources: Sequence[int]) -> list[Owner]:
    """What counts for those whose pattern or area has every word of *topic*; those that have little else first."""
    lines = owner_lines(brain, sources=sources)
    stems_of = [(frozenset(brain.stemmer.sequence(" ".join(split(one.of)))), one) for one in lines]
    found = sorted(((len(stems), one) for stems, one in stems_of if topic <= stems), key=lambda row: row[0])
    counting = {line.handle: line for line in (in_force(one, lines) for _, one in found[:MOST_OF_TOPIC])}
    return [*counting.values()]


def _topic(brain: Brain, question: Question) -> frozenset[str]:
    text = _OWNED.sub(" ", question.text)
    text = _OF_REVIEWS.sub(" ", text) if _asks_for_reviewers(question) else text
    words = [word for word in split(text) if word not in STOP_WORDS | _GENERIC]
    return frozenset(brain.stemmer.sequence(" ".join(words)))
