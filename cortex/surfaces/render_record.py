"""Facts, records, passages and compactions as a person reads them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

import click

from cortex.substrate.lookup import (
    ArchivedFact,
    LinkedRow,
    Remark,
    Shown,
    ShownFact,
    ShownPassage,
    ShownRecord,
    ShownThread,
)
from cortex.substrate.quoting import inert, label, quoted, titled
from cortex.surfaces.render import (
    amount,
    cut,
    day,
    dim,
    folded,
    heading,
    line,
    place,
    safe,
    standing,
    table,
    width,
    wrapped,
)

if TYPE_CHECKING:
    from cortex.substrate.browse import Compaction, FactList, History, Listed
    from cortex.substrate.model import CitedRecord
    from cortex.surfaces.operations.browsing import Compactions

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
    weight = f"{fact.kind} · authority {fact.authority:.2f} · confidence {fact.confidence:.2f}"
    stood = [f"from {day(found.valid_from)}"] if found.valid_from else []
    stood += [f"until {day(found.valid_until)}"] if found.valid_until else []
    return "\n".join(
        [
            heading(fact.handle),
            wrapped(quoted(fact.statement), first="  ", rest="  "),
            dim("  " + " · ".join([weight, *stood])),
            "",
            _quoted(fact.excerpt),
            "",
            *_about(found.record, found.source, "from "),
            dim(f"  characters {fact.start} to {fact.end}; the whole of it: cortex show {line(fact.record)}"),
        ]
    )


def _archived(found: ArchivedFact) -> str:
    now = f"merged into {found.merged_into}" if found.merged_into else f"{line(found.job)}: {line(found.reason)}"
    said = f"{now}, {day(found.archived_at)}"
    return "\n".join(
        [
            f"{heading(found.handle)}  {click.style(said, fg='yellow')}",
            wrapped(quoted(found.statement), first="  ", rest="  "),
            dim(
                f"  {found.kind} · authority {found.authority:.2f} · from {line(found.record)} in {line(found.source)}"
            ),
            "",
            _quoted(found.excerpt),
            "",
            dim(f"  what stands there now: cortex show {found.merged_into or line(found.record)}"),
        ]
    )


def _quoted(excerpt: str) -> str:
    paragraphs = [wrapped(each, first="  │ ", rest="  │ ") for each in safe(excerpt).splitlines() or [""]]
    return "\n".join(paragraphs)


def _bodied(text: str) -> str:
    """*text* behind a rule, so that none of its lines reads as one of ours."""
    return "\n".join(f"│ {each}" for each in text.splitlines())


def _about(record: CitedRecord, source: str, before: str = "") -> list[str]:
    title = titled(cut(inert(record.title), width() - len(before) - len(record.ref) - 4))
    told = " · ".join(part for part in (standing(record), *map(label, record.labels), inert(source)) if part)
    where = place(record)
    lines = [f"{before}{heading(label(record.ref))}  {title}", wrapped(told, first="  ", rest="  ")]
    return [*lines, dim(f"  {where}")] if where else lines


def _passage(found: ShownPassage) -> str:
    at = found.start - found.body_start
    first, last = max(at - _AROUND, 0), at + len(found.excerpt) + _AROUND
    before = ("…" if first + found.body_start else "") + safe(found.body[first:at])
    after = safe(found.body[at + len(found.excerpt) : last]) + ("…" if last < len(found.body) else "")
    marked = "\n".join(click.style(each, bold=True) if each else "" for each in safe(found.excerpt).split("\n"))
    rest = _goes_on(found.handle, found.next, found.length)
    return "\n".join([*_about(found.record, found.source), "", _bodied(before + marked + after) + rest])


def _record(found: ShownRecord) -> str:
    record = found.record
    parts = ["\n".join([*_about(record, found.source), dim(f"  authority {found.authority:.2f}" + _people(found))])]
    if found.gone_at:
        parts[0] += "\n" + click.style(f"  gone: its origin no longer had it on {day(found.gone_at)}", fg="yellow")
    parts.append(_bodied(folded(found.body)) + _goes_on(record.ref, found.next, found.length))
    if found.start:
        return "\n\n".join(parts)
    more = found.left_out
    if found.facts:
        rows = [(fact.handle, fact.kind, quoted(fact.statement)) for fact in found.facts]
        count = len(rows) + more.get("facts", 0)
        parts.append(_section(amount(count, "fact"), table(_some(rows)) + _and_more(count)))
    parts += [_links(title, links, count) for title, links, count in _directions(found) if links]
    if found.comments:
        count = len(found.comments) + more.get("comments", 0)
        rest = (
            dim(f"\n  and {more['comments']:,} more: cortex show {line(record.ref)} --thread")
            if "comments" in more
            else ""
        )
        told = table([*map(_remark, found.comments)], fold=False)
        parts.append(_section(amount(count, "comment"), told + rest))
    return "\n\n".join(parts)


def _goes_on(ref: str, start: int | None, length: int, more: str = "") -> str:
    if start is None:
        return ""
    return "\n" + dim(f"  {start:,} of {length:,} characters; on with: cortex show {line(ref)}{more} --start {start}")


def _thread(found: ShownThread) -> str:
    parts = ["\n".join(_about(found.record, found.source)), *filter(None, [_bodied(safe(found.body))])]
    for said in found.comments:
        unsure = "unverified" if said.unverified else ""
        who = " · ".join(filter(None, (label(said.author), day(said.created_at), unsure)))
        parts.append(f"{heading(line(said.ref))}  {dim(who)}\n{_bodied(safe(said.body))}")
    return "\n\n".join(parts) + _goes_on(found.record.ref, found.next, found.length, " --thread")


def _people(found: ShownRecord) -> str:
    assigned = ", ".join(map(label, found.record.assignees))
    recorded = f" · recorded by {label(found.recorded_by)}" if found.recorded_by else ""
    return (f" · assigned to {assigned}" if assigned else "") + recorded


def _directions(found: ShownRecord) -> Iterable[tuple[str, tuple[LinkedRow, ...], int]]:
    more = found.left_out
    yield "points at", found.links, len(found.links) + more.get("links", 0)
    yield "pointed at by", found.linked_from, len(found.linked_from) + more.get("linked_from", 0)


def _links(title: str, links: tuple[LinkedRow, ...], count: int) -> str:
    rows = [
        (
            link.relation.replace("_", " "),
            f"{line(link.source)} {line(link.ref)}".strip(),
            f"{titled(link.title)}{', unverified' if link.unverified else ''}" if link.title else "",
        )
        for link in links
    ]
    return _section(title, table(_some(rows)) + _and_more(count))


def _and_more(count: int) -> str:
    return dim(f"\n  and {count - _LISTED:,} more") if count > _LISTED else ""


def _some(rows: Sequence[tuple[str, str, str]]) -> Sequence[tuple[str, str, str]]:
    return rows[:_LISTED]


def _section(title: str, text: str) -> str:
    return f"{heading(title)}\n{text}"


def _remark(remark: Remark) -> tuple[str, str, str, str]:
    who = f"{label(remark.author)}{', unverified' if remark.unverified else ''}"
    return day(remark.created_at), line(remark.ref), who, quoted(remark.opening)


def facts(found: FactList) -> str:
    """Each fact with its handle, its kind and how it stands."""
    if not found.facts:
        return "No fact is like that."
    blocks = [
        f"{wrapped(quoted(one.statement), rest='  ')}\n{wrapped(_about_fact(one), first='    ', rest='    ')}"
        for one in found.facts
    ]
    last = found.offset + len(found.facts)
    if last < found.total:
        blocks.append(f"{found.total - last:,} more: --offset {last}")
    return "\n".join(blocks)


def _about_fact(one: Listed) -> str:
    stands = one.state + (f", now {one.replaced_by}" if one.replaced_by else "")
    since = day(one.since)
    unsure = "unverified" if one.unverified else ""
    about = (
        one.handle,
        one.kind,
        f"{one.authority:.2f}",
        unsure,
        stands,
        since,
        inert(one.source),
        label(one.ref),
        inert(one.reason),
    )
    return " · ".join(filter(None, about))


def history(found: History) -> str:
    """A line for each thing that happened."""
    if not found.events:
        return f"Nothing has become of {found.handle} yet."
    return table(
        [
            (f"{one.at:%Y-%m-%d}", one.what, one.handle, inert(" ".join(filter(None, (one.job, one.reason, one.ref)))))
            for one in found.events
        ],
        last=dim,
    )


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
