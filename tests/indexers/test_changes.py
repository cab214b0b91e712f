"""What records change and what stands in their place is there once they are indexed, as of any day."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import permutations
from pathlib import Path
from typing import Any

from cortex.substrate.brain import Brain
from cortex.substrate.changes import Lineage, changes_about, changes_of, lineage_of
from cortex.substrate.model import Record
from tests.brains import index_records, open_new, record


def pull(number: int, body: str, day: int | None = None, **fields: Any) -> Record:  # noqa: ANN401  any field of Record
    """A pull request, merged on a day of May 2024, or open."""
    at = day and datetime(2024, 5, day, tzinfo=UTC)
    known = {"state": "merged" if day else "open", "merged_at": at, "author": "ada", "association": "MEMBER"}
    return record(f"pull:{number}", body, created_at=at or datetime(2024, 5, 1, tzinfo=UTC), **known | fields)


def id_of(brain: Brain, ref: str) -> int:
    return int(brain.db.execute("select id from records where ref = ?", (ref,)).fetchone()[0])


def became(brain: Brain, ref: str, as_of: str = "") -> list[tuple[str, str]]:
    found: tuple[Lineage, ...] = lineage_of(brain, [id_of(brain, ref)], as_of=as_of).get(id_of(brain, ref), ())
    return [(one.state, one.by_ref) for one in found]


CHAIN = (
    pull(1, "Add fax", 1),
    pull(2, "Post for all\n\nSupersedes #1", 3),
    pull(3, "Horses for all\n\nSupersedes #2", 5),
    pull(4, "No horses\n\nReverts #3", 7),
)


def test_the_head_of_a_chain_stands_for_all_of_it_as_of_each_day(brain: Brain) -> None:
    index_records(brain, *CHAIN)
    assert became(brain, "pull:1", "2024-05-02") == []
    assert became(brain, "pull:1", "2024-05-03") == [("superseded", "pull:2")]
    assert became(brain, "pull:1", "2024-05-05") == [("superseded", "pull:3")]
    assert became(brain, "pull:1") == [("superseded", "pull:2")]
    assert became(brain, "pull:2") == [("reinstated", "pull:4")]
    assert became(brain, "pull:3") == [("reverted", "pull:4")]


def test_the_order_of_indexing_does_not_matter_and_indexing_again_changes_nothing(tmp_path: Path) -> None:
    told = set()
    for place, order in enumerate([*permutations(CHAIN)][::4]):
        with open_new(tmp_path / f"{place}.db") as brain:
            for count in range(1, len(order) + 1):
                index_records(brain, *order[:count])
            kept = rows(brain)
            brain.db.execute("delete from changes_read")
            index_records(brain, *order, origin="git")
            assert rows(brain) == kept
            told.add(kept)
    assert len(told) == 1


def rows(brain: Brain) -> tuple[Any, ...]:
    lines = brain.db.execute(
        "select a.ref, l.state, b.ref, l.since, l.until from lineage l join records a on a.id = l.record_id"
        " join records b on b.id = l.by_record_id union all"
        " select r.ref, c.op, c.subject, c.day, c.target_ref from changes c join records r on r.id = c.record_id"
        " order by 1, 2, 3, 4"
    )
    return tuple(lines.fetchall())


def test_a_record_that_goes_takes_what_it_changed_with_it(brain: Brain) -> None:
    index_records(brain, *CHAIN)
    index_records(brain, *CHAIN[:3])
    assert became(brain, "pull:1") == [("superseded", "pull:3")]
    index_records(brain, *CHAIN[:1])
    assert became(brain, "pull:1") == []
    assert {ref for ref, *_ in rows(brain)} == {"pull:1"}


def test_what_a_stranger_or_an_open_pull_request_says_takes_nothing_of_the_project_back(brain: Brain) -> None:
    stranger = pull(2, "Better\n\nSupersedes #1", author="eve", association="NONE")
    remark = record(
        "comment:1#5", "Superseded by #3", thread="pull:1", author="eve", association="NONE", title="Add fax"
    )
    index_records(brain, pull(1, "Add fax", 1), stranger, pull(3, "Drop it\n\nReverts #1"), remark)
    assert became(brain, "pull:1") == []
    assert {one.certainty < 0.5 for one in changes_of(brain, [id_of(brain, "pull:2")])[id_of(brain, "pull:2")]} == {
        True
    }


def test_a_remark_of_the_project_closes_a_proposal_in_favour_of_another(brain: Brain) -> None:
    closed = pull(
        1, "Add fax", state="closed", closed_at=datetime(2024, 5, 5, tzinfo=UTC), author="eve", association="NONE"
    )
    said = datetime(2024, 5, 4, tzinfo=UTC)
    ada = {"author": "ada", "association": "MEMBER"}
    remark = record("comment:1#5", "Closing in favor of #2", thread="pull:1", created_at=said, title="Add fax", **ada)
    index_records(brain, closed, pull(2, "Add post"), remark)
    assert became(brain, "pull:1", "2024-05-04") == []
    assert became(brain, "pull:1", "2024-05-05") == [("superseded", "pull:2")]


def test_a_decision_is_amended_superseded_and_so_is_each_part_of_it(brain: Brain) -> None:
    old = record("doc:adr/1.md", "# Fax", path="adr/1.md", state="superseded")
    part = record("doc:adr/1.md#context", "Slow.", path="adr/1.md", state="superseded")
    links = ({"relation": "supersedes", "to_ref": "doc:adr/1.md"},)
    new = record("doc:adr/2.md", "# Post", path="adr/2.md", links=links, created_at=datetime(2024, 5, 2, tzinfo=UTC))
    index_records(brain, old, part, new)
    assert became(brain, "doc:adr/1.md") == became(brain, "doc:adr/1.md#context") == [("superseded", "doc:adr/2.md")]
    assert became(brain, "doc:adr/1.md", "2024-05-01") == []


def test_changes_are_found_by_what_they_name(brain: Brain) -> None:
    index_records(
        brain, pull(1, "Add fax retries", 1), pull(2, "Replace fax by post", 3), pull(3, "Remove fax retries", 5)
    )
    stems = brain.stemmer.sequence("fax retry")
    assert [(one.op, one.ref) for one in changes_about(brain, [1], stems)] == [
        ("removes", "pull:3"),
        ("adds", "pull:1"),
    ]
    assert [one.ref for one in changes_about(brain, [1], stems, as_of="2024-05-04")] == ["pull:1"]
    (found,) = [one for one in changes_about(brain, [1], ["fax"]) if one.op == "replaces"]
    assert (found.old, found.new, found.day[:10]) == ("fax", "post", "2024-05-03")


def test_what_removed_what_another_added_leaves_it_removed(brain: Brain) -> None:
    index_records(brain, pull(1, "Add fax retries", 1), pull(2, "Remove fax retries", 3))
    assert became(brain, "pull:1") == [("removed", "pull:2")]
