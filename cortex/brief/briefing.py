"""A brief as a value and as a text: about ten lines in the order one reads before working, and what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from math import ceil
from typing import Final, Literal, NamedTuple

from pydantic import Field

from cortex.brief.asked import SHARE
from cortex.substrate.facts import plain
from cortex.substrate.model import Share, Value
from cortex.substrate.quoting import inert, label, quoted, spelled
from cortex.substrate.reading import Row
from cortex.substrate.standing import Stood
from cortex.substrate.work import Fate, Work

Section = Literal["rule", "runbook", "tried", "precedent", "decision", "open", "pitfall", "owner"]


SECTIONS: Final[Mapping[Section, tuple[str, int]]] = {
    "rule": ("Rules", 2), "runbook": ("How it is done", 1), "tried": ("Tried before", 3),
    "precedent": ("Done before", 3), "decision": ("Decided", 2), "open": ("Open", 1),
    "pitfall": ("Went wrong", 1), "owner": ("Who knows it", 1),
}  # fmt: skip
"""The sections in the order they are read: what each is called, and how many lines of it come before more of others."""

BYTES_A_TOKEN: Final = 4
COUNTED: Final = f"one token for every {BYTES_A_TOKEN} bytes of the text in UTF-8, rounded up"

BUDGET: Final = 1_200  # the usual one
LINES: Final = 10  # about so many, at that budget
LONGEST: Final = 200  # characters of a statement at that budget; a larger one shows more
LISTED: Final = 24  # most entries left out that are named
TITLE: Final = 60  # characters of each

FEW_FILES: Final = 3  # files of one piece of work that are named
FIXES: Final[Mapping[Fate, str]] = {"merged": "fixed", "committed": "fixed", "replaced": "fixed", "reverted": "fixed"}
TOOK_BACK: Final = "Took back"  # what only its title tells of
UNDONE: Final[Mapping[Fate, str]] = {"reverted": "reverted", "partly reverted": "reverted in part"}
FATES: Final[Mapping[Fate, str]] = {
    "reverted": "Reverted", "partly reverted": "Reverted in part", "rejected": "Rejected", "flagged": "Flagged",
    "unmerged": "Closed unmerged",
    "closed": "Closed", "open": "Open", "shipped": "Shipped", "merged": "Done", "committed": "Done",
    "replaced": "Replaced",
}  # fmt: skip

UNKNOWN: Final = "Nothing is known of"
NOTHING: Final = "Nothing that the project decided bears on this."
NAMED: Final = 3
_LONGEST_PATH: Final = 120
OVER: Final = "over the budget"
NEAR: Final = "near to it"
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
    statement: str = Field(description="'' of what is unverified")
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


class About(NamedTuple):
    """What a brief is about, and what it is limited to."""

    task: str
    paths: tuple[str, ...]
    unknown: tuple[str, ...]
    of: str


def fitted(about: About, found: Iterable[Item], left: Sequence[LeftOut], *, budget: int) -> Brief:
    """The first items of each section that fit, as many lines as one reads, and the rest named or counted.

    Each section gets a line before any gets two, in their order. What nobody stands behind comes last, a few at
    most.

    Args:
        found: the best of each section first.
        left: entries left out before the budget counts, the nearest first.
    """
    wide = width(budget)
    spare = budget - tokens("\n".join(_around(about, [])) + "\n") - min(_LEFT, budget // 5)
    chosen: list[Item] = []
    over: list[LeftOut] = []
    for one, beyond in _in_turn(found, wide):
        size = tokens(_line(one, wide) + "\n")
        crowd = one.unverified and sum(other.unverified for other in chosen) >= SHARE
        if crowd or size > spare or (beyond and len(chosen) >= LINES * wide):
            over.append(_left(one, CROWD if crowd else OVER))
        else:
            chosen.append(one)
            spare -= size
    named = {one.ref for one in chosen} | {one.handle for one in over}
    out = [*over, *(one for one in left if one.handle not in named)]
    omitted = dict(Counter(one.why.partition(" by ")[0] for one in out).most_common())
    order = [*SECTIONS]
    items = tuple(sorted(chosen, key=lambda one: (_is_hearsay(one), order.index(one.section))))
    lines = _around(about, [_line(item, wide) for item in items], quiet=all(item.unverified for item in items))
    text = "\n".join([*lines, *_rest(out, omitted, budget - tokens("\n".join(lines) + "\n"))]) + "\n"
    return Brief(
        **about._asdict(), items=items, left_out=tuple(out[:LISTED]), omitted=omitted, text=text, tokens=tokens(text),
        budget=budget,
    )  # fmt: skip


def _in_turn(found: Iterable[Item], wide: float) -> Iterator[tuple[Item, bool]]:
    """The items as they are taken, and whether their section has its lines already; each handle and thread once."""
    order = [*SECTIONS]
    seen: set[str] = set()
    places: Counter[tuple[Section, bool]] = Counter()
    turns: list[tuple[bool, int, int, Item]] = []
    for one in sorted(found, key=lambda one: (order.index(one.section), _is_hearsay(one))):
        thread = one.ref.partition("#")[0].partition(":")[2] if one.section not in ("rule", "runbook", "owner") else ""
        names = {one.handle, f"{one.source} {thread} {_is_hearsay(one)}" if thread else one.handle}
        if seen.isdisjoint(names):
            seen |= names
            place = places[one.section, _is_hearsay(one)]
            places[one.section, _is_hearsay(one)] += 1
            lines = ceil(SECTIONS[one.section][1] * wide**2)  # they grow faster: few sections use their part
            turns.append((_is_hearsay(one), place // lines, place, one))
    return ((turn[-1], turn[1] > 0) for turn in sorted(turns, key=lambda turn: turn[:-1]))


def _is_hearsay(one: Item) -> bool:
    """Whether it is an unverified statement, and no work that the project closed or merged, whoever wrote its title."""
    return one.unverified and (one.section not in ("tried", "precedent", "open") or one.ref.startswith("outcome:"))


def _left(one: Item, why: str) -> LeftOut:
    handle = one.ref if one.section in ("tried", "precedent", "open") and one.ref else one.handle
    return LeftOut(section=one.section, handle=handle, statement="" if one.unverified else one.statement, why=why)


def tokens(text: str) -> int:
    """Estimated tokens of *text*: one for every four bytes, which models of 2025 seldom exceed.

    >>> tokens("four"), tokens("fours"), tokens("")
    (1, 2, 0)
    """
    return -(-len(text.encode()) // BYTES_A_TOKEN)


def _around(about: About, lines: Sequence[str], *, quiet: bool = True) -> list[str]:
    """*lines* with what a brief says before and after them; *quiet* is what nobody stands behind."""
    first = [limited(about.of)] if about.of else []
    last = [f"{UNKNOWN} {named(about.unknown)}."] if about.unknown else []
    return [*first, *([NOTHING] if quiet else []), *lines, *last]


def _rest(out: Sequence[LeftOut], omitted: Mapping[str, int], spare: int) -> list[str]:
    """A line that counts what was left out, and names as many of the nearest as fit."""
    if not omitted:
        return []
    line = f"Left out: {', '.join(f'{number} {why}' for why, number in omitted.items())}."
    for place, one in enumerate([one for one in out if one.statement or one.why == NEAR][:LISTED]):
        title = f" {quoted(clipped(one.statement, TITLE))}" if one.statement else ""
        more = f"{'; ' if place else ' See also: '}[{spelled(one.handle)}]{title}"
        if tokens(f"{line}{more}.\n") > spare:
            break
        line += more
    return [line]


def limited(of: str) -> str:
    """The line that names what a brief is limited to."""
    return f"Limited to {inert(of)}."


def named(paths: Sequence[str]) -> str:
    """The first *paths*, and how many more there are."""
    more = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
    return ", ".join(inert(path)[:_LONGEST_PATH] for path in paths[:NAMED]) + more


def clipped(text: str, most: int = LONGEST) -> str:
    """The beginning of *text*, *most* characters of it."""
    return text if len(text) <= most else f"{text[:most].rstrip()}…"


def width(budget: int) -> float:
    """How many times as wide as one by default a brief of *budget* tokens is."""
    return max(1.0, budget / BUDGET)


def said(item: Item, wide: float) -> str:
    """The statement as it is quoted in a brief so many times as *wide* as one is by default."""
    return item.statement if item.ours else quoted(clipped(item.statement, int(LONGEST * wide)))


def _line(item: Item, wide: float) -> str:
    """One line of Markdown: the statement as a quotation; an unverified item is marked."""
    told = "; ".join(filter(None, (item.about, "unverified" if item.unverified else "")))
    return f"- {item.label}: {said(item, wide)} [{spelled(item.handle)}]{f' ({told})' if told else ''}"


def told(work: Work) -> str:
    """What is known of a piece of work beside its title, in one clause."""
    number = work.ref.partition(":")[2]
    names = {"pull": f"PR #{number}", "issue": f"issue #{number}", "outcome": "outcome"}
    name = names.get(work.type, f"commit {number}")
    by = f" by {label(work.author)}" if work.author else ""
    took = f" after {work.days} day{'s' if work.days > 1 else ''}" if work.days and work.type != "outcome" else ""
    ended = f"{work.ended or work.opened:%Y-%m-%d}{took}" if work.ended or work.opened else ""
    more = f" and {len(work.files) - FEW_FILES} more" if len(work.files) > FEW_FILES else ""
    files = f"changed {', '.join(map(label, work.files[:FEW_FILES]))}{more}" if work.files else ""
    refs = ", ".join(f"#{ref.rpartition(':')[2].lstrip('#')}" for ref in work.fixes[:FEW_FILES])
    fixes = f"{'of' if work.type == 'outcome' else FIXES.get(work.fate, 'for')} {refs}" if refs else ""
    undone = f"{UNDONE.get(work.fate, 'replaced')} by {spelled(work.by)}" if work.by else ""
    source = f" [{spelled(work.why_handle)}]" if work.why_handle != work.handle else ""
    why = f"“{clipped(inert(work.why))}”{source}" if work.why else ""
    return "; ".join(filter(None, (f"{name}{by}", ended, undone, why, files, fixes)))


def of_passage(row: Row, source: str) -> Item:
    """A part of a document that says how something is done."""
    said = plain(row.text).removeprefix(f"{row.title.rpartition(' › ')[2]}: ")
    return Item(
        section="runbook", label="Runbook", handle=f"{spelled(row.ref)}@{row.start}-{row.end}", source=source,
        statement=f"{row.title}: {said}", authority=row.authority, ref=row.ref, why="says how it is done",
        unverified=bool(row.unverified),
    )  # fmt: skip


def of_work(section: Section, work: Work) -> Item:
    """A piece of work, by its title."""
    label = TOOK_BACK if section == "tried" and work.fate in ("merged", "committed") else FATES[work.fate]
    return Item(
        section=section, label=label, handle=work.handle, statement=work.title, about=told(work),
        authority=work.authority, source=work.source, ref=work.ref, url=work.url, since=work.ended or work.opened,
        why="is like the task", unverified=work.unverified,
    )  # fmt: skip


def of_fact(section: Section, name: str, one: Stood, why: str, *, about: str = "") -> Item:
    """A fact, as it stands."""
    return Item(
        section=section, label=name, handle=one.handle, statement=one.statement, about=about, authority=one.authority,
        source=one.source, ref=one.ref, url=one.url, since=one.since, why=why, unverified=one.unverified,
    )  # fmt: skip
