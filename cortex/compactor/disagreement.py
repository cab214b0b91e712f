"""What a contradiction is: two facts, the ground on which they cannot both stand, and which outranks which."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import Field

from cortex.substrate.model import Value

Ground = Literal["negation", "number", "choice", "superseded"]

GRADE: Final[dict[Ground, float]] = {"superseded": 0.9, "choice": 0.8, "number": 0.7, "negation": 0.7}
"""How sure each ground is."""


class Side(Value):
    """One of two facts that disagree."""

    handle: str
    statement: str
    authority: float


class Contradiction(Value):
    """Two facts that cannot both stand."""

    source: str
    ground: Ground
    reason: str = Field(description="how they disagree, in words")
    grade: float = Field(description="how sure that they disagree, 0 to 1")
    stands: Side = Field(description="the one that outranks: what replaced, else of higher authority, else the later")
    outranked: Side


DOUBT: Final = 0.2  # how much less sure it is where only one of two names the part of the project it speaks of


def contradiction(
    source: str, ground: Ground, reason: str, stands: Side, outranked: Side, *, doubtful: bool = False
) -> Contradiction:
    """A contradiction of the grade of its ground."""
    grade = round(GRADE[ground] - DOUBT * doubtful, 2)
    return Contradiction(source=source, ground=ground, reason=reason, grade=grade, stands=stands, outranked=outranked)
