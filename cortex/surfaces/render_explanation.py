"""Why an answer stands where it stands, as a person reads it."""

from __future__ import annotations

from cortex.composer.explain import Explanation, Row
from cortex.surfaces.render import dim, heading, line, table

ROWS = 15
_RETRIEVERS = ("text", "fact", "vector")


def explanation(found: Explanation) -> str:
    """How the question was understood and judged, then a table of the first rows."""
    terms = ", ".join(f"{term} {weight:g}" for term, weight in sorted(found.terms.items(), key=lambda one: -one[1]))
    judged = ", ".join(f"{name} {value:g}" for name, value in found.judged.items())
    took = ", ".join(f"{name} {value:.0f} ms" for name, value in found.timings_ms.items())
    told = [
        f"class {found.class_}, asks for: {found.asks_for}",
        f"terms by weight: {line(terms)}",
        f"searched too: {line(' '.join(found.variant)) or 'nothing'}",
        f"evidence: {found.evidence}, likelihood {found.likelihood:.2f} ({judged})",
        f"retrievers: {took}",
    ]
    features = [
        name for name in (found.rows[0].parts if found.rows else ()) if any(row.parts[name] for row in found.rows)
    ]
    heads = ["#", "record", *_RETRIEVERS, "reason", "link", "lineage", "score", *features]
    rows = [_row(row, features) for row in found.rows[:ROWS]]
    more = len(found.rows) - ROWS
    left = [dim(f"and {more} more rows; --json has them all")] if more > 0 else []
    return "\n".join(
        [
            heading(line(found.question)),
            *told,
            "",
            table([heads, *rows], numbers={0, 2, 3, 4, *range(8, len(heads))}),
            *left,
        ]
    )


def _row(row: Row, features: list[str]) -> list[str]:
    places = [str(row.places.get(name, "")) for name in _RETRIEVERS]
    parts = [f"{row.parts[name]:.2f}" for name in features]
    return [
        str(row.rank),
        line(row.ref),
        *places,
        row.reason,
        line(row.relation),
        line(", ".join(row.lineage)),
        f"{row.score:.2f}",
        *parts,
    ]
