"""Indexing once behind a hook: one process a project, and what comes meanwhile is made good by the one that runs."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from hashlib import blake2b
from pathlib import Path

from pydantic import Field

from cortex.errors import CortexError
from cortex.substrate.model import Value
from cortex.surfaces.indexing import Indexed

try:
    import fcntl
except ImportError:  # Windows: every hook runs on its own, and the database sees to the rest
    fcntl = None  # type: ignore[assignment]


class LastRun(Value):
    """What the last run behind a hook did."""

    at: datetime
    changed: bool
    error: str = Field("", description="why it failed; '' when it did not")


def index_behind_hooks(brain: Path, root: Path, index: Callable[[], Indexed], *, now: Callable[[], datetime]) -> int:
    """Run *index* unless another process is at it, which then runs it again; how often it was run here."""
    asked = _beside(brain, root, "asked")
    asked.touch()
    runs = 0
    while asked.exists():  # asked for again while the lock was given back
        with _alone(_beside(brain, root, "lock")) as alone:
            if not alone:
                return runs
            while asked.exists():
                asked.unlink()
                _keep(brain, root, _ran(index, now))
                runs += 1
    return runs


def last_run(brain: Path, root: Path) -> LastRun | None:
    """What the last run behind a hook of *root* did; None where there was none."""
    path = _beside(brain, root, "json")
    return LastRun.model_validate_json(path.read_bytes()) if path.is_file() else None


def _ran(index: Callable[[], Indexed], now: Callable[[], datetime]) -> LastRun:
    try:
        done = index()
    except (CortexError, OSError) as error:
        return LastRun(at=now(), changed=False, error=str(error))
    return LastRun(at=now(), changed=done.changed)


def _keep(brain: Path, root: Path, ran: LastRun) -> None:
    path = _beside(brain, root, "json")
    fresh = path.with_suffix(f".{os.getpid()}")
    try:
        fresh.write_text(json.dumps(ran.model_dump(mode="json")), "utf-8")
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def _beside(brain: Path, root: Path, what: str) -> Path:
    brain.parent.mkdir(parents=True, exist_ok=True)
    name = blake2b(os.fsencode(root.resolve()), digest_size=4).hexdigest()
    return brain.with_name(f"{brain.stem}.hook-{name}.{what}")


@contextmanager
def _alone(lock: Path) -> Iterator[bool]:
    """Whether this process is the only one in here."""
    with lock.open("a") as held:
        if fcntl is not None:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                yield False
                return
        yield True
