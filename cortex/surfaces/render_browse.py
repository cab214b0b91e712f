"""Facts, what became of one, and compactions, as a person at a terminal reads them."""

from __future__ import annotations

from cortex.substrate.browse import Compaction, FactList, History, Listed
from cortex.substrate.quoting import inert, label, quoted
from cortex.surfaces.operations.browsing import Compactions
from cortex.surfaces.render import day, dim, table, wrapped


def facts(found: FactList) -> str:
    """Each fact with its handle, its kind and how it stands."""
    if not found.facts:
        return "No fact is like that."
    blocks = [
        f"{wrapped(quoted(one.statement), rest='  ')}\n{wrapped(_about(one), first='    ', rest='    ')}"
        for one in found.facts
    ]
    last = found.offset + len(found.facts)
    if last < found.total:
        blocks.append(f"{found.total - last:,} more: --offset {last}")
    return "\n".join(blocks)


def _about(one: Listed) -> str:
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
    return table([_row(one) for one in found.compactions], last=dim)


def _row(one: Compaction) -> tuple[str, ...]:
    before, after = one.report.get("before"), one.report.get("after")
    counted = "" if before is None else f"{before:,} → {after:,} facts"
    state = one.status + (f", undone by run {one.undone_by}" if one.undone_by else "")
    return f"run {one.run}", f"{one.started_at:%Y-%m-%d %H:%M}", one.source or "every source", counted, state
