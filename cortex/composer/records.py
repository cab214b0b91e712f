"""The records that rows are of, as an answer cites them and in the state they had."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from cortex.composer.hindsight import read_hindsight, without_hindsight
from cortex.substrate.authority import AUTHORITY
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql


def load_records(
    brain: Brain, ids: Sequence[int], names: Mapping[int, str], *, as_of: str = ""
) -> dict[int, dict[str, Any]]:
    """The records called *ids* with the name of their source, by id, in the state they had at *as_of*."""
    asked = {"ids": json.dumps(ids), "sources": json.dumps([*names]), "as_of": as_of}
    cursor = brain.db.execute(sql("cited_records"), asked)
    columns = [column[0] for column in cursor.description]
    later = read_hindsight(brain, ids, as_of) if as_of else {}
    records = {}
    for values in cursor:
        record = dict(zip(columns, values, strict=True))
        if record["id"] in later:
            record |= {"body": without_hindsight(record["body"], later[record["id"]]), "whole": record["body"]}
        record |= {name: _listed(record[name]) for name in ("labels", "assignees")}
        records[record["id"]] = _at(as_of, record) | {"source": names[record["source_id"]]}
    return records


@lru_cache(1024)
def _listed(names: str) -> tuple[str, ...]:
    """The names of a JSON array, mostly of none."""
    return tuple(json.loads(names))


def _at(as_of: str, record: dict[str, Any]) -> dict[str, Any]:
    """The record as it stood then: what was merged or closed later was open, and nothing had taken it back."""
    if as_of and record["state"] == "superseded" and not record["superseded_by"]:
        record |= {"state": ""}  # what replaced it came later
    if not as_of or max(record["merged_at"] or "", record["closed_at"] or "") <= as_of:
        return record
    then = {"state": "open", "merged_at": None, "closed_at": None, "merged_by": "", "closed_by": "", "reverted_by": ""}
    authority = min(record["authority"], AUTHORITY[f"{record['type']} open"])
    return record | then | {"superseded_by": "", "authority": authority, "updated_at": None}
