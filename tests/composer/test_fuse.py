"""Two rankings become one, and what a strong hit is related to rises beside it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortex.composer.fuse import fuse, join_related
from cortex.composer.retrieve.graph import Related, find_related
from cortex.composer.retrieve.passages import Found
from cortex.composer.rows import Row
from cortex.substrate.brain import Brain
from tests.brains import index_records, record


def row(record_id: int, *, thread: str = "", handle: str = "", type_: str = "issue") -> Row:
    ref = f"{type_}:{record_id}"
    return Row(record_id, record_id, 1, ref, type_, "", 0.8, thread, "", "", "", 0, "", 0, 0, "", handle)


def found(record_id: int, score: float, *, thread: str = "", handle: str = "", covered: float = 0.5) -> Found:
    return Found(row(record_id, thread=thread, handle=handle), score, covered, score)


def order(*fused: object) -> list[int]:
    return [one.row.record_id for one in fused]  # type: ignore[attr-defined]


def test_nothing_gives_nothing() -> None:
    assert fuse([], []) == []


def test_each_record_stands_once_with_its_best_rows() -> None:
    passages = [found(1, 9.0), found(2, 5.0), found(1, 4.0)]
    facts = [found(2, 3.0, handle="fact-2"), found(3, 1.0, handle="fact-3")]
    fused = fuse(passages, facts)
    assert sorted(order(*fused)) == [1, 2, 3]
    held = {one.row.record_id: (one.passage is not None, one.fact is not None) for one in fused}
    assert held == {1: (True, False), 2: (True, True), 3: (False, True)}


def test_equals_keep_the_order_they_were_found_in() -> None:
    assert order(*fuse([found(number, 5.0) for number in (3, 1, 2)], [])) == [3, 1, 2]


def test_a_fact_decides_between_equal_passages() -> None:
    assert order(*fuse([found(1, 5.0), found(2, 5.0)], [found(2, 1.0, handle="fact-2")])) == [2, 1]


SCORES = st.lists(st.tuples(st.integers(1, 9), st.floats(0.1, 50)), max_size=12)


@given(SCORES, SCORES, st.floats(0.01, 100))
def test_how_a_retriever_counts_does_not_matter(
    passages: list[tuple[int, float]], facts: list[tuple[int, float]], factor: float
) -> None:
    def ranked(scores: list[tuple[int, float]], times: float = 1.0) -> list[Found]:
        return sorted((found(number, round(score, 3) * times) for number, score in scores), key=lambda one: -one.score)

    plain, scaled = fuse(ranked(passages), ranked(facts)), fuse(ranked(passages), ranked(facts, factor))
    assert [round(one.score, 6) for one in plain] == [round(one.score, 6) for one in scaled]
    assert sorted(order(*plain)) == sorted({number for number, _ in passages + facts})


def test_what_a_hit_is_related_to_rises_to_its_share() -> None:
    fused = fuse([found(1, 10.0), found(2, 6.0), found(3, 1.0)], [])
    related = [Related("issue:1", 1, 3, "fixed by", 0.9), Related("issue:1", 1, 4, "fixes", 0.5)]
    joined = join_related(fused, related, {4: row(4)})
    assert order(*joined)[:2] == [1, 3]
    assert {one.row.record_id: one.relation for one in joined} == {1: "", 3: "fixed by", 2: "", 4: "fixes"}


def test_what_stands_higher_by_its_own_words_stays_there() -> None:
    fused = fuse([found(1, 10.0), found(2, 9.9)], [])
    assert join_related(fused, [Related("issue:1", 1, 2, "fixes", 0.5)], {}) == fused


def test_a_related_record_without_a_row_is_left_out() -> None:
    fused = fuse([found(1, 10.0)], [])
    assert order(*join_related(fused, [Related("issue:1", 1, 5, "fixes", 0.5)], {})) == [1]


def test_links_lead_from_a_thread_to_what_decided_it(brain: Brain) -> None:
    merged = {"state": "merged", "merged_at": "2026-01-02T00:00:00Z"}
    index_records(
        brain,
        record("issue:1", "Locked", state="closed", closed_at="2026-01-02T00:00:00Z"),
        record("pull:2", "Fix\n\nFixes #1", **merged),
        record("pull:3", "Undo\n\nReverts #2", **merged),
        record("issue:4", "Hangs\n\nDuplicate of #1"),
        record("comment:1#9", "Closing as done.", thread="issue:1", created_at="2026-01-02T00:00:20Z"),
        record("pull:5", "Would fix\n\nCloses #1", state="open"),
    )
    ids = dict(brain.db.execute("select id, ref from records"))
    found = {
        (one.thread, one.relation, ids[one.record_id])
        for one in find_related(brain, [(1, "issue:1"), (1, "pull:2"), (1, "issue:4")])
    }
    assert found == {
        ("issue:1", "itself", "issue:1"),
        ("pull:2", "itself", "pull:2"),
        ("issue:4", "itself", "issue:4"),
        ("issue:1", "fixed by", "pull:2"),
        ("issue:1", "addressed by", "pull:5"),
        ("issue:1", "closed with", "comment:1#9"),
        ("pull:2", "fixes", "issue:1"),
        ("pull:2", "reverted by", "pull:3"),
        ("issue:4", "duplicate of", "issue:1"),
    }
