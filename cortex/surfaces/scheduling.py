"""Installing, removing and finding what runs a compaction every night, with whatever this machine has for it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime, time
from pathlib import Path, PurePosixPath
from typing import Final, Literal, get_args

from pydantic import Field

from cortex.compactor import timers
from cortex.compactor.schedule import last_compaction, next_due, overdue
from cortex.errors import UsageError
from cortex.settings import Settings
from cortex.substrate.brain import open_brain
from cortex.substrate.model import Value
from cortex.surfaces.starting import own_command

Manager = Literal["systemd", "launchd", "cron"]
MANAGERS: Final[tuple[Manager, ...]] = get_args(Manager)


class Plan(Value):
    """What is to be written where, and what is to be run."""

    manager: Manager
    files: dict[str, str] = Field(description="contents by path; for cron, the whole crontab under 'crontab'")
    commands: tuple[tuple[str, ...], ...] = ()


class Scheduled(Value):
    """What runs a compaction every night, and when it last did."""

    installed: tuple[Manager, ...]
    others: dict[Manager, str] = Field(description="what runs it for another brain, and which")
    settings: dict[str, str] = Field(description="what is installed runs with these, whatever the environment says")
    at: time
    next: datetime
    last: datetime | None
    overdue: bool


def plan(manager: Manager | None, brain: Path, settings: Settings, home: Path) -> Plan:
    """What installing would write: the command with the settings of now, as nothing of a shell's is there at night."""
    manager, at = manager or _manager(), settings.compact_at
    environment = {
        "CORTEX_COMPACT_AT": f"{at:%H:%M}",
        "CORTEX_ARCHIVE_DAYS": str(settings.archive_days),
        "CORTEX_HOME": str(settings.home.expanduser().absolute()),
    }
    command = [*own_command(), "compact", "--if-due", "--quiet", "--db", str(brain.absolute())]
    if manager == "systemd":
        enable = ("systemctl", "--user", "enable", "--now", f"{timers.UNIT}.timer")
        reload = ("systemctl", "--user", "daemon-reload")
        return _plan(manager, timers.systemd_units(command, at, environment), home, reload, enable)
    if manager == "launchd":
        files = timers.launchd_agent(command, at, environment)
        load = ("launchctl", "load", "-w", *(str(home / path) for path in files))
        return _plan(manager, files, home, load)
    return Plan(manager="cron", files={"crontab": timers.crontab_with(_crontab(), command, at, environment)})


def _plan(manager: Manager, files: Mapping[PurePosixPath, str], home: Path, *commands: tuple[str, ...]) -> Plan:
    return Plan(manager=manager, files={str(home / path): text for path, text in files.items()}, commands=commands)


def install(planned: Plan) -> list[str]:
    """Write what was planned and switch it on.

    Returns:
        Commands that did not work, as people would type them: the machine may be one without a session.
    """
    if planned.manager == "cron":
        _write_crontab(planned.files["crontab"])
        return []
    for path, text in planned.files.items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text, "utf-8")
    return [" ".join(command) for command in planned.commands if not _works(command)]


def written(planned: Plan) -> Mapping[str, str | None]:
    """What stands where *planned* would write; none where nothing does."""
    if planned.manager == "cron":
        return {"crontab": _crontab()}
    return {path: Path(path).read_text("utf-8") if Path(path).is_file() else None for path in planned.files}


def remove(home: Path) -> tuple[Manager, ...]:
    """Take out whatever was installed, and say what that was."""
    found = installed(home)
    if "systemd" in found:
        _works(("systemctl", "--user", "disable", "--now", f"{timers.UNIT}.timer"))
        for path in timers.systemd_units([], time()):
            (home / path).unlink(missing_ok=True)
    if "launchd" in found:
        for path in timers.launchd_agent([], time()):
            _works(("launchctl", "unload", "-w", str(home / path)))
            (home / path).unlink(missing_ok=True)
    if "cron" in found:
        _write_crontab(timers.crontab_without(_crontab()))
    return found


def switched_on(manager: Manager, home: Path) -> bool:
    """Whether *manager* will run what is installed: where there is no session, it was written and nothing more."""
    if manager == "systemd":
        return (home / timers.WANTED).is_symlink()
    return manager == "cron" or _works(("launchctl", "list", timers.LABEL))


def installed(home: Path) -> tuple[Manager, ...]:
    """Which of them run it now, for whatever brain."""
    return tuple(_texts(home))


def _texts(home: Path) -> dict[Manager, str]:
    """What is installed, as it is written."""
    files: dict[Manager, Mapping[PurePosixPath, str]] = {
        "systemd": timers.systemd_units([], time()),
        "launchd": timers.launchd_agent([], time()),
    }
    found: dict[Manager, str] = {}
    for manager, paths in files.items():
        if texts := [(home / path).read_text("utf-8") for path in paths if (home / path).is_file()]:
            found[manager] = "\n".join(texts)
    if timers.MARK in (crontab := _crontab()):
        found["cron"] = crontab
    return found


def scheduled(brain: Path, at: time, home: Path, *, now: datetime) -> Scheduled:
    """What runs it, when it did and when it will: by what was installed for this brain, and *at* where nothing was."""
    texts = _texts(home)
    others = {manager: path for manager, text in texts.items() if not _same(path := timers.brain_of(text), brain)}
    ours = {manager: text for manager, text in texts.items() if manager not in others}
    carried = {name: value for text in ours.values() for name, value in timers.carried(text).items()}
    at = time.fromisoformat(carried.get("CORTEX_COMPACT_AT", at.isoformat()))
    last, late = None, False
    if brain.is_file():
        with open_brain(brain, read_only=True) as opened:
            last, late = last_compaction(opened, now=now), overdue(opened, now=now)
    return Scheduled(
        installed=tuple(ours), others=others, settings=carried, at=at, next=next_due(now, at).at, last=last,
        overdue=late,
    )  # fmt: skip


def _same(named: str, brain: Path) -> bool:
    return not named or Path(named).resolve() == brain.resolve()


def _manager() -> Manager:
    if sys.platform == "darwin" and shutil.which("launchctl"):
        return "launchd"
    if has_session():
        return "systemd"
    if shutil.which("crontab"):
        return "cron"
    if shutil.which("systemctl"):
        return "systemd"  # there is no session here; the files are right for when there is one
    raise UsageError("this machine has no systemd, launchd or crontab", hint="keep it running instead: cortex schedule")


def has_session() -> bool:
    """Whether systemd can be asked for anything here."""
    return _works(("systemctl", "--user", "show-environment"))


def _works(command: Sequence[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False, timeout=30).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _crontab() -> str:
    try:
        done = subprocess.run(["crontab", "-l"], capture_output=True, text=True, check=False, timeout=30)
    except OSError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def _write_crontab(text: str) -> None:
    subprocess.run(["crontab", "-"], input=text, text=True, check=True, capture_output=True, timeout=30)
