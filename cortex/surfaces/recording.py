"""The outcomes ledger by hand: what became of a piece of work, answerable as soon as it is recorded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field

from cortex.errors import AmbiguousSource, BadInput, Outranked, UnknownSource
from cortex.indexers.connectors import Item, outcomes
from cortex.indexers.connectors.outcomes import Status
from cortex.indexers.feeds import Feed
from cortex.indexers.run import index
from cortex.substrate.authority import AUTHORITY, lowest
from cortex.substrate.brain import Brain
from cortex.substrate.model import Record, Scope, Skipped, Value
from cortex.substrate.records import UNTRUSTED
from cortex.substrate.secrets import redact
from cortex.substrate.sources import as_listed, readable
from cortex.substrate.statements import sql

LONGEST_NAME: Final = 120  # characters of who says something
LONGEST_RECORDER: Final = 60
LONGEST_PLACE: Final = 200
LONGEST_PATH: Final = 500
_BREAKS: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+")


class Outcome(Value):
    """An outcome as the brain holds it."""

    source: str
    ref: str
    title: str
    status: str
    note: str
    pull: int | None
    author: str = Field(description="who says so; an untrusted writer, and whom it says it speaks for")
    recorded_by: str = Field(description="who really told the brain, such as 'operator'; '' where a file did")
    created_at: datetime | None
    updated_at: datetime | None


class Recorded(Value):
    """What became of one outcome."""

    outcome: Outcome
    did: Literal["added", "replaced", "unchanged"]


class Imported(Value):
    """What a file of outcomes brought."""

    source: str
    added: int
    replaced: int
    unchanged: int
    skipped: tuple[Skipped, ...] = Field(description="lines that could not be used, each with why")


def add_outcome(  # noqa: PLR0913  one argument for each column of the ledger
    brain: Brain,
    title: str,
    status: Status,
    *,
    source: str | None = None,
    pull: int | None = None,
    note: str = "",
    slug: str = "",
    author: str = "",
    recorder: str,
    trusted: bool,
    authority: Mapping[str, float] | None = None,
    now: datetime,
) -> Recorded:
    """Record an outcome; the same again changes nothing, and another status replaces the one before.

    Args:
        author: who says so, by the writer's word.
        recorder: who really calls.
        trusted: the writer is; else the outcome weighs as little as anything, and replaces none that weighs more.
        authority: a project's own weights, by line of the authority table.

    Raises:
        Outranked: it would.
        BadInput: *author* is written as a citation.
        AmbiguousSource: the brain holds several sources and none was named.
        UnknownSource: it does not hold the one that was.
    """
    source = writable(brain, source)
    title, note, author = one_line(redact(title)), redact(note), signed(author, recorder, trusted=trusted)
    made = outcomes.outcome(title, status, source=source, pull=pull, note=note, slug=slug, author=author, date=now)
    made = made.model_copy(update={"association": provenance(recorder, LONGEST_RECORDER)})
    known = next((one for one in list_outcomes(brain, scope=Scope(sources=(source,))) if one.ref == made.ref), None)
    did: Literal["added", "replaced", "unchanged"] = "replaced" if known else "added"
    if known:
        made = made.model_copy(update={"created_at": known.created_at or now})
        same = (known.title, known.status, known.note, known.pull, known.author) == (title, status, note, pull, author)
        did = "unchanged" if same else "replaced"
    if did != "unchanged":
        store(brain, [made], source=source, origin="outcomes" if trusted else UNTRUSTED, authority=authority, now=now)
    found = next(one for one in list_outcomes(brain, scope=Scope(sources=(source,))) if one.ref == made.ref)
    return Recorded(outcome=found, did=did)


def import_outcomes(
    brain: Brain, path: Path, *, source: str | None = None, authority: Mapping[str, float] | None = None, now: datetime
) -> Imported:
    """Record every outcome of *path*, JSON lines; a line that cannot be used is named and the rest goes on.

    Raises:
        BadInput: there is no such file.
        AmbiguousSource, UnknownSource: as for `add_outcome`.
    """
    source = writable(brain, source)
    items = [*outcomes.read(path, source=source)]
    counts = store(brain, items, source=source, origin="outcomes", authority=authority, now=now)
    return Imported(source=source, **counts, skipped=tuple(item for item in items if isinstance(item, Skipped)))


def list_outcomes(brain: Brain, *, scope: Scope) -> list[Outcome]:
    """The outcomes *scope* may read, the latest first."""
    names = readable(brain, scope)
    listed = [
        row for source_id in names for row in brain.db.execute(sql("outcomes_of_source"), {"source_id": source_id})
    ]
    return [
        _outcome(row, names[row[0]]) for row in sorted(listed, key=lambda row: (row[7] or "", row[1]), reverse=True)
    ]


def writable(brain: Brain, source: str | None) -> str:
    """The one source to write to: the one named, or the only one there is."""
    names = [name for (name,) in brain.db.execute("select name from sources order by name")]
    if source is None and len(names) > 1:
        raise AmbiguousSource("what is recorded", names)
    chosen = as_listed(source, names) if source else (names[0] if names else "")
    if chosen not in names:
        raise UnknownSource(chosen, names)
    return chosen


def one_line(text: str) -> str:
    r"""*text* with line breaks, and what shows as nothing, as one blank each.

    >>> one_line("ops\n\n## Directives\t")
    'ops ## Directives'
    """
    return _BREAKS.sub(" ", text).strip()


def provenance(text: str, longest: int) -> str:
    """Who or where as one line of at most *longest* characters: it is shown beside what people wrote, not as it.

    Raises:
        BadInput: it is written as a citation, which only an answer may hold.
    """
    line = one_line(text)
    if "[citation:" in line.casefold():
        raise BadInput(line[:LONGEST_NAME], "it is written as a citation", hint="say in words who said it, and where")
    return line[:longest].rstrip()


def signed(claimed: str, recorder: str, *, trusted: bool) -> str:
    """Who is shown to say something: whoever a trusted writer names; else the writer, and whom it says it speaks for.

    >>> signed("ada", "operator", trusted=True), signed("ada", "agent codex", trusted=False)
    ('ada', 'agent codex, for ada')
    """
    named = provenance(claimed, LONGEST_NAME)
    if trusted:
        return named
    writer = provenance(recorder.replace(",", " "), LONGEST_RECORDER)  # no name of its own looks like this form
    return f"{writer}, for {named}" if named else writer


def _outcome(row: tuple[Any, ...], source: str) -> Outcome:
    _, ref, title, state, body, author, created_at, updated_at, pull, recorded_by = row
    return Outcome(
        source=source, ref=ref, title=title, status=state, note=body.removeprefix(title).removeprefix("\n\n"),
        pull=pull, author=author, recorded_by=recorded_by, created_at=created_at, updated_at=updated_at,
    )  # fmt: skip


def store(
    brain: Brain,
    items: Sequence[Item],
    *,
    source: str,
    origin: str,
    authority: Mapping[str, float] | None = None,
    now: datetime,
) -> dict[Literal["added", "replaced", "unchanged"], int]:
    """Put *items* into the brain as what *origin* brought; how many were added, replaced and unchanged.

    Raises:
        Outranked: an untrusted writer would replace what somebody else recorded.
    """
    if origin == UNTRUSTED:
        for item in items:
            _let_stand(brain, item, source)

    def read(_: str | None) -> Iterator[Item]:
        yield from items

    weights = dict(authority or {})
    if origin == UNTRUSTED:
        weights = dict.fromkeys(AUTHORITY, lowest(weights))
    feeds = [Feed(origin, read)]
    (found,) = index(brain, feeds, source=source, authority=weights, command="record", now=now).origins
    return {"added": found.added, "replaced": found.replaced, "unchanged": found.unchanged}


def _let_stand(brain: Brain, item: Item, source: str) -> None:
    asked = "select r.origin from records r join sources s on s.id = r.source_id where s.name = ? and r.ref = ?"
    held = brain.db.execute(asked, (source, item.ref)).fetchone() if isinstance(item, Record) else None
    if held and isinstance(item, Record) and held[0] != UNTRUSTED:
        raise Outranked(item.ref)
