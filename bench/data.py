"""A data folder for benches: the sentences people wrote in it, the questions they asked, brains of any size from both.

A folder holds `issues.jsonl`, `pulls.jsonl`, `comments.jsonl` with the field names of GitHub's REST API, and perhaps
`questions.jsonl` with rows of `{"id", "question"}`.
"""

from __future__ import annotations

import json
import random
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from cortex.language.identifiers import parts
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.identity import fingerprint

EPOCH: Final = "2025-01-01T00:00:00Z"

_CODE: Final = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+|\n\s*\n|\n\s*[-*>]\s*")
_NUMBER: Final = re.compile(r"#[0-9]+|\b[0-9]{2,6}\b")


def rows(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    """The rows of `folder/name.jsonl`, none when there is no such file."""
    path = folder / f"{name}.jsonl"
    if path.is_file():
        with path.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def sentences(folder: Path) -> list[str]:
    """The sentences of all comments, issues and pull requests, 20 to 400 characters long, each once."""
    found: dict[str, None] = {}
    for name in ("issues", "pulls", "comments"):
        for row in rows(folder, name):
            for sentence in _SENTENCE_END.split(_CODE.sub(" ", row.get("body") or "")):
                text = " ".join(sentence.split())
                if 20 <= len(text) <= 400:
                    found[text] = None
    return list(found)


def questions(folder: Path, titles: int = 400) -> list[str]:
    """The folder's own questions, then the titles of that many issues, evenly spread."""
    asked = [row["question"] for row in rows(folder, "questions")]
    every = [row["title"] for row in rows(folder, "issues")]
    return asked + every[:: max(1, len(every) // titles)]


def statements(originals: list[str], count: int, seed: int = 0) -> Iterator[str]:
    """*count* statements in the words of *originals*, whose frequencies stay those of the text.

    Half of them are as they were but for a word left out and other numbers, half the beginning of one with the end
    of another.
    """
    chance = random.Random(seed)  # noqa: S311  no secret

    def renumbered(found: re.Match[str]) -> str:
        sign = "#" if found[0][0] == "#" else ""
        return sign + str(chance.randrange(1, 10 ** len(found[0].lstrip("#"))))

    for _ in range(count):
        words = chance.choice(originals).split()
        if chance.random() < 0.5:
            other = chance.choice(originals).split()
            words = words[: chance.randint(0, len(words))] + other[chance.randint(0, len(other)) :]
        kept = [word for word in words if chance.random() > 0.05]
        yield _NUMBER.sub(renumbered, " ".join(kept or words))


def brain_of(path: Path, texts: Iterator[str], *, batch: int = 20_000) -> Brain:
    """A new brain at *path* with one source and a fact for each text, twenty facts to a record."""
    brain = open_brain(path)
    brain.db.execute("insert into sources (id, name, created_at) values (1, 'bench', ?)", (EPOCH,))
    facts = enumerate(texts)
    while chunk := [fact for _, fact in zip(range(batch), facts, strict=False)]:
        with brain.transaction() as db:
            _insert(db, chunk)
    return brain


def _insert(db: sqlite3.Connection, chunk: list[tuple[int, str]]) -> None:
    records = sorted({number // 20 for number, _ in chunk})
    db.executemany(
        "insert or ignore into records (id, source_id, type, ref, title, body, authority, origin, content_hash)"
        " values (?, 1, 'comment', ?, '', '', 0.7, 'bench', '')",
        [(record + 1, f"comment:{record}") for record in records],
    )
    db.executemany(
        "insert into facts (source_id, record_id, handle, kind, statement, excerpt, start, end_, authority, confidence,"
        " base_confidence, fingerprint, path, parts)"
        " values (1, ?, ?, 'spec', ?, ?, 0, ?, 0.7, 0.7, 0.7, ?, 'comments', ?)",
        [
            (number // 20 + 1, f"fact-{number:012x}", text, text, len(text), fingerprint(text), parts(text))
            for number, text in chunk
        ],
    )
