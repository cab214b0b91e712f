"""What makes a machine run a compaction every night: a systemd user timer, a launchd agent, or a line of a crontab.

Text only: `cortex.surfaces.scheduling` shows it and writes it. Each fires every hour, as a day may not have the one
that was asked for, and asks for `--if-due`, which leaves all hours but the first due one alone. Each carries the
settings it was installed with, as *environment*: none of them has what a shell exports.
"""

from __future__ import annotations

import plistlib
import re
import shlex
from collections.abc import Mapping, Sequence
from datetime import time
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Final

UNIT: Final = "cortex-compact"
LABEL: Final = "cortex.compact"
_FOLDER: Final = PurePosixPath(".config/systemd/user")
MARK: Final = "# cortex compact, every night"

_NONE: Final[Mapping[str, str]] = MappingProxyType({})
_CARRIED: Final = re.compile(r"(?:Environment=)?(CORTEX_\w+)=(.*)", re.S)
_SERVICE: Final = """\
[Unit]
Description=Keep the Cortex brain clean

[Service]
Type=oneshot
Nice=10
{environment}ExecStart={command}
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


def systemd_units(
    command: Sequence[str], at: time, environment: Mapping[str, str] = _NONE
) -> Mapping[PurePosixPath, str]:
    """The files of a user timer, from the home folder. Persistent: an hour slept through is made up for."""
    quoted = " ".join(_quoted(word) for word in command)
    carried = "".join(f'Environment="{_escaped(f"{name}={value}")}"\n' for name, value in environment.items())
    return {
        _FOLDER / f"{UNIT}.service": _SERVICE.format(command=quoted, environment=carried),
        _FOLDER / f"{UNIT}.timer": _TIMER.format(at=at),
    }


def _quoted(word: str) -> str:
    escaped = _escaped(word).replace("$", "$$")
    return f'"{escaped}"' if escaped != word or " " in word else word


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")


def launchd_agent(
    command: Sequence[str], at: time, environment: Mapping[str, str] = _NONE
) -> Mapping[PurePosixPath, str]:
    """The file of a user agent, from the home folder. launchd makes up for what was slept through."""
    agent = {
        "Label": LABEL,
        "ProgramArguments": [*command],
        "EnvironmentVariables": {**environment},
        "StartCalendarInterval": {"Minute": at.minute},
        "ProcessType": "Background",
    }
    return {PurePosixPath(f"Library/LaunchAgents/{LABEL}.plist"): plistlib.dumps(agent).decode().replace("\t", "    ")}


def crontab_with(crontab: str, command: Sequence[str], at: time, environment: Mapping[str, str] = _NONE) -> str:
    """*crontab* with our line.

    >>> print(crontab_with("@daily backup", ["cortex", "compact", "--if-due"], time(3, 5)), end="")
    @daily backup
    5 * * * * cortex compact --if-due # cortex compact, every night
    """
    carried = ["env", *(f"{name}={value}" for name, value in environment.items())] if environment else []
    line = f"{at.minute} * * * * {shlex.join([*carried, *command])} {MARK}".replace("%", r"\%")
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

    >>> carried(crontab_with("", ["cortex"], time(3), {"CORTEX_HOME": "/srv/my brains"}))
    {'CORTEX_HOME': '/srv/my brains'}
    """
    if text.startswith("<?xml"):
        return dict(plistlib.loads(text.encode()).get("EnvironmentVariables", {}))
    lines = [each for each in text.splitlines() if each.startswith("Environment=") or each.endswith(MARK)]
    words = [word for each in lines for word in shlex.split(each, comments=True)]
    found = (_CARRIED.fullmatch(word) for word in words)
    return {each[1]: each[2].replace("%%", "%").replace(r"\%", "%") for each in found if each}
