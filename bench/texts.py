"""Texts of data folders as the distillers get them, without a brain."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cortex.indexers.distill.text import Text
from cortex.indexers.feeds import export_feeds, source_of_export
from cortex.substrate.model import Record
from cortex.substrate.sources import timestamp


def texts_of(folder: Path) -> tuple[str, list[Text]]:
    """The source a GitHub export in *folder* is, and its sections, comments and reviews."""
    source = source_of_export(folder)
    records = {record.ref: record for record in _records(folder, source) if record.type in ("doc", "comment")}
    return source, [_text(number, record) for number, record in enumerate(records.values())]


def _records(folder: Path, source: str) -> Iterator[Record]:
    for feed in export_feeds(folder, source):
        yield from (item for item in feed.read(None) if isinstance(item, Record))


def _text(number: int, record: Record) -> Text:
    made = timestamp(record.created_at) if record.created_at else None
    return Text(
        number, record.type, record.ref, record.title, record.body, record.author, record.state, made,
        record.association, record.path,
    )  # fmt: skip
