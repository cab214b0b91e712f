"""Records as items of a list: those that a question names, each with a sentence of ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from cortex.composer.query.intents import Named
from cortex.composer.retrieve.filters import Unknown
from cortex.composer.retrieve.titled import titled
from cortex.composer.retrieve.wording import sentence
from cortex.substrate.lookups import has_issues, records_called
from cortex.substrate.reading import Reader

MOST: Final = 6  # items of a list
THREADS: Final = ("pull", "issue", "commit")

Items = tuple[tuple[int, str], ...]


def sentences(reader: Reader, ids: Sequence[int]) -> Items:
    """The records *ids* that were there then, each with its sentence."""
    records = reader.records(ids)
    return tuple((id_, sentence(records[id_], source=source_of(reader, records[id_]))) for id_ in ids if id_ in records)


def source_of(reader: Reader, record: Mapping[str, Any]) -> str:
    """The source of *record* where several are read; '' where one is."""
    return str(record["source"]) if len(reader.sources) > 1 else ""


def called(reader: Reader, thread: Named, types: Sequence[str] = THREADS) -> list[Mapping[str, Any]]:
    """The records that *thread* names: of each source the likeliest, those not made yet left out.

    Args:
        types: of a record that it calls by its title.

    Raises:
        Unknown: it names none.
    """
    if not thread.refs:
        return [titled(reader, thread, (thread.kind,) if thread.kind in THREADS else types)]
    found: dict[int, Mapping[str, Any]] = {}
    for ref in thread.refs:
        for record in reader.records(records_called(reader, [ref])).values():
            if was_there(reader, record):
                found.setdefault(record["source_id"], record)
    if not found:
        raise Unknown(certain=has_issues(reader))
    return [*found.values()]


def was_there(reader: Reader, record: Mapping[str, Any]) -> bool:
    """Whether *record* was made by the day that is read."""
    made = record["created_at"] or record["merged_at"] or ""
    return not reader.as_of or made <= reader.as_of
