"""Every check there is, and what each finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Literal

from pydantic import Field

from cortex.substrate.model import Value
from cortex.surfaces.doctor import around, of_brain
from cortex.surfaces.doctor.examined import Examined, Trouble, Unchecked

Look = Callable[[Examined], Iterable[Trouble]]

WITHOUT_BRAIN: Final[Mapping[str, Look]] = {
    "brain": of_brain.usable,
    "permissions": of_brain.private,
    "git hooks": around.hooked,
    "agent hooks": around.agents_hooked,
    "clients": around.connected,
    "models": around.ready,
}
WITH_BRAIN: Final[Mapping[str, Look]] = {
    "runs": of_brain.finished,
    "queue": of_brain.distilled,
    "freshness": of_brain.fresh,
    "facts": of_brain.verbatim,
    "indexes": of_brain.in_step,
    "vectors": of_brain.encoded,
    "compaction": of_brain.compacted,
    "schedule": around.scheduled,
}


class Finding(Value):
    """What one check found."""

    check: str
    state: Literal["healthy", "wrong", "unchecked"]
    said: str = Field(description="what is wrong, or why it was not checked, or what holds")
    command: str = Field("", description="for a shell: it mends what a command can mend")


def findings(found: Examined) -> list[Finding]:
    """What each check finds, in their order."""
    return [_finding(name, look, found) for name, look in {**WITHOUT_BRAIN, **WITH_BRAIN}.items()]


def _finding(name: str, look: Look, found: Examined) -> Finding:
    if name in WITH_BRAIN and found.brain is None:
        return Finding(check=name, state="unchecked", said="the brain cannot be used")
    try:
        troubles = [*look(found)]
    except Unchecked as why:
        return Finding(check=name, state="unchecked", said=str(why))
    if not troubles:
        return Finding(check=name, state="healthy", said=(look.__doc__ or "").strip())
    commands = dict.fromkeys(one.command for one in troubles if one.command)
    return Finding(
        check=name, state="wrong", said="; ".join(one.said for one in troubles), command=" && ".join(commands)
    )
