"""`cortex schedule`, and what `cortex status` says of compactions."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cortex.substrate.address import argument
from cortex.surfaces.commands.background import Nights
from cortex.surfaces.session import Session
from tests.brains import open_file, open_new
from tests.surfaces.conftest import Ran

Cortex = Callable[..., Ran]
NOT_SWITCHED_ON = {"systemd": 1, "launchd": 1, "cron": 0}
"""What installing exits with in the home below: a crontab is all that takes what is written there."""


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A home on a machine that has neither a session of systemd nor a crontab."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def crontab(home: Path) -> Path:
    """The file of a crontab that this machine has from now on."""
    kept, program = home.parent / "crontab", home.parent / "bin" / "crontab"
    kept.touch()
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\n[ "$1" = -l ] && exec /bin/cat {kept}\nexec /bin/cat > {kept}\n', "utf-8")
    program.chmod(0o755)
    return kept


@pytest.mark.parametrize("manager", ["systemd", "launchd"])
@pytest.mark.usefixtures("brain")
def test_installing_shows_what_it_writes_and_removing_takes_it_out(cortex: Cortex, home: Path, manager: str) -> None:
    done = cortex("schedule", "install", "--with", manager)
    written = [path for path in home.rglob("*") if path.is_file()]
    assert written
    assert (done.code, "This did not work here; run it where you log in:" in done.out) == (1, True)
    for path in written:
        assert path.name in done.out
        assert path.read_text("utf-8").strip() in done.out
    assert cortex("schedule", "status", "--json").json["installed"] == [manager]
    assert cortex("schedule", "remove").out == f"Removed: {manager}.\n"
    assert [path for path in home.rglob("*") if path.is_file()] == []
    assert cortex("schedule", "remove").out == "Nothing was installed.\n"


@pytest.mark.usefixtures("brain")
def test_a_crontab_line_is_written_beside_the_others(cortex: Cortex, home: Path) -> None:
    kept = crontab(home)
    kept.write_text("@daily backup\n", "utf-8")
    assert cortex("schedule", "install").code == 0
    first, ours = kept.read_text("utf-8").splitlines()
    assert first == "@daily backup"
    assert "compact --if-due --quiet --db" in ours
    assert cortex("schedule", "remove").out == "Removed: cron.\n"
    assert kept.read_text("utf-8") == "@daily backup\n"


@pytest.mark.parametrize("manager", ["systemd", "launchd", "cron"])
@pytest.mark.usefixtures("brain")
def test_what_is_installed_carries_the_settings_of_the_shell(
    cortex: Cortex, home: Path, monkeypatch: pytest.MonkeyPatch, manager: str
) -> None:
    crontab(home)
    settings = {
        "CORTEX_COMPACT_AT": "22:30", "CORTEX_ARCHIVE_DAYS": "30", "CORTEX_HOME": str(home / "100% of my $HOME")
    }  # fmt: skip
    with monkeypatch.context() as shell:
        for name, value in settings.items():
            shell.setenv(name, value)
        assert cortex("schedule", "install", "--with", manager).code == NOT_SWITCHED_ON[manager]
    found = cortex("schedule", "status", "--json").json
    assert (found["settings"], found["at"]) == (settings, "22:30:00")
    assert "CORTEX_ARCHIVE_DAYS  30" in cortex("schedule", "status").out


@pytest.mark.parametrize("manager", ["systemd", "launchd", "cron"])
@pytest.mark.usefixtures("brain")
def test_what_compacts_another_brain_does_not_compact_this_one(
    cortex: Cortex, home: Path, tmp_path: Path, manager: str
) -> None:
    crontab(home)
    other = tmp_path / "50% of $my other brain.db"
    open_file(other).close()
    assert cortex("schedule", "install", "--with", manager, "--db", other).code == NOT_SWITCHED_ON[manager]
    found = cortex("schedule", "status", "--json").json
    assert (found["installed"], found["others"], found["settings"]) == ([], {manager: str(other)}, {})
    told = cortex("schedule", "status").out
    assert "run by           nothing; install it with: cortex schedule install\n" in told
    assert f"another brain's  {manager} compacts" in told
    assert cortex("schedule", "status", "--db", other, "--json").json["installed"] == [manager]


@pytest.mark.parametrize("manager", ["systemd", "launchd", "cron"])
def test_what_compacts_another_brain_is_neither_removed_nor_replaced_without_a_word(
    cortex: Cortex, brain: Path, home: Path, tmp_path: Path, manager: str
) -> None:
    crontab(home)
    other = tmp_path / "my other brain.db"
    open_file(other).close()
    install = ("schedule", "install", "--with", manager)
    assert cortex(*install, "--db", other).code == NOT_SWITCHED_ON[manager]

    assert cortex("schedule", "remove").out == f"Nothing was installed.\nLeft alone: {manager} compacts {other}\n"
    refused = cortex(*install)
    assert (refused.code, f"compacts {other} by now, and would no longer" in refused.complaint) == (2, True)
    assert cortex("schedule", "status", "--db", other, "--json").json["installed"] == [manager]

    done = cortex(*install, "--yes")
    assert done.out.startswith(f"This replaces what compacts {other}: {manager} will compact that brain no longer.\n")
    assert cortex("schedule", "status", "--json").json["installed"] == [manager]
    assert "This replaces" not in cortex(*install).out
    assert cortex(*install, "--db", other, "--json", "--yes").json["replaces"] == argument(brain)


@pytest.mark.usefixtures("brain", "home")
def test_removing_ones_own_leaves_what_compacts_another_brain(cortex: Cortex, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    open_file(other).close()
    assert cortex("schedule", "install", "--with", "systemd", "--db", other).code == NOT_SWITCHED_ON["systemd"]
    assert cortex("schedule", "install", "--with", "launchd").code == NOT_SWITCHED_ON["launchd"]
    done, left = cortex("schedule", "remove").out.splitlines()
    assert done == "Removed: launchd."
    assert left == f"Left alone: systemd compacts {other}"
    assert cortex("schedule", "remove", "--db", other, "--json").json == {"removed": ["systemd"], "others": {}}


@pytest.mark.usefixtures("brain", "home")
def test_a_machine_with_nothing_of_the_kind_is_told_what_to_do(cortex: Cortex) -> None:
    done = cortex("schedule", "install")
    assert (done.code, "keep it running instead: cortex schedule" in done.complaint) == (2, True)


def test_a_timer_that_fires_twice_compacts_once(cortex: Cortex, brain: Path) -> None:
    assert cortex("compact", "--if-due", "--json").json["run"]
    again = cortex("compact", "--if-due", "--json").json
    assert (again["run"], again["due"]) == (None, False)
    with open_new(brain) as opened:
        assert opened.db.execute("select count(*) from runs where command = 'compact'").fetchone() == (1,)


@pytest.mark.parametrize("part", [["--dry-run"], ["--job", "orphans"], ["--source", "web"]], ids=" ".join)
def test_a_rehearsal_or_a_part_does_not_use_up_the_night(cortex: Cortex, brain: Path, part: list[str]) -> None:
    with open_new(brain) as opened:
        opened.db.execute("insert or ignore into sources (name, created_at) values ('web', '2020-01-01T00:00:00Z')")
    assert cortex("compact", "--if-due", *part, "--json").json["jobs"]
    assert cortex("compact", "--if-due", "--json").json["run"]
    assert cortex("compact", "--if-due", *part, "--json").json["jobs"] == []


@pytest.fixture
def nights(brain: Path) -> Nights:
    here = Session()
    here.db = argument(brain)
    return Nights(here)


def test_a_scheduler_beside_a_timer_compacts_nothing_more(
    cortex: Cortex, nights: Nights, capsys: pytest.CaptureFixture[str]
) -> None:
    now = datetime.now(UTC)
    nights.look(now)
    assert "to take it back" in capsys.readouterr().out
    nights.look(now + timedelta(seconds=1))
    assert capsys.readouterr().out == ""
    assert cortex("compact", "--if-due", "--json").json["run"] is None


@pytest.mark.of_a_file("is put aside, and counts the looks at it")
def test_a_scheduler_tells_a_lasting_error_once_and_tries_less_and_less_often(
    nights: Nights, brain: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []
    is_file = Path.is_file

    def counted(path: Path) -> bool:
        tried.extend([minute] if path == brain else [])
        return is_file(path)

    brain.rename(brain.with_name("away.db"))
    monkeypatch.setattr(Path, "is_file", counted)
    start = datetime(2026, 9, 2, 3, 30).astimezone()
    for minute in range(23 * 60):
        nights.look(start + timedelta(minutes=minute))
    assert tried == [0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 1023]
    (told,) = capsys.readouterr().err.splitlines()
    assert "no brain at" in told
    night = start + timedelta(hours=23, minutes=31)
    minute = -1
    nights.look(night)
    assert tried[-1] == -1
    assert capsys.readouterr().err == ""
    brain.with_name("away.db").rename(brain)
    nights.look(night + timedelta(days=1))
    assert "facts →" in capsys.readouterr().out


def test_status_says_when_the_last_compaction_was_and_complains_of_none(cortex: Cortex, brain: Path) -> None:
    with open_new(brain) as opened:
        opened.db.execute("update runs set started_at = '2020-01-01T00:00:00Z'")
    assert cortex("status", "--json").json["compaction"] == {"last": None, "overdue": True}
    assert "never compacted: overdue; run cortex compact" in cortex("status").out
    cortex("compact")
    assert cortex("status", "--json").json["compaction"]["overdue"] is False
    assert "last compacted 20" in cortex("status").out
