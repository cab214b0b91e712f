"""The outcomes ledger by hand: recorded once, found at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cortex.surfaces.render import MORE
from tests.brains import dump, image, nowhere, open_new
from tests.surfaces.conftest import Ran
from tests.trees import write

Cortex = Callable[..., Ran]
ADD = (
    "outcome",
    "add",
    "Glow-in-the-dark packets",
    "--status",
    "flagged",
    "--pull",
    958,
    "--note",
    "too bright at night",
)


@pytest.fixture
def one(brain: Path) -> Path:
    """A brain with a single source."""
    with open_new(brain) as opened, opened.transaction() as db:
        db.execute("delete from sources where name = 'o8-labs/o8-runner'")
    return brain


@pytest.mark.usefixtures("one")
def test_an_outcome_is_found_as_soon_as_it_is_recorded(cortex: Cortex) -> None:
    ran = cortex(*ADD)
    assert ran.out == "outcome:glow-in-the-dark-packets flagged, recorded in o8-labs/o8\n"
    (hit, *_) = cortex("search", "glow-in-the-dark packets", "--json").json["hits"]
    assert hit["record"]["ref"] == "outcome:glow-in-the-dark-packets"
    assert cortex("show", "outcome:glow-in-the-dark-packets", "--json").json["facts"]
    assert cortex("verify", "-q").code == 0


@pytest.mark.parametrize("title", ["", " \n"], ids=ascii)
@pytest.mark.usefixtures("one")
def test_an_outcome_of_nothing_is_not_recorded(cortex: Cortex, title: str) -> None:
    before = cortex("outcome", "list").out
    ran = cortex("outcome", "add", title, "--status", "shipped")
    assert (ran.code, ran.out) == (2, "")
    assert ran.complaint == "cortex: invalid value for 'TITLE': it is empty; try: cortex outcome add --help"
    assert cortex("outcome", "list").out == before


def test_recording_again_changes_nothing_and_says_so(cortex: Cortex, one: Path) -> None:
    assert cortex(*ADD, "--json").json["did"] == "added"
    with open_new(one) as opened:
        before = dump(opened)
    assert cortex(*ADD, "--json").json["did"] == "unchanged"
    with open_new(one) as opened:
        assert dump(opened) == before


@pytest.mark.usefixtures("one")
def test_another_status_replaces_the_one_before(cortex: Cortex) -> None:
    first = cortex(*ADD, "--json").json["outcome"]
    done = cortex("outcome", "add", "Glow-in-the-dark packets", "--status", "reverted", "--json").json
    assert (done["did"], done["outcome"]["status"]) == ("replaced", "reverted")
    assert done["outcome"]["created_at"] == first["created_at"]
    listed = cortex("outcome", "list", "--json").json["outcomes"]
    assert [o["status"] for o in listed if o["ref"] == first["ref"]] == ["reverted"]


@pytest.mark.usefixtures("one")
def test_the_ledger_is_listed_latest_first(cortex: Cortex) -> None:
    cortex(*ADD)
    assert cortex("outcome", "list").out.splitlines()[0].split()[1:3] == ["flagged", "glow-in-the-dark-packets"]
    days = [outcome["updated_at"] for outcome in cortex("outcome", "list", "--json").json["outcomes"]]
    assert days == sorted(days, reverse=True)


@pytest.mark.usefixtures("brain")
def test_the_outcomes_of_the_folder_are_listed_and_all_of_them_with_their_sources(
    cortex: Cortex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cortex(*ADD, "--source", "o8-labs/o8-runner")
    both = {"o8-labs/o8", "o8-labs/o8-runner"}
    assert {one["source"] for one in cortex("outcome", "list", "--json").json["outcomes"]} == both
    write(tmp_path / "kiln", {"README.md": "# Kiln\n\nFires pots.\n"})
    cortex("index", tmp_path / "kiln")
    monkeypatch.chdir(tmp_path / "kiln")
    ran = cortex("outcome", "list")
    assert ran.out.startswith("No outcomes yet")
    assert "--all" in ran.err
    cortex("outcome", "add", "Double firing", "--status", "rejected")
    (row,) = cortex("outcome", "list").out.splitlines()
    assert "double-firing" in row
    assert "kiln" not in row
    rows = cortex("outcome", "list", "--all").out.splitlines()
    assert any("double-firing" in row and "kiln" in row for row in rows)
    assert any("glow-in-the-dark-packets" in row and "o8-labs/o8-runner" in row for row in rows)
    assert cortex("outcome", "list", "--all", "-k", "1").out.splitlines()[1:] == [MORE]


@pytest.mark.usefixtures("brain")
def test_with_several_sources_one_must_be_named(cortex: Cortex) -> None:
    ran = cortex(*ADD)
    assert ran.code == 2
    assert ran.complaint == "cortex: what is recorded could be of o8-labs/o8, o8-labs/o8-runner; name one with --source"
    assert cortex(*ADD, "--source", "o8-labs/o8-runner", "--json").json["outcome"]["source"] == "o8-labs/o8-runner"
    assert cortex(*ADD, "--source", "nope").code == 2


def test_an_outcome_needs_a_brain(cortex: Cortex, tmp_path: Path) -> None:
    missing = nowhere(tmp_path / "brain.db")
    assert cortex(*ADD).code == 3
    assert image(missing) == b""
    assert not (tmp_path / "brain.db").exists()


@pytest.mark.usefixtures("one")
def test_a_file_of_outcomes_is_recorded_and_its_broken_lines_are_named(cortex: Cortex, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.jsonl"
    ledger.write_text('{"title": "Night mode", "status": "shipped"}\nnope\n{"title": "Day mode", "status": "great"}\n')
    ran = cortex("outcome", "import", ledger)
    assert (ran.code, ran.out) == (1, "o8-labs/o8: 1 added, 0 replaced, 0 unchanged\n")
    assert [line.split(": ")[1] for line in ran.err.splitlines()] == ["ledger.jsonl:2", "ledger.jsonl:3"]
    assert cortex("outcome", "import", ledger).out.startswith("Nothing changed")
    assert cortex("outcome", "import", tmp_path / "nowhere.jsonl").code == 2


@pytest.mark.usefixtures("brain")
def test_a_file_of_outcomes_is_of_the_project_one_stands_in(
    cortex: Cortex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "kiln"
    project.mkdir()
    (project / "README.md").write_text("# Kiln\n\nIt must be fired twice.\n")
    assert cortex("index", project, "--source", "kiln").code == 0
    ledger = tmp_path / "outcomes.jsonl"
    ledger.write_text('{"title": "Glaze once", "status": "rejected"}\n')
    assert cortex("outcome", "import", ledger).code == 2
    monkeypatch.chdir(project)
    assert cortex("outcome", "import", ledger, "--json").json["source"] == "kiln"
