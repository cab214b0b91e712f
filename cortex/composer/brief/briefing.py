"""A brief as a value and as a text: about ten lines in the order one reads before working, and what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from math import ceil
from typing import Final, Literal, NamedTuple

from pydantic import Field

from cortex.composer.brief.relevance import SHARE
from cortex.substrate.model import Share, Value
from cortex.substrate.quoting import inert, quoted, spelled

Section = Literal["rule", "runbook", "tried", "precedent", "decision", "open", "pitfall", "owner"]


class Kept(NamedTuple):
    """What a section is called, and how many lines of it a brief of the usual budget has."""

    heading: str
    lines: int


SECTIONS: Final[Mapping[Section, Kept]] = {
    "rule": Kept("Rules", 2), "runbook": Kept("How it is done", 1), "tried": Kept("Tried before", 3),
    "precedent": Kept("Done before", 3), "decision": Kept("Decided", 2), "open": Kept("Open", 1),
    "pitfall": Kept("Went wrong", 1), "owner": Kept("Who knows it", 1),
}  # fmt: skip
"""The sections in the order they are read."""

BYTES_A_TOKEN: Final = 4
COUNTED: Final = f"one token for every {BYTES_A_TOKEN} bytes of the text in UTF-8, rounded up"

BUDGET: Final = 1_200  # the usual one
LONGEST: Final = 200  # characters of a statement at that budget; a larger one shows more
LISTED: Final = 8  # most entries left out that are listed by handle
NEAREST: Final = 3  # of which the text names so many

UNKNOWN: Final = "Nothing is known of"
NOTHING: Final = "Nothing that the project decided bears on this."
NAMED: Final = 3
_LONGEST_PATH: Final = 120
OVER: Final = "over the budget"
CROWD: Final = f"unverified, beyond the {SHARE} that are told"
_LEFT: Final = 60  # tokens kept for what tells of what was left out


class Item(Value):
    """Something to know, with where it stands."""

    section: Section
    label: str = Field(description="what it is, such as 'Reverted'")
    handle: str = Field(description="to cite it by, and to get the whole of it")
    statement: str
    ours: bool = Field(default=False, description="the statement is in our words, and no record's")
    about: str = Field("", description="what else is known of it, in our words")
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
    of: str = Field("", description="the sources it is limited to, where there are others")
    paths: tuple[str, ...]
    unknown: tuple[str, ...] = Field((), description="paths of which nothing is known")
    items: tuple[Item, ...] = Field(description="by section, in the order one reads them")
    left_out: tuple[LeftOut, ...] = Field(description="the nearest to being in it")
    omitted: Mapping[str, int] = Field(description="how many were left out, by why")
    text: str = Field(description="all of it as Markdown; the budget is for this")
    tokens: int = Field(description="of the text")
    budget: int
    counted: str = Field(COUNTED, description="how tokens are counted")


def fitted(
    task: str,
    paths: tuple[str, ...],
    found: Iterable[Item],
    left: Sequence[LeftOut],
    *,
    unknown: tuple[str, ...] = (),
    of: str = "",
    budget: int,
) -> Brief:
    """The first items of each section that fit, and the rest listed or counted as left out.

    Each section gets a line before any gets two, in their order. What nobody stands behind comes last, a few at
    most.

    Args:
        found: the best of each section first.
        left: entries left out before the budget counts.
        unknown: paths of which nothing is known.
        of: what it is limited to.
    """
    wide = max(1.0, budget / BUDGET)
    queues = _queues(found)
    spare = budget - tokens(_text((), (), {}, unknown, wide, of)) - min(_LEFT, budget // 5)
    chosen: list[Item] = []
    kept = [(n, one) for name, queue in queues.items() for n, one in enumerate(queue[: _lines(name, wide)])]
    for _, one in sorted(kept, key=lambda turn: (_is_hearsay(turn[1]), turn[0])):
        size = tokens(_line(one, wide) + "\n")
        crowd = one.unverified and sum(other.unverified for other in chosen) >= SHARE
        if size <= spare and not crowd:
            chosen.append(one)
            spare -= size
    handles = {one.handle for one in chosen}
    over = [one for queue in queues.values() for one in queue if one.handle not in handles]
    out = [*left, *(_left(one, CROWD if one.unverified else OVER) for one in over)]
    omitted = dict(Counter(one.why.partition(" by ")[0] for one in out).most_common())
    order = [*SECTIONS]
    items = tuple(sorted(chosen, key=lambda one: (_is_hearsay(one), order.index(one.section))))
    text = _text(items, out[:NEAREST], omitted, unknown, wide, of)
    return Brief(
        task=task, of=of, paths=paths, unknown=unknown, items=items, left_out=tuple(out[:LISTED]), omitted=omitted,
        text=text, tokens=tokens(text), budget=budget,
    )  # fmt: skip


def _queues(found: Iterable[Item]) -> dict[Section, list[Item]]:
    """The items by section, each handle and each thread once, in the first section that has it; its hearsay apart."""
    queues: dict[Section, list[Item]] = {section: [] for section in SECTIONS}
    order = [*SECTIONS]
    seen: set[str] = set()
    for one in sorted(found, key=lambda one: (order.index(one.section), _is_hearsay(one))):
        thread = one.ref.partition("#")[0].partition(":")[2] if one.section not in ("rule", "runbook", "owner") else ""
        names = {one.handle, f"{one.source} {thread} {_is_hearsay(one)}" if thread else one.handle}
        if seen.isdisjoint(names):
            queues[one.section].append(one)
            seen |= names
    return queues


def _lines(section: Section, wide: float) -> int:
    """Most lines of a section; they grow faster than the budget, of which few sections use their part."""
    return ceil(SECTIONS[section].lines * wide**2)


def _is_hearsay(one: Item) -> bool:
    """Whether it is an unverified statement, and no work that the project closed or merged, whoever wrote its title."""
    return one.unverified and (one.section not in ("tried", "precedent", "open") or one.ref.startswith("outcome:"))


def _left(one: Item, why: str) -> LeftOut:
    return LeftOut(section=one.section, handle=one.handle, why=why)


def tokens(text: str) -> int:
    """Estimated tokens of *text*: one for every four bytes, which models of 2025 seldom exceed.

    >>> tokens("four"), tokens("fours"), tokens("")
    (1, 2, 0)
    """
    return -(-len(text.encode()) // BYTES_A_TOKEN)


def _text(
    items: Sequence[Item],
    left: Sequence[LeftOut],
    omitted: Mapping[str, int],
    unknown: Sequence[str],
    wide: float,
    of: str,
) -> str:
    lines = [_line(item, wide) for item in items]
    if all(item.unverified for item in items):
        lines.insert(0, NOTHING)
    if of:
        lines.insert(0, limited(of))
    if unknown:
        lines.append(f"{UNKNOWN} {named(unknown)}.")
    if omitted:
        counts = ", ".join(f"{number} {why}" for why, number in omitted.items())
        nearest = "; ".join(f"[{spelled(one.handle)}] {inert(one.why)}" for one in left)
        lines.append(f"Left out: {counts}. Nearest: {nearest}.")
    return "\n".join(lines) + "\n"


def limited(of: str) -> str:
    """The line that names what a brief is limited to."""
    return f"Limited to {inert(of)}."


def named(paths: Sequence[str]) -> str:
    """The first *paths*, and how many more there are."""
    more = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
    return ", ".join(inert(path)[:_LONGEST_PATH] for path in paths[:NAMED]) + more


def clipped(text: str, wide: float = 1.0) -> str:
    """The beginning of *text*, as long as a line of a brief shows of it."""
    most = int(LONGEST * wide)
    return text if len(text) <= most else f"{text[:most].rstrip()}…"


def _line(item: Item, wide: float) -> str:
    """One line of Markdown: the statement as a quotation; an unverified item is marked."""
    told = "; ".join(filter(None, (item.about or inert(item.why), "unverified" if item.unverified else "")))
    said = item.statement if item.ours else quoted(clipped(item.statement, wide))
    return f"- {item.label}: {said} [{spelled(item.handle)}] ({told})"
