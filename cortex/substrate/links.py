"""Links between records as connectors state them and as others' links make them; what each function writes is replaced.

Those that write are called inside a transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from cortex.substrate.brain import Brain
from cortex.substrate.statements import rows, sql

_DERIVE: Final = """
    insert or ignore into links (source_id, from_ref, relation, to_source, to_ref, derived) values (?, ?, ?, '', ?, 1)
"""


def derive_reverts(
    brain: Brain, by_title: Callable[[str], Iterable[tuple[str, str, str]]], *, source_id: int
) -> set[tuple[str, str, str]]:
    """Derive anew what takes back which pull request: by its commits, its title, a part of it, or a revert of a revert.

    Args:
        by_title: of a type of record the links (ref, relation, ref) that its titles make.

    Returns:
        The links that came or went.
    """
    db, source = brain.db, {"source_id": source_id}
    asked = "select from_ref, relation, to_ref from links where source_id = :source_id and derived"
    had = {*db.execute(asked, source)}
    db.execute("delete from links where source_id = :source_id and derived", source)
    db.execute(sql("reverts.pulls_of_reverted_commits"), source)
    for type_ in ("pull", "commit"):
        db.executemany(_DERIVE, [(source_id, *link) for link in by_title(type_)])
    db.execute(sql("reverts.parts_of_reverted_commits"), source)  # what no title says is all of it
    db.execute(sql("reverts.resolve_reverts"), source)
    return had ^ {*db.execute(asked, source)}


def titled_reverts(brain: Brain, *, source_id: int, type_: str) -> list[tuple[str, str, str, str, int]]:
    """Records of a type whose titles take something back: ref, title, time, number merged, whether it is known what."""
    return brain.db.execute(sql("reverts.titled_reverts"), {"source_id": source_id, "type": type_}).fetchall()


def merged_pulls(brain: Brain, *, source_id: int, commits: bool) -> list[tuple[str, str, str]]:
    """Merged pull requests, with *commits* those that none of them tells of too: ref, title and time."""
    return brain.db.execute(sql("reverts.merged_pulls"), {"source_id": source_id, "commits": commits}).fetchall()


def reverts_by(brain: Brain, *, source_id: int, type_: str) -> list[tuple[str, str]]:
    """The ref of what records of a type take back, and of each that does."""
    asked = """
        select l.to_ref, l.from_ref
        from links l cross join records r on r.source_id = l.source_id and r.ref = l.from_ref
        where l.source_id = ? and l.relation = 'reverts' and l.from_ref glob ? and r.gone_at is null
    """
    return brain.db.execute(asked, (source_id, f"{type_}:*")).fetchall()


def standing_pulls(brain: Brain, *, source_id: int) -> list[tuple[str, str, str]]:
    """Ref, title and body of the merged pull requests that nobody took back, as they were merged."""
    return brain.db.execute(sql("reverts.standing_pulls"), {"source_id": source_id}).fetchall()


def put_revaluing(brain: Brain, links: Iterable[tuple[str, str]], *, source_id: int) -> set[tuple[str, str]]:
    """Let *links* (ref, and that of what it gives another value) be all of their kind; those that came or went."""
    asked = "select from_ref, to_ref from links where source_id = ? and relation = 'revalues'"
    had, has = {*brain.db.execute(asked, (source_id,))}, {*links}
    brain.db.executemany(
        "delete from links where source_id = ? and from_ref = ? and relation = 'revalues' and to_ref = ?",
        [(source_id, *one) for one in had - has],
    )
    brain.db.executemany(
        "insert into links (source_id, from_ref, relation, to_source, to_ref) values (?, ?, 'revalues', '', ?)",
        [(source_id, *one) for one in has - had],
    )
    return had ^ has


def vouch_links(brain: Brain, *, source_id: int) -> set[str]:
    """Let claims nobody stands behind only be said, and the others be so; the refs at both ends of what changed."""
    changed = brain.db.execute(sql("vouching.vouch_links"), {"source_id": source_id}).fetchall()
    return {ref for ends in changed for ref in ends}


def retitled_comments(brain: Brain, *, source_id: int) -> list[dict[str, Any]]:
    """The comments of threads that have another title now, by column."""
    return rows(brain.db, "links.retitled", {"source_id": source_id})


def misnumbered_pulls(brain: Brain, *, source_id: int) -> list[tuple[str, str]]:
    """Refs of pull requests that commits told of by the number of an issue, each with the issue's."""
    return brain.db.execute(sql("links.misnumbered_pulls"), {"source_id": source_id}).fetchall()


def lead_to_issue(brain: Brain, pull: str, issue: str, *, source_id: int) -> None:
    """Let what refers to *pull* refer to *issue*, forget the links of *pull*, and have all of them promoted anew."""
    linking = "select from_ref from links where source_id = ? and to_ref = ? and to_source = ''"
    for (ref,) in brain.db.execute(linking, (source_id, pull)).fetchall():
        brain.db.execute(sql("records.forget_promotions"), {"source_id": source_id, "ref": ref})
    brain.db.execute(
        "delete from links where source_id = ?1"
        " and (from_ref = ?2 or (to_ref = ?2 and to_source = '' and relation = 'merges'))",
        (source_id, pull),
    )
    others = "update or replace links set to_ref = ? where source_id = ? and to_ref = ? and to_source = ''"
    brain.db.execute(others, (issue, source_id, pull))
    brain.db.execute(sql("records.forget_promotions"), {"source_id": source_id, "ref": issue})
