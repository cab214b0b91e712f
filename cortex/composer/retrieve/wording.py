"""Sentences of ours about a record, from its stored fields alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cortex.substrate.quoting import label, quoted

_TITLE: Final = 120


def named(record: Mapping[str, Any], *, source: str = "") -> str:
    """What *record* is called: 'PR #12', 'issue #9', 'commit 0a1b2c3'; of *source* where that is given."""
    kind, _, key = record["ref"].partition(":")
    named = {"pull": f"PR #{key}", "issue": f"issue #{key}", "commit": f"commit {key[:7]}"}
    name = named.get(kind) or label(record["path"] if kind == "doc" else record["ref"])
    return f"{name} of {label(source)}" if source else name


def sentence(record: Mapping[str, Any], *, source: str = "") -> str:
    """*record* with who made it and how it stands: 'PR #12 “Cache it” by ada, merged by bob on 2024-05-06'."""
    title = " ".join(record["title"].split())
    title = title if len(title) <= _TITLE else f"{title[:_TITLE].rsplit(' ', 1)[0]} …"
    lead = f"{named(record, source=source)} {quoted(title)}"
    parts = {"pull": _pull, "issue": _issue, "commit": _commit}.get(record["type"], _plain)(record)
    return ", ".join(part for part in (lead + parts[0], *parts[1:], *_taken_back(record)) if part)


def day(moment: str | None) -> str:
    """The day of *moment*, ISO 8601; '' where it is unknown."""
    return (moment or "")[: len("2024-05-06")]


def on(moment: str | None) -> str:
    """' on 2024-05-06'; '' where *moment* is unknown."""
    return f" on {day(moment)}" if moment else ""


def by(who: str) -> str:
    """' by ada'; '' for nobody."""
    return f" by {label(who)}" if who else ""


def _pull(record: Mapping[str, Any]) -> tuple[str, ...]:
    author = by(record["author"])
    if record["merged_at"] or record["state"] == "merged":
        return author, f"merged{by(record['merged_by'])}{on(record['merged_at'])}"
    if record["state"] == "open":
        return author, f"open since {day(record['created_at'])}" if record["created_at"] else "open", "not merged"
    return author, f"closed{by(record['closed_by'])}{on(record['closed_at'])} without being merged"


def _issue(record: Mapping[str, Any]) -> tuple[str, ...]:
    if record["state"] == "open":
        since = f"open since {day(record['created_at'])}" if record["created_at"] else "open"
        return "", since, f"reported{by(record['author'])}" if record["author"] else ""
    reported = f"reported{by(record['author'])}{on(record['created_at'])}" if record["author"] else ""
    how = record["state"].removeprefix("closed")
    return "", reported, f"closed{by(record['closed_by'])}{on(record['closed_at'])}{how}"


def _commit(record: Mapping[str, Any]) -> tuple[str, ...]:
    return (f"{by(record['author'])}{on(record['created_at'])}",)


def _plain(record: Mapping[str, Any]) -> tuple[str, ...]:
    return by(record["author"]), label(record["state"])


def _taken_back(record: Mapping[str, Any]) -> tuple[str, ...]:
    ends = {"reverted": record.get("reverted_by"), "superseded": record.get("superseded_by")}
    return tuple(f"{how} by {named({'ref': ref, 'path': ref})}" for how, ref in ends.items() if ref)
