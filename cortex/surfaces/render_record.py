"""Facts, records, passages and compactions as a person reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import click

from cortex.substrate.lookup import ArchivedFact, Shown, ShownFact, ShownPassage, ShownRecord, ShownThread
from cortex.substrate.quoting import inert, label, quoted, titled
from cortex.surfaces import render
from cortex.surfaces.render import amount, cut, day, dim, heading, indented, joined, line, safe, spaced, stacked, table

if TYPE_CHECKING:
    from cortex.substrate.browse import Compaction, Event, FactList, History, Listed
    from cortex.substrate.lookup import LinkedRow, Remark
    from cortex.substrate.model import CitedRecord
    from cortex.surfaces.operations.looking import Compactions

_AROUND: Final = 600  # characters of the body shown on either side of a passage
_LISTED: Final = 20


def shown(found: Shown) -> str:
    """Whatever *found* is."""
    match found:
        case ShownFact():
            return _fact(found)
        case ArchivedFact():
            return _archived(found)
        case ShownPassage():
            return _passage(found)
        case ShownRecord():
            return _record(found)
        case ShownThread():
            return _thread(found)


def _fact(found: ShownFact) -> str:
    fact = found.fact
    since = f"from {day(found.valid_from)}" if found.valid_from else ""
    until = f"until {day(found.valid_until)}" if found.valid_until else ""
    sure = f"confidence {fact.confidence:.2f}"
    weight = joined(fact.kind, f"authority {fact.authority:.2f}", sure, since, until)
    whole = f"  characters {fact.start} to {fact.end}; the whole of it: cortex show {line(fact.record)}"
    return spaced(
        stacked(heading(fact.handle), indented(quoted(fact.statement)), dim(f"  {weight}")),
        render.ruled(fact.excerpt),
        stacked(_about(found.record, found.source, "from "), dim(whole)),
    )


def _archived(found: ArchivedFact) -> str:
    now = f"merged into {found.merged_into}" if found.merged_into else f"{line(found.job)}: {line(found.reason)}"
    said = render.warning(f"{now}, {day(found.archived_at)}")
    origin = f"from {line(found.record)} in {line(found.source)}"
    return spaced(
        stacked(
            f"{heading(found.handle)}  {said}",
            indented(quoted(found.statement)),
            dim(f"  {found.kind} · authority {found.authority:.2f} · {origin}"),
        ),
        render.ruled(found.excerpt),
        dim(f"  what stands there now: cortex show {found.merged_into or line(found.record)}"),
    )


def _bodied(text: str) -> str:
    """*text* behind a rule, its lines as they are."""
    return "\n".join(f"│ {each}" for each in text.splitlines())


def _about(record: CitedRecord, source: str, before: str = "") -> str:
    title = titled(cut(inert(record.title), render.width() - len(before) - len(record.ref) - 4))
    told = indented(joined(render.standing(record), *map(label, record.labels), inert(source)))
    where = render.place(record)
    return stacked(f"{before}{heading(label(record.ref))}  {title}", told, dim(f"  {where}") if where else "")


def _passage(found: ShownPassage) -> str:
    at = found.start - found.body_start
    first, last = max(at - _AROUND, 0), at + len(found.excerpt) + _AROUND
    before = ("…" if first + found.body_start else "") + safe(found.body[first:at])
    after = safe(found.body[at + len(found.excerpt) : last]) + ("…" if last < len(found.body) else "")
    marked = "\n".join(click.style(each, bold=True) if each else "" for each in safe(found.excerpt).split("\n"))
    rest = _goes_on(found.handle, found.next, found.length)
    return spaced(_about(found.record, found.source), _bodied(before + marked + after) + rest)


def _record(found: ShownRecord) -> str:
    record = found.record
    assigned, by = ", ".join(map(label, record.assignees)), found.recorded_by
    people = (f"assigned to {assigned}" if assigned else "", f"recorded by {label(by)}" if by else "")
    gone = f"  gone: its origin no longer had it on {day(found.gone_at)}" if found.gone_at else ""
    parts = [
        stacked(
            _about(record, found.source),
            dim("  " + joined(f"authority {found.authority:.2f}", *people)),
            render.warning(gone) if gone else "",
        ),
        _bodied(render.folded(found.body)) + _goes_on(record.ref, found.next, found.length),
    ]
    if found.start:
        return spaced(*parts)
    more = {"facts": 0, "links": 0, "linked_from": 0, "comments": 0, **found.left_out}
    if found.facts:
        count = len(found.facts) + more["facts"]
        rows = [(fact.handle, fact.kind, quoted(fact.statement)) for fact in found.facts]
        parts.append(_section(amount(count, "fact"), count, rows))
    for title, links, name in (
        ("points at", found.links, "links"),
        ("pointed at by", found.linked_from, "linked_from"),
    ):
        if links:
            parts.append(_section(title, len(links) + more[name], [*map(_link, links)]))
    if found.comments:
        left = more["comments"]
        rest = dim(f"\n  and {left:,} more: cortex show {line(record.ref)} --thread") if left else ""
        title = heading(amount(len(found.comments) + left, "comment"))
        parts.append(f"{title}\n{table([*map(_remark, found.comments)], fold=False)}{rest}")
    return spaced(*parts)


def _goes_on(ref: str, start: int | None, length: int, more: str = "") -> str:
    if start is None:
        return ""
    return "\n" + dim(f"  {start:,} of {length:,} characters; on with: cortex show {line(ref)}{more} --start {start}")


def _thread(found: ShownThread) -> str:
    parts = [_about(found.record, found.source), _bodied(safe(found.body))]
    for said in found.comments:
        who = joined(label(said.author), day(said.created_at), "unverified" if said.unverified else "")
        parts.append(f"{heading(line(said.ref))}  {dim(who)}\n{_bodied(safe(said.body))}")
    return spaced(*parts) + _goes_on(found.record.ref, found.next, found.length, " --thread")


def _section(title: str, count: int, rows: Sequence[tuple[str, str, str]]) -> str:
    more = dim(f"\n  and {count - _LISTED:,} more") if count > _LISTED else ""
    return f"{heading(title)}\n{table(rows[:_LISTED])}{more}"


def _link(link: LinkedRow) -> tuple[str, str, str]:
    title = f"{titled(link.title)}{', unverified' if link.unverified else ''}" if link.title else ""
    return link.relation.replace("_", " "), f"{line(link.source)} {line(link.ref)}".strip(), title


def _remark(remark: Remark) -> tuple[str, str, str, str]:
    who = f"{label(remark.author)}{', unverified' if remark.unverified else ''}"
    return day(remark.created_at), line(remark.ref), who, quoted(remark.opening)


def facts(found: FactList) -> str:
    """Each fact with its handle, its kind and how it stands."""
    if not found.facts:
        return "No fact is like that."
    last = found.offset + len(found.facts)
    more = f"{found.total - last:,} more: --offset {last}" if last < found.total else ""
    return stacked(*map(_listed, found.facts), more)


def _listed(one: Listed) -> str:
    stands = one.state + (f", now {one.replaced_by}" if one.replaced_by else "")
    unsure = "unverified" if one.unverified else ""
    about = (one.handle, one.kind, f"{one.authority:.2f}", unsure, stands, day(one.since))
    told = joined(*about, inert(one.source), label(one.ref), inert(one.reason))
    return f"{render.wrapped(quoted(one.statement), rest='  ')}\n{indented(told, 4)}"


def history(found: History) -> str:
    """A line for each thing that happened."""
    if not found.events:
        return f"Nothing has become of {found.handle} yet."
    return table([(day(one.at), one.what, one.handle, inert(_why(one))) for one in found.events], last=dim)


def _why(one: Event) -> str:
    """What did it, why and where."""
    job = "" if one.reason.startswith(one.job) else one.job
    return " ".join(filter(None, (job, one.reason, one.ref)))


def compactions(found: Compactions) -> str:
    """A line for each run: when, of what, and how many facts stood before and after."""
    if not found.compactions:
        return "Nothing was compacted yet."
    return table([_compaction(one) for one in found.compactions], last=dim)


def _compaction(one: Compaction) -> tuple[str, ...]:
    before, after = one.report.get("before"), one.report.get("after")
    counted = "" if before is None else f"{before:,} → {after:,} facts"
    state = one.status + (f", undone by run {one.undone_by}" if one.undone_by else "")
    return f"run {one.run}", f"{one.started_at:%Y-%m-%d %H:%M}", line(one.source or "every source"), counted, state
