"""One run a night, whatever the clocks, the machines and the schedulers do. The clock is an argument: nobody sleeps."""

from __future__ import annotations

import plistlib
import re
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path, PurePosixPath
from zoneinfo import ZoneInfo

import pytest

from cortex.compactor import timers
from cortex.compactor.run import compact
from cortex.compactor.schedule import Holder, claim, last_compaction, last_due, next_due, overdue, run_if_due
from cortex.substrate.status import start_run
from tests.brains import open_new
from tests.compactor.brains import NOW, TODAY, Facts

BERLIN = ZoneInfo("Europe/Berlin")
NEW_YORK = ZoneInfo("America/New_York")


def minutes(start: datetime, end: datetime, step: int = 10) -> Iterator[datetime]:
    while start < end:
        yield start
        start += timedelta(minutes=step)


def nights(facts: Facts, clock: Iterator[datetime], at: time, zone: ZoneInfo) -> list[datetime]:
    """When a scheduler that looks at *clock* runs a compaction, by the local clock."""
    return [now.astimezone(zone) for now in clock if ran_at(facts, now, at, zone)]


def ran_at(facts: Facts, now: datetime, at: time, zone: ZoneInfo) -> bool:
    return bool(run_if_due(facts.brain, lambda: compact(facts.brain, now=now), at=at, zone=zone, now=now))


@pytest.mark.parametrize(
    ("zone", "first"),
    [
        (BERLIN, datetime(2026, 3, 28, 12, tzinfo=UTC)),
        (BERLIN, datetime(2026, 10, 24, 12, tzinfo=UTC)),
        (NEW_YORK, datetime(2026, 3, 7, 12, tzinfo=UTC)),
        (NEW_YORK, datetime(2026, 10, 31, 12, tzinfo=UTC)),
    ],
    ids=["Berlin, forward", "Berlin, back", "New York, forward", "New York, back"],
)
@pytest.mark.parametrize("at", [time(3), time(2, 30), time(1, 30)], ids=str)
def test_a_day_of_23_or_25_hours_has_one_run(facts: Facts, zone: ZoneInfo, first: datetime, at: time) -> None:
    facts.source("web")
    assert ran_at(facts, first, at, zone)
    ran = nights(facts, minutes(first, first + timedelta(days=4)), at, zone)
    days = [moment.date() for moment in ran]
    assert len(set(days)) == len(days) == 4
    for moment in ran:
        assert timedelta(0) <= moment - moment.replace(hour=at.hour, minute=at.minute) <= timedelta(hours=1)


def test_a_time_the_day_does_not_have_is_an_hour_later() -> None:
    due = last_due(datetime(2026, 3, 29, 12, tzinfo=UTC), time(2, 30), BERLIN)
    assert due.at.astimezone(BERLIN).strftime("%H:%M") == "03:30"


def test_a_time_the_day_has_twice_is_the_first_of_them() -> None:
    due = last_due(datetime(2026, 10, 25, 12, tzinfo=UTC), time(2, 30), BERLIN)
    assert due.at == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


def test_what_falls_due_next_is_after_now() -> None:
    for now in minutes(datetime(2026, 3, 27, tzinfo=UTC), datetime(2026, 3, 31, tzinfo=UTC), 35):
        before, after = last_due(now, time(2, 30), BERLIN), next_due(now, time(2, 30), BERLIN)
        assert before.at <= now < after.at
        assert after.day - before.day == timedelta(days=1)


def test_a_machine_asleep_at_three_runs_once_when_it_wakes(facts: Facts) -> None:
    evening = datetime(2026, 6, 1, 20, tzinfo=UTC)
    assert ran_at(facts, evening, time(3), BERLIN)
    asleep_until = datetime(2026, 6, 2, 7, 14, tzinfo=UTC)
    clock = [*minutes(evening, evening + timedelta(hours=1)), *minutes(asleep_until, asleep_until + timedelta(hours=9))]
    ran = nights(facts, iter(clock), time(3), BERLIN)
    assert [moment.astimezone(UTC) for moment in ran] == [asleep_until]


def test_a_week_asleep_is_made_up_for_by_one_run(facts: Facts) -> None:
    assert ran_at(facts, NOW + timedelta(hours=6), time(3), BERLIN)
    back = datetime(2026, 6, 8, 9, tzinfo=UTC)
    ran = nights(facts, minutes(back, back + timedelta(days=1, hours=12)), time(3), BERLIN)
    assert [moment.date() for moment in ran] == [date(2026, 6, 8), date(2026, 6, 9)]


def test_a_clock_that_is_set_back_runs_nothing_again(facts: Facts) -> None:
    assert claim(facts.brain, date(2026, 6, 2), now=NOW)
    assert not claim(facts.brain, date(2026, 6, 1), now=NOW)


def test_of_many_schedulers_at_once_one_runs(facts: Facts) -> None:
    ran: list[int] = []

    def look(number: int) -> None:
        with open_new(facts.brain.path) as brain:
            run_if_due(brain, lambda: ran.append(number), at=time(3), zone=BERLIN, now=NOW)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(look, range(8)))
    assert len(ran) == 1


def test_a_claim_whose_compaction_was_killed_is_taken_again(facts: Facts) -> None:
    day = date(2026, 6, 1)
    assert claim(facts.brain, day, now=NOW)
    assert not claim(facts.brain, day, now=NOW + timedelta(minutes=1))
    later = NOW + timedelta(minutes=10)
    assert claim(facts.brain, day, now=later)
    start_run(facts.brain, "compact", source_id=None, now=later)
    assert not claim(facts.brain, day, now=NOW + timedelta(hours=1))
    again = NOW + timedelta(hours=4)
    assert claim(facts.brain, day, now=again)
    compact(facts.brain, now=again)
    assert not claim(facts.brain, day, now=NOW + timedelta(days=3))


@pytest.mark.parametrize("begun", [False, True], ids=["before its run began", "during its run"])
def test_a_claim_whose_holder_is_dead_is_taken_at_once(facts: Facts, *, begun: bool) -> None:
    day, living = date(2026, 6, 1), {"here:1"}
    dead, next_one = (Holder(name, living.__contains__) for name in ("here:1", "here:2"))
    assert claim(facts.brain, day, holder=dead, now=NOW)
    if begun:
        start_run(facts.brain, "compact", source_id=None, now=NOW)
    assert not claim(facts.brain, day, holder=next_one, now=NOW + timedelta(seconds=1))
    living.clear()
    assert claim(facts.brain, day, holder=next_one, now=NOW + timedelta(seconds=2))


def test_what_a_dead_holder_finished_is_not_done_again(facts: Facts) -> None:
    facts.source("web")
    one, other = Holder("here:1", lambda _: False), Holder("here:2", lambda _: False)
    assert run_if_due(facts.brain, lambda: compact(facts.brain, now=NOW), at=time(3), holder=one, now=NOW)
    assert not run_if_due(facts.brain, lambda: 1, at=time(3), holder=other, now=NOW + timedelta(minutes=1))


def test_a_compaction_that_fails_gives_its_claim_back(facts: Facts) -> None:
    def fail() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_if_due(facts.brain, fail, at=time(3), zone=BERLIN, now=NOW)
    assert run_if_due(facts.brain, lambda: "ran", at=time(3), zone=BERLIN, now=NOW) == "ran"


def test_a_part_of_a_compaction_is_not_the_one_of_the_night(facts: Facts) -> None:
    facts.source("web")
    facts.source("api")
    assert claim(facts.brain, date(2026, 6, 1), now=NOW)
    compact(facts.brain, jobs=["orphans"], now=NOW)
    compact(facts.brain, source="web", now=NOW)
    assert last_compaction(facts.brain, now=NOW) is None
    assert claim(facts.brain, date(2026, 6, 1), now=NOW + timedelta(hours=4))
    compact(facts.brain, now=NOW + timedelta(hours=4))
    assert last_compaction(facts.brain, now=NOW + timedelta(days=9)) == NOW + timedelta(hours=4)


def test_sources_that_were_compacted_one_by_one_were_all_compacted(facts: Facts) -> None:
    for name in ("web", "api"):
        facts.source(name)
    facts.db.execute("insert into runs (command, started_at) values ('index', ?)", (TODAY,))
    late = NOW + timedelta(days=9)
    compact(facts.brain, source="web", now=late - timedelta(hours=1))
    assert last_compaction(facts.brain, now=late) is None
    assert overdue(facts.brain, now=late)
    compact(facts.brain, source="api", now=late)
    assert last_compaction(facts.brain, now=late) == late - timedelta(hours=1)
    assert not overdue(facts.brain, now=late)


def test_what_a_wrong_clock_dated_in_the_future_counts_as_none(facts: Facts) -> None:
    facts.source("web")
    facts.db.execute("insert into runs (command, started_at) values ('index', ?)", (TODAY,))
    wrong = NOW + timedelta(days=2000)
    assert ran_at(facts, wrong, time(3), BERLIN)
    assert last_compaction(facts.brain, now=NOW) is None
    assert overdue(facts.brain, now=NOW + timedelta(days=2))
    assert ran_at(facts, NOW, time(3), BERLIN)
    assert not ran_at(facts, NOW + timedelta(minutes=1), time(3), BERLIN)
    start_run(facts.brain, "compact", source_id=None, by="here:1", now=wrong)
    assert ran_at(facts, NOW + timedelta(days=1), time(3), BERLIN)


def test_a_source_that_was_the_only_one_was_all_there_was(facts: Facts) -> None:
    facts.source("web")
    compact(facts.brain, source="web", now=NOW)
    facts.db.execute("insert into sources (name, created_at) values ('api', '2026-06-02T00:00:00Z')")
    assert last_compaction(facts.brain, now=NOW + timedelta(days=9)) == NOW


def test_a_brain_nobody_compacts_is_overdue(facts: Facts) -> None:
    assert not overdue(facts.brain, now=NOW)
    facts.db.execute("insert into runs (command, started_at) values ('index', ?)", (TODAY,))
    assert not overdue(facts.brain, now=NOW)
    assert overdue(facts.brain, now=NOW + timedelta(days=1))
    compact(facts.brain, now=NOW + timedelta(days=1))
    assert last_compaction(facts.brain, now=NOW + timedelta(days=9)) == NOW + timedelta(days=1)
    assert not overdue(facts.brain, now=NOW + timedelta(days=2))
    assert overdue(facts.brain, now=NOW + timedelta(days=3))


def test_a_systemd_timer_catches_up_and_quotes_its_command() -> None:
    units = timers.systemd_units(["/opt/my tools/cortex", "compact", "100%"], time(4, 5))
    folder = PurePosixPath(".config/systemd/user")
    assert 'ExecStart="/opt/my tools/cortex" compact "100%%"' in units[folder / "cortex-compact.service"]
    assert "OnCalendar=*-*-* *:05:00\nPersistent=true" in units[folder / "cortex-compact.timer"]


def test_a_crontab_line_runs_in_a_shell_with_what_it_carries() -> None:
    said = {"CORTEX_HOME": "/srv/100% of my $HOME's", "CORTEX_COMPACT_AT": "22:30"}
    command = ["/usr/bin/env", *(f"{name}={value}" for name, value in said.items()), "printenv", *said]
    line = timers.crontab_with("", command, time(22, 30)).strip().replace(r"\%", "%")
    assert line.startswith("30 * * * * ")
    ran = subprocess.run(["/bin/sh", "-c", line[len("30 * * * * ") :]], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == [*said.values()]


def test_a_launchd_agent_names_the_minute_and_the_command() -> None:
    (text,) = timers.launchd_agent(["cortex", "compact"], time(4, 5)).values()
    agent = plistlib.loads(text.encode())
    assert agent["StartCalendarInterval"] == {"Minute": 5}
    assert agent["ProgramArguments"] == ["cortex", "compact"]


def minute_of(manager: str, at: time) -> int:
    """The minute at which what is installed fires, every hour: no hour is in it."""
    if manager == "launchd":
        (text,) = timers.launchd_agent([], at).values()
        return int(plistlib.loads(text.encode())["StartCalendarInterval"].pop("Minute"))
    if manager == "systemd":
        (line,) = re.findall("^OnCalendar=(.*)$", "".join(timers.systemd_units([], at).values()), re.M)
        found = re.fullmatch(r"\*-\*-\* \*:(\d\d):00", line)
    else:
        found = re.match(r"(\d+) \* \* \* \* ", timers.crontab_with("", ["cortex"], at))
    assert found
    return int(found[1])


@pytest.mark.parametrize("manager", ["systemd", "launchd", "cron"])
@pytest.mark.parametrize("at", [time(3), time(3, 30), time(2, 15)], ids=str)
@pytest.mark.parametrize(
    ("zone", "first"),
    [("Europe/Helsinki", (2027, 3, 27)), ("Europe/Helsinki", (2027, 10, 30)), ("Australia/Lord_Howe", (2026, 10, 3))],
    ids=["no three o'clock", "three o'clock twice", "half an hour"],
)
def test_what_is_installed_skips_no_night_and_repeats_none(
    facts: Facts, manager: str, at: time, zone: str, first: tuple[int, int, int]
) -> None:
    facts.source("web")
    here, start = ZoneInfo(zone), datetime(*first, 12, tzinfo=UTC)
    assert ran_at(facts, start, at, here)
    minute = minute_of(manager, at)
    clock = (now for now in minutes(start, start + timedelta(days=3), 5) if now.astimezone(here).minute == minute)
    ran = nights(facts, clock, at, here)
    assert len({moment.date() for moment in ran}) == len(ran) == 3
    for moment in ran:
        assert timedelta(0) <= moment - moment.replace(hour=at.hour, minute=at.minute) <= timedelta(hours=1)


def test_a_crontab_keeps_its_other_lines_and_has_ours_once() -> None:
    others = "MAILTO=ada\n@daily backup\n"
    once = timers.crontab_with(others, ["cortex", "compact"], time(3))
    assert timers.crontab_with(once, ["cortex", "compact"], time(3)) == once
    assert timers.crontab_without(once) == others


def test_a_folder_of_a_brain_with_a_space_survives_a_crontab(tmp_path: Path) -> None:
    line = timers.crontab_with("", ["cortex", "--db", str(tmp_path / "my brain.db")], time(3))
    assert "my brain.db'" in line
