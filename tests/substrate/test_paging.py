"""A part of what is shown at a time: nothing is lost between two of them, and none is longer than it may be."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortex.substrate.lookup import (
    ArchivedFact,
    LinkedRow,
    Remark,
    Said,
    Shown,
    ShownFact,
    ShownPassage,
    ShownRecord,
    ShownThread,
)
from cortex.substrate.model import CitedRecord
from cortex.substrate.paging import part
from tests.tables import walk

RECORD = CitedRecord(type="issue", ref="issue:7", title="A long one")
BODIES = st.text("abc \n\U0001f600", max_size=900)
LIMITS = st.integers(100, 400)


def record(body: str, links: int = 0, comments: int = 0) -> ShownRecord:
    return ShownRecord(
        record=RECORD, source="demo", body=body, length=len(body), authority=0.85, recorded_by="", gone_at=None,
        thread="", facts=(), linked_from=(),
        links=tuple(LinkedRow(relation="mentions", ref=f"issue:{n}", source="", title="") for n in range(links)),
        comments=tuple(
            Remark(ref=f"comment:7#{n}", author="ada", created_at=None, opening="So it is.") for n in range(comments)
        ),
    )  # fmt: skip


def parts(shown: Shown, limit: int) -> list[Shown]:
    found: list[Shown] = []
    start: int | None = 0
    while start is not None:
        found.append(part(shown, start, limit))
        assert not isinstance(found[-1], ShownFact | ArchivedFact)
        start = found[-1].next
    return found


@given(BODIES, LIMITS)
def test_the_parts_of_a_record_are_its_body(body: str, limit: int) -> None:
    found = parts(record(body), limit)
    assert "".join(one.body for one in found if isinstance(one, ShownRecord)) == body
    assert all(isinstance(one, ShownRecord) and len(one.body) <= limit and one.length == len(body) for one in found)


@given(st.lists(BODIES, min_size=1, max_size=6), LIMITS)
def test_the_parts_of_a_thread_are_all_that_was_said(bodies: list[str], limit: int) -> None:
    first, *rest = bodies
    said = tuple(Said(ref=f"comment:7#{n}", author="ada", created_at=None, body=one) for n, one in enumerate(rest))
    whole = ShownThread(record=RECORD, source="demo", body=first, comments=said, length=sum(map(len, bodies)))
    found = [one for one in parts(whole, limit) if isinstance(one, ShownThread)]
    assert "".join(one.body for one in found) == first
    for one in said:
        assert (
            "".join(each.body for each_part in found for each in each_part.comments if each.ref == one.ref) == one.body
        )
    for each_part in found:
        assert len(each_part.body) + sum(len(each.body) for each in each_part.comments) <= limit


@given(st.text("abc \n\U0001f600", min_size=1, max_size=900), st.data(), LIMITS)
def test_the_parts_of_a_passage_are_its_characters_each_within_its_record(
    body: str, data: st.DataObject, limit: int
) -> None:
    start = data.draw(st.integers(0, len(body) - 1))
    end = data.draw(st.integers(start + 1, len(body)))
    whole = ShownPassage(
        handle=f"issue:7@{start}-{end}", record=RECORD, source="demo", start=start, end=end, length=end - start,
        excerpt=body[start:end], body=body,
    )  # fmt: skip
    found = [one for one in parts(whole, limit) if isinstance(one, ShownPassage)]
    assert "".join(one.excerpt for one in found) == body[start:end]
    for one in found:
        assert body[one.start : one.end] == one.excerpt
        assert one.body[one.start - one.body_start : one.end - one.body_start] == one.excerpt
        assert body[one.body_start :].startswith(one.body)
        assert len(one.body) <= limit


@walk(("links", "comments"), [(3, 400), (400, 3), (400, 400)])
def test_what_hangs_on_a_record_is_given_as_far_as_it_fits_and_the_rest_counted(links: int, comments: int) -> None:
    first = part(record("Short.", links, comments), 0, 5_000)
    assert isinstance(first, ShownRecord)
    assert len(first.model_dump_json()) < 8_000
    for name, count in (("links", links), ("comments", comments)):
        given = len(getattr(first, name))
        assert given + first.left_out.get(name, 0) == count
        assert given
    further = part(record("x" * 6_000, links, comments), 5_000, 5_000)
    assert isinstance(further, ShownRecord)
    assert (further.links, further.comments, further.left_out) == ((), (), {"links": links, "comments": comments})
