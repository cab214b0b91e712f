"""How other programs start this Cortex."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path


def own_command() -> list[str]:
    """What starts this Cortex again, from any folder."""
    beside = Path(sys.executable).with_name("cortex")
    found = str(beside) if beside.is_file() else shutil.which("cortex")
    return [found] if found else [sys.executable, "-P", "-m", "cortex"]  # -P: a folder's own cortex.py is not ours


def shared_command() -> list[str]:
    """What starts a Cortex on any machine of a team, where a path leads to it here; else `own_command`."""
    return ["cortex"] if shutil.which("cortex") else own_command()
