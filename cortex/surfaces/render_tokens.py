"""Tokens, as a person at a terminal reads them."""

from __future__ import annotations

from collections.abc import Sequence

from cortex.substrate.access import Token
from cortex.surfaces.render import day, dim, line, table


def tokens(found: Sequence[Token]) -> str:
    """A line for each."""
    if not found:
        return "There is no token; make one with: cortex token create NAME"
    return table([_row(one) for one in found], last=dim)


def _row(one: Token) -> tuple[str, ...]:
    reach = "every source" if one.sources is None else ", ".join(map(line, one.sources))
    state = f"revoked {day(one.revoked_at)}" if one.revoked_at else f"since {day(one.created_at)}"
    return line(one.name), " ".join(one.grants) or "nothing", reach, state
