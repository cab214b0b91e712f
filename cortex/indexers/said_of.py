"""What a text says that it does to one it refers to: takes it back, or a part of it, brings it back, replaces it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from cortex.language.changes import Certainty, StatedChange, parse
from cortex.language.modality import is_asserted
from cortex.language.patterns import patterns
from cortex.language.verbs import FORMS, Op
from cortex.substrate.model import Relation

_ENGLISH: Final = patterns("references", "said_of")

_RELATIONS: Final[dict[Op, Relation]] = {Op.REVERTS: "reverts", Op.RELANDS: "reapplies", Op.SUPERSEDES: "supersedes"}
_FORMS: Final = [form for form, (op, verb, _) in FORMS.items() if op in _RELATIONS or verb == "replace"]
_VERB: Final = re.compile(
    rf"\b(?:{'|'.join(map(re.escape, sorted(_FORMS, reverse=True)))})\b".replace("\\ ", r"\s+"), re.I
)
_WORD: Final = re.compile(r"\w+")
_FIRST: Final = frozenset(found[0] for found in map(_WORD.match, _FORMS) if found)
_REACH: Final = 240  # characters on either side of a reference that belong to its sentence
_BEHIND: Final = 60  # characters behind it in which a passive has its verb
_SECTION: Final = 2_000
"""Characters before a sentence among which its heading, or the line that leads it in, is looked for."""

_BORDER = re.compile(r"[.!?;]\s|\n[^\S\n]*\n|\n(?=[^\S\n]*(?:[-*+•]|\d+[.)])[^\S\n])|\n(?=[^\S\n]*(?:#|[A-Z]))|\A")
_MARKS = re.compile(r"\s*(?:(?:[-*+•#]+|\d+[.)]|\[[ xX]\])\s+)*[*_(\[]*")
_END = re.compile(r"[.!?](?=\s|$)|\n[^\S\n]*\n|\Z")
_HEADING = re.compile(r"^[^\S\n]*(?:#{1,6}\s[^\n]*|\*\*[^\n]+\*\*:?|[^\n]{1,120}:)[^\S\n]*$", re.M)


def said_of(text: str, target: re.Match[str]) -> Relation:
    """What *text* says it does to what it refers to at *target*; 'mentions' where it does nothing, or not yet."""
    if not is_near_verb(text, target):
        return "mentions"
    floor = max(0, target.start() - _REACH)
    border = max((one.end() for one in _BORDER.finditer(text, floor, target.start())), default=floor)
    marks = _MARKS.match(text, border, target.start())
    start, end = marks.end() if marks else border, _END.search(text, target.end(), target.end() + _REACH)
    sentence, at = text[start : end.end() if end else target.end() + _REACH], target.start() - start
    known = (_relation(text, sentence, at, target.end(), one) for one in _stated(sentence, at))
    relation = next((one for one in known if one), None)
    if not relation or _ENGLISH["elsewhere"].search(text, border, target.start()) or _is_planned(text, border):
        return "mentions"
    return relation


def is_near_verb(text: str, target: re.Match[str]) -> bool:
    """Whether a verb that could do something to *target* stands near it: if not, nothing need be parsed."""
    verbs = _verbs(text)
    nearest = bisect_left(verbs, target.start() - _REACH)
    return nearest < len(verbs) and verbs[nearest] <= target.end() + _BEHIND


@lru_cache(1)  # asked for every reference of a text
def _verbs(text: str) -> list[int]:
    if _FIRST.isdisjoint(_WORD.findall(text.lower())):  # as most: twenty times as fast as looking for the verbs
        return []
    return [found.start() for found in _VERB.finditer(text)]


def _stated(sentence: str, at: int) -> Iterator[StatedChange]:
    """The changes that *sentence* states of what stands at *at*, or its last clause: 'fixes it by reverting #12'."""
    yield from (one for one in parse(sentence) if one.start <= at < one.end)
    clause = max((one.end() for one in _ENGLISH["joined"].finditer(sentence, 0, at)), default=0)
    if clause and is_asserted(sentence[:at]):
        for one in parse(sentence[clause:]):
            if one.start + clause <= at < one.end + clause:
                yield one._replace(start=one.start + clause, end=one.end + clause)


def _relation(text: str, sentence: str, at: int, end: int, one: StatedChange) -> Relation | None:
    named = _ENGLISH["named"].fullmatch(sentence, one.start, at)
    done = one.certainty is Certainty.DONE or _ENGLISH["will"].match(sentence)
    relation = "supersedes" if one.verb == "replace" else _RELATIONS.get(one.op)
    if not relation or not named or not done or one.by or _ENGLISH["open"].match(sentence):
        return None
    if named["revert"]:
        return "reapplies" if one.op is Op.REVERTS else None
    if _ENGLISH["partly"].search(sentence, 0, at) or any(
        _ENGLISH[name].match(text, end) for name in ("in_part", "stays")
    ):
        return "reverts_part" if relation == "reverts" else None
    stands = "by_this" if _ENGLISH["passive"].match(text, end) else "whole" if named["changes"] else "stands"
    return relation if _ENGLISH[stands].match(text, end) else None


def _is_planned(text: str, border: int) -> bool:
    headings = _HEADING.findall(text, max(0, border - _SECTION), border)
    return bool(headings) and _ENGLISH["of_plans"].search(headings[-1]) is not None
