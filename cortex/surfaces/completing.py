"""What a shell is told may come next where that stands in the brain: names of sources, handles of facts."""

from __future__ import annotations

from typing import Final

import click

from cortex.errors import CortexError
from cortex.surfaces.session import Session

MOST: Final = 50


def sources(context: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """Names of sources that begin so."""
    return _held(context, "select name from sources where substr(name, 1, length(:begun)) = :begun", begun)


def handles(context: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """Handles of facts that begin so; other refs hold colons, where bash begins a new word."""
    return _held(context, "select handle from facts where handle >= :begun and handle < :begun || 'g'", begun)


def _held(context: click.Context, asked: str, begun: str) -> list[str]:
    """What the brain holds of it; nothing where it cannot be read now: a shell has no place for an error."""
    try:
        with context.find_root().ensure_object(Session).reader() as brain:
            rows = brain.db.execute(f"{asked} order by 1 limit :most", {"begun": begun, "most": MOST})
            return [name for (name,) in rows]
    except CortexError:
        return []
