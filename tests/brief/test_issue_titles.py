"""Any issue title is a task, a topic and a subject, also where facts end and begin again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from cortex.brief.brief import brief
from cortex.brief.decisions import decisions
from cortex.brief.owners import owners
from cortex.substrate.brain import Brain
from cortex.substrate.model import Record, Scope
from tests.brains import WHY, index_records, open_new, record

BEGAN = datetime(2023, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 9, 20, tzinfo=UTC)
GOODS = ("eggs", "milk", "flour", "honey", "cider", "apples", "pears", "nuts", "cheese", "butter")
WAYS = ("by weight", "in crates", "at night", "on pallets")
FAULTS = ("Cannot pack {}", "Pack {}: crash", "`pack` loses {} (again?)", "RFC: pack {} #{}", "Why pack {}")
TITLES = [fault.format(f"{good} {way}", 7) for fault, good, way in product(FAULTS, GOODS, WAYS)]


def merged(number: int, title: str, body: str = "") -> Record:
    at = BEGAN + timedelta(days=number)
    text = f"{title}\n\n{body}".strip()
    return record(f"pull:{number}", text, author="ada", state="merged", created_at=at, closed_at=at, merged_at=at)


@pytest.fixture(scope="module")
def packing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    """Forty changes that were merged, taken back and brought back, with 200 issues about them."""
    changes = []
    for place, (good, way) in enumerate(product(GOODS, WAYS)):
        title, number = f"Require to pack {good} {way} because boxes tear", 10 * place + 1
        changes += [
            merged(number, title, WHY),
            merged(number + 1, f'Revert "{title}"', f"Reverts #{number}."),
            merged(number + 2, f'Revert "Revert "{title}""', f"Reverts #{number + 1}."),
        ]
    issues = (record(f"issue:{n}", title, state="open", created_at=BEGAN) for n, title in enumerate(TITLES, 1000))
    with open_new(tmp_path_factory.mktemp("packing") / "brain.db") as brain:
        index_records(brain, *changes, *issues)
        yield brain


def test_no_issue_title_is_too_much_for_a_brief_or_a_list(packing: Brain) -> None:
    for title in TITLES[::9]:  # each fault, each good and each way among them
        found = brief(packing, title, (), budget=4000, scope=Scope(), now=NOW)
        assert found.items, title
        listed = decisions(packing, title, (), state="active", limit=20, scope=Scope(), at=NOW)
        assert len(listed.decisions) == len({one.ref for one in listed.decisions}) > 0, title
        owners(packing, title, scope=Scope(), now=NOW)


@pytest.mark.parametrize(
    ("day", "state"), [(140, None), (141, "active"), (142, "superseded"), (143, "active"), (999, "active")]
)
def test_a_change_brought_back_stands_as_it_did_on_each_day(packing: Brain, day: int, state: str | None) -> None:
    at = BEGAN + timedelta(days=day, hours=1)
    listed = decisions(packing, "pack honey at night", (), state="all", limit=99, scope=Scope(), at=at).decisions
    assert [one.state for one in listed if one.ref == "pull:141"] == ([state] if state else [])
