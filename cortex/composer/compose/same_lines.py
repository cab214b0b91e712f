"""The document that has the lines of an ownership record: who owns what is told by the record, and cited by both."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, Final

from cortex.composer.compose.framing import cited
from cortex.substrate.brain import Brain
from cortex.substrate.model import Citation
from cortex.substrate.statements import sql

_LINE_END: Final = re.compile(r"\r\n|\r|\n")


def documents_with_lines(brain: Brain, ids: Iterable[int]) -> list[int]:
    """The ids of the documents that the lines of the records called *ids* stand in."""
    return [id_ for (id_,) in brain.db.execute(sql("documents_with_lines"), {"ids": json.dumps([*ids])})]


def cited_in_document(
    citation: Citation, record: Mapping[str, Any], records: Iterable[Mapping[str, Any]]
) -> Citation | None:
    """What *citation* quotes of an ownership *record*, cited in its file's document if that is among *records*."""
    if record["type"] != "ownership":
        return None
    within = record["body"].find(citation.excerpt)
    for one in records:
        same_file = (one["source_id"], one["path"]) == (record["source_id"], record["path"])
        if one["type"] != "doc" or not same_file or not one["line_start"] <= record["line_start"] <= one["line_end"]:
            continue
        start = _line_start(one["body"], record["line_start"] - one["line_start"]) + within
        end = start + len(citation.excerpt)
        if within >= 0 and one["body"][start:end] == citation.excerpt:
            handle = f"{one['ref']}@{start}-{end}"
            return Citation(
                handle=f"{one['source']}/{handle}" if one["shared"] else handle, statement=citation.excerpt,
                excerpt=citation.excerpt, kind=None, authority=one["authority"], confidence=1.0, record=cited(one),
                source=one["source"],
            )  # fmt: skip
    return None


def _line_start(body: str, number: int) -> int:
    """Where a line of *body* begins, counted from 0."""
    ends = [0, *(match.end() for match in islice(_LINE_END.finditer(body), number))]
    return ends[number] if number < len(ends) else len(body)
