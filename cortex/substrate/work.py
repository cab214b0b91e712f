"""Pieces of work as records tell of them: what was changed, by whom, how long it took, what became of it and why."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple, get_args

from pydantic import Field

from cortex.language.patterns import patterns
from cortex.language.stems import split
from cortex.language.words import STOP_WORDS
from cortex.substrate.brain import Brain
from cortex.substrate.model import RecordType, Share, Value
from cortex.substrate.sources import timestamp
from cortex.substrate.statements import rows, run

Fate = Literal[
    "merged", "committed", "reverted", "partly reverted", "replaced", "unmerged", "closed", "open", "shipped",
    "flagged", "rejected",
]  # fmt: skip

FINISHED: Final = frozenset(get_args(Fate)) - {"open"}
FAILED: Final[tuple[Fate, ...]] = ("reverted", "partly reverted", "rejected", "flagged", "unmerged")
"""What a piece of work became that somebody who begins the same has to know of."""

NOW: Final = "9999"
_SETTLED: Final = patterns("kinds", "choice")["settled"]


class Thread(NamedTuple):
    """An issue or a pull request, and how many days ago it was opened."""

    id: int
    ref: str
    title: str
    unverified: int
    days: float


class Work(Value):
    """A pull request, a commit, an issue without either, or an outcome of the ledger."""

    handle: str = Field(description="of the fact that tells of it, or its ref")
    source: str
    ref: str
    type: RecordType
    title: str
    url: str
    fate: Fate
    by: str = Field(description="ref of what took it back or its place")
    why: str = Field(description="verbatim, from a remark, what took it back or itself; '' where nobody said why")
    why_handle: str
    author: str
    merged_by: str
    reviewers: tuple[str, ...]
    opened: datetime | None
    ended: datetime | None = Field(description="when it was merged, closed or noted")
    days: int | None = Field(description="from its opening to its end")
    files: tuple[str, ...] = Field(description="that it changed, most often first")
    commits: int
    fixes: tuple[str, ...] = Field(description="refs of issues; of an outcome those that it tells of")
    authority: Share
    unverified: bool


def failed(work: Work) -> bool:
    """Whether somebody who begins the same has to know of it: it failed, or was asked for and closed with a reason."""
    return work.fate in FAILED or (work.fate == "closed" and bool(work.why))


def works_behind(brain: Brain, records: Sequence[int], *, until: str = "") -> dict[int, list[int]]:
    """By record: the ids of the pieces of work it tells of; none where it tells of none.

    Args:
        until: ISO 8601; what was made later is not seen. '' is now.
    """
    found: dict[int, list[int]] = {}
    for asked, id_ in run(brain, "work.works_behind", ids=records, until=until or NOW):
        found.setdefault(asked, []).append(id_)
    return found


def works_naming(
    brain: Brain, numbers: Sequence[int], *, sources: Collection[int], until: str = ""
) -> dict[int, float]:
    """Records of issues and pull requests of these numbers, and what fixes or names them, with how surely, to 1."""
    until = until or NOW
    return dict(run(brain, "work.works_naming", sources=sources, numbers=numbers, until=until)) if numbers else {}


def works_beside(brain: Brain, ids: Sequence[int], *, until: str = "") -> list[tuple[int, int]]:
    """Pairs of a piece of work called in *ids* and another that names it or that it names, in a remark under it too."""
    return run(brain, "work.works_beside", ids=ids, until=until or NOW).fetchall()


def threads_opened(brain: Brain, ids: Sequence[int], *, sources: Collection[int], until: str) -> list[Thread]:
    """Those of the records called *ids* that are issues and pull requests of the sources, opened by *until*."""
    return [*map(Thread._make, run(brain, "work.threads_opened", ids=ids, sources=sources, until=until))]


def works(brain: Brain, ids: Sequence[int], *, until: str = "") -> dict[int, Work]:
    """The pieces of work called *ids* as they stood at *until*, in that order."""
    return {row["id"]: _work(row) for row in rows(brain, "work.works", ids=ids, until=until or NOW)}


def _work(row: Mapping[str, Any]) -> Work:
    told = {name: row[name] or "" for name in ("merged_by", "why")} | {"why_handle": row["why_handle"] or row["handle"]}
    if row["type"] == "issue" and row["why_kind"] == "change" and _SETTLED.search(told["why"]):
        told |= {"why": "", "why_handle": row["handle"]}  # it was done, moved or forgotten
    lists = {name: tuple(json.loads(row[name])) for name in ("files", "reviewers", "fixes")}
    opened, ended = (datetime.fromisoformat(row[name]) if row[name] else None for name in ("opened", "ended"))
    days = (ended - opened).days if opened and ended else None
    same = {name: row[name] for name in Work.model_fields if name in row}
    fate = _fate(row)
    by = (row["undone_by"] or "") if fate in ("reverted", "partly reverted", "replaced") else ""
    more = {"fate": fate, "by": by, "opened": opened, "ended": ended, "days": days}
    return Work.model_validate(same | told | lists | more)


def _speak_alike(title: str, other: str) -> bool:
    """Whether two titles share a word: what took back a commit of a large merge took back no part of its purpose."""
    return not ({*split(title)} - STOP_WORDS).isdisjoint({*split(other)} - STOP_WORDS)


def _fate(row: Mapping[str, Any]) -> Fate:
    if row["type"] == "outcome":
        state: Fate = row["state"]  # of the ledger's four
        return state
    undone: str | None = row["undone"]
    if undone == "reverted":
        return "reverted"
    if undone == "partly reverted" and (row["undone_told"] or _speak_alike(row["title"], row["undone_title"])):
        return "partly reverted"
    if row["merged"] or row["type"] == "commit":
        return "replaced" if undone == "superseded" else "merged" if row["merged"] else "committed"
    if row["closed"]:
        return "unmerged" if row["type"] == "pull" else "closed"
    return "open"


def outcomes_of_pulls(
    brain: Brain,
    source_id: int,
    *,
    ref: str | None,
    kept: datetime,
    lasting: bool,
    limit: int,
    now: datetime,
    **asked: Any,  # noqa: ANN401  each of its own type
) -> list[tuple[int, Any, str, str | None]]:
    """Pull requests, or the one of *ref*, whose outcome records tell: id, how it ended, by which ref and since when.

    Args:
        kept: a merge before it that nothing speaks against has lasted.
        lasting: tell of merges that lasted, too.
        asked: `soon`, days after a merge in which a fix that names it tells of it; `least`, characters of an objection;
            `light`, words of which an objection that counts has none.
    """
    told = {"source_id": source_id, "ref": ref, "kept": timestamp(kept), "lasting": lasting, "limit": limit}
    return run(brain, "work.proposals", **told, **asked, now=timestamp(now)).fetchall()
