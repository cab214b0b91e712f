"""Briefs, decisions, owners, notes and their reviews, as a person reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cortex.brief import briefing
from cortex.brief.brief import FILES
from cortex.substrate.quoting import inert, label, quoted
from cortex.surfaces import render
from cortex.surfaces.render import MORE, amount, day, dim, entry, heading, indented, line, stacked

if TYPE_CHECKING:
    from cortex.brief.briefing import Brief, Item
    from cortex.brief.decisions import Decided
    from cortex.brief.owners import Owned
    from cortex.brief.similar import Precedents
    from cortex.substrate.owners import Owner, Worker
    from cortex.substrate.standing import Stood
    from cortex.substrate.work import Work
    from cortex.surfaces.operations.forgetting import Forgotten
    from cortex.surfaces.operations.recording import Noted, Notes
    from cortex.surfaces.operations.reviewing import Pending, Reviewed, Waiting
    from cortex.surfaces.remembering import Remembered

SEEN: Final = 6  # entries left out that a terminal shows


def brief(found: Brief) -> str:
    """The brief by section, and what was left out of it."""
    by_section = {
        title: [_item(one, briefing.width(found.budget)) for one in found.items if one.section == section]
        for section, (title, _) in briefing.SECTIONS.items()
    }
    return render.spaced(
        briefing.limited(found.of) if found.of else "",
        briefing.NOTHING if all(item.unverified for item in found.items) else "",
        *("\n".join([heading(title), *items]) for title, items in by_section.items() if items),
        render.wrapped(f"{briefing.UNKNOWN} {briefing.named(found.unknown)}.") if found.unknown else "",
        _left_out(found) if found.omitted else "",
        dim(f"{found.tokens:,} of {found.budget:,} tokens ({found.counted})"),
    )


def _left_out(found: Brief) -> str:
    counts = ", ".join(f"{number} {why}" for why, number in found.omitted.items())
    titles = (
        quoted(briefing.clipped(one.statement, briefing.TITLE)) if one.statement else "" for one in found.left_out
    )
    nearest = [f"{label(one.handle)} {title}".strip() for one, title in zip(found.left_out, titles, strict=True)]
    more = f", and {len(nearest) - SEEN} more with --json" if len(nearest) > SEEN else ""
    return stacked(heading("Left out"), indented(counts), dim(indented(f"See also {'; '.join(nearest[:SEEN])}{more}")))


def _item(item: Item, wide: float) -> str:
    said = f"{item.label}: {briefing.said(item, wide)}"
    return entry(said, label(item.handle), item.about or inert(item.why), first="  ", state=_unsure(item))


def _unsure(one: Item | Work | Stood) -> str:
    return render.warning(" · unverified") if one.unverified else ""


def precedents(found: Precedents) -> str:
    """Each piece of work with what is known of it, and the files that they changed."""
    if not found.precedents:
        return "Nothing like it was done before."
    rows = "\n".join(_precedent(one.work) for one in found.precedents)
    files = ", ".join(f"{label(file)} ({often})" for file, often in [*found.files.items()][:FILES])
    return render.spaced(rows, f"{heading('Files')}\n{indented(files)}" if files else "")


def _precedent(work: Work) -> str:
    by = f"; reviewed by {', '.join(map(label, work.reviewers))}" if work.reviewers else ""
    size = f"; {amount(len(work.files), 'file')} in {amount(work.commits, 'commit')}" if work.commits else ""
    said, about = f"{briefing.FATES[work.fate]}: {quoted(work.title)}", f"{briefing.told(work)}{size}{by}"
    return entry(said, label(work.handle), about, first="  ", state=_unsure(work))


def decisions(found: Decided) -> str:
    """Each decision with how it stands."""
    if not found.decisions:
        return "No such decision."
    return stacked(*map(_stood, found.decisions), dim(MORE) if found.more else "")


def _stood(one: Stood) -> str:
    until = f" {day(one.until)}" if one.until else ""
    by = f" by {label(one.replaced_by)}" if one.replaced_by else ""
    state = one.state if one.state == "active" else render.warning(f"{one.state}{by}{until}")
    stands = one.kind == "change" and one.state == "active"  # and is no choice that somebody stated
    done = ("closed" if one.type == "issue" else "done") if stands else ""
    about = (label(one.handle), day(one.since) or "undated", f"authority {one.authority:.2f}", done)
    return entry(quoted(one.statement), *about, first="  ", state=f" · {state}{_unsure(one)}")


def owners(found: Owned) -> str:
    """Who owns it, who has worked on it, or what is said of who does."""
    owners = [
        (
            ", ".join(map(label, one.who)) or "nobody",
            label(one.of),
            f"{label(one.path)} line {one.line}{_of(one, found)}",
        )
        for one in found.owners
    ]
    workers = [
        (label(one.who), amount(one.changes, "commit"), f"latest {day(one.latest)}{_of(one, found)}")
        for one in found.workers
    ]
    sections = (("Owned by", owners), ("Worked on by", workers))
    said = stacked(heading("Said of it"), *map(_stood, found.facts)) if found.facts else ""
    shown = render.spaced(*(f"{heading(title)}\n{render.table(rows)}" for title, rows in sections if rows), said)
    return shown or "Nobody that the project names."


def _of(one: Owner | Worker, found: Owned) -> str:
    return f" of {line(one.source)}" if found.among > 1 else ""


def remembered(done: Remembered) -> str:
    """What became of what was said."""
    said = {"added": "Remembered", "replaced": "Replaced", "unchanged": "Known already, nothing changed"}[done.did]
    stands = f"{said}: {line(done.ref)} in {line(done.source)}, authority {done.authority:.2f}."
    return stacked(stands, f"  {line(done.file)}", f"  {done.fact.handle}" if done.fact else "")


def waiting(found: Waiting) -> str:
    """Each item with its author and possible duplicates."""
    if not found.pending:
        return "Nothing waits for review."
    return stacked(*map(_pending, found.pending), dim("there are more: raise -k") if found.more else "")


def _pending(one: Pending) -> str:
    kind = {"note": one.kind, "outcome": one.status, "proposal": f"{one.status}, proposed from records"}[one.what]
    about = (label(one.ref), *map(inert, (str(kind), one.by, one.where, one.path)), day(one.at))
    near = [dim(indented(f"near {label(near.handle)}: {quoted(near.statement)}", 4)) for near in one.near]
    return stacked(entry(quoted(one.says), *about), indented(inert(one.note), 4) if one.note else "", *near)


def reviewed(done: Reviewed) -> str:
    """The result of a review."""
    weight = f", authority {done.authority:.2f}" if done.authority is not None else ""
    return f"{done.did.capitalize()}: {line(done.ref)} in {line(done.source)}{weight}.\n  {line(done.file)}"


def notes(found: Notes) -> str:
    """Each note with its state and file."""
    if not (found.notes or found.skipped):
        return 'No note yet; keep one with: cortex remember "…"'
    unread = [render.warning(f"{label(one.input)}: {one.reason}") for one in found.skipped]
    return stacked(*map(_note, found.notes), dim(MORE) if found.more else "", *unread)


def _note(one: Noted) -> str:
    state = one.state if one.state == "active" else render.warning(one.state)
    about = (one.handle or label(one.ref), one.kind, *map(inert, (one.by, one.where, one.path)), day(one.at))
    return entry(quoted(one.text), *about, inert(one.file), state=f" · {state}")


def forgotten(done: Forgotten) -> str:
    """The result of forgetting or restoring."""
    if done.did == "unchanged":
        return f"Nothing changed: {line(done.ref)} in {line(done.source)}."
    undo = f"\n  Restore it with: cortex forget {line(done.ref)} --undo" if done.did == "forgotten" else ""
    return f"{done.did.capitalize()}: {line(done.ref)} in {line(done.source)}, {amount(done.facts, 'fact')}.{undo}"
