"""What a doctor found, as a person reads it."""

from __future__ import annotations

import click

from cortex.surfaces.doctor.findings import Finding
from cortex.surfaces.operations.doctoring import Diagnosis
from cortex.surfaces.render import amount, dim, heading, line, safe, wrapped


def diagnosis(found: Diagnosis) -> str:
    """What is wrong, each with its command on a line of its own, and what was not; first how many there are."""
    wrong = [one for one in found.findings if one.state == "wrong"]
    healthy = [one.check for one in found.findings if one.state == "healthy"]
    unchecked = [one for one in found.findings if one.state == "unchecked"]
    first = f"{amount(len(wrong), 'thing')} wrong" if wrong else "Nothing is wrong"
    parts = [heading(first), *map(_wrong, wrong)]
    if healthy:
        parts.append(dim(wrapped(", ".join(healthy), first="healthy: ", rest="  ")))
    if unchecked:
        parts.append(
            "\n".join(
                dim(wrapped(f"{one.check}: {line(one.said)}", first="not checked: ", rest="  ")) for one in unchecked
            )
        )
    return "\n\n".join(parts)


def _wrong(one: Finding) -> str:
    said = wrapped(f"{one.check}: {one.said}", first="", rest="  ")
    mend = f"\n  mend it with: {safe(one.command)}" if one.command else ""
    return f"{click.style(said, fg='red')}{mend}"
