"""Remembering what somebody says: a record with its provenance, that indexing again leaves alone, and its fact."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Literal

from pydantic import Field

from cortex.substrate.authority import noted
from cortex.substrate.brain import Brain
from cortex.substrate.lookup import ShownRecord, show
from cortex.substrate.model import Fact, Link, Record, Scope, Share, Value
from cortex.substrate.records import UNTRUSTED
from cortex.substrate.rule_files import REMEMBERED as DIRECTIVE
from cortex.substrate.secrets import redact
from cortex.surfaces.recording import LONGEST_PATH, LONGEST_PLACE, LONGEST_RECORDER, provenance, signed, store, writable

REMEMBERED = "remembered"  # the origin of what trusted writers say


class Remembered(Value):
    """What became of what somebody said."""

    ref: str
    source: str
    type: Literal["directive", "event"] = Field(description="an untrusted writer's directive is kept as an event")
    authority: Share
    author: str = Field(description="who says so; an untrusted writer, and whom it says it speaks for")
    recorded_by: str = Field(description="who really called, such as 'operator', 'agent codex' or 'token ci'")
    did: Literal["added", "replaced", "unchanged"]
    fact: Fact | None = Field(description="none while a compaction keeps one that says the same")


def remember(  # noqa: PLR0913  what is said, and its provenance
    brain: Brain, text: str, *, directive: bool, by: str, where: str, path: str = "", source: str | None = None,
    recorder: str, trusted: bool, authority: Mapping[str, float] | None = None, now: datetime,
) -> Remembered:  # fmt: skip
    """Keep *text* as a directive or an event; the same again changes nothing.

    Args:
        by: who says so, by the writer's word.
        where: where it was said: an address, a ref such as 'issue:496', or words.
        path: the file or folder it is about, from the root of the repository.
        recorder: who really calls.
        trusted: the writer is, and its notes weigh as comments; else it is an event that weighs as little as anything.
        authority: a project's own weights, by line of the authority table.

    Raises:
        Outranked: somebody trusted more said the same.
        BadInput: *by*, *where* or *path* is written as a citation.
    """
    source = writable(brain, source)
    by, where = signed(by, recorder, trusted=trusted), provenance(where, LONGEST_PLACE)
    path = provenance(path, LONGEST_PATH)
    type_: Literal["directive", "event"] = "directive" if directive and trusted else "event"
    made = _record(redact(text.strip()), type_, by=by, where=where, path=path, source=source, now=now)
    made = _as_first_said(brain, made, source)
    made = made.model_copy(update={"association": provenance(recorder, LONGEST_RECORDER)})
    origin, weights = (REMEMBERED, noted(authority)) if trusted else (UNTRUSTED, authority)
    counts = store(brain, [made], source=source, origin=origin, authority=weights, now=now)
    did: Literal["added", "replaced", "unchanged"] = next(what for what, number in counts.items() if number)
    found = show(brain, made.ref, scope=Scope(sources=(source,)))
    assert isinstance(found, ShownRecord)  # noqa: S101  it was just stored
    return Remembered(
        ref=made.ref, source=source, type=type_, authority=found.authority, author=found.record.author,
        recorded_by=found.recorded_by, did=did, fact=found.facts[0] if found.facts else None,
    )  # fmt: skip


def _record(
    text: str, type_: Literal["directive", "event"], *, by: str, where: str, path: str, source: str, now: datetime
) -> Record:
    digest = sha256(f"{path}\0{text}".encode(errors="surrogatepass")).hexdigest()[:12]
    is_ref = where.partition(":")[0] in ("issue", "pull", "comment", "commit", "doc")
    return Record(
        source=source,
        type=type_,
        ref=f"{DIRECTIVE}{digest}" if type_ == "directive" else f"event:{digest}",
        title=f"{by}, {where}" + (f" › {path}" if path else ""),
        body=text,
        url=where if where.startswith(("https://", "http://")) else "",
        path=path,
        author=by,
        state="active" if type_ == "directive" else "",
        created_at=now,
        updated_at=now,
        links=(Link(relation="mentions", to_ref=where),) if is_ref else (),
    )


def _as_first_said(brain: Brain, made: Record, source: str) -> Record:
    asked = "select r.created_at from records r join sources s on s.id = r.source_id where s.name = ? and r.ref = ?"
    held = brain.db.execute(asked, (source, made.ref)).fetchone()
    if held is None:
        return made
    first = datetime.fromisoformat(held[0])
    return made.model_copy(update={"created_at": first, "updated_at": first})
