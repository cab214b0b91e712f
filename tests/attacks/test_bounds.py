"""What one record or one request may take is bounded, whoever sends it; what is left out is counted."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from itertools import count
from pathlib import Path
from time import monotonic, sleep

import anyio
import pytest
from mcp.client import Client
from mcp.types import CallToolResult

from cortex.brief.brief import brief
from cortex.errors import Interrupted, TookTooLong
from cortex.indexers.promotion import FACTS
from cortex.settings import Settings
from cortex.substrate.brain import Brain
from cortex.substrate.model import Record, Scope
from cortex.substrate.reading import Reader
from cortex.substrate.records import REFERENCES
from cortex.surfaces.contract import Call, run
from cortex.surfaces.deadline import Deadline
from cortex.surfaces.operations import named
from tests.brains import LATER, NOW, dump, index_records, open_new, put, record, statements
from tests.sources import ROOT
from tests.surfaces.http_sites import serving
from tests.surfaces.mcp_clients import served

MOST_MB = 200
ENDLESS = "with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) from n"
HURRIED = Settings(request_seconds=0.000_001)


def pull(*fixed: int, number: int = 9000, **fields: object) -> Record:
    body = "Rewrite the parser\n\nFixes " + ", ".join(f"#{n}" for n in fixed)
    return record(f"pull:{number}", body, **{"author": "mallory", "association": "NONE", "created_at": NOW} | fields)


def issues(number: int) -> list[Record]:
    return [record(f"issue:{n}", f"Crash {n}", author="ada", association="OWNER") for n in range(1, number + 1)]


def fixes(brain: Brain, ref: str = "pull:9000") -> list[str]:
    return [one for one in statements(brain, ref=ref) if " fix" in one]


@pytest.mark.parametrize("kind", ["issue: references elsewhere", "pull: references here"])
def test_a_record_takes_no_more_memory_than_it_may(kind: str) -> None:
    command = [sys.executable, "bench/memory.py", "--alone", kind, "--size", "65500"]
    done = subprocess.run(command, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, check=True, capture_output=True, text=True)
    assert float(done.stdout.split()[0]) < MOST_MB


def test_references_beyond_the_bound_are_left_out_and_counted_and_claims_stay(brain: Brain) -> None:
    body = "Long\n\n" + " ".join(f"a/b#{n}" for n in range(1, REFERENCES + 500)) + "\n\nDuplicate of a/b#999999"
    report = index_records(brain, record("issue:1", body))
    (left_out,) = report.skipped
    assert (left_out.input, left_out.reason) == ("issue:1", "more than 1,000 references, 500 left out")
    assert brain.db.execute("select count(*) from links").fetchone() == (REFERENCES,)
    claims = brain.db.execute("select to_ref from links where relation = 'duplicates'").fetchall()
    assert claims == [("#999999",)]


def test_a_text_as_long_as_it_likes_of_one_quoted_line_is_read_in_no_time(brain: Brain) -> None:
    began = monotonic()
    quoted = "> " + "#7 " * 200_000
    index_records(brain, *issues(9), record("pull:9000", f"Rewrite\n\n{quoted}\n\nFixes #7", state="open"))
    assert monotonic() - began < 5
    assert len(fixes(brain)) == 1


def test_what_a_strangers_pull_request_would_fix_is_no_fact_until_it_is_merged(brain: Brain) -> None:
    index_records(brain, *issues(300), pull(*range(1, 301), state="open"))
    assert not fixes(brain)
    index_records(brain, *issues(300), pull(*range(1, 301), state="merged", merged_at=LATER))
    assert len(fixes(brain)) == FACTS + 1


def test_what_somebody_of_the_project_would_fix_is_a_fact_each_up_to_a_bound_and_the_rest_a_count(brain: Brain) -> None:
    index_records(brain, *issues(300), pull(*range(1, 301), state="open", association="MEMBER"))
    said = fixes(brain)
    assert len(said) == FACTS + 1
    assert [one for one in said if one.endswith("would fix 200 more")]
    before = dump(brain)
    index_records(brain, *issues(300), pull(*range(1, 301), state="open", association="MEMBER"))
    assert dump(brain) == before


def test_no_target_is_counted_that_could_be_named(brain: Brain) -> None:
    index_records(brain, *issues(FACTS + 1), pull(*range(1, FACTS + 2), state="open", association="MEMBER"))
    assert len(fixes(brain)) == FACTS + 1
    assert not [one for one in fixes(brain) if one.endswith(" more")]


def test_a_strangers_pull_request_that_was_fixed_meanwhile_is_read_as_a_rebuild_reads_it(brain: Brain) -> None:
    first = [*issues(3), pull(1, 2, state="open")]
    fixing = record(
        "pull:9001", "Land the rewrite\n\nFixes #9000", state="merged", merged_at=LATER, association="OWNER"
    )
    index_records(brain, *first)
    index_records(brain, *first, fixing)
    with open_new(brain.path.with_name("rebuilt.db")) as rebuilt:
        index_records(rebuilt, *first, fixing)
        assert statements(brain) == statements(rebuilt)


def steps(brain: Brain, facts: int) -> int:
    """Tens of thousands of instructions that SQLite takes to read as many facts of one pull request."""
    put(brain, record("pull:1", "Rewrite", state="merged", merged_at=NOW))
    made = (
        "insert into facts (source_id, record_id, handle, kind, statement, excerpt, start, end_, authority, confidence,"
        " base_confidence, fingerprint, path, valid_from, parts)"
        " select 1, 1, 'fact-' || value, 'spec', 'fixed ' || value, '', 0, 0, 1, 1, 1, value, 'promotion', '2025',"
        " '' from json_each(?)"
    )
    brain.db.execute(made, (json.dumps([*range(facts)]),))
    taken = count()
    with brain.until(lambda: next(taken) < 0):
        ids = [id_ for (id_,) in brain.db.execute("select id from facts")]
        assert len(Reader(brain, {1: "demo"}).fact_rows(ids)) == facts
    return next(taken)


@pytest.mark.of_a_file("counts the instructions that SQLite takes")
def test_reading_the_facts_of_a_record_takes_time_as_there_are_facts(tmp_path: Path) -> None:
    with open_new(tmp_path / "few.db") as few, open_new(tmp_path / "many.db") as many:
        assert steps(many, 4_000) < 8 * steps(few, 1_000)


def test_three_pull_requests_of_a_stranger_slow_no_brief_down(brain: Brain) -> None:
    everything = range(1, 1_001)
    index_records(brain, *issues(1_000), *(pull(*everything, number=n, state="open") for n in (9000, 9001, 9002)))
    assert brain.db.execute("select count(*) from facts").fetchone() == (1_003,)
    began = monotonic()
    brief(brain, "fix the crash of the parser", (), budget=4_000, scope=Scope(), now=LATER)
    assert monotonic() - began < 3


def test_sql_that_never_ends_is_stopped_at_the_deadline_and_the_reader_is_as_good_as_new(brain: Brain) -> None:
    began = monotonic()
    with pytest.raises(TookTooLong, match=r"brief took longer than 0.1 s") as late:  # noqa: SIM117
        with Deadline("brief", 0.1).over(brain.reader()) as reader:
            reader.db.execute(ENDLESS).fetchone()
    assert monotonic() - began < 3
    assert late.value.http_status == 504
    with pytest.raises((sqlite3.OperationalError, Interrupted)), brain.until(lambda: True), brain.until(lambda: False):
        brain.db.execute(ENDLESS)
    assert brain.db.execute("select count(*) from records").fetchone() == (0,)


def test_the_time_a_model_takes_counts_for_no_deadline() -> None:
    deadline = Deadline("ask", 0.05)
    deadline.aside(sleep)(0.2)
    assert not deadline.is_past()
    sleep(0.1)
    assert deadline.is_past()


READS = {"ask": {"question": "Why does it crash?"}, "brief": {"task": "fix the crash"}, "search": {"query": "crash"}}


def test_a_read_over_http_that_is_late_is_a_504_and_a_write_takes_its_time(brain: Brain) -> None:
    index_records(brain, *issues(3))
    settings = HURRIED.model_copy(update={"db": brain.path})
    with serving(brain.path, settings, may=frozenset({"read", "write"})) as site:
        for name, given in READS.items():
            late = site.call(name, **given)
            assert (late.status, late.error) == (504, "TookTooLong")
            assert f"{name} took longer than" in late.json["error"]["message"]
        assert site.call("remember", text="Ship on Fridays.", by="ada", where="a meeting").status == 200


def test_an_agent_gets_the_same_reason_and_a_person_at_a_terminal_waits(brain: Brain) -> None:
    index_records(brain, *issues(3))
    for name, given in READS.items():
        with pytest.raises(TookTooLong, match=f"{name} took longer than"):
            run(named(name), Call("agent", brain.path, HURRIED, NOW), given)
        assert run(named(name), Call("operator", brain.path, HURRIED, NOW), given)


def test_a_tool_that_is_late_is_an_error_that_says_so(brain: Brain) -> None:
    index_records(brain, *issues(3))

    async def called(address: str) -> CallToolResult:
        async with Client(address) as client:
            return await client.call_tool("cortex_brief", READS["brief"])

    with served(lambda _: Call("agent", brain.path, HURRIED, NOW)) as address:
        found = anyio.run(called, address)
    assert found.is_error
    assert "brief took longer than 1e-06 s" in str(found.content[0])
