"""What an answer may tell of a record itself: what it is called, who did what to it, and when."""

from __future__ import annotations

import re
from typing import Final

from cortex.composer.cited import Row
from cortex.composer.claims import FRAMES, GLUE, ROLES, Day, dates, tokens

_NAMED_BEFORE: Final = re.compile(r"\b(by|to)\s+$")
_EACH: Final = f"{'|'.join(ROLES)}|reverted"
_VERB: Final = re.compile(rf"\b({_EACH})\b")
_VERBS: Final = re.compile(rf"\b(?:(?:{_EACH}) and )*(?:{_EACH})\b")
_GLUE: Final = re.compile(rf"(?<!\w)(?:{'|'.join(GLUE)})(?!\w)", re.I)
_KINDS: Final = "|".join(sorted({kind for kinds in FRAMES.values() for kind in kinds}))
_JOINED: Final = re.compile(rf"(?:[\w/.@#-]|\b(?:by|until|superseding)\s+(?:(?:the|this|{_KINDS})\s+)*)$")
_GOES_ON: Final = re.compile(r"[\w/@-]|[.#]\w")
_DAY: Final = re.compile(r"[\ue000-\uf8ff]")


def told_of_record(clause: str, before: str, row: Row) -> str:
    """The verb by which *clause* tells what is known of the record, 'is' where it has none; '' where it tells more.

    Args:
        before: the verb of the clauses before it, '' where none told anything; a date by itself is that of theirs.
    """
    if any(word[1:].isupper() or (place and word != word.lower()) for place, word in enumerate(_GLUE.findall(clause))):
        return ""  # IT is no 'it'
    days, rest = dates(_without_people(clause, row))
    rest, named = _without_names(" ".join(rest.split()), row)
    said = {*tokens(_DAY.sub(" ", rest))} - GLUE
    if not said <= row.about or not (said or named or (days and before) or rest != clause.lower()):
        return ""
    verb = before
    for found in re.finditer(rf"{_VERB.pattern}|{_DAY.pattern}", rest):
        if found[1]:
            verb = found[1]
        elif not _happened(days[ord(found[0]) - 0xE000], verb, row, here=verb != before):
            return ""
    return verb or "is"


def _without_names(clause: str, row: Row) -> tuple[str, bool]:
    """*clause* without what the record is called, its place and what took it back, and whether it told any of that."""
    named = False
    for name, verb in row.names.items():
        at = clause.find(name)
        end = at + len(name)
        if at >= 0 and not _JOINED.search(clause[:at]) and not _GOES_ON.match(clause, end):
            clause, named = f"{clause[:at]} {verb} {clause[end:]}", True
    return clause, named


def _happened(day: Day, verb: str, row: Row, *, here: bool) -> bool:
    """Whether that is the date of what *verb* tells; where it is not known, one beside it is that of the record."""
    known = [row.days[field] for field in ROLES.get(verb, ()) if field in row.days]
    if not known and (verb not in ("", "is") and (here or verb == "reverted")):
        return False
    return any(map(day.agrees, known or row.days.values()))


def _without_people(clause: str, row: Row) -> str:
    """*clause* in lower case, without the people whose part in the record it tells right."""
    lower = clause.lower()
    for person, fields in row.people.items():
        pattern = re.compile(rf"(?<![\w@-])@?{re.escape(person)}(?![\w-])")
        found = pattern.search(lower)
        if found and all(fields.intersection(role) for role in _roles(lower, found, row)):
            lower = lower[: found.start()] + " " + lower[found.end() :]
    return lower


def _roles(clause: str, found: re.Match[str], row: Row) -> list[list[str]]:
    """The fields that name whom *clause* speaks of there, by verb: 'opened and merged by ada', 'ada on #1'."""
    before, after = clause[: found.start()], clause[found.end() :]
    if joined := _NAMED_BEFORE.search(before):
        verbs = _VERBS.findall(before)
        told = verbs[-1].split(" and ") if verbs else ["authored"]
        return [ROLES.get(verb, []) if (verb == "assigned") == (joined[1] == "to") else [] for verb in told]
    if verb := re.match(r"\s+(\w+)", after):
        if verb[1] in ROLES:
            return [ROLES[verb[1]]]
        if verb[1] == "on" and row.record.type in ("comment", "event"):
            return [["author"]]
    return [[]]
