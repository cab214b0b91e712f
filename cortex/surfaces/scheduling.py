"""Installing, removing and finding what runs a compaction every night, with whatever this machine has for it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, time
from pathlib import Path, PurePosixPath
from typing import Final, Literal, get_args

from pydantic import Field

from cortex.compactor import timers
from cortex.compactor.schedule import last_compaction, next_due, overdue
from cortex.errors import BrainMissing, UsageError
from cortex.settings import Settings
from cortex.substrate.address import argument, is_database
from cortex.substrate.brain import open_brain
from cortex.substrate.model import Value
from cortex.surfaces.starting import own_command, said_by

Manager = Literal["systemd", "launchd", "cron"]
MANAGERS: Final[tuple[Manager, ...]] = get_args(Manager)
_FILES: Final[Mapping[Manager, Collection[PurePosixPath]]] = {
    "systemd": timers.systemd_units([], time()),
    "launchd": timers.launchd_agent([], time()),
}
"""From the home folder."""


class Plan(Value):
    """What is to be written where, and what is to be run."""

    manager: Manager
    files: dict[str, str] = Field(description="contents by path; for cron, the whole crontab under 'crontab'")
    commands: tuple[tuple[str, ...], ...] = ()
    replaces: str = Field("", description="another brain, which is then compacted no longer")


class Removed(Value):
    """What was taken out, and what was left alone."""

    removed: tuple[Manager, ...]
    others: dict[Manager, str] = Field(description="what runs it for another brain, and which")


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
    replaces = others(brain, home).get(manager, "")
    carried = {
        "CORTEX_COMPACT_AT": f"{at:%H:%M}",
        "CORTEX_ARCHIVE_DAYS": str(settings.archive_days),
        "CORTEX_HOME": str(settings.home.expanduser().absolute()),
    }
    command = ["/usr/bin/env", *(f"{name}={value}" for name, value in carried.items()), *own_command()]
    command += ["compact", "--if-due", "--quiet", "--db", argument(brain)]
    files: Mapping[PurePosixPath, str]
    commands: tuple[tuple[str, ...], ...]
    match manager:
        case "systemd":
            files = timers.systemd_units(command, at)
            systemctl = ("systemctl", "--user")
            commands = ((*systemctl, "daemon-reload"), (*systemctl, "enable", "--now", f"{timers.UNIT}.timer"))
        case "launchd":
            files = timers.launchd_agent(command, at)
            commands = (("launchctl", "load", "-w", *(str(home / path) for path in files)),)
        case _:
            crontab = timers.crontab_with(_crontab(), command, at)
            return Plan(manager="cron", files={"crontab": crontab}, replaces=replaces)
    written = {str(home / path): text for path, text in files.items()}
    return Plan(manager=manager, files=written, commands=commands, replaces=replaces)


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


def remove(brain: Path, home: Path) -> Removed:
    """Take out what was installed for *brain*; what is another's stays."""
    left = others(brain, home)
    found = tuple(manager for manager in installed(home) if manager not in left)
    if "systemd" in found:
        _works(("systemctl", "--user", "disable", "--now", f"{timers.UNIT}.timer"))
    if "launchd" in found:
        _works(("launchctl", "unload", "-w", *(str(home / path) for path in _FILES["launchd"])))
    if "cron" in found:
        _write_crontab(timers.crontab_without(_crontab()))
    for path in (path for manager in found for path in _FILES.get(manager, ())):
        (home / path).unlink(missing_ok=True)
    return Removed(removed=found, others=left)


def switched_on(manager: Manager) -> bool:
    """Whether *manager* runs what is installed: where there is no session, it was written and nothing more."""
    if manager == "systemd":
        return _works(("systemctl", "--user", "is-active", f"{timers.UNIT}.timer"))
    return manager == "cron" or _works(("launchctl", "list", timers.LABEL))


def installed(home: Path) -> tuple[Manager, ...]:
    """Which of them run it now, for whatever brain."""
    return tuple(_texts(home))


def others(brain: Path, home: Path) -> dict[Manager, str]:
    """Which of them run it for another brain than *brain*, and for which."""
    named = {manager: timers.brain_of(text) for manager, text in _texts(home).items()}
    own = argument(brain if is_database(brain) else brain.resolve())
    return {manager: path for manager, path in named.items() if path and own not in (path, str(Path(path).resolve()))}


def _texts(home: Path) -> dict[Manager, str]:
    found: dict[Manager, str] = {}
    for manager, paths in _FILES.items():
        if texts := [(home / path).read_text("utf-8") for path in paths if (home / path).is_file()]:
            found[manager] = "\n".join(texts)
    if timers.MARK in (crontab := _crontab()):
        found["cron"] = crontab
    return found


def scheduled(brain: Path, at: time, home: Path, *, now: datetime) -> Scheduled:
    """What runs it, when it did and when it will: by what was installed for this brain, and *at* where nothing was."""
    elsewhere = others(brain, home)
    ours = {manager: text for manager, text in _texts(home).items() if manager not in elsewhere}
    carried = {name: value for text in ours.values() for name, value in timers.carried(text).items()}
    at = time.fromisoformat(carried.get("CORTEX_COMPACT_AT", at.isoformat()))
    last, late = None, False
    with suppress(BrainMissing), open_brain(brain, read_only=True) as opened:
        last, late = last_compaction(opened, now=now), overdue(opened, now=now)
    return Scheduled(
        installed=tuple(ours), others=elsewhere, settings=carried, at=at, next=next_due(now, at).at, last=last,
        overdue=late,
    )  # fmt: skip


def _manager() -> Manager:
    if sys.platform == "darwin" and shutil.which("launchctl"):
        return "launchd"
    if _works(("systemctl", "--user", "show-environment")):  # there is a session to ask
        return "systemd"
    if shutil.which("crontab"):
        return "cron"
    if shutil.which("systemctl"):
        return "systemd"  # there is no session here; the files are right for when there is one
    raise UsageError("this machine has no systemd, launchd or crontab", hint="keep it running instead: cortex schedule")


def _works(command: Sequence[str]) -> bool:
    return said_by(*command) is not None


def _crontab() -> str:
    return said_by("crontab", "-l") or ""


def _write_crontab(text: str) -> None:
    subprocess.run(["crontab", "-"], input=text, text=True, check=True, capture_output=True, timeout=30)
