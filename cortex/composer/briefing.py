"""A brief as a value and as a text: what fits a budget of tokens, and what is left out and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final, Literal, NamedTuple

from pydantic import Field

from cortex.composer.trust import SHARE
from cortex.substrate.model import Share, Value

Section = Literal["directive", "decision", "incident", "ownership"]
SECTIONS: Final[Mapping[Section, str]] = {
    "directive": "Directives", "decision": "Decisions", "incident": "Incidents", "ownership": "Owners",
}  # fmt: skip

BYTES_A_TOKEN: Final = 4
COUNTED: Final = f"one token for every {BYTES_A_TOKEN} bytes of the text in UTF-8, rounded up"

SHARES: Final[Mapping[Section, float]] = {"directive": 0.4, "decision": 0.3, "incident": 0.15, "ownership": 0.15}
"""Of the budget, kept for each section; what one does not need is for what weighs most of the others."""

LISTED: Final = 8
_FOR_EACH: Final = 100
"""Of what was left out, by name, and no more than one for so many tokens of the budget; the rest is counted."""

UNKNOWN: Final = "Nothing is known of"
NAMED: Final = 3
_LONGEST: Final = 120
"""Paths that nothing is known of, named, and characters of each."""

UNVERIFIED: Final = "Unverified: nobody of the project stands behind it"
"""Over what is told last."""

CROWD: Final = f"unverified, beyond the {SHARE} that are told"

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
    unverified: bool = Field(description="nobody of the project wrote it or took it up")


class LeftOut(Value):
    """Something that was found and is not in the brief."""

    section: Section
    handle: str
    why: str


class Brief(Value):
    """What to know before starting on a task."""

    task: str
    paths: tuple[str, ...]
    unknown: tuple[str, ...] = Field((), description="paths of which nothing is known")
    items: tuple[Item, ...] = Field(
        description="by section, each ordered by authority, then by how much it bears; what is unverified last"
    )
    left_out: tuple[LeftOut, ...] = Field(description="the nearest to being in it")
    omitted: Mapping[str, int] = Field(description="how many were left out, by why")
    text: str = Field(description="all of it as Markdown; the budget is for this")
    tokens: int = Field(description="of the text")
    budget: int
    counted: str = Field(COUNTED, description="how tokens are counted")


class Candidate(NamedTuple):
    """Something that may go in.

    Attributes:
        worth: how much it bears on the task beside others of the same authority.
        general: it holds for any task, and shares nothing with this one.
        beside: it is of another project than the task.
    """

    item: Item
    worth: float
    general: bool = False
    beside: bool = False


def fitted(
    task: str,
    paths: tuple[str, ...],
    candidates: Iterable[Candidate],
    left: list[LeftOut],
    *,
    unknown: tuple[str, ...] = (),
    budget: int,
) -> Brief:
    """The candidates that weigh most and fit, smaller ones where those do not; the rest is named as left out.

    First each section has what weighs most in it up to its share, then what is left is for what weighs most at all.

    Args:
        left: what is left out already.
        unknown: paths of which nothing is known.
    """
    best: dict[str, Candidate] = {}
    for one in sorted(candidates, key=_order):
        best.setdefault(one.item.handle, one)
    ranked = [*best.values()]
    unverified = [one for one in ranked if one.item.unverified]
    crowd = [LeftOut(section=one.item.section, handle=one.item.handle, why=CROWD) for one in unverified[SHARE:]]
    ranked = [one for one in ranked if one not in unverified[SHARE:]]
    listed = min(LISTED, budget // _FOR_EACH)
    spare = budget - tokens(_text((), (), {}, unknown)) - _LEFT * (listed + 1)
    chosen = _chosen(ranked, spare)

    def made() -> tuple[str, tuple[LeftOut, ...], dict[str, int]]:
        passed = [_over(one) for one in ranked if one.item.handle not in chosen]
        out = (*left, *passed, *crowd)
        omitted = dict(Counter(one.why.partition(" by ")[0] for one in out).most_common())
        return _text(_shown(chosen.values()), out[:listed], omitted, unknown), out[:listed], omitted

    text, nearest, omitted = made()
    for one in ranked:
        if one.item.handle not in chosen and tokens(text) + tokens(_line(one.item)) <= budget:
            chosen[one.item.handle] = one
            if tokens(made()[0]) > budget:
                del chosen[one.item.handle]
            text, nearest, omitted = made()
    return Brief(
        task=task, paths=paths, unknown=unknown, items=_shown(chosen.values()), left_out=nearest, omitted=omitted,
        text=text, tokens=tokens(text), budget=budget,
    )  # fmt: skip


def _chosen(ranked: Sequence[Candidate], spare: int) -> dict[str, Candidate]:
    """What fits into *spare* tokens: of each section up to its share, then of all."""
    chosen: dict[str, Candidate] = {}
    free = {section: int(share * spare) for section, share in SHARES.items()}
    held: Counter[Section] = Counter()
    for shared in (True, False):
        for one in ranked:
            section = one.item.section
            size = tokens(_line(one.item)) + (0 if held[section] else _HEADING)
            if one.item.handle in chosen or size > spare or (shared and (size > free[section] or not _first(one))):
                continue
            chosen[one.item.handle] = one
            held[section] += 1
            spare -= size
            free[section] -= size
    return chosen


def _first(one: Candidate) -> bool:
    return not (one.item.unverified or one.beside or one.general)


def _over(one: Candidate) -> LeftOut:
    return LeftOut(section=one.item.section, handle=one.item.handle, why="over the budget")


def _shown(chosen: Iterable[Candidate]) -> tuple[Item, ...]:
    sections = [*SECTIONS]

    def place(one: Candidate) -> tuple[bool, int, float, float]:
        return one.item.unverified, sections.index(one.item.section), -one.item.authority, -one.worth

    return tuple(one.item for one in sorted(chosen, key=place))


def tokens(text: str) -> int:
    """How many tokens *text* is taken to have: one for every four bytes, which models of 2025 seldom exceed.

    >>> tokens("four"), tokens("fours"), tokens("")
    (1, 2, 0)
    """
    return -(-len(text.encode()) // BYTES_A_TOKEN)


def _order(one: Candidate) -> tuple[bool, bool, bool, float, float, float, str]:
    item = one.item
    since = item.since.timestamp() if item.since else 0.0
    return item.unverified, one.beside, one.general, -item.authority, -one.worth, -since, item.handle


def _text(
    items: Sequence[Item], left: Sequence[LeftOut], omitted: Mapping[str, int], unknown: Sequence[str] = ()
) -> str:
    parts = [f"## {heading}\n\n" + "\n".join(map(_line, told)) for heading, told in under_headings(items).items()]
    if all(item.unverified for item in items):
        parts.insert(0, "Nothing that the project decided bears on this.")
    if unknown:
        parts.append(f"{UNKNOWN} {named(unknown)}.")
    if omitted:
        counts = ", ".join(f"{number} {why}" for why, number in omitted.items())
        nearest = "\n".join(f"- {one.handle}: {one.why}" for one in left)
        parts.append(f"## Left out\n\n{counts}.\n\n{nearest}".rstrip())
    return "\n\n".join(parts) + "\n"


def under_headings(items: Iterable[Item]) -> dict[str, list[Item]]:
    """The items by what stands over them: each section's own, then those that are unverified."""
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(UNVERIFIED if item.unverified else SECTIONS[item.section], []).append(item)
    return found


def named(paths: Sequence[str]) -> str:
    """The first *paths*, and how many more there are."""
    more = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
    return ", ".join(" ".join(path.split())[:_LONGEST] for path in paths[:NAMED]) + more


def _line(item: Item) -> str:
    """One line; what nobody trusted said is marked, and no line break of a statement makes a line of its own."""
    unsure = "; unverified" if item.unverified else ""
    return f"- {' '.join(item.statement.split())} [{item.handle}] ({item.authority:.2f}, {item.why}{unsure})"
