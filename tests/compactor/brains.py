"""Small brains of facts made up on the spot."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cortex.substrate.brain import Brain
from cortex.substrate.identity import fingerprint, handle
from tests.brains import open_new

NOW = datetime(2026, 6, 1, tzinfo=UTC)
TODAY = "2026-05-31T00:00:00Z"


class Facts:
    """A brain, and a way to put a fact into it in a line."""

    def __init__(self, path: Path | str) -> None:
        self.brain: Brain = open_new(path)
        self.db = self.brain.db

    def source(self, name: str) -> int:
        self.db.execute("insert or ignore into sources (name, created_at) values (?, ?)", (name, TODAY))
        return int(self.db.execute("select id from sources where name = ?", (name,)).fetchone()[0])

    def record(self, ref: str, *, source: str = "web", author: str = "ada", gone: str | None = None) -> int:
        source_id = self.source(source)
        type_ = ref.partition(":")[0]
        thread = "issue:" + ref.partition(":")[2].partition("#")[0] if type_ == "comment" else ""
        self.db.execute(
            "insert or ignore into records (source_id, type, ref, title, body, author, thread, authority, origin,"
            " content_hash, gone_at) values (?, ?, ?, '', '', ?, ?, 0.7, 'github', ?, ?)",
            (source_id, type_, ref, author, thread, ref, gone),
        )
        found = self.db.execute("select id from records where source_id = ? and ref = ?", (source_id, ref))
        return int(found.fetchone()[0])

    def add(self, statement: str, ref: str = "doc:a.md", **columns: Any) -> str:  # noqa: ANN401  whatever a column takes
        """The handle of a new fact."""
        record = {name: columns.pop(name) for name in ("source", "author", "gone") if name in columns}
        record_id = self.record(ref, **record)
        source = record.get("source", "web")
        confidence = columns.pop("confidence", 0.8)
        row = {
            "source_id": self.source(source),
            "record_id": record_id,
            "handle": handle(source, ref, statement),
            "kind": "spec",
            "statement": statement,
            "excerpt": "",
            "start": 0,
            "end_": 0,
            "authority": 0.7,
            "confidence": confidence,
            "base_confidence": confidence,
            "fingerprint": fingerprint(statement),
            "path": "docs",
            "touched_at": TODAY,
            "valid_from": TODAY,
            "parts": "",
        } | columns
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        self.db.execute(f"insert into facts ({names}) values ({marks})", [*row.values()])  # noqa: S608  names of columns
        return str(row["handle"])

    def dump(self, source: str | None = None) -> list[tuple[Any, ...]]:
        """Every fact, all of it."""
        every = "select f.* from facts f join sources s on s.id = f.source_id where ? in ('', s.name) order by f.id"
        return self.db.execute(every, (source or "",)).fetchall()

    def handles(self) -> set[str]:
        return {handle for (handle,) in self.db.execute("select handle from facts")}

    def confidence(self, handle: str) -> float:
        return float(self.db.execute("select confidence from facts where handle = ?", (handle,)).fetchone()[0])

    def archived(self, handle: str) -> dict[str, Any]:
        cursor = self.db.execute("select * from facts_archive where handle = ? order by id desc", (handle,))
        return dict(zip([name for name, *_ in cursor.description], cursor.fetchone(), strict=True))
