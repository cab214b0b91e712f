"""What an answer may tell of a record itself: what it is called, who did what to it, and when."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from cortex.composer.cited import Row
from cortex.composer.claims import FRAMES, GLUE, ROLES, Day, dates, normal, tokens

_EACH: Final = f"{'|'.join(ROLES)}|reverted"
_AND: Final = r"(?:\s*,)?\s+(?:and\s+)?(?:then\s+|also\s+|later\s+)?"
_CHAIN: Final = rf"\b(?:{_EACH})(?:{_AND}(?:{_EACH}))*"
_VERB: Final = re.compile(rf"\b({_EACH})\b")
_VERBS: Final = re.compile(rf"\b(?:(?:{_EACH}) and )*(?:{_EACH})\b")
_NAMED_BEFORE: Final = re.compile(r"\b(by|to)\s+$")
_DONE_BY: Final = re.compile(rf"({_CHAIN})\s+(?:on\s+\S+\s+)?by\s+@?$")
_DID: Final = re.compile(rf"\s+(?:{_EACH})\b")
_BY: Final = re.compile(rf"(?:{_AND}(?:{_EACH}))*\s+(?:on\s+\S+\s+)?(?:by|to)\b")
_BEFELL: Final = re.compile(rf"\b(?:was|were|is|are|been)\s+(?:(?:{_EACH}){_AND})*$")
_NOT_DONE: Final = re.compile(r"\bto\s+(?:be|have)\b|\b(?:is|are|was|were|be|been|has|have|had)\s+to\b")
_PERSON: Final = "\0"
_STEP: Final = re.compile(rf"(?P<verb>{_VERB.pattern})|(?P<person>{_PERSON})|(?P<day>[\ue000-\uf8ff])")
_GLUE: Final = re.compile(rf"(?<!\w)(?:{'|'.join(GLUE)})(?!\w)", re.I)
_KINDS: Final = "|".join(sorted({kind for kinds in FRAMES.values() for kind in kinds}))
_JOINED: Final = re.compile(rf"(?:[\w/.@#-]|\b(?:by|until|superseding)\s+(?:(?:the|this|{_KINDS})\s+)*)$")
_GOES_ON: Final = re.compile(r"[\w/@-]|[.#]\w")
_DAY: Final = re.compile(r"[\ue000-\uf8ff]")
_AUTHORED: Final = ("authored", "is")
"""What is told of whoever a record is by."""

_STATES: Final = ((), ("is",), _AUTHORED)
_UNSAID: Final = ("",)
"""What happened, where a sentence told nothing of the record."""


class Part(NamedTuple):
    """What a clause tells of a record.

    Attributes:
        verbs: what happened to it last, one or several at once: a date by itself that follows is that of each.
        goes_on: whether the next verb may share their date and person, as in 'was opened, merged and closed on'.
        early: dates told before anything happened, which are of what is told next, as in 'on Monday it was merged'.
    """

    verbs: tuple[str, ...] = ()
    goes_on: bool = False
    early: tuple[Day, ...] = ()

    def ended(self) -> Part:
        """What a sentence after it goes on from: 'It was by ada' is of what was told last, and of nothing else."""
        return Part(self.verbs or _UNSAID)


def told_of_record(clause: str, before: Part, row: Row) -> Part | None:
    """What *clause* tells of the record; None where it tells more than is known of it, or nothing.

    Args:
        before: what the clauses before it told.
    """
    if any(word[1:].isupper() or (place and word != word.lower()) for place, word in enumerate(_GLUE.findall(clause))):
        return None  # IT is no 'it'
    days, rest = dates(_without_people(clause, before.verbs, row))
    rest, named = _without_names(" ".join(rest.split()), row)
    said = {*tokens(_DAY.sub(" ", rest))} - GLUE
    told = said or named or (days and before.verbs) or rest != clause.lower()
    if not told or not said <= row.about or _NOT_DONE.search(rest):
        return None
    verbs, goes_on, early, here = before.verbs, before.goes_on, before.early, False
    for step in _STEP.finditer(rest):
        if step["verb"]:
            verbs, goes_on, here = (*verbs, step["verb"]) if goes_on else (step["verb"],), True, True
            if not all(_happened(day, (step["verb"],), row, here=True) for day in early):
                return None
            continue
        if step["day"]:
            day = days[ord(step["day"]) - 0xE000]
            if not _happened(day, verbs, row, here=here):
                return None
            early += (day,) if verbs in _STATES else ()
        elif verbs in _STATES and _NAMED_BEFORE.search(rest[: step.start()]):
            verbs = _AUTHORED
            if not all(_happened(day, verbs, row, here=True) for day in early):
                return None
        goes_on, early = False, early if verbs in _STATES else ()
    return Part(verbs or ("is",), goes_on, early if goes_on or not here else ())


def is_of_its_people(sentence: str, row: Row) -> bool:
    """Whether each of the record's people did all that *sentence* says of them, also where a comma is between."""
    said = normal(sentence).lower()
    people = [person for person in row.people if person in said]
    if not people or not _VERB.search(said):
        return True
    every = [*_named(*people).finditer(said)]
    for found, following in zip(every, [*every[1:], None], strict=False):
        before, after = said[: found.start()], said[found.end() : following.start() if following else len(said)]
        told = _done_by(before) if _NAMED_BEFORE.search(before.rstrip("@")) else _done(after)
        if not all(row.people[found[1]].intersection(ROLES.get(verb, ())) for verb in told):
            return False
    return True


@lru_cache(256)
def _named(*people: str) -> re.Pattern[str]:
    """What finds one of *people*, whose names are in lower case, with or without an '@'."""
    return re.compile(rf"(?<![\w@-])@?({'|'.join(map(re.escape, people))})(?![\w-])")


def _done_by(before: str) -> list[str]:
    """What was done by whoever is named after that: 'opened, merged and closed by'."""
    chain = _DONE_BY.search(before)
    return _VERB.findall(chain[1]) if chain else []


def _done(after: str) -> list[str]:
    """What whoever is named before that did: 'opened #1, and merged it', but not what is done by others there."""
    if not _DID.match(after):
        return []
    every = _VERB.finditer(after)
    return [verb[1] for verb in every if not (_BEFELL.search(after[: verb.start()]) or _BY.match(after, verb.end()))]


def _without_names(clause: str, row: Row) -> tuple[str, bool]:
    """*clause* without what the record is called, its place and what took it back, and whether it told any of that."""
    named = False
    for name, verb in row.names.items():
        at = clause.find(name)
        end = at + len(name)
        if at >= 0 and not _JOINED.search(clause[:at]) and not _GOES_ON.match(clause, end):
            clause, named = f"{clause[:at]} {verb} {clause[end:]}", True
    return clause, named


def _happened(day: Day, verbs: Sequence[str], row: Row, *, here: bool) -> bool:
    """Whether that is the date of all that *verbs* tell; of a state without a date, one beside it is the record's."""
    for verb in verbs or ("is",):
        known = [row.days[field] for field in ROLES.get(verb, ()) if field in row.days]
        if not known and (verb == "is" or (verb == row.record.state and not here)):
            known = [*row.days.values()]
        if not any(map(day.agrees, known)):
            return False
    return True


def _without_people(clause: str, before: Sequence[str], row: Row) -> str:
    """*clause* in lower case, without the people whose part in the record it tells right.

    Args:
        before: what happened last, which one without a verb did: 'It was merged – by ada'.
    """
    lower = clause.lower()
    for person, fields in row.people.items():
        found = _named(person).search(lower) if person in lower else None
        if found and all(fields.intersection(role) for role in _roles(lower, found, before, row)):
            lower = f"{lower[: found.start()]} {_PERSON} {lower[found.end() :]}"
    return lower


def _roles(clause: str, found: re.Match[str], last: Sequence[str], row: Row) -> list[list[str]]:
    """The fields that name whom *clause* speaks of there, by verb: 'opened and merged by ada', 'ada on #1'."""
    before, after = clause[: found.start()], clause[found.end() :]
    if joined := _NAMED_BEFORE.search(before):
        verbs = _VERBS.findall(before)
        told = verbs[-1].split(" and ") if verbs else _AUTHORED[:1] if last in _STATES else last
        return [ROLES.get(verb, []) if (verb == "assigned") == (joined[1] == "to") else [] for verb in told]
    if verb := re.match(r"\s+(\w+)", after):
        if verb[1] in ROLES:
            return [ROLES[verb[1]]]
        if verb[1] == "on" and row.record.type in ("comment", "event"):
            return [["author"]]
    return [[]]
