"""What /proc tells of other processes, which may end at any moment while it is read."""

from __future__ import annotations

from pathlib import Path


def runs(pid: int | str) -> bool:
    """Whether process *pid* still works: not gone, and not waiting only for somebody to notice that it ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False
