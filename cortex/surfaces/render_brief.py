"""Briefs, decisions, owners, sources and what was remembered, as a person reads them."""

from __future__ import annotations

from typing import Final

import click

from cortex.brief.brief import FILES
from cortex.brief.briefing import (
    FATES,
    NOTHING,
    SECTIONS,
    TITLE,
    UNKNOWN,
    Brief,
    Item,
    clipped,
    limited,
    named,
    said,
    told,
    width,
)
from cortex.brief.decisions import Decided
from cortex.brief.owners import Owned
from cortex.brief.similar import Precedents
from cortex.substrate.owners import Owner, Worker
from cortex.substrate.quoting import inert, label, quoted
from cortex.substrate.standing import Stood
from cortex.substrate.work import Work
from cortex.surfaces.remembering import Remembered
from cortex.surfaces.render import amount, day, dim, heading, line, table, wrapped

SEEN: Final = 6  # entries left out that a terminal shows
_UNVERIFIED: Final = click.style(" · unverified", fg="yellow")


def brief(found: Brief) -> str:
    """The brief by section, and what was left out of it."""
    parts = [
        "\n".join([heading(name), *(_item(one, width(found.budget)) for one in found.items if one.section == section)])
        for section, (name, _) in SECTIONS.items()
        if any(one.section == section for one in found.items)
    ]
    if all(item.unverified for item in found.items):
        parts.insert(0, NOTHING)
    if found.of:
        parts.insert(0, limited(found.of))
    if found.unknown:
        parts.append(wrapped(f"{UNKNOWN} {named(found.unknown)}."))
    if found.omitted:
        counts = ", ".join(f"{number} {why}" for why, number in found.omitted.items())
        titled = (
            (one.handle, quoted(clipped(one.statement, TITLE)) if one.statement else "") for one in found.left_out
        )
        nearest = [f"{label(handle)} {title}".strip() for handle, title in titled]
        more = f", and {len(nearest) - SEEN} more with --json" if len(nearest) > SEEN else ""
        seen = dim(wrapped(f"See also {'; '.join(nearest[:SEEN])}{more}", first="  ", rest="  "))
        parts.append("\n".join([heading("Left out"), wrapped(counts, first="  ", rest="  "), seen]))
    parts.append(dim(f"{found.tokens:,} of {found.budget:,} tokens ({found.counted})"))
    return "\n\n".join(parts)


def _item(item: Item, wide: float) -> str:
    about = dim(wrapped(f"{label(item.handle)} · {item.about or inert(item.why)}", first="    ", rest="    "))
    about += _UNVERIFIED if item.unverified else ""
    return f"{wrapped(f'{item.label}: {said(item, wide)}', first='  ', rest='  ')}\n{about}"


def precedents(found: Precedents) -> str:
    """Each piece of work with what is known of it, and the files that they changed."""
    if not found.precedents:
        return "Nothing like it was done before."
    rows = [_precedent(one.work) for one in found.precedents]
    if not found.files:
        return "\n".join(rows)
    files = ", ".join(f"{label(file)} ({often})" for file, often in [*found.files.items()][:FILES])
    return "\n".join([*rows, "", heading("Files"), wrapped(files, first="  ", rest="  ")])


def _precedent(work: Work) -> str:
    by = f"; reviewed by {', '.join(map(label, work.reviewers))}" if work.reviewers else ""
    size = f"; {amount(len(work.files), 'file')} in {amount(work.commits, 'commit')}" if work.commits else ""
    about = dim(wrapped(f"{label(work.handle)} · {told(work)}{size}{by}", first="    ", rest="    "))
    about += _UNVERIFIED if work.unverified else ""
    return f"{wrapped(f'{FATES[work.fate]}: {quoted(work.title)}', first='  ', rest='  ')}\n{about}"


def decisions(found: Decided) -> str:
    """Each decision with how it stands."""
    if not found.decisions:
        return "No such decision."
    more = [dim("there are more: -k says how many to list")] if found.more else []
    return "\n".join([*map(_stood, found.decisions), *more])


def _stood(one: Stood) -> str:
    until = f" {day(one.until)}" if one.until else ""
    by = f" by {label(one.replaced_by)}" if one.replaced_by else ""
    state = one.state if one.state == "active" else click.style(f"{one.state}{by}{until}", fg="yellow")
    stands = one.kind == "change" and one.state == "active"  # and is no choice that somebody stated
    done = ("closed · " if one.type == "issue" else "done · ") if stands else ""
    about = (
        dim(f"    {label(one.handle)} · {day(one.since) or 'undated'} · authority {one.authority:.2f} · {done}") + state
    )
    about += _UNVERIFIED if one.unverified else ""
    return f"{wrapped(quoted(one.statement), first='  ', rest='  ')}\n{about}"


def owners(found: Owned) -> str:
    """Who owns it, who has worked on it, or what is said of who does."""
    parts = []
    if found.owners:
        rows = [
            (
                ", ".join(map(label, one.who)) or "nobody",
                label(one.of),
                f"{label(one.path)} line {one.line}{_of(one, found)}",
            )
            for one in found.owners
        ]
        parts.append(f"{heading('Owned by')}\n{table(rows)}")
    if found.workers:
        rows = [
            (label(one.who), amount(one.changes, "commit"), f"latest {day(one.latest)}{_of(one, found)}")
            for one in found.workers
        ]
        parts.append(f"{heading('Worked on by')}\n{table(rows)}")
    if found.facts:
        parts.append("\n".join([heading("Said of it"), *map(_stood, found.facts)]))
    return "\n\n".join(parts) or "Nobody that the project names."


def _of(one: Owner | Worker, found: Owned) -> str:
    return f" of {line(one.source)}" if found.among > 1 else ""


def remembered(done: Remembered) -> str:
    """What became of what was said."""
    said = {"added": "Remembered", "replaced": "Replaced", "unchanged": "Known already, nothing changed"}[done.did]
    handle = f"\n  {done.fact.handle}" if done.fact else ""
    return (
        f"{said}: {line(done.ref)} in {line(done.source)}, authority {done.authority:.2f}.\n  {line(done.file)}{handle}"
    )
