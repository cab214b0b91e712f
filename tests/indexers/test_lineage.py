"""What stands in the place of what, whatever was undone, in whatever order it is told."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortex.indexers.changes import Became, Edge, lineage
from cortex.substrate.changes import Op

REFS = st.sampled_from([f"pull:{number}" for number in range(6)])
OPS: st.SearchStrategy[Op] = st.sampled_from(["supersedes", "replaces", "reverts", "removes", "relands", "amends"])
DAYS = st.sampled_from(["", "2024-01", "2024-02", "2024-03"])
EDGES = st.lists(st.builds(Edge, DAYS, st.integers(0, 2), REFS, REFS, OPS, st.just(1.0)), max_size=8)


def edge(of: str, by: str, op: Op, at: str, rank: int = 0) -> Edge:
    return Edge(at, rank, of, by, op, 1.0)


def now(edges: list[Edge], of: str, at: str = "9") -> list[tuple[str, str]]:
    """What had become of a record by a day."""
    became = sorted(one for one in lineage(edges) if one.of == of)
    return [(one.state, one.by) for one in became if one.since <= at and (one.until == "" or one.until > at)]


def undone(times: int, op: Op = "reverts") -> list[Edge]:
    """A change of 0 by 1, and reverts of that, each of the one before."""
    return [edge(str(n), str(n + 1), op if n == 0 else "reverts", f"2024-{n + 1:02}") for n in range(times + 1)]


@given(st.integers(0, 9), st.sampled_from(["reverts", "supersedes", "removes", "replaces"]))
def test_undoing_what_undid_it_changes_nothing(times: int, op: Op) -> None:
    (last,) = now(undone(times, op), "0")
    (before,) = now(undone(times + 2, op), "0")
    assert last == before
    assert (last[0] == "reinstated") == (times % 2 == 1)


@given(st.integers(1, 9), st.integers(1, 9))
def test_before_a_change_the_old_is_as_it_was(times: int, month: int) -> None:
    told, known = undone(times), undone(min(times, month - 1))
    assert now(told, "0", f"2024-{month:02}") == now(known, "0", f"2024-{month:02}")


@given(EDGES, st.randoms(use_true_random=False))
def test_the_order_in_which_changes_are_told_does_not_matter(edges: list[Edge], random: object) -> None:
    shuffled = [*edges]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert lineage(shuffled) == lineage(edges) == lineage([*edges, *edges])


@given(EDGES, st.sampled_from(["2024-01", "2024-02", "2024-03"]))
def test_at_most_one_thing_stands_in_the_place_of_a_record(edges: list[Edge], day: str) -> None:
    for of in {one.of for one in edges}:
        assert len([state for state, _ in now(edges, of, day) if state != "amended"]) <= 1


def test_a_reverted_supersession_restores_the_older() -> None:
    edges = [edge("a", "b", "supersedes", "1"), edge("b", "c", "reverts", "2")]
    assert now(edges, "a", "1") == [("superseded", "b")]
    assert now(edges, "a") == [("reinstated", "c")]


def test_what_was_relanded_stands_and_what_was_superseded_does_not() -> None:
    assert now([edge("a", "b", "reverts", "1"), edge("a", "c", "relands", "2")], "a") == [("reinstated", "c")]
    assert now([edge("a", "b", "supersedes", "1"), edge("a", "c", "relands", "2")], "a") == [("superseded", "b")]


def test_in_a_circle_the_later_counts() -> None:
    circle = [edge("a", "b", "supersedes", "1"), edge("b", "a", "supersedes", "2")]
    assert lineage(circle) == {Became("b", "superseded", "a", 1.0, "2", "")}


def test_of_one_second_the_rank_tells_the_order() -> None:
    assert now([edge("a", "b", "reverts", "1", 1), edge("a", "c", "relands", "1", 0)], "a") == [("reverted", "b")]
    assert now([edge("a", "b", "reverts", "1", 0), edge("a", "c", "relands", "1", 1)], "a") == [("reinstated", "c")]
