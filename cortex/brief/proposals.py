"""Outcomes found in records that the ledger does not have yet, proposed for approval."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Final, Literal, NamedTuple

from pydantic import Field

from cortex.indexers.connectors.outcomes import Status
from cortex.language.patterns import read_table
from cortex.substrate.brain import Brain
from cortex.substrate.model import Value
from cortex.substrate.quoting import spelled
from cortex.substrate.work import Work, outcomes_of_pulls, works

SOON: Final = 7  # days after a merge in which a fix that names it flags it
OBJECTION: Final = 40  # characters of an objection that says something
LASTING: Final = timedelta(days=30)  # age of a merge that counts as shipped

How = Literal["reverted", "declined", "mended", "reopened", "objected", "kept"]


class _Means(NamedTuple):
    status: Status
    note: Callable[[str, str], str]


MEANS: Final[Mapping[How, _Means]] = {
    "reverted": _Means("reverted", lambda by, _: f"Reverted by {by}."),
    "declined": _Means("rejected", lambda by, _: f"Closed unmerged, as {by} says."),
    "mended": _Means("flagged", lambda by, day: f"Mended by {by} on {day}, within {SOON} days."),
    "reopened": _Means("flagged", lambda by, _: f"Merged, and {by}, which it was to fix, is open."),
    "objected": _Means("flagged", lambda by, _: f"Merged over the changes that {by} asks for."),
    "kept": _Means("shipped", lambda _, day: f"Merged on {day}, and neither reverted nor mended since."),
}
"""The status and the note that each finding proposes."""


class Proposal(Value):
    """An outcome to approve."""

    slug: str
    how: How
    status: Status
    title: str
    pull: int
    note: str = Field(description="the finding, then the reason verbatim")
    by: str = Field(description="ref of the evidence; '' for 'kept'")
    since: datetime | None

    @property
    def ref(self) -> str:
        """Ref of its record once approved."""
        return f"outcome:{self.slug}"


def proposals(
    brain: Brain, source_id: int, *, limit: int, now: datetime, shipped: bool, pull: int | None = None
) -> list[Proposal]:
    """Outcomes of pull requests by the records of a source: failures first, the latest first.

    Args:
        shipped: what was merged and lasted, too.
        pull: look at this number alone.
    """
    ref = None if pull is None else f"pull:{pull}"
    rows = outcomes_of_pulls(
        brain, source_id, ref=ref, kept=now - LASTING, lasting=shipped, limit=limit, now=now, soon=SOON,
        least=OBJECTION, light=read_table("kinds")["objection"]["light"].split(),
    )  # fmt: skip
    known = works(brain, [id_ for id_, *_ in rows])
    return [_proposal(known[id_], how, by, since) for id_, how, by, since in rows if id_ in known]


def _proposal(work: Work, how: How, by: str, since: str | None) -> Proposal:
    means, number = MEANS[how], work.ref.partition(":")[2]
    note = means.note(spelled(by), (since or "")[:10])
    return Proposal(
        slug=f"pull-{number}", how=how, status=means.status, title=work.title, pull=int(number), by=by,
        note=f"{note}\n\n{work.why}" if work.why else note, since=datetime.fromisoformat(since) if since else None,
    )  # fmt: skip
