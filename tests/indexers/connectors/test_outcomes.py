from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortex.errors import BadInput
from cortex.indexers.connectors import Item, outcomes
from cortex.indexers.connectors.fields import BODY_LIMIT, BODY_TOO_LONG
from cortex.substrate.model import Link, Record, Skipped

ROW: dict[str, Any] = {
    "slug": "empty-state-copy",
    "title": "Empty-state copy",
    "status": "flagged",
    "pull": 958,
    "note": "The reviewer flagged it.",
    "author": "ada",
    "date": "2024-01-01",
}


def read(folder: Path, *rows: object) -> list[Item]:
    ledger = folder / "outcomes.jsonl"
    ledger.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return list(outcomes.read(ledger, source="o8"))


def test_a_row_is_an_outcome(tmp_path: Path) -> None:
    assert read(tmp_path, ROW) == [
        Record(
            source="o8",
            type="outcome",
            ref="outcome:empty-state-copy",
            title="Empty-state copy",
            body="Empty-state copy\n\nThe reviewer flagged it.",
            author="ada",
            state="flagged",
            created_at=datetime(2024, 1, 1, tzinfo=UTC),
            updated_at=datetime(2024, 1, 1, tzinfo=UTC),
            links=(Link(relation="mentions", to_ref="pull:958"),),
        )
    ]


def test_a_title_and_a_status_are_enough(tmp_path: Path) -> None:
    (item,) = read(tmp_path, {"title": "Öl für Zahnräder!", "status": "SHIPPED"})
    assert isinstance(item, Record)
    assert (item.ref, item.state, item.body, item.links) == ("outcome:öl-für-zahnräder", "shipped", item.title, ())


def test_a_later_row_of_the_same_slug_replaces_the_earlier(tmp_path: Path) -> None:
    found = read(tmp_path, ROW, {"title": "Gears", "status": "shipped"}, ROW | {"status": "shipped"})
    assert [(item.ref, item.state) for item in found if isinstance(item, Record)] == [
        ("outcome:empty-state-copy", "shipped"),
        ("outcome:gears", "shipped"),
    ]
    assert len(found) == 2


@pytest.mark.parametrize("titles", [("!!!", "???"), ("gear " * 40 + "a", "gear " * 40 + "b")], ids=["wordless", "long"])
def test_two_titles_that_make_no_short_slug_stay_two(tmp_path: Path, titles: tuple[str, str]) -> None:
    found = read(tmp_path, *({"title": title, "status": "shipped"} for title in titles))
    refs = {item.ref for item in found if isinstance(item, Record)}
    assert len(refs) == 2
    assert all(len(ref) <= len("outcome:") + 80 for ref in refs)


BAD = {
    "no status": (ROW | {"status": None}, outcomes.BAD_STATUS),
    "another status": (ROW | {"status": "great"}, outcomes.BAD_STATUS),
    "no title": (ROW | {"title": " "}, "no title"),
    "a long note": (ROW | {"note": "x" * BODY_LIMIT}, BODY_TOO_LONG),
    "a broken line": ("{", "broken JSON"),
}


@pytest.mark.parametrize(("row", "reason"), BAD.values(), ids=BAD.keys())
def test_a_row_that_is_no_outcome_is_named(tmp_path: Path, row: object, reason: str) -> None:
    assert read(tmp_path, row) == [Skipped(input="outcomes.jsonl:1", reason=reason)]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [({"pull": "soon"}, "pull is no number"), ({"date": "soon"}, "date is no date"), ({"note": 3}, "note is not text")],
    ids=["pull", "date", "note"],
)
def test_a_field_that_is_wrong_is_named_and_the_outcome_kept(
    tmp_path: Path, changes: dict[str, Any], reason: str
) -> None:
    skipped, kept = read(tmp_path, ROW | changes)
    assert skipped == Skipped(input="outcomes.jsonl:1", reason=reason, kept=True)
    assert isinstance(kept, Record)


def test_a_ledger_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such file"):
        list(outcomes.read(tmp_path / "none.jsonl", source="o8"))


@given(st.dictionaries(st.sampled_from(sorted(ROW)), st.none() | st.integers() | st.text() | st.lists(st.text())))
def test_whatever_the_fields_hold_nothing_is_raised(
    tmp_path_factory: pytest.TempPathFactory, changes: dict[str, Any]
) -> None:
    assert read(tmp_path_factory.mktemp("ledger"), ROW | changes)
