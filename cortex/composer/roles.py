"""Who did what to a record, and when: a sentence may name its people and dates only in their parts."""

from __future__ import annotations

import re
from typing import Final

from cortex.composer.cited import Row
from cortex.composer.claims import ROLES, Claims

_NAMED_BEFORE: Final = re.compile(r"\b(?:by|to)\s+$")
_VERB: Final = re.compile(rf"\b({'|'.join(ROLES)})\b")


def without_people(clause: str, row: Row) -> str:
    """*clause* without the people whose part in the record it tells right; others must stand in the row's text."""
    lower = clause.lower()
    for person, fields in row.people.items():
        pattern = re.compile(rf"(?<![\w@-])@?{re.escape(person)}(?![\w-])")
        found = pattern.search(lower)
        if found and (role := _role(lower, found, row)) and fields.intersection(role):
            lower = lower[: found.start()] + " " + lower[found.end() :]
    return lower


def _role(clause: str, found: re.Match[str], row: Row) -> list[str]:
    """The fields that name whom *clause* speaks of there: 'merged by ada', 'ada merged', 'ada on #1'."""
    before, after = clause[: found.start()], clause[found.end() :]
    if _NAMED_BEFORE.search(before):
        verbs = _VERB.findall(before)
        return ROLES[verbs[-1]] if verbs else ["author"]
    if verb := re.match(r"\s+(\w+)", after):
        if verb[1] in ROLES:
            return ROLES[verb[1]]
        if verb[1] == "on" and row.record.type in ("comment", "event"):
            return ["author"]
    return []


def happened_then(claim: Claims, verb: str, row: Row) -> bool:
    """Whether the dates of a clause that tells what happened to the record are those of that; others come later."""
    verb = next((token for token in reversed(claim.tokens) if token in ROLES), verb)
    known = [row.days[field] for field in ROLES.get(verb, ()) if field in row.days]
    if not known:
        return True
    others = [day for day in row.days.values() if day not in known]
    return not any(day.agrees(other) for day in claim.days for other in others if not any(map(day.agrees, known)))
