"""What became of a pull request is proposed as its records tell it, and nothing is proposed that the ledger says."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from cortex.brief.proposals import LASTING, SOON, proposals
from cortex.substrate.brain import Brain
from cortex.substrate.model import Link, Record
from tests.brains import NOW, index_records, record

OLD = NOW - LASTING - timedelta(days=30)
ADA: dict[str, Any] = {"author": "ada", "association": "MEMBER"}
EVE: dict[str, Any] = {"author": "eve", "association": "NONE"}


def pull(number: int, title: str, *links: Link, days: float = 0, merged: bool = True, **fields: Any) -> Record:  # noqa: ANN401  any field of Record
    """A pull request by Bo that was closed *days* after most were."""
    at = OLD + timedelta(days=days)
    state = {"state": "merged", "merged_at": at, "merged_by": "ada"} if merged else {"state": "closed"}
    own = {"author": "bo", "association": "MEMBER", "created_at": OLD - timedelta(days=9), "closed_at": at}
    return record(f"pull:{number}", title, links=links, **own | state | fields)


def remark(number: int, text: str, days: float = 0, **fields: Any) -> Record:  # noqa: ANN401  any field of Record
    at = OLD + timedelta(days=days)
    return record(f"comment:{number}#{number}{len(text)}", text, thread=f"pull:{number}", created_at=at, **ADA | fields)


def issue(number: int, title: str, **fields: Any) -> Record:  # noqa: ANN401  any field of Record
    return record(f"issue:{number}", title, **{"state": "open", "created_at": OLD - timedelta(days=20)} | ADA | fields)


RECORDS = (
    pull(1, "Keep leases in a file"),
    pull(2, "Revert “Keep leases in a file”\n\nReverts #1. It lost leases when the disk was full.", days=2),
    pull(3, "Let the client retry", merged=False),
    remark(3, "Closing: we decided against retries in the client, since it has no clock."),
    pull(4, "Let strangers retry", merged=False),
    remark(4, "Closing: we decided against it, since I say so.", **EVE),
    pull(5, "Cache the leases"),
    pull(6, "Fix a crash of the lease cache\n\nThe gateway crashed since #5.", days=SOON - 1, labels=("bug",)),
    pull(7, "Cache the packets"),
    pull(8, "Fix a crash of the packet cache\n\nThe gateway crashed since #7.", days=SOON + 1, labels=("bug",)),
    issue(9, "Leases end at midnight"),
    pull(10, "End leases at noon", Link(relation="fixes", to_ref="issue:9")),
    pull(11, "Log every lease"),
    remark(11, "This must never log tokens: every log is sold.", -1, state="changes_requested"),
    pull(12, "Log every packet"),
    remark(12, "This logs keys.", -2, state="changes_requested"),
    remark(12, "Good now.", -1, state="approved"),
    pull(13, "Log every token"),
    remark(13, "I would rather not.", -1, state="changes_requested", **EVE),
    pull(16, "Log every hour"),
    remark(16, "See suggestion.", -1, state="changes_requested"),
    pull(14, "Say that it works"),
    record("outcome:works", "It works", state="shipped", links=(Link(relation="mentions", to_ref="pull:14"),)),
    pull(15, "Merged yesterday", days=LASTING.days + 29),
)  # fmt: skip


def test_what_records_tell_is_proposed_with_what_tells_it(brain: Brain) -> None:
    index_records(brain, *RECORDS)
    found = proposals(brain, 1, limit=100, shipped=True, now=NOW)
    told = {one.pull: (one.how, one.status, one.by) for one in found if one.how != "kept"}
    assert told == {
        1: ("reverted", "reverted", "pull:2"), 3: ("declined", "rejected", RECORDS[3].ref),
        5: ("mended", "flagged", "pull:6"), 10: ("reopened", "flagged", "issue:9"),
        11: ("objected", "flagged", RECORDS[13].ref),
    }  # fmt: skip
    assert {one.pull for one in found if one.how == "kept"} == {2, 6, 7, 8, 12, 13, 16}
    notes = {one.pull: one.note for one in found}
    assert notes[1] == "Reverted by pull:2.\n\nIt lost leases when the disk was full."
    assert notes[3].startswith(f"Closed unmerged, as {RECORDS[3].ref} says.\n\nClosing: we decided against retries")
    assert proposals(brain, 1, limit=100, shipped=True, now=NOW, pull=5) == [one for one in found if one.pull == 5]
    assert [one.how for one in proposals(brain, 1, limit=6, shipped=True, now=NOW)][-1] == "kept"
    assert {one.pull for one in proposals(brain, 1, limit=100, shipped=False, now=NOW)} == told.keys()
    assert proposals(brain, 1, limit=100, shipped=True, now=OLD - timedelta(days=1)) == []
