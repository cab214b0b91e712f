"""Links between records as connectors state them and as others' links make them; what each function writes is replaced.

Those that write are called inside a transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from cortex.substrate.brain import Brain
from cortex.substrate.statements import column, rows, run


def derive_reverts(
    brain: Brain, by_title: Callable[[str], Iterable[tuple[str, str, str]]], *, source_id: int
) -> set[tuple[str, str, str]]:
    """Derive anew by commits, titles and other reverts what takes back which pull request; the links that changed.

    Args:
        by_title: of a type of record the links (ref, relation, ref) that its titles make.
    """
    derived = "select from_ref, relation, to_ref from links where source_id = ? and derived = 1"
    had = {*brain.db.execute(derived, (source_id,))}
    brain.db.execute("delete from links where source_id = ? and derived = 1", (source_id,))
    run(brain, "reverts.pulls_of_reverted_commits", source_id=source_id)
    for type_ in ("pull", "commit"):
        titled = [(source_id, *link) for link in by_title(type_)]
        brain.db.executemany("insert or ignore into links values (?, ?, ?, '', ?, 1)", titled)
    run(brain, "reverts.parts_of_reverted_commits", source_id=source_id)  # what no title says is all of it
    run(brain, "reverts.resolve_reverts", source_id=source_id)
    return had ^ {*brain.db.execute(derived, (source_id,))}


def titled_reverts(brain: Brain, *, source_id: int, type_: str) -> list[tuple[str, str, str, str, int]]:
    """Records of a type whose titles take something back: ref, title, time, number merged, whether it is known what."""
    return run(brain, "reverts.titled_reverts", source_id=source_id, type=type_).fetchall()


def merged_pulls(brain: Brain, *, source_id: int, commits: bool) -> list[tuple[str, str, str]]:
    """Merged pull requests, with *commits* those that none of them tells of too: ref, title and time."""
    return run(brain, "reverts.merged_pulls", source_id=source_id, commits=commits).fetchall()


def reverts_by(brain: Brain, *, source_id: int, type_: str) -> list[tuple[str, str]]:
    """The ref of what records of a type take back, and of each that does."""
    return run(brain, "reverts.reverts_by", source_id=source_id, type=type_).fetchall()


def standing_pulls(brain: Brain, *, source_id: int) -> list[tuple[str, str, str]]:
    """Ref, title and body of the merged pull requests that nobody took back, as they were merged."""
    return run(brain, "reverts.standing_pulls", source_id=source_id).fetchall()


def put_revaluing(brain: Brain, links: Iterable[tuple[str, str]], *, source_id: int) -> set[tuple[str, str]]:
    """Let *links* (ref, and that of what it gives another value) be all of their kind; those that came or went."""
    kept = "select from_ref, to_ref from links where source_id = ? and relation = 'revalues'"
    had, has = {*brain.db.execute(kept, (source_id,))}, {*links}
    brain.db.executemany(
        "delete from links where source_id = ? and from_ref = ? and relation = 'revalues' and to_ref = ?",
        [(source_id, *one) for one in had - has],
    )
    brain.db.executemany(
        "insert into links (source_id, from_ref, relation, to_source, to_ref) values (?, ?, 'revalues', '', ?)",
        [(source_id, *one) for one in has - had],
    )
    return had ^ has


def vouch_records(brain: Brain, *, source_id: int) -> int:
    """Store how far somebody stands behind each record of a source; how many changed, which are promoted anew."""
    changed = run(brain, "vouching.vouch_records", source_id=source_id).fetchall()
    brain.db.executemany("delete from promotions where record_id = ?", changed)
    return len(changed)


def vouch_links(brain: Brain, *, source_id: int) -> set[str]:
    """Let claims nobody stands behind only be said, and the others be so; the refs at both ends of what changed."""
    changed = run(brain, "vouching.vouch_links", source_id=source_id).fetchall()
    return {ref for ends in changed for ref in ends}


def retitled_comments(brain: Brain, *, source_id: int) -> list[dict[str, Any]]:
    """The comments of threads that have another title now, by column."""
    return rows(brain, "links.retitled", source_id=source_id)


def misnumbered_pulls(brain: Brain, *, source_id: int) -> list[tuple[str, str]]:
    """Refs of pull requests that commits told of by the number of an issue, each with the issue's."""
    return run(brain, "links.misnumbered_pulls", source_id=source_id).fetchall()


def lead_to_issue(brain: Brain, pull: str, issue: str, *, source_id: int) -> None:
    """Let what refers to *pull* refer to *issue*, forget the links of *pull*, and have all of them promoted anew."""
    of = {"source_id": source_id, "pull": pull}
    telling = "select from_ref from links where source_id = :source_id and to_ref = :pull and to_source = ''"
    for ref in column(brain, telling, **of):
        run(brain, "records.forget_promotions", source_id=source_id, ref=ref)
    run(brain, "links.forget_links_of", **of)
    led = (
        "update or replace links set to_ref = :issue where source_id = :source_id and to_ref = :pull and to_source = ''"
    )
    run(brain, led, **of, issue=issue)
    run(brain, "records.forget_promotions", source_id=source_id, ref=issue)
