"""Invented projects as data: a compact YAML file each, written out as a GitHub export and indexed like any other.

A world holds `source`, `people` (login to association, others have none), and lists of `issues`, `pulls`, `comments`
and `commits` with the field names of GitHub's REST API, where a person is a login and a date a day; `docs` maps paths
to texts and `outcomes` lists rows of the ledger. What follows from another field (a state from its dates) is left out.
The world `demo` is the demo project in seeds/.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from hashlib import sha1
from pathlib import Path
from typing import Any, Final

import yaml

from cortex.indexers.distilling import Crew
from cortex.indexers.feeds import export_feeds
from cortex.indexers.run import index
from cortex.substrate.brain import open_brain
from cortex.substrate.encoder import Encoder
from cortex.surfaces.evaluating import index_demo

SEEDS: Final = Path(__file__).parents[1] / "seeds"
DEMO: Final = "demo"
WORLDS: Final = Path(__file__).parents[1] / "evals" / "behaviours" / "worlds"
INDEXED_AT: Final = datetime(2026, 1, 1, tzinfo=UTC)
_PEOPLE: Final = ("user", "merged_by", "closed_by")

Row = dict[str, Any]


def world(name: str) -> Row:
    """The world of that name, as its file states it."""
    if name == DEMO:
        return _demo()
    return dict(yaml.safe_load((WORLDS / f"{name}.yaml").read_text("utf-8")))


def _demo() -> Row:
    stated: dict[str, Any] = {"docs": {}}
    for folder in SEEDS.glob("*/"):
        for file in folder.glob("*.jsonl"):
            stated.setdefault(file.stem, []).extend(map(json.loads, file.read_text("utf-8").splitlines()))
        docs = folder / "docs"
        texts = {str(path.relative_to(docs)): path.read_text("utf-8") for path in docs.rglob("*.*") if path.is_file()}
        stated["docs"] |= texts
    return stated


def build(name: str, folder: Path, *, encoder: Encoder | None = None) -> Path:
    """Index the world of that name below *folder*; the path of its brain.

    Raises:
        ValueError: the world states something that cannot be read.
    """
    path, crew = folder / f"{name}.db", Crew(encoder=encoder)
    if name == DEMO:
        with open_brain(path) as brain:
            [*index_demo(brain, crew=crew, progress=lambda *_: None, now=INDEXED_AT)]
        return path
    stated = world(name)
    export = _write(stated, folder / name)
    with open_brain(path) as brain:
        report = index(
            brain, export_feeds(export, stated["source"]), source=stated["source"], now=INDEXED_AT, crew=crew
        )
    if report.skipped:
        raise ValueError(f"world {name}: {report.skipped[0]}")
    return path


def _write(stated: Row, folder: Path) -> Path:
    folder.mkdir(parents=True)
    people = stated.get("people", {})
    for kind, made in {"issues": _thread, "pulls": _pull, "comments": _comment, "commits": _commit}.items():
        _jsonl(folder / f"{kind}.jsonl", (_full(made(row), people) for row in stated.get(kind, [])))
    if outcomes := stated.get("outcomes"):
        _jsonl(folder / "outcomes.jsonl", map(_dated, outcomes))
    for name, text in stated.get("docs", {}).items():
        path = folder / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def _jsonl(path: Path, rows: Iterable[Row]) -> None:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")


def _thread(row: Row) -> Row:
    closed = row.get("closed_at")
    return {"body": "", "state": "closed" if closed else "open", "updated_at": closed or row["created_at"]} | row


def _pull(row: Row) -> Row:
    ended = row.get("merged_at") or row.get("closed_at")
    merged = {"merged": "merged_at" in row, "merged_at": None, "draft": False}
    return _thread(merged | row | {"closed_at": ended})


def _comment(row: Row) -> Row:
    at = "submitted_at" if row.get("kind") == "review" else "updated_at"
    return {"kind": "issue_comment", at: row["created_at"]} | row


def _commit(row: Row) -> Row:
    sha = sha1(str(row["sha"]).encode(), usedforsecurity=False).hexdigest()
    return {"body": ""} | row | {"sha": f"{row['sha']}{sha}"[:40]}


def _full(row: Row, people: Mapping[str, str]) -> Row:
    named = {key: {"login": row[key]} for key in _PEOPLE if row.get(key)}
    known = {"author_association": people.get(row["user"], "NONE")} if "user" in row else {}
    lists = {
        "labels": [{"name": one} for one in row.get("labels", [])],
        "assignees": [{"login": one} for one in row.get("assignees", [])],
    }
    return _dated(known | row | named | {key: value for key, value in lists.items() if key in row})


def _dated(row: Row) -> Row:
    return {key: f"{value}T12:00:00Z" if type(value) is date else value for key, value in row.items()}
