"""Outcomes found in records that the ledger does not have yet, proposed for approval."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final, Literal

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


MEANS: Final[Mapping[How, tuple[Status, str]]] = {
    "reverted": ("reverted", "Reverted by {by}."),
    "declined": ("rejected", "Closed unmerged, as {by} says."),
    "mended": ("flagged", "Mended by {by} on {day}, within {soon} days."),
    "reopened": ("flagged", "Merged, and {by}, which it was to fix, is open."),
    "objected": ("flagged", "Merged over the changes that {by} asks for."),
    "kept": ("shipped", "Merged on {day}, and neither reverted nor mended since."),
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
    (status, finding), number = MEANS[how], work.ref.partition(":")[2]
    note = finding.format(by=spelled(by), day=(since or "")[:10], soon=SOON)
    return Proposal(
        slug=f"pull-{number}", how=how, status=status, title=work.title, pull=int(number), by=by,
        note=f"{note}\n\n{work.why}" if work.why else note, since=datetime.fromisoformat(since) if since else None,
    )  # fmt: skip
