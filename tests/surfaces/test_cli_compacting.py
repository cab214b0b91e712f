"""`cortex compact` as a person, a script and a scheduler meet it."""

from __future__ import annotations

import resource
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cortex.substrate.address import argument
from tests.brains import open_new
from tests.surfaces.conftest import Ran
from tests.warm import program

Cortex = Callable[..., Ran]
Process = Callable[..., "subprocess.CompletedProcess[str]"]
JOBS = ["orphans", "low_confidence", "exact_duplicates", "time_decay", "near_duplicates"]


@pytest.fixture
def cluttered(brain: Path) -> Path:
    """The demo project with something to do for every job but the first."""
    with open_new(brain) as opened:
        opened.db.execute("update facts set confidence = 0.1, base_confidence = 0.1 where id % 40 = 1")
        opened.db.execute(
            "insert into facts select id + 100000, source_id, record_id, 'fact-' || (100000000000 + id), kind,"
            " statement, excerpt, start, end_, authority, confidence, base_confidence, fingerprint, path, valid_from,"
            " valid_until, touched_at, parts, 0 from facts where id % 7 = 0"
        )
    return brain


def facts(brain: Path) -> list[tuple[Any, ...]]:
    with open_new(brain) as opened:
        return opened.db.execute("select * from facts order by id").fetchall()


def test_a_run_reports_before_after_what_went_and_examples(cortex: Cortex, cluttered: Path) -> None:
    before = len(facts(cluttered))
    done = cortex("compact", "--json").json
    assert [ran["job"] for ran in done["jobs"]] == JOBS
    assert (done["before"], done["after"]) == (before, len(facts(cluttered)))
    assert done["run"]
    for ran in done["jobs"]:
        assert len(ran["examples"]) == min(3, ran["changed"])
    again = cortex("compact")
    assert again.out.rstrip().endswith(f"Nothing to clean (run {done['run'] + 1}).")


def test_the_sixth_job_can_be_named_and_shows_what_it_found(cortex: Cortex, cluttered: Path) -> None:
    done = cortex("compact", "--job", "contradictions", "--json").json
    (ran,) = done["jobs"]
    assert (ran["job"], ran["found"]) == ("contradictions", len(done["contradictions"]))
    assert "Nothing was changed: a report (run " in cortex("compact", "--job", "contradictions").out
    every = cortex("compact", "--contradictions", "--json").json["jobs"]
    assert [ran["job"] for ran in every] == [*JOBS, "contradictions"]
    assert facts(cluttered)


def test_undo_brings_back_exactly_what_was(cortex: Cortex, cluttered: Path) -> None:
    before = facts(cluttered)
    run = cortex("compact", "--json").json["run"]
    assert facts(cluttered) != before
    assert cortex("compact", "--undo", run).out.startswith(f"Run {run} is undone: ")
    assert facts(cluttered) == before
    again = cortex("compact", "--undo", run)
    assert (again.code, "was undone by run" in again.complaint) == (2, True)


def test_a_dry_run_changes_not_a_byte(cortex: Cortex, cluttered: Path) -> None:
    before = facts(cluttered)
    done = cortex("compact", "--dry-run", "--json").json
    assert (done["run"], done["dry_run"]) == (None, True)
    assert done["after"] < done["before"]
    assert "Nothing was changed" in cortex("compact", "--dry-run").out
    assert facts(cluttered) == before
    assert cortex("status", "--json").json["sources"][0]["last_run"]["command"] == "index"


def test_one_job_and_one_source_can_be_named(cortex: Cortex, cluttered: Path) -> None:
    done = cortex("compact", "--job", "time_decay", "--source", "o8-labs/o8", "--json").json
    assert [ran["job"] for ran in done["jobs"]] == ["time_decay"]
    assert done["sources"] == ["o8-labs/o8"]
    assert len(facts(cluttered)) == done["before"] + len([f for f in facts(cluttered) if f[1] != 1])


@pytest.mark.usefixtures("brain")
@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--undo", "999"], "run 999 is no compaction"),
        (["--undo", "1"], "run 1 is no compaction"),
        (["--undo", str(2**63)], "is not in the range"),
        (["--undo", "1", "--dry-run"], "takes back a whole run"),
        (["--source", "nobody/nothing"], "no source 'nobody/nothing' here"),
        (["--job", "tidy"], "'tidy' is not one of"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_is_said_in_a_line(cortex: Cortex, arguments: list[str], complaint: str) -> None:
    done = cortex("compact", *arguments)
    assert done.code == 2
    assert complaint in done.complaint


def test_a_merged_handle_still_resolves(cortex: Cortex, cluttered: Path) -> None:
    ran = cortex("compact", "--job", "exact_duplicates", "--json").json["jobs"][0]
    example = ran["examples"][0]
    shown = cortex("show", example["handle"], "--json").json
    assert shown["merged_into"] == example["merged_into"]
    assert f"merged into {example['merged_into']}" in cortex("show", example["handle"]).out
    assert cortex("show", example["merged_into"]).code == 0
    assert facts(cluttered)


@pytest.mark.of_a_file("a limit of what the process may write is a full disk")
def test_a_full_disk_rolls_the_job_back_in_one_line(process: Process, cluttered: Path) -> None:
    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    before = facts(cluttered)
    done = process("compact", "-q", anew=True, preexec_fn=limited)
    assert done.returncode == 1
    (complaint,) = done.stderr.splitlines()
    assert complaint.startswith("cortex: ")
    assert "cannot write" in complaint
    assert "no room on its disk" in complaint
    assert facts(cluttered) == before
    assert process("compact", "-q").returncode == 0


def test_a_night_whose_compaction_was_killed_is_compacted_at_once(cortex: Cortex, cluttered: Path) -> None:
    claiming = """
import os, signal, sys
from datetime import UTC, datetime, time
from cortex.compactor.schedule import Holder, run_if_due
from cortex.substrate.brain import open_brain
from cortex.surfaces.working import alive, this_process
with open_brain(sys.argv[1]) as brain:
    kill = lambda: os.kill(os.getpid(), signal.SIGKILL)
    run_if_due(brain, kill, at=time(3), holder=Holder(this_process(), alive), now=datetime.now(UTC))
"""
    killed = subprocess.run([program(), "-c", claiming, argument(cluttered)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert cortex("compact", "--if-due", "--json").json["run"]
