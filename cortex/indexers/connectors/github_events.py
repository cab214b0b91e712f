"""What a delivery of GitHub's webhook says changed: the same rows as its REST API gives, one at a time.

Source: https://docs.github.com/en/webhooks/webhook-events-and-payloads
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from cortex.indexers.connectors import Item
from cortex.indexers.connectors.fields import Fields
from cortex.indexers.connectors.github_rows import SAYS_NOTHING, Thread, comment, listed, ref_of, thread
from cortex.substrate.model import Record, Skipped

HELD: Final[Mapping[str, str]] = {
    "issues": "issue", "pull_request": "pull_request", "issue_comment": "comment",
    "pull_request_review": "review", "pull_request_review_comment": "comment",
}  # fmt: skip
"""By event, where in its payload the row is that changed."""

_GONE: Final = frozenset({"deleted", "transferred"})


class Delivered(NamedTuple):
    """What a delivery brings: rows that are new or changed, and refs of those that are gone or say nothing now."""

    items: tuple[Item, ...]
    gone: tuple[str, ...]


def repository(payload: Mapping[str, Any]) -> str:
    """'owner/name' as the payload has it; '' where it has none."""
    found = payload.get("repository")
    return Fields(found).text("full_name") if isinstance(found, Mapping) else ""


def delivered(event: str, payload: Mapping[str, Any], *, source: str, where: str) -> Delivered:
    """The records that *payload* states; none for an event that states none.

    Args:
        where: what a note on something unusable calls it.
    """
    row = payload.get(HELD.get(event, ""))
    if not isinstance(row, Mapping):
        return Delivered((), ())
    fields = Fields(row, where=where)
    if event == "issues" and payload.get("action") == "closed" and not row.get("closed_by"):
        fields.row = {**row, "closed_by": payload.get("sender")}  # GitHub tells it beside the row
    if HELD[event] in ("issue", "pull_request"):
        pull = event == "pull_request" or listed(row)
        made = thread(fields, source=source, held="pull" if pull else "issue")
    else:
        made = comment(fields, source=source, threads=_threads(payload))
    if isinstance(made, Record) and payload.get("action") in _GONE:
        return Delivered((), (made.ref,))
    silent = isinstance(made, Skipped) and made.reason in SAYS_NOTHING
    return Delivered((made,), (ref_of(fields),) if silent else ())


def _threads(payload: Mapping[str, Any]) -> dict[int, Thread]:
    for name in ("issue", "pull_request"):
        row = payload.get(name)
        if isinstance(row, Mapping):
            fields = Fields(row)
            number = fields.number("number")
            if number is not None:
                pull = name == "pull_request" or listed(row)
                return {number: Thread("pull" if pull else "issue", fields.line("title"))}
    return {}
