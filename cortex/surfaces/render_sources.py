"""Sources, and what became of one, as a person reads them."""

from __future__ import annotations

from cortex.surfaces.operations.looking import SourceList
from cortex.surfaces.operations.sourcing import Sourced
from cortex.surfaces.render import amount, day, line, table


def sources(found: SourceList) -> str:
    """Each source with how much it holds."""
    if not found.sources:
        return "No source yet; make one with: cortex index PATH"
    rows = [
        (
            line(one.name),
            amount(one.records, "record"),
            amount(one.facts, "fact"),
            f"indexed {day(one.indexed_at)}" if one.indexed_at else "never indexed",
            "" if one.federated else "isolated",
        )
        for one in found.sources
    ]
    return table(rows)


def sourced(done: Sourced) -> str:
    """What became of a source."""
    held = f"{amount(done.records, 'record')} and {amount(done.facts, 'fact')}"
    told = {
        "removed": f"{held}; its files and notes are where they were", "renamed": held,
        "archived": "read it with --source", "restored": "read where no source is named, too", "unchanged": held,
    }  # fmt: skip
    return f"{done.did.capitalize()}: {line(done.name)}, {told[done.did]}."
