"""What a compaction did, as a person reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

import click

from cortex.compactor.disagreement import Contradiction
from cortex.compactor.job import Example
from cortex.compactor.run import Compacted, Ran
from cortex.compactor.undo import Undone
from cortex.surfaces.render import amount, cut, dim, heading, line, safe, table, width, wrapped
from cortex.surfaces.scheduling import Plan, Removed, Scheduled, removing, told_of

_LISTED = 20
_DID = {
    "orphans": "gone with their record",
    "low_confidence": "too unsure to keep",
    "exact_duplicates": "merged: the same, word for word",
    "time_decay": "less sure with age",
    "near_duplicates": "merged: nearly the same",
    "contradictions": "pairs that cannot both stand",
}


def compacted(done: Compacted) -> str:
    """The report of a run: before, after, what each job did and three examples of it."""
    would = " would stay" if done.dry_run else ""
    told = f"{done.before:,} facts → {done.after:,}{would}"
    over = line(done.sources[0]) if len(done.sources) == 1 else amount(len(done.sources), "source")
    first = f"{heading(told)}  {dim(f'{over}, {done.seconds:.1f} s')}"
    rows = [(ran.job, f"{_number(ran):,}" if _number(ran) else dim("·"), _told(ran)) for ran in done.jobs]
    parts = [first, table(rows, numbers=[1], last=dim)]
    parts += ["\n".join(_examples(ran)) for ran in done.jobs if ran.examples and not ran.found]
    if done.contradictions is not None:
        parts.append("\n".join(_contradictions(done.contradictions)))
    return "\n\n".join([*parts, _last(done)])


def _contradictions(found: Sequence[Contradiction]) -> Iterator[str]:
    yield heading(amount(len(found), "contradiction") if found else "no contradictions")
    for one in found[:_LISTED]:
        yield f"  {one.ground} ({one.grade:.1f}): {one.reason}"
        for side, rank in ((one.stands, "stands"), (one.outranked, "outranked")):
            yield wrapped(
                f"{side.statement} ({side.authority:.2f}, {rank})", first=f"    {side.handle}  ", rest=" " * 23
            )
    if len(found) > _LISTED:
        yield f"  and {len(found) - _LISTED:,} more, with --json"


def _told(ran: Ran) -> str:
    looked = f"of {ran.looked_at:,} in {ran.seconds:.2f} s"
    return f"{_DID[ran.job]}, {looked}" if _number(ran) else looked


def _number(ran: Ran) -> int:
    return ran.changed or ran.found


def _examples(ran: Ran) -> Iterator[str]:
    more = dim(f"  {len(ran.examples)} of {ran.changed:,}") if ran.changed > len(ran.examples) else ""
    yield heading(ran.job) + more
    for example in ran.examples:
        yield from _example(example)


def _example(example: Example) -> Iterator[str]:
    yield f"  {example.handle}  {cut(line(example.said), max(width() - 21, 20))}"
    yield wrapped(example.reason, first=" " * 21, rest=" " * 21).rstrip()


def _last(done: Compacted) -> str:
    if done.dry_run:
        return "Nothing was changed: this was a dry run."
    pruned = f" {amount(done.pruned, 'fact')} left the archive for good." if done.pruned else ""
    if all(ran.job == "contradictions" for ran in done.jobs):
        return f"Nothing was changed: a report (run {done.run}).{pruned}"
    if not done.changed:
        return f"Nothing to clean (run {done.run}).{pruned}"
    return f"Run {done.run}; to take it back: cortex compact --undo {done.run}{pruned}"


def undone(done: Undone) -> str:
    """What undoing a run brought back."""
    restored = f"{amount(done.restored, 'fact')} restored, {done.confidences:,} as sure as before"
    told = f"Run {done.run} is undone: {restored}."
    if not done.left:
        return told
    return f"{told}\n{amount(done.left, 'fact')} stayed away: what their records say has changed since."


def plan(planned: Plan) -> str:
    """What installing writes."""
    brain = line(planned.replaces)
    lost = f"This replaces what compacts {brain}: {planned.manager} will compact that brain no longer."
    parts = [click.style(lost, fg="yellow")] if brain else []
    parts += [f"{heading(line(path))}\n{safe(text).rstrip()}" for path, text in planned.files.items()]
    if planned.commands:
        parts.append(heading("and runs") + "".join(f"\n{line(' '.join(command))}" for command in planned.commands))
    return "\n\n".join(parts) + "\n"


def installed(planned: Plan, failed: Sequence[str]) -> str:
    """That it was written, and what could not be run."""
    told = f"Installed for {planned.manager}; take it out with: cortex schedule remove"
    return "\n".join([told, *(f"This did not work here; run it where you log in: {line(each)}" for each in failed)])


def removed(done: Removed) -> str:
    """What was taken out, and what was not."""
    out = f"Removed: {', '.join(done.removed)}." if done.removed else "Nothing was installed."
    return f"{out}\nLeft alone: {line(told_of(done.others))}; {line(removing(done.others))}" if done.others else out


def scheduled(found: Scheduled) -> str:
    """What compacts every night, when it last did and when it will."""
    by = ", ".join(found.installed) or "nothing; install it with: cortex schedule install"
    last = f"{found.last:%Y-%m-%d %H:%M} UTC" if found.last else "never"
    rows = [
        ("run by", by),
        *(("another brain's", f"{manager} compacts {line(path)}") for manager, path in found.others.items()),
        ("every night at", f"{found.at:%H:%M}, next {found.next.astimezone():%Y-%m-%d %H:%M}"),
        *((name, line(value)) for name, value in found.settings.items()),
        ("last compaction", last + (", overdue: run cortex compact" if found.overdue else "")),
    ]
    return table(rows, indent="")


def standing(last: datetime | None, *, late: bool) -> str:
    """When the last compaction was, and a complaint where the next should have been."""
    told = f"last compacted {last:%Y-%m-%d %H:%M} UTC" if last else "never compacted"
    mend = "run cortex compact, or let the machine do it: cortex schedule install"
    return click.style(f"{told}: overdue; {mend}", fg="yellow") if late else told
