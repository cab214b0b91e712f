"""What commands did and what a brain holds, as a person reads it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import click

from cortex.indexers.connectors.listing import LEFT_OUT
from cortex.indexers.reading import SPARED
from cortex.llm.spending import dollars
from cortex.surfaces import render_evals, render_upkeep
from cortex.surfaces.indexing import Indexed
from cortex.surfaces.render import amount, day, dim, heading, line, size, table, wrapped
from cortex.surfaces.working import clock

if TYPE_CHECKING:
    from cortex.substrate.model import Skipped
    from cortex.substrate.status import SourceStatus
    from cortex.substrate.verify import Mended, Verified
    from cortex.surfaces.indexing import Project
    from cortex.surfaces.models import Modelled
    from cortex.surfaces.operations.looking import SourceList, Standing
    from cortex.surfaces.operations.queueing import Worked
    from cortex.surfaces.operations.sourcing import Sourced
    from cortex.surfaces.recording import Imported, Outcome, Recorded

_NAMED = 3
_ENDINGS = 6
_NOUNS = {"ownership": "ownership rule"}


def project(found: Project) -> str:
    """What init found, and what to run next."""
    sorts = (
        (found.commits, "commit"),
        (found.documents, "document"),
        (found.directives, "directive file"),
        (found.decisions, "decision record"),
        (found.ownership, "ownership file"),
    )
    rows = [amount(number, noun) for number, noun in sorts if number]
    state = "registered" if found.registered else "already registered"
    lines = [f"{heading(line(found.source))} {state}", *_stands(found)]
    lines.append(wrapped("holds " + (", ".join(rows) or "nothing that Cortex reads"), first="  ", rest="  "))
    return "\n".join(lines)


def indexed(done: Indexed) -> str:
    """What an index run did, by connector and path."""
    if not done.changed:
        state = "was not brought up to date" if done.undone else f"is up to date{_but_for(done.skipped)}"
        text = f"Nothing changed: {line(done.source)} {state} ({done.seconds:.1f} s)."
        return "\n".join(
            [text, *(_stands(done) if done.instead_of else []), *_undone(done), *_redacted(done), *_skipped(done)]
        )
    rate = f" ({done.records / done.seconds:,.0f}/s)" if done.seconds else ""
    took = f"{amount(done.records, 'record')} in {done.seconds:.1f} s{rate}"
    return "\n".join(
        [
            f"{heading(line(done.source))}  {dim(took)}",
            *_stands(done),
            "",
            _changes(done),
            *_undone(done),
            *modelled(done.models),
            *_redacted(done),
            *_skipped(done),
        ]
    )


def _but_for(skipped: Sequence[Skipped]) -> str:
    if any(one.reason.startswith(SPARED) for one in skipped):
        return " but for what could not be read"
    left = sum(not one.kept and one.reason != LEFT_OUT for one in skipped)
    return f" but for {amount(left, 'input')} that could not be used" if left else ""


def _stands(found: Project | Indexed) -> list[str]:
    lines = [f"at {found.location}"]
    if isinstance(found, Indexed) and found.instead_of:
        lines.append(f"read from {found.instead_of} before: what stands only there is gone from this source")
    if found.namesake:
        lines.append(f"another project of that name is at {found.namesake}; --source NAME calls it otherwise")
    return [wrapped(each, first="  ", rest="  ") for each in lines]


def again(done: Indexed, paths: Sequence[str]) -> str:
    """What a change of files did, on a line."""
    named = ", ".join(map(line, paths[:_NAMED])) + (f" and {len(paths) - _NAMED:,} more" if len(paths) > _NAMED else "")
    facts = ", ".join(
        f"{number:,} {what}"
        for number, what in (
            (sum(f.added for f in done.facts), "added"),
            (sum(f.replaced for f in done.facts), "replaced"),
        )
    )
    return f"{named}: facts {facts} {dim(f'({done.seconds:.1f} s)')}"


def _changes(done: Indexed) -> str:
    rows = [[heading("records"), *map(dim, ("added", "replaced", "unchanged", "gone", "skipped")), ""]]
    for origin in done.origins:
        counts = (origin.added, origin.replaced, origin.unchanged, origin.gone, origin.skipped)
        what = "as it was, not read again" if origin.untouched else _kinds(origin.records)
        rows.append([f"  {origin.origin}", *map(_count, counts), what])
    rows.append([heading("facts"), *[""] * 6])
    rows += [[f"  {f.path}", *map(_count, (f.added, f.replaced, f.unchanged)), "", "", ""] for f in done.facts]
    return table(rows, numbers=range(1, 6), indent="", last=dim)


def _count(number: int) -> str:
    return f"{number:,}" if number else dim("·")


def _kinds(counts: Mapping[str, int]) -> str:
    most = sorted(counts.items(), key=lambda pair: -pair[1])
    return ", ".join(amount(number, _NOUNS.get(name, name)) for name, number in most)


def modelled(used: Modelled | None) -> list[str]:
    """What models did, what they cost and what the rules read in their place; empty where none was asked."""
    if used is None:
        return []
    calls, cost = sum(one.calls for one in used.calls), sum(one.cost_usd for one in used.calls)
    names = ", ".join(line(one.model) for one in used.calls)
    lines = ["", f"{heading('models ' + amount(calls, 'call') + ', ' + dollars(cost))}  {dim(names)}"]
    lines += [f"  {amount(number, 'fact')} dropped: {why}" for why, number in used.dropped.items()]
    if used.kept:
        lines.append(f"  {amount(used.kept, 'text')} with what the rules found: nothing stood that a model did")
    lines += [
        wrapped(f"{tier} passed over: {line(why)}", first="  ", rest="    ") for tier, why in used.passed_over.items()
    ]
    if used.by_rules:
        told = f"{amount(used.by_rules, 'text')} read by the rules: {line(used.stopped)}"
        lines.append(wrapped(told, first="  ", rest="    "))
    return lines


def _undone(done: Indexed) -> list[str]:
    if not done.undone:
        return []
    lines = [wrapped(f"{line(why)}; what it brought before stands", first="  ", rest="    ") for why in done.undone]
    return ["", click.style("not read", fg="red", bold=True), *lines]


def _redacted(done: Indexed) -> list[str]:
    if not done.redacted:
        return []
    kinds = ", ".join(f"{kind} {number:,}" for kind, number in done.redacted.items())
    return ["", f"{heading('redacted ' + amount(sum(done.redacted.values()), 'secret'))}  {dim(kinds)}"]


def _skipped(done: Indexed) -> list[str]:
    left = [one for one in done.skipped if not one.kept]
    kept = [one for one in done.skipped if one.kept]
    return [
        *_named(f"skipped {amount(len(left), 'input')}", left),
        *_named(f"read {amount(len(kept), 'input')} in part", kept),
        *_unread(done),
    ]


def _unread(done: Indexed) -> list[str]:
    """Files that are of no kind that is read, by how their names end."""
    counts = [one for origin in done.origins for one in origin.unread.items()]
    named = [f"{number:,} {line(ending)}" for ending, number in counts[:_ENDINGS]]
    others = sum(number for _, number in counts[_ENDINGS:])
    told = ", ".join([*named, *([f"{others:,} others"] if others else [])])
    return ["", dim(wrapped(f"not read: {told}", rest="  "))] if counts else []


def _named(title: str, inputs: Sequence[Skipped]) -> list[str]:
    by_reason: dict[str, list[str]] = {}
    for one in inputs:
        by_reason.setdefault(one.reason, []).append(one.input)
    lines = ["", heading(title)] if inputs else []
    for reason, names in sorted(by_reason.items(), key=lambda pair: -len(pair[1])):
        more = f", and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
        named = ", ".join(map(line, names[:_NAMED]))
        lines.append(wrapped(f"{len(names):,} × {reason}: {named}{more}", first="  ", rest="    "))
    return lines


def status(found: Standing) -> str:
    """The brain and its sources, when it was compacted, and how it is used."""
    now = clock()
    late = render_upkeep.standing(found.compaction.last, late=found.compaction.overdue)
    used = render_evals.usage(found.usage) if found.usage else ""
    return "\n\n".join(filter(None, [_held(found, now), late, used]))


def _held(found: Standing, now: datetime) -> str:
    about = f"{found.path}  {size(found.bytes)}" if found.bytes is not None else found.path
    if not found.sources:
        return f"{about}\nNo sources yet; index one with: cortex index PATH"
    return "\n\n".join([about, *(_source(one, now) for one in found.sources)])


def _source(source: SourceStatus, now: datetime) -> str:
    behind = render_upkeep.backlog(source.backlog, now=now)
    rows = [
        ("records", _total(source.records), _listed(source.records)),
        ("facts", _total(source.facts), _listed(source.facts)),
        ("queue", _total(source.queue), "; ".join(filter(None, [_listed(source.queue), behind]))),
        ("gone", _total(source.gone), _gone(source)),
        ("archived", _total(source.archived), _listed(source.archived)),
    ]
    shown = [row for row in rows if row[0] in ("records", "facts") or row[1] != "0"]
    name = heading(line(source.name)) + ("" if source.federated else dim("  read only when named"))
    where = [wrapped(source.location, first="  ", rest="  ")] if source.location else []
    return "\n".join([name, *where, table(shown, numbers=[1], last=dim), f"  {_last_run(source)}"])


def _gone(source: SourceStatus) -> str:
    facts = sum(source.facts_gone.values())
    left = f"{amount(facts, 'fact')} of them until the next cortex compact" if facts else ""
    return "; ".join(filter(None, [_listed(source.gone), left]))


def _last_run(source: SourceStatus) -> str:
    run = source.last_run
    if run is None:
        return "never indexed; run: cortex index"
    skipped = f", {amount(run.skipped, 'input')} skipped or read in part" if run.skipped else ""
    state = "" if run.status == "done" else f", {run.status}"
    return f"last run {run.started_at:%Y-%m-%d %H:%M} UTC: {run.command}{state}{skipped}"


def _total(counts: Mapping[str, int]) -> str:
    return f"{sum(counts.values()):,}"


def _listed(counts: Mapping[str, int]) -> str:
    return " · ".join(f"{name} {number:,}" for name, number in counts.items())


def verified(checked: Verified) -> str:
    """What was checked, and what failed."""
    counted = f"{amount(checked.facts, 'fact')} of {amount(checked.records, 'record')} checked"
    if checked.holds:
        return f"Everything holds: {counted}, with {', '.join(checked.checks)}."
    lines = [wrapped(f"{failure.what}: {failure.problem}", first="  ", rest="    ") for failure in checked.failures]
    more = [f"  and {checked.failed - len(lines):,} more"] if checked.failed > len(lines) else []
    said = click.style(f"{amount(checked.failed, 'failure')}: {counted}.", fg="red", bold=True)
    return "\n".join([said, *lines, *more])


def mended(done: Mended) -> str:
    """What was put right, and what is left to do."""
    built = f"built anew: {', '.join(done.indexes)}" if done.indexes else ""
    archived = f"archived: {amount(done.facts, 'fact')} that did not hold" if done.facts else ""
    returned = f"given back to the disk: {size(done.returned)}" if done.returned else ""
    again = "\nNext: cortex index --again" if done.facts else ""
    return ("\n".join(filter(None, [built, archived, returned])) or "nothing to mend") + again


def recorded(done: Recorded) -> str:
    """What became of an outcome."""
    outcome = done.outcome
    said = {"added": "recorded", "replaced": "replaced", "unchanged": "unchanged: it was recorded before"}[done.did]
    return f"{heading(line(outcome.ref))} {outcome.status}, {said} in {line(outcome.source)}"


def imported(done: Imported) -> str:
    """What an import of outcomes did."""
    if not done.added + done.replaced:
        return f"Nothing changed: {amount(done.unchanged, 'outcome')} in {line(done.source)} already."
    return f"{line(done.source)}: {done.added:,} added, {done.replaced:,} replaced, {done.unchanged:,} unchanged"


def outcomes(listed: Iterable[Outcome]) -> str:
    """The ledger, latest first."""
    rows = [
        (day(one.updated_at or one.created_at), one.status, line(one.ref.removeprefix("outcome:")),
         f"#{one.pull}" if one.pull else "", line(one.note or one.title))
        for one in listed
    ]  # fmt: skip
    return (
        table(rows, indent="")
        if rows
        else "No outcomes yet; record one with: cortex outcome add TITLE --status shipped"
    )


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
    told = {"archived": "read it with --source", "restored": "read where no source is named, too"}
    return f"{done.did.capitalize()}: {line(done.name)}, {told.get(done.did, held)}."


def worked(done: Worked) -> str:
    """What was done of the queue."""
    facts = render_upkeep.worked(done)
    return "\n".join(filter(None, [facts, *modelled(done.models), render_upkeep.left(done.dead, (), done.waiting)]))
