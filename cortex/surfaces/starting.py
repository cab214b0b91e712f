"""How other programs start this Cortex, and whether it has what they start."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path, PureWindowsPath
from shlex import join
from typing import Final

PACKAGE: Final = "cortex-project-memory"


def own_command() -> list[str]:
    """What starts this Cortex again, from any folder."""
    beside = Path(sys.executable).with_name("cortex")
    found = str(beside) if beside.is_file() else shutil.which("cortex")
    return [found] if found else [sys.executable, "-P", "-m", "cortex"]  # -P: a folder's own cortex.py is not ours


def shared_command() -> list[str]:
    """What starts a Cortex on any machine of a team, where a path leads to it here; else `own_command`."""
    return ["cortex"] if shutil.which("cortex") else own_command()


def told(words: Sequence[str]) -> list[str] | None:
    """What *words* tell the Cortex that they start; None where they start something else.

    >>> told(["/opt/env/bin/cortex", "mcp"]), told(["python3", "-P", "-m", "cortex", "mcp"]), told(["echo", "cortex"])
    (['mcp'], ['mcp'], None)
    """
    if words and PureWindowsPath(words[0]).name.removesuffix(".exe") == "cortex":  # which knows both kinds of slashes
        return [*words[1:]]
    flags = [*takewhile(lambda word: word.startswith("-") and word != "-m", words[1:])]
    rest = words[1 + len(flags) :]
    return [*rest[2:]] if [*rest[:2]] == ["-m", "cortex"] else None


def is_own(program: str, folder: Path) -> bool:
    """Whether *program*, as something in *folder* starts it, is this Cortex."""
    found = located(program, folder)
    return found is not None and Path(found).resolve() == Path(own_command()[0]).resolve()


def located(program: str, folder: Path) -> str | None:
    """The file that *program* is for something in *folder*; None where there is none."""
    return shutil.which(str(folder / program) if Path(program).name != program else program)


def serves() -> bool:
    """Whether this Cortex has the extra that its MCP server and its HTTP server need."""
    return find_spec("mcp") is not None


def adding(extra: str) -> str:
    """What installs *extra* into this Cortex, for a shell."""
    return join([sys.executable, "-m", "pip", "install", f"{PACKAGE}[{extra}]"])


def said_by(*command: str, timeout_s: float = 30) -> str | None:
    """What a program prints; None where it is not there, fails or takes too long."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=timeout_s)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
