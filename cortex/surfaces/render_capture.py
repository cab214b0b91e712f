"""Captured questions, what became of them, and how rows were used, as a person reads it."""

from __future__ import annotations

from collections.abc import Sequence

import click

from cortex.evals.capture import Captured, CaptureStatus
from cortex.evals.replay import Replay, Replayed, unmarked
from cortex.evals.usage import Usage
from cortex.surfaces.render import amount, cells, dim, heading, line, table, width, wrapped

_SIDE_BY_SIDE = 72
_COLOURS = {"now refused": "red", "failed": "red", "now answered": "green"}


def status(found: CaptureStatus) -> str:
    """Whether questions are captured and what is kept."""
    state = f"on since {found.since:%Y-%m-%d %H:%M} UTC" if found.since else "off"
    first = f"Capture is {heading(state)}; each question is kept for {amount(found.days, 'day')}."
    counts = [f"{amount(found.questions, 'question')} kept", f"{found.refused:,} refused"]
    counts += [f"{found.useful:,} found useful", f"{found.not_useful:,} not"]
    return f"{first}\n{dim('  ' + ', '.join(counts))}"


def captured(found: Sequence[Captured]) -> str:
    """The captured questions, one a line."""
    if not found:
        return "No question is kept; keep them with: cortex capture on"
    marks = {True: "useful", False: "not useful", None: ""}
    states = {True: "refused", False: ""}
    rows = [
        (str(one.id), f"{one.asked_at:%Y-%m-%d %H:%M}", states[one.refused], marks[one.useful], line(one.question))
        for one in found
    ]  # fmt: skip
    return table(rows, numbers=(0,), indent="")


def forgotten(number: int) -> str:
    """How many questions were deleted."""
    return f"Forgot {amount(number, 'question')}." if number else "There was nothing to forget."


def replayed(done: Replay) -> str:
    """What changed, side by side where the terminal is wide enough; what stayed the same is only counted."""
    if not done.questions:
        return "No question is kept; keep them with: cortex capture on"
    changed = [_changed(one) for one in done.questions if one.change != "same"]
    counted = ", ".join(f"{number:,} {change}" for change, number in done.changes.items())
    return "\n\n".join([*changed, f"{amount(len(done.questions), 'question')} replayed: {counted}"])


def _changed(one: Replayed) -> str:
    name = click.style(one.change, fg=_COLOURS.get(one.change, "yellow"), bold=True)
    useful = {True: "  was useful", False: "  was not useful", None: ""}[one.useful]
    head = heading(wrapped(line(one.question), first=f"{one.id}  ", rest="   ")) + f"\n   {name}{dim(useful)}"
    moved = [f"  no longer cites {', '.join(one.dropped)}"] if one.dropped else []
    moved += [f"  now cites {', '.join(one.added)}"] if one.added else []
    both = "" if one.change == "citations" else _both(unmarked(one.before), unmarked(one.after))
    return "\n".join(filter(None, [head, both, *(dim(wrapped(text, rest="    ")) for text in moved)]))


def _both(before: str, after: str) -> str:
    if width() < _SIDE_BY_SIDE:
        return f"{_labelled('before', before)}\n{_labelled('after', after)}"
    columns = (width() - 7) // 2
    left, right = (_column(text, columns) for text in (before, after))
    rows = max(len(left), len(right))
    left += [""] * (rows - len(left))
    right += [""] * (rows - len(right))
    pairs = zip(["before", *left], ["after", *right], strict=True)
    return "\n".join(f"  {a}{' ' * (columns - cells(a))} │ {b}".rstrip() for a, b in pairs)


def _column(text: str, columns: int) -> list[str]:
    return [part for each in text.splitlines() for part in wrapped(each, columns=columns).splitlines()]


def _labelled(label: str, text: str) -> str:
    return wrapped(text, first=f"  {label.ljust(7)} ", rest=" " * 10)


def usage(found: Usage) -> str:
    """The most cited records, and how many no question finds; '' while nothing was captured."""
    if not found.since and not found.most_cited:
        return ""
    lines = [heading("use")]
    if found.most_cited:
        lines.append(
            table([(f"{one.cited:,}×", line(one.ref), line(one.source)) for one in found.most_cited], last=dim)
        )
    if found.never_retrieved is not None:
        lines.append(f"  no question in 180 days found {found.never_retrieved:,} of {amount(found.records, 'record')}")
    elif found.since:
        lines.append(dim(f"  what is never found shows 180 days after capture began, {found.since:%Y-%m-%d}"))
    return "\n".join(lines)
