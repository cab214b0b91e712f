"""What makes a machine run a compaction every night: a systemd user timer, a launchd agent, or a line of a crontab.

Text only: `cortex.surfaces.scheduling` shows it and writes it. Each fires every hour, as a day may not have the one
that was asked for, and asks for `--if-due`, which leaves all hours but the first due one alone. None has what a shell
exports, so the command begins with `env` and the settings it was installed with.
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
_FOLDER: Final = PurePosixPath(".config/systemd/user")
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
OnCalendar=*-*-* *:{at:%M}:00
Persistent=true

[Install]
WantedBy=timers.target
"""


def systemd_units(command: Sequence[str], at: time) -> Mapping[PurePosixPath, str]:
    """The files of a user timer, from the home folder. Persistent: an hour slept through is made up for."""
    quoted = " ".join(_quoted(word) for word in command)
    return {
        _FOLDER / f"{UNIT}.service": _SERVICE.format(command=quoted),
        _FOLDER / f"{UNIT}.timer": _TIMER.format(at=at),
    }


def _quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"' if escaped != word or " " in word else word


def launchd_agent(command: Sequence[str], at: time) -> Mapping[PurePosixPath, str]:
    """The file of a user agent, from the home folder. launchd makes up for what was slept through."""
    agent = {
        "Label": LABEL,
        "ProgramArguments": [*command],
        "StartCalendarInterval": {"Minute": at.minute},
        "ProcessType": "Background",
    }
    return {PurePosixPath(f"Library/LaunchAgents/{LABEL}.plist"): plistlib.dumps(agent).decode().replace("\t", "    ")}


def crontab_with(crontab: str, command: Sequence[str], at: time) -> str:
    """*crontab* with our line.

    >>> print(crontab_with("@daily backup", ["cortex", "compact", "--if-due"], time(3, 5)), end="")
    @daily backup
    5 * * * * cortex compact --if-due # cortex compact, every night
    """
    line = f"{at.minute} * * * * {shlex.join(command)} {MARK}".replace("%", r"\%")
    return "".join(f"{each}\n" for each in [*crontab_without(crontab).splitlines(), line])


def crontab_without(crontab: str) -> str:
    """*crontab* without our line."""
    return "".join(f"{each}\n" for each in crontab.splitlines() if not each.endswith(MARK))


def brain_of(text: str) -> str:
    """The path of the brain that a service, an agent or a crontab of ours compacts; empty where it names none.

    >>> brain_of(crontab_with("", ["cortex", "compact", "--db", "/srv/my brain.db"], time(3)))
    '/srv/my brain.db'
    """
    words = _command(text)
    return words[words.index("--db") + 1] if "--db" in words[:-1] else ""


def _command(text: str) -> list[str]:
    if text.startswith("<?xml"):
        return list(plistlib.loads(text.encode()).get("ProgramArguments", ()))
    lines = [each for each in text.splitlines() if each.startswith("ExecStart=") or each.endswith(MARK)]
    words = [word for each in lines for word in shlex.split(each, comments=True)]
    return [word.replace("$$", "$").replace("%%", "%").replace(r"\%", "%") for word in words]


def carried(text: str) -> Mapping[str, str]:
    """The settings that a service, an agent or a crontab of ours carries.

    >>> carried(crontab_with("", ["env", "CORTEX_HOME=/srv/my brains", "cortex"], time(3)))
    {'CORTEX_HOME': '/srv/my brains'}
    """
    pairs = (word.partition("=") for word in _command(text) if word.startswith("CORTEX_"))
    return {name: value for name, _, value in pairs}
