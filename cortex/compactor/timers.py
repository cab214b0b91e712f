"""What makes a machine run a compaction every night: a systemd user timer, a launchd agent, or a line of a crontab.

Text only: `cortex.surfaces.scheduling` shows it and writes it. Each asks for `--if-due`, so that one that
fires twice, or late, or beside another does no harm.
"""

from __future__ import annotations

import plistlib
import shlex
from collections.abc import Mapping, Sequence
from datetime import time
from pathlib import PurePosixPath
from typing import Final

UNIT: Final = "cortex-compact"
LABEL: Final = "cortex.compact"
MARK: Final = "# cortex compact, every night"

_SERVICE: Final = """\
[Unit]
Description=Keep the Cortex brain clean

[Service]
Type=oneshot
Nice=10
ExecStart={command}
"""
_TIMER: Final = """\
[Unit]
Description=Keep the Cortex brain clean, every night

[Timer]
OnCalendar=*-*-* {at:%H:%M}:00
Persistent=true

[Install]
WantedBy=timers.target
"""


def systemd_units(command: Sequence[str], at: time) -> Mapping[PurePosixPath, str]:
    """The files of a user timer, from the home folder. Persistent: a night slept through is made up for."""
    folder = PurePosixPath(".config/systemd/user")
    quoted = " ".join(_quoted(word) for word in command)
    return {
        folder / f"{UNIT}.service": _SERVICE.format(command=quoted),
        folder / f"{UNIT}.timer": _TIMER.format(at=at),
    }


def _quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"' if escaped != word or " " in word else word


def launchd_agent(command: Sequence[str], at: time) -> Mapping[PurePosixPath, str]:
    """The file of a user agent, from the home folder. launchd makes up for what was slept through."""
    agent = {
        "Label": LABEL,
        "ProgramArguments": [*command],
        "StartCalendarInterval": {"Hour": at.hour, "Minute": at.minute},
        "ProcessType": "Background",
    }
    return {PurePosixPath(f"Library/LaunchAgents/{LABEL}.plist"): plistlib.dumps(agent).decode().replace("\t", "    ")}


def crontab_with(crontab: str, command: Sequence[str], at: time) -> str:
    """*crontab* with our line. Hourly: cron makes up for nothing, and `--if-due` leaves all hours but the first alone.

    >>> print(crontab_with("@daily backup", ["cortex", "compact", "--if-due"], time(3, 5)), end="")
    @daily backup
    5 * * * * cortex compact --if-due # cortex compact, every night
    """
    line = f"{at.minute} * * * * {shlex.join(command)} {MARK}".replace("%", r"\%")
    return "".join(f"{each}\n" for each in [*crontab_without(crontab).splitlines(), line])


def crontab_without(crontab: str) -> str:
    """*crontab* without our line."""
    return "".join(f"{each}\n" for each in crontab.splitlines() if not each.endswith(MARK))
