"""What commands did and what a brain holds, as a person reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from cortex.indexers.connectors.listing import LEFT_OUT
from cortex.indexers.reading import SPARED
from cortex.llm.spending import dollars
from cortex.surfaces import render, render_evals, render_upkeep
from cortex.surfaces.render import MORE, amount, dim, heading, indented, line, stacked, table
from cortex.surfaces.working import clock

if TYPE_CHECKING:
    from cortex.substrate.copying import Copied
    from cortex.substrate.model import Skipped
    from cortex.substrate.status import SourceStatus
    from cortex.substrate.verify import Mended, Verified
    from cortex.surfaces.indexing import Indexed, Project
    from cortex.surfaces.models import Modelled
    from cortex.surfaces.operations.looking import SourceList, Standing
    from cortex.surfaces.operations.queueing import Worked
    from cortex.surfaces.operations.recording import Outcomes
    from cortex.surfaces.operations.sourcing import Sourced
    from cortex.surfaces.remembering import Imported, Recorded

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
    holds = indented("holds " + (", ".join(rows) or "nothing that Cortex reads"))
    return stacked(f"{heading(line(found.source))} {state}", *_stands(found), holds)


def indexed(done: Indexed) -> str:
    """What an index run did, by connector and path."""
    if done.changed:
        rate = f" ({done.records / done.seconds:,.0f}/s)" if done.seconds else ""
        took = f"{amount(done.records, 'record')} in {done.seconds:.1f} s{rate}"
        did = [stacked(f"{heading(line(done.source))}  {dim(took)}", *_stands(done, done.instead_of)), _changes(done)]
    else:
        state = "was not brought up to date" if done.undone else f"is up to date{_but_for(done.skipped)}"
        text = f"Nothing changed: {line(done.source)} {state} ({done.seconds:.1f} s)."
        did = [stacked(text, *(_stands(done, done.instead_of) if done.instead_of else ()))]
    kinds = ", ".join(f"{kind} {number:,}" for kind, number in done.redacted.items())
    secrets = amount(sum(done.redacted.values()), "secret")
    return render.spaced(
        *did,
        _undone(done),
        modelled(done.models) if done.changed else "",
        f"{heading(f'redacted {secrets}')}  {dim(kinds)}" if kinds else "",
        _named("skipped {}", [one for one in done.skipped if not one.kept]),
        _named("read {} in part", [one for one in done.skipped if one.kept]),
        _unread(done),
    )


def _but_for(skipped: Sequence[Skipped]) -> str:
    if any(one.reason.startswith(SPARED) for one in skipped):
        return " but for what could not be read"
    left = sum(not one.kept and one.reason != LEFT_OUT for one in skipped)
    return f" but for {amount(left, 'input')} that could not be used" if left else ""


def _stands(found: Project | Indexed, instead_of: str = "") -> list[str]:
    before = f"read from {instead_of} before: what stands only there is gone from this source"
    other = f"another project of that name is at {found.namesake}; --source NAME calls it otherwise"
    told = [f"at {found.location}", before if instead_of else "", other if found.namesake else ""]
    return [indented(each) for each in told if each]


def again(done: Indexed, paths: Sequence[str]) -> str:
    """What a change of files did, on a line."""
    named = ", ".join(map(line, paths[:_NAMED])) + (f" and {len(paths) - _NAMED:,} more" if len(paths) > _NAMED else "")
    added, replaced = sum(one.added for one in done.facts), sum(one.replaced for one in done.facts)
    return f"{named}: facts {added:,} added, {replaced:,} replaced {dim(f'({done.seconds:.1f} s)')}"


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


def modelled(used: Modelled | None) -> str:
    """What models did, what they cost and what the rules read in their place; '' where none was asked."""
    if used is None:
        return ""
    calls, cost = sum(one.calls for one in used.calls), sum(one.cost_usd for one in used.calls)
    names = ", ".join(line(one.model) for one in used.calls)
    kept = f"  {amount(used.kept, 'text')} with what the rules found: nothing stood that a model did"
    by_rules = f"{amount(used.by_rules, 'text')} read by the rules: {line(used.stopped)}"
    return stacked(
        f"{heading('models ' + amount(calls, 'call') + ', ' + dollars(cost))}  {dim(names)}",
        *(f"  {amount(number, 'fact')} dropped: {why}" for why, number in used.dropped.items()),
        kept if used.kept else "",
        *(indented(f"{tier} passed over: {line(why)}", rest=4) for tier, why in used.passed_over.items()),
        indented(by_rules, rest=4) if used.by_rules else "",
    )


def _undone(done: Indexed) -> str:
    lines = [indented(f"{line(why)}; what it brought before stands", rest=4) for why in done.undone]
    return stacked(render.alarm("not read"), *lines) if lines else ""


def _unread(done: Indexed) -> str:
    """Files that are of no kind that is read, by how their names end."""
    counts = [one for origin in done.origins for one in origin.unread.items()]
    named = [f"{number:,} {line(ending)}" for ending, number in counts[:_ENDINGS]]
    others = sum(number for _, number in counts[_ENDINGS:])
    told = ", ".join([*named, *([f"{others:,} others"] if others else [])])
    return dim(render.wrapped(f"not read: {told}", rest="  ")) if counts else ""


def _named(title: str, inputs: Sequence[Skipped]) -> str:
    by_reason: dict[str, list[str]] = {}
    for one in inputs:
        by_reason.setdefault(one.reason, []).append(one.input)
    lines = [heading(title.format(amount(len(inputs), "input")))] if inputs else []
    for reason, names in sorted(by_reason.items(), key=lambda pair: -len(pair[1])):
        more = f", and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
        named = ", ".join(map(line, names[:_NAMED]))
        lines.append(indented(f"{len(names):,} × {reason}: {named}{more}", rest=4))
    return stacked(*lines)


def status(found: Standing) -> str:
    """The brain and its sources, when it was compacted, and how it is used."""
    about = f"{found.path}  {render.size(found.bytes)}" if found.bytes is not None else found.path
    late = render_upkeep.standing(found.compaction.last, late=found.compaction.overdue)
    used = render_evals.usage(found.usage) if found.usage else ""
    if not found.sources:
        return render.spaced(f"{about}\nNo sources yet; index one with: cortex index PATH", late, used)
    now = clock()
    return render.spaced(about, *(_source(one, now) for one in found.sources), late, used)


def _source(source: SourceStatus, now: datetime) -> str:
    behind = render_upkeep.backlog(source.backlog, now=now)
    facts = sum(source.facts_gone.values())
    left = f"{amount(facts, 'fact')} of them until the next cortex compact" if facts else ""
    counts = (
        ("records", source.records, ""), ("facts", source.facts, ""), ("queue", source.queue, behind),
        ("gone", source.gone, left), ("archived", source.archived, ""),
    )  # fmt: skip
    rows = [
        (name, f"{sum(by.values()):,}", "; ".join(filter(None, (_listed(by), more))))
        for name, by, more in counts
        if name in ("records", "facts") or any(by.values())
    ]
    name = heading(line(source.name)) + ("" if source.federated else dim("  read only when named"))
    where = indented(source.location) if source.location else ""
    return stacked(name, where, table(rows, numbers=[1], last=dim), f"  {_last_run(source)}")


def _last_run(source: SourceStatus) -> str:
    run = source.last_run
    if run is None:
        return "never indexed; run: cortex index"
    skipped = f", {amount(run.skipped, 'input')} skipped or read in part" if run.skipped else ""
    state = "" if run.status == "done" else f", {run.status}"
    return f"last run {run.started_at:%Y-%m-%d %H:%M} UTC: {run.command}{state}{skipped}"


def _listed(counts: Mapping[str, int]) -> str:
    return " · ".join(f"{name} {number:,}" for name, number in counts.items())


def verified(checked: Verified) -> str:
    """What was checked, and what failed."""
    counted = f"{amount(checked.facts, 'fact')} of {amount(checked.records, 'record')} checked"
    if checked.holds:
        return f"Everything holds: {counted}, with {', '.join(checked.checks)}."
    lines = [indented(f"{failure.what}: {failure.problem}", rest=4) for failure in checked.failures]
    more = f"  and {checked.failed - len(lines):,} more" if checked.failed > len(lines) else ""
    return stacked(render.alarm(f"{amount(checked.failed, 'failure')}: {counted}."), *lines, more)


def copied(done: Copied) -> str:
    """How many rows were copied, and whether both brains hold the same."""
    counted = f"{amount(sum(done.rows.values()), 'row')} copied"
    if not done.differing:
        return f"{counted}; both brains hold the same."
    differ = f"{counted}, but these tables differ: {', '.join(done.differing)}."
    return f"{render.alarm(differ)}\n  It was written to since the copy was begun: remove that, then copy again."


def mended(done: Mended) -> str:
    """What was put right, and what is left to do."""
    built = f"built anew: {', '.join(done.indexes)}" if done.indexes else ""
    archived = f"archived: {amount(done.facts, 'fact')} that did not hold" if done.facts else ""
    returned = f"given back to the disk: {render.size(done.returned)}" if done.returned else ""
    again = "Next: cortex index --again" if done.facts else ""
    return stacked(built, archived, returned, again) or "nothing to mend"


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


def outcomes(found: Outcomes) -> str:
    """The ledger, latest first; with the source of each row where there are several."""
    several = len({one.source for one in found.outcomes}) > 1
    rows = [
        (render.day(one.updated_at or one.created_at), one.status, line(one.ref.removeprefix("outcome:")),
         f"#{one.pull}" if one.pull else "", *([line(one.source)] if several else []), line(one.note or one.title))
        for one in found.outcomes
    ]  # fmt: skip
    none = "No outcomes yet; record one with: cortex outcome add TITLE --status shipped"
    return stacked(table(rows, indent=""), dim(MORE) if found.more else "") if rows else none


def sources(found: SourceList) -> str:
    """Each source with how much it holds."""
    rows = [
        (line(one.name), amount(one.records, "record"), amount(one.facts, "fact"),
         f"indexed {render.day(one.indexed_at)}" if one.indexed_at else "never indexed",
         "" if one.federated else "isolated")
        for one in found.sources
    ]  # fmt: skip
    return table(rows) if rows else "No source yet; make one with: cortex index PATH"


def sourced(done: Sourced) -> str:
    """What became of a source."""
    held = f"{amount(done.records, 'record')} and {amount(done.facts, 'fact')}"
    told = {"archived": "read it with --source", "restored": "read where no source is named, too"}
    return f"{done.did.capitalize()}: {line(done.name)}, {told.get(done.did, held)}."


def worked(done: Worked) -> str:
    """What was done of the queue."""
    models = modelled(done.models)
    left = render_upkeep.left(done.dead, (), done.waiting)
    return stacked(render_upkeep.worked(done), f"\n{models}" if models else "", left)
