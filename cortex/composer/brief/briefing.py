"""A brief as a value and as a text: the entries that fit a budget of tokens, and those left out with their reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final, Literal, NamedTuple

from pydantic import Field

from cortex.composer.brief.relevance import SHARE
from cortex.substrate.model import Share, Value
from cortex.substrate.quoting import inert, quoted, spelled

Section = Literal["directive", "decision", "incident", "ownership"]
SECTIONS: Final[Mapping[Section, str]] = {
    "directive": "Directives", "decision": "Decisions", "incident": "Incidents", "ownership": "Owners",
}  # fmt: skip

BYTES_A_TOKEN: Final = 4
COUNTED: Final = f"one token for every {BYTES_A_TOKEN} bytes of the text in UTF-8, rounded up"

SHARES: Final[Mapping[Section, float]] = {"directive": 0.4, "decision": 0.3, "incident": 0.15, "ownership": 0.15}
"""Shares of the budget kept for each section; the best entries of any section get what is not used."""

LISTED: Final = 8
_FOR_EACH: Final = 100
"""Most entries left out that are listed by handle, and the tokens of budget that each of them needs."""

UNKNOWN: Final = "Nothing is known of"
NAMED: Final = 3
_LONGEST: Final = 120  # unknown paths that are listed, and characters of each
UNVERIFIED: Final = "Unverified: nobody of the project stands behind it"  # heading of the last section
OVER: Final = "over the budget"
CROWD: Final = f"unverified, beyond the {SHARE} that are told"

_HEADING: Final = 8
_LEFT: Final = 30  # most tokens of a section's heading, and of a line about an entry left out


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
    of: str = Field("", description="the sources it is limited to by where the caller stands, where there are others")
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
    """An entry that may go in.

    Attributes:
        worth: how much it bears on the task, beside others of the same authority.
        general: it holds for any task and shares no word with this one.
        beside: it is of another project.
    """

    item: Item
    worth: float
    general: bool = False
    beside: bool = False


def fitted(
    task: str,
    paths: tuple[str, ...],
    candidates: Iterable[Candidate],
    left: Sequence[LeftOut],
    *,
    unknown: tuple[str, ...] = (),
    of: str = "",
    budget: int,
) -> Brief:
    """The best candidates that fit, smaller ones where those do not, and the rest listed or counted as left out.

    Each section gets its best entries up to its share; the best of all sections get what remains.

    Args:
        left: entries left out before the budget counts.
        unknown: paths of which nothing is known.
        of: what it is limited to.
    """
    best: dict[str, Candidate] = {}
    for one in sorted(candidates, key=_rank):
        best.setdefault(one.item.handle, one)
    ranked = [*best.values()]
    few = ranked[: sum(not one.item.unverified for one in ranked) + SHARE]
    listed = min(LISTED, budget // _FOR_EACH)
    chosen = _chosen(few, budget - tokens(_text((), (), {}, unknown, of)) - _LEFT * (listed + 1))

    def made() -> Brief:
        items = _by_section(chosen.values())
        over = [_left(one, OVER if place < len(few) else CROWD) for place, one in enumerate(ranked)]
        out = [*left, *(one for one in over if one.handle not in chosen)]
        omitted = dict(Counter(one.why.partition(" by ")[0] for one in out).most_common())
        text, nearest = _text(items, out[:listed], omitted, unknown, of), tuple(out[:listed])
        return Brief(
            task=task, of=of, paths=paths, unknown=unknown, items=items, left_out=nearest, omitted=omitted, text=text,
            tokens=tokens(text), budget=budget,
        )  # fmt: skip

    brief = made()
    for one in few:
        if one.item.handle not in chosen and brief.tokens + tokens(_line(one.item)) <= budget:
            chosen[one.item.handle] = one
            longer = made()
            if longer.tokens <= budget:
                brief = longer
            else:
                del chosen[one.item.handle]
    return brief


def _rank(one: Candidate) -> tuple[bool, bool, bool, float, float, float, str]:
    item = one.item
    since = item.since.timestamp() if item.since else 0.0
    return item.unverified, one.beside, one.general, -item.authority, -one.worth, -since, item.handle


def _chosen(ranked: Sequence[Candidate], spare: int) -> dict[str, Candidate]:
    """The entries that fit into *spare* tokens, by handle: of each section up to its share, then of all."""
    chosen: dict[str, Candidate] = {}
    free = {section: int(share * spare) for section, share in SHARES.items()}
    held: Counter[Section] = Counter()
    for shared in (True, False):
        for one in ranked:
            section = one.item.section
            size = tokens(_line(one.item)) + (0 if held[section] else _HEADING)
            waits = shared and (size > free[section] or one.item.unverified or one.beside or one.general)
            if one.item.handle in chosen or size > spare or waits:
                continue
            chosen[one.item.handle] = one
            held[section] += 1
            spare -= size
            free[section] -= size
    return chosen


def _left(one: Candidate, why: str) -> LeftOut:
    return LeftOut(section=one.item.section, handle=one.item.handle, why=why)


def _by_section(chosen: Iterable[Candidate]) -> tuple[Item, ...]:
    sections = [*SECTIONS]

    def place(one: Candidate) -> tuple[bool, int, float, float]:
        return one.item.unverified, sections.index(one.item.section), -one.item.authority, -one.worth

    return tuple(one.item for one in sorted(chosen, key=place))


def tokens(text: str) -> int:
    """Estimated tokens of *text*: one for every four bytes, which models of 2025 seldom exceed.

    >>> tokens("four"), tokens("fours"), tokens("")
    (1, 2, 0)
    """
    return -(-len(text.encode()) // BYTES_A_TOKEN)


def _text(
    items: Sequence[Item], left: Sequence[LeftOut], omitted: Mapping[str, int], unknown: Sequence[str], of: str
) -> str:
    parts = [f"## {heading}\n\n" + "\n".join(map(_line, of)) for heading, of in under_headings(items).items()]
    if all(item.unverified for item in items):
        parts.insert(0, "Nothing that the project decided bears on this.")
    if of:
        parts.insert(0, limited(of))
    if unknown:
        parts.append(f"{UNKNOWN} {named(unknown)}.")
    if omitted:
        counts = ", ".join(f"{number} {why}" for why, number in omitted.items())
        nearest = "\n".join(f"- {spelled(one.handle)}: {inert(one.why)}" for one in left)
        parts.append(f"## Left out\n\n{counts}.\n\n{nearest}".rstrip())
    return "\n\n".join(parts) + "\n"


def limited(of: str) -> str:
    """The line that names what a brief is limited to."""
    return f"Limited to {inert(of)}."


def under_headings(items: Iterable[Item]) -> dict[str, list[Item]]:
    """The items by heading: each section, then those that are unverified."""
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(UNVERIFIED if item.unverified else SECTIONS[item.section], []).append(item)
    return found


def named(paths: Sequence[str]) -> str:
    """The first *paths*, and how many more there are."""
    more = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
    return ", ".join(inert(path)[:_LONGEST] for path in paths[:NAMED]) + more


def _line(item: Item) -> str:
    """One line of Markdown: the statement as a quotation; an unverified item is marked."""
    unsure = "; unverified" if item.unverified else ""
    return f"- {quoted(item.statement)} [{spelled(item.handle)}] ({item.authority:.2f}, {inert(item.why)}{unsure})"
