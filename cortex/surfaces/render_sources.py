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


def removed(done: Sourced) -> str:
    """What went, or would go."""
    held = f"{amount(done.records, 'record')} and {amount(done.facts, 'fact')}"
    if done.changed:
        return f"Removed {line(done.name)}: {held}. Its files and notes are where they were."
    return f"{line(done.name)} holds {held}. Remove it with: --yes"


def renamed(done: Sourced) -> str:
    """What a source is called now."""
    return f"Called {line(done.name)} now." if done.changed else f"Nothing changed: it is called {line(done.name)}."


def archived(done: Sourced) -> str:
    """Whether a source is read where none is named."""
    return f"Archived {line(done.name)}: read it with --source." if done.changed else "Nothing changed."


def read_again(done: Sourced) -> str:
    """The same once that was undone."""
    return f"{line(done.name)} is read again." if done.changed else "Nothing changed."
