"""A brief as a value and as a text: what fits a budget of tokens, and what is left out and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final, Literal, NamedTuple

from pydantic import Field, computed_field

from cortex.substrate.authority import AUTHORITY
from cortex.substrate.model import Share, Value

Section = Literal["directive", "decision", "incident", "ownership"]
SECTIONS: Final[Mapping[Section, str]] = {
    "directive": "Directives", "decision": "Decisions", "incident": "Incidents", "ownership": "Owners",
}  # fmt: skip

BYTES_A_TOKEN: Final = 4
COUNTED: Final = f"one token for every {BYTES_A_TOKEN} bytes of the text in UTF-8, rounded up"

MOST: Final = 12
"""Of each section but the directives."""

LISTED: Final = 8
_FOR_EACH: Final = 100
"""Of what was left out, by name, and no more than one for so many tokens of the budget; the rest is counted."""

_HEADING: Final = 8
_LEFT: Final = 30
"""Tokens that a section's heading, and a line of what was left out, take at most."""


class Item(Value):
    """Something to know, with where it stands."""

    section: Section
    handle: str = Field(description="to cite it by, and to get the whole of it")
    statement: str
    authority: Share
    source: str
    ref: str
    url: str = ""
    since: datetime | None = None
    why: str = Field(description="why it is here")

    @computed_field(description="it weighs no more than what an agent says")  # type: ignore[prop-decorator]
    @property
    def unverified(self) -> bool:
        """Whether it weighs no more than what an agent says."""
        return self.authority <= AUTHORITY["event"]


class LeftOut(Value):
    """Something that was found and is not in the brief."""

    section: Section
    handle: str
    why: str


class Brief(Value):
    """What to know before starting on a task."""

    task: str
    paths: tuple[str, ...]
    items: tuple[Item, ...] = Field(description="by section, each ordered by authority, then by how much it bears")
    left_out: tuple[LeftOut, ...] = Field(description="the nearest to being in it")
    omitted: Mapping[str, int] = Field(description="how many were left out, by why")
    text: str = Field(description="all of it as Markdown; the budget is for this")
    tokens: int = Field(description="of the text")
    budget: int
    counted: str = Field(COUNTED, description="how tokens are counted")


class Candidate(NamedTuple):
    """Something that may go in, and how much it is worth to have it there."""

    item: Item
    worth: float


def fitted(
    task: str, paths: tuple[str, ...], candidates: Iterable[Candidate], left: list[LeftOut], *, budget: int
) -> Brief:
    """The candidates that are worth most and fit; the rest is named among what was left out.

    Args:
        left: what is left out already.
    """
    chosen: dict[str, Candidate] = {}
    held: Counter[Section] = Counter()
    listed = min(LISTED, budget // _FOR_EACH)
    spare = budget - tokens(_text((), (), {})) - _LEFT * (listed + 1)
    passed: list[LeftOut] = []
    for one in sorted(candidates, key=_order):
        item = one.item
        size = tokens(_line(item)) + (0 if held[item.section] else _HEADING)
        why = "" if item.section == "directive" or held[item.section] < MOST else f"after the {MOST} that bear most"
        why = why or ("over the budget" if size > spare else "")
        if item.handle in chosen:
            continue
        if why:
            passed.append(LeftOut(section=item.section, handle=item.handle, why=why))
            continue
        chosen[item.handle] = one
        held[item.section] += 1
        spare -= size
    sections = [*SECTIONS]
    kept = sorted(chosen.values(), key=lambda one: (sections.index(one.item.section), -one.item.authority, -one.worth))
    items, out = tuple(one.item for one in kept), (*left, *passed)
    omitted = dict(Counter(one.why.partition(" by ")[0] for one in out).most_common())
    text = _text(items, out[:listed], omitted)
    return Brief(
        task=task, paths=paths, items=items, left_out=out[:listed], omitted=omitted, text=text, tokens=tokens(text),
        budget=budget,
    )  # fmt: skip


def tokens(text: str) -> int:
    """How many tokens *text* is taken to have: one for every four bytes, which models of 2025 seldom exceed.

    >>> tokens("four"), tokens("fours"), tokens("")
    (1, 2, 0)
    """
    return -(-len(text.encode()) // BYTES_A_TOKEN)


def _order(one: Candidate) -> tuple[float, float, str]:
    since = one.item.since.timestamp() if one.item.since else 0.0
    return -one.worth, -since, one.item.handle


def _text(items: Sequence[Item], left: Sequence[LeftOut], omitted: Mapping[str, int]) -> str:
    parts = []
    for section, heading in SECTIONS.items():
        if lines := [_line(item) for item in items if item.section == section]:
            parts.append(f"## {heading}\n\n" + "\n".join(lines))
    if not parts:
        parts.append("Nothing that the project decided bears on this.")
    if omitted:
        counts = ", ".join(f"{number} {why}" for why, number in omitted.items())
        named = "\n".join(f"- {one.handle}: {one.why}" for one in left)
        parts.append(f"## Left out\n\n{counts}.\n\n{named}".rstrip())
    return "\n\n".join(parts) + "\n"


def _line(item: Item) -> str:
    """One line; what nobody trusted said is marked, and no line break of a statement makes a line of its own."""
    unsure = "; unverified" if item.unverified else ""
    return f"- {' '.join(item.statement.split())} [{item.handle}] ({item.authority:.2f}, {item.why}{unsure})"
