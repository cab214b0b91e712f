"""What /proc tells of other processes, which may end at any moment while it is read."""

from __future__ import annotations

import contextlib
from pathlib import Path

GONE = (FileNotFoundError, ProcessLookupError)


def runs(pid: int | str) -> bool:
    """Whether process *pid* still works: not gone, and not waiting only for somebody to notice that it ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except GONE:
        return False


def open_files(pid: int) -> set[str]:
    """The paths behind the descriptors of process *pid*, without any that is closed in the meantime."""
    paths = set()
    with contextlib.suppress(*GONE):
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(*GONE):
                paths.add(str(descriptor.readlink()))
    return paths
