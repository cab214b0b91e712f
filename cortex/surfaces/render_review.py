"""Reviews, notes and forgotten records, rendered for a terminal."""

from __future__ import annotations

import click

from cortex.substrate.quoting import inert, label, quoted
from cortex.surfaces.operations.forgetting import Forgotten
from cortex.surfaces.operations.recording import Noted, Notes
from cortex.surfaces.operations.reviewing import Pending, Reviewed, Waiting
from cortex.surfaces.render import amount, day, dim, line, wrapped


def waiting(found: Waiting) -> str:
    """Each item with its author and possible duplicates."""
    if not found.pending:
        return "Nothing waits for review."
    more = [dim("there are more: raise -k")] if found.more else []
    return "\n".join([*map(_pending, found.pending), *more])


def _pending(one: Pending) -> str:
    kind = {"note": one.kind, "outcome": one.status, "proposal": f"{one.status}, proposed from records"}[one.what]
    about = [label(one.ref), inert(str(kind)), inert(one.by), inert(one.where), inert(one.path), day(one.at)]
    told = dim(wrapped(" · ".join(filter(None, about)), first="    ", rest="    "))
    parts = [wrapped(quoted(one.says), rest="  "), told]
    parts += [wrapped(inert(one.note), first="    ", rest="    ")] if one.note else []
    parts += [
        dim(wrapped(f"near {label(near.handle)}: {quoted(near.statement)}", first="    ", rest="    "))
        for near in one.near
    ]
    return "\n".join(parts)


def reviewed(done: Reviewed) -> str:
    """The result of a review."""
    weight = f", authority {done.authority:.2f}" if done.authority is not None else ""
    return f"{done.did.capitalize()}: {line(done.ref)} in {line(done.source)}{weight}.\n  {line(done.file)}"


def notes(found: Notes) -> str:
    """Each note with its state and file."""
    if not (found.notes or found.skipped):
        return 'No note yet; keep one with: cortex remember "…"'
    more = [dim("there are more: -k says how many to list")] if found.more else []
    unread = [click.style(f"{label(one.input)}: {one.reason}", fg="yellow") for one in found.skipped]
    return "\n".join([*map(_note, found.notes), *more, *unread])


def _note(one: Noted) -> str:
    state = one.state if one.state == "active" else click.style(one.state, fg="yellow")
    about = [one.handle or label(one.ref), one.kind, inert(one.by), inert(one.where), inert(one.path), day(one.at)]
    told = dim(wrapped(" · ".join(filter(None, [*about, inert(one.file)])), first="    ", rest="    "))
    return f"{wrapped(quoted(one.text), rest='  ')}\n{told} · {state}"


def forgotten(done: Forgotten) -> str:
    """The result of forgetting or restoring."""
    if done.did == "unchanged":
        return f"Nothing changed: {line(done.ref)} in {line(done.source)}."
    said = "Forgotten" if done.did == "forgotten" else "Restored"
    undo = f"\n  Restore it with: cortex forget {line(done.ref)} --undo" if done.did == "forgotten" else ""
    return f"{said}: {line(done.ref)} in {line(done.source)}, {amount(done.facts, 'fact')}.{undo}"
