"""How much a fact's origin weighs, 0 to 1. One table; a project may override a number in its configuration."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from cortex.substrate.model import Record

AUTHORITY: Final[Mapping[str, float]] = MappingProxyType(
    {
        "directive": 1.00,
        "pull merged": 0.95,
        "outcome": 0.90,
        "ownership": 0.90,
        "project": 0.90,
        "issue closed": 0.85,
        "doc": 0.85,
        "code": 0.85,
        "release": 0.85,
        "pull open": 0.80,
        "commit": 0.80,
        "issue open": 0.75,
        "comment": 0.70,
        "event": 0.60,
        "code undocumented": 0.60,
        "pull closed": 0.60,
    }
)


def origin(record: Record) -> str:
    """Which line of the table a record stands on: 'pull merged', 'issue open', 'comment', …"""
    if record.type == "code" and record.state:
        return f"code {record.state}"
    if record.type not in ("pull", "issue"):
        return record.type
    if record.type == "pull" and (record.merged_at or record.state == "merged"):
        return "pull merged"
    return f"{record.type} {'open' if record.state == 'open' else 'closed'}"


def authority_of(record: Record, overrides: Mapping[str, float] | None = None) -> float:
    """The weight of *record*'s origin, with a project's own numbers before the table's."""
    line = origin(record)
    return (overrides or {}).get(line, AUTHORITY[line])


def noted(overrides: Mapping[str, float] | None = None) -> dict[str, float]:
    """The weights for what a trusted writer notes: what somebody of the project says weighs as a comment does.

    >>> noted()["event"], noted({"event": 0.95})["event"]
    (0.7, 0.95)
    """
    weights = dict(overrides or {})
    return {"event": weights.get("comment", AUTHORITY["comment"])} | weights


def least(overrides: Mapping[str, float] | None = None) -> dict[str, float]:
    """The weights for what somebody says whom nobody trusts: the lowest there is, whatever it is called.

    >>> {*least().values()}, {*least({"event": 0.95}).values()}, {*least({"doc": 0.4}).values()}
    ({0.6}, {0.6}, {0.4})
    """
    return dict.fromkeys(AUTHORITY, min(*AUTHORITY.values(), *(overrides or {}).values()))
