"""Looking through a brain: facts by what they are, what became of one, compactions and evals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import pytest

from cortex.compactor.run import Compacted, compact
from cortex.compactor.undo import Undone, undo
from cortex.errors import AmbiguousSource, UnknownHandle, UnknownRun
from cortex.settings import Settings
from cortex.substrate.brain import Brain
from cortex.substrate.browse import Compaction
from cortex.substrate.model import Relation
from cortex.substrate.sources import register_source
from cortex.surfaces.contract import Call, run
from cortex.surfaces.operations import looking, upkeep
from cortex.surfaces.wording import worded
from tests.brains import index_records, open_new, record
from tests.sources import PACKAGE
from tests.surfaces.conftest import Ran
from tests.trees import write

NOW = datetime(2026, 9, 1, tzinfo=UTC)
SAME = "Use 4 spaces for indentation in every file of the parser."

CLOSED = dict.fromkeys(("created_at", "closed_at"), "2026-03-01T00:00:00Z")


@pytest.fixture
def doubled(tmp_path: Path) -> Iterator[Brain]:
    """A brain with one directive stated twice, one issue and a pull request that was never merged."""
    with open_new(tmp_path / "brain.db") as brain:
        index_records(
            brain,
            record("directive:seed-a.md#1", SAME, updated_at="2026-01-01T00:00:00Z"),
            record("directive:seed-b.md#1", SAME, updated_at="2026-02-01T00:00:00Z"),
            record("issue:7", "Parser crashes on tabs", state="open", labels=["bug"], created_at="2024-05-01T00:00Z"),
            record("pull:8", "Allow tabs", state="closed", **CLOSED),
        )  # fmt: skip
        yield brain


def call(brain: Brain, **fields: Any) -> Call:  # noqa: ANN401
    return Call(caller="operator", path=brain.path, settings=Settings(), now=NOW, **fields)


@pytest.mark.parametrize(
    ("given", "refs"),
    [
        ({}, {"directive:seed-a.md#1", "directive:seed-b.md#1", "issue:7", "pull:8"}),
        ({"kinds": ["directive"]}, {"directive:seed-a.md#1", "directive:seed-b.md#1"}),
        ({"authority": 0.99}, {"directive:seed-a.md#1", "directive:seed-b.md#1"}),
        ({"words": "TABS"}, {"issue:7", "pull:8"}),
        ({"words": "tabs crashes"}, {"issue:7"}),
        ({"words": "issue:7"}, {"issue:7"}),
        ({"since": "2026-02-15"}, {"pull:8"}),
        ({"since": "0999-01-01"}, {"directive:seed-a.md#1", "directive:seed-b.md#1", "issue:7", "pull:8"}),
        ({"until": "0999-01-01"}, set()),
        ({"until": "2024-12-31"}, {"issue:7"}),
        ({"words": "%"}, set()),
        ({"archived": True}, set()),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_facts_are_found_by_what_they_are(doubled: Brain, given: dict[str, Any], refs: set[str]) -> None:
    found = run(looking.facts, call(doubled), given)
    assert {one.ref for one in found.facts} == refs
    assert found.total == len(found.facts)


def test_facts_come_in_parts_and_none_twice(doubled: Brain) -> None:
    whole = run(looking.facts, call(doubled), {})
    parts = [run(looking.facts, call(doubled), {"limit": 1, "offset": place}) for place in range(whole.total)]
    assert [one.handle for part in parts for one in part.facts] == [one.handle for one in whole.facts]
    assert {part.total for part in parts} == {whole.total}


def test_a_fact_says_how_it_stands(doubled: Brain) -> None:
    found = run(looking.facts, call(doubled), {})
    assert {one.ref: one.state for one in found.facts}["pull:8"] == "rejected"


def test_a_merged_fact_is_found_taken_out_and_in_the_history_of_both(doubled: Brain) -> None:
    compact(doubled, jobs=["exact_duplicates"], now=NOW)
    (gone,) = run(looking.facts, call(doubled), {"archived": True}).facts
    (kept,) = run(looking.facts, call(doubled), {"kinds": ["directive"]}).facts
    assert (gone.state, gone.replaced_by) == ("archived", kept.handle)
    (event,) = run(looking.history, call(doubled), {"handle": gone.handle}).events
    assert (event.what, event.merged_into, event.job) == ("taken out", kept.handle, "exact_duplicates")
    assert "merged in" in [one.what for one in run(looking.history, call(doubled), {"handle": kept.handle}).events]


def test_a_document_that_was_renamed_lists_its_facts_once(cortex: Callable[..., Ran], tmp_path: Path) -> None:
    root = write(tmp_path / "project", {"old.md": "# Setup\n\nThe queue must be drained first.\n"})
    cortex("index", root)
    (root / "old.md").rename(root / "new.md")
    cortex("index", root)

    def listed(*which: str) -> list[tuple[str, str, str]]:
        found = cortex("facts", "--json", *which).json
        assert found["total"] == len(found["facts"])
        return [(one["ref"], one["state"], one["replaced_by"]) for one in found["facts"]]

    assert listed() == [("doc:new.md", "active", "")]
    assert listed("--archived") == [("doc:old.md", "archived", "doc:new.md")]
    assert cortex("status", "--json").json["sources"][0]["facts"] == {"spec": 1}
    cortex("compact")
    assert listed() == [("doc:new.md", "active", "")]
    assert listed("--archived") == [("doc:old.md", "archived", "doc:new.md")]
    assert listed("--archived", "--until", "2020-01-01") == listed("--since", "2999-01-01") == []


def test_compactions_are_listed_with_who_undid_them(doubled: Brain) -> None:
    first = compact(doubled, now=NOW).run
    assert first
    undone = undo(doubled, first, now=NOW)
    compact(doubled, source="demo", now=NOW)
    latest, earlier = run(looking.compactions, call(doubled), {}).compactions
    assert (earlier.run, earlier.undone_by, earlier.report["before"]) == (first, undone.undone_by, 4)
    assert (latest.source, latest.undone_by) == ("demo", None)


def test_who_reaches_no_source_sees_nothing(doubled: Brain) -> None:
    compact(doubled, now=NOW)
    nowhere = call(doubled, sources=())
    handle = run(looking.facts, call(doubled), {}).facts[0].handle
    assert run(looking.facts, nowhere, {}).total == 0
    with pytest.raises(UnknownHandle):
        run(looking.history, nowhere, {"handle": handle})
    assert run(looking.compactions, nowhere, {}).compactions == ()


def test_the_commands_say_the_same(cortex: Callable[..., Ran], doubled: Brain) -> None:
    shown = cortex("facts", "tabs", "-k", "1")
    assert "Parser crashes on tabs" in shown.out or "Allow tabs" in shown.out
    assert "1 more: --offset 1" in shown.out
    assert cortex("facts", "nothing at all").out == "No fact is like that.\n"
    assert cortex("compactions").out == "Nothing was compacted yet.\n"
    number = compact(doubled, now=NOW).run
    assert f"run {number}" in cortex("compactions").out
    handle = cortex("--json", "facts", "--archived").json["facts"][0]["handle"]
    assert "taken out" in cortex("history", handle).out
    unknown = cortex("history", "fact-000000000000")
    assert (unknown.code, unknown.out) == (2, "")
    assert "nothing here is called 'fact-000000000000'" in unknown.complaint
    doubled.db.execute("update records set created_at = null, updated_at = null")
    doubled.db.execute("update facts set valid_from = null")
    stands = cortex("--json", "facts").json["facts"][0]["handle"]
    assert cortex("history", stands).code == 0
    assert cortex("forget", stands).code == 0
    assert cortex("history", stands).out.count("forgotten") == 1


def test_who_may_reach_a_source_undoes_its_runs_and_knows_of_no_other(doubled: Brain) -> None:
    register_source(doubled, "other", location="", now=NOW)
    of_all, of_one = compact(doubled, now=NOW).run, compact(doubled, source="demo", now=NOW).run
    kept = call(doubled, sources=("demo",))
    with pytest.raises(UnknownRun, match="may be reached"):
        run(upkeep.compact, kept, {"undo": of_all})
    with pytest.raises(UnknownRun, match="may be reached"):
        run(upkeep.compact, call(doubled, sources=("other",)), {"undo": of_one})
    assert isinstance(run(upkeep.compact, kept, {"undo": of_one}), Undone)


def test_who_may_reach_a_source_sees_what_every_compaction_did_to_it_and_to_no_other(doubled: Brain) -> None:
    theirs = [record(f"directive:seed-{name}.md#1", "Renew each lease before it ends.") for name in "cd"]
    index_records(doubled, *theirs, source="other")
    of_all, of_other = compact(doubled, now=NOW).run, compact(doubled, source="other", now=NOW).run

    def listed(*sources: str) -> list[Compaction]:
        return [*run(looking.compactions, call(doubled, sources=sources or None), {}).compactions]

    (one,) = listed("demo")
    assert (one.run, one.source, one.in_part) == (of_all, None, True)
    merged = next(job for job in one.report["jobs"] if job["job"] == "exact_duplicates")
    assert (merged["changed"], merged["by_source"], len(merged["examples"])) == (1, {"demo": 1}, 1)
    assert "other" not in one.model_dump_json()
    assert "lease" not in one.model_dump_json()
    assert [one.run for one in listed("other")] == [of_other, of_all]
    assert listed("other", "demo") == listed()


def test_who_may_reach_a_source_is_told_to_name_it(doubled: Brain) -> None:
    kept = call(doubled, sources=("demo",))
    with pytest.raises(AmbiguousSource, match="demo") as refused, worded("http", kept, upkeep.compact):
        run(upkeep.compact, kept, {})
    assert refused.value.hint == "name one with `source`"
    assert isinstance(run(upkeep.compact, kept, {"source": "demo"}), Compacted)


def test_the_page_has_words_for_both_ends_of_every_link() -> None:
    back = (
        (PACKAGE / "surfaces" / "web" / "reader.js").read_text("utf-8").partition("const BACK = {")[2].partition("}")[0]
    )
    assert set(re.findall(r"(\w+): '", back)) == set(get_args(Relation))
