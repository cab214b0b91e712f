"""How facts stand, worked out from their rows with nothing but the standard library, for those in a hurry."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, Literal

State = Literal["active", "superseded", "rejected", "proposed", "later"]

_NO_LONGER: Final[Mapping[str, State]] = {
    "superseded": "superseded",
    "deprecated": "superseded",
    "reverted": "superseded",
    "rejected": "rejected",
    "proposed": "proposed",
}


def state_of(row: Mapping[str, Any], at: datetime) -> tuple[State, datetime | None, str]:
    """How the fact in *row* of `facts_standing` stands at *at*, until when it did, and the ref of what replaced it."""
    since, until = since_of(row), _time(row["valid_until"])
    if since and since > at:
        return "later", None, ""
    by, when, _ = json.loads(row["replaced"]) if row["replaced"] else ("", None, "")
    replaced_at = _time(when)
    if by and (replaced_at is None or replaced_at <= at):
        return "superseded", replaced_at, by
    if until and until <= at:
        return "superseded", until, ""
    if row["type"] == "pull":
        return (*_pull(row, at), "")
    if row["type"] == "issue" and row["kind"] == "change":  # what it asks for
        closed = _time(row["closed_at"])
        return ("active" if closed and closed <= at else "proposed"), None, ""
    # What a file says of itself, it says of now: before what replaced it there was, it stood.
    return ("active" if by else _NO_LONGER.get(row["state"], "active")), None, ""


def _pull(row: Mapping[str, Any], at: datetime) -> tuple[State, datetime | None]:
    merged, closed = _time(row["merged_at"]), _time(row["closed_at"])
    if merged and merged <= at:
        return "active", None
    if closed and closed <= at:
        return "rejected", closed
    return "proposed", None


def said_of(row: Mapping[str, Any]) -> str:
    """What the fact in *row* states, without the title of an outsider's thread: whoever answers there did not say that.

    >>> said_of({"statement": "Ada (on PR #7 “Burn it”): no", "title": "Burn it", "under_unverified": 1})
    'Ada (on PR #7): no'
    """
    statement, title = str(row["statement"]), row["title"]
    quoted = (f" “{title}”", f' "{title}"') if row.get("under_unverified") else ()
    return next((statement.replace(one, "", 1) for one in quoted if one in statement), statement)


def since_of(row: Mapping[str, Any]) -> datetime | None:
    """When the fact in *row* became true."""
    return _time(row["valid_from"] or row["created_at"])


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
