"""What is examined: the brain as far as it can be opened, and how the commands are spelled that mend it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shlex import join, quote
from typing import NamedTuple
from urllib.parse import urlsplit

from cortex.errors import (
    BrainDamaged,
    BrainError,
    BrainMissing,
    BrainTooNew,
    BrainTooOld,
    BrainUnwritable,
    DiskFull,
    NotABrain,
)
from cortex.substrate.brain import SCHEMA_VERSION, Brain, open_brain, translated
from cortex.substrate.holdings import holds
from cortex.substrate.selection import locations
from cortex.substrate.verify import FULL_TEXT, Failure, failures
from cortex.surfaces import indexing
from cortex.surfaces.contract import Call


class Trouble(NamedTuple):
    """Something that is wrong.

    Attributes:
        command: what mends it, for a shell; '' where it takes a person, and what is said says what to do.
    """

    said: str
    command: str


class Unchecked(Exception):
    """A check that this machine has nothing for; the text says why."""


class Source(NamedTuple):
    """A source, and where it was read from the last time."""

    id: int
    name: str
    location: str
    exported: bool

    @property
    def folder(self) -> Path | None:
        """Its folder on this machine, as long as there is one."""
        return Path(self.location) if self.location and Path(self.location).is_dir() else None


class Examined:
    """A brain under examination.

    Attributes:
        brain: None where it cannot be used; `unusable` then says why.
        failures: what a verification found.
    """

    def __init__(
        self, call: Call, brain: Brain | None, failures: Sequence[Failure], unusable: Trouble | None = None
    ) -> None:
        self.call, self.brain, self.failures, self.unusable = call, brain, failures, unusable
        self.sources: Sequence[Source] = _sources(brain) if brain else ()

    @property
    def folders(self) -> list[Path]:
        """The folders of the sources, and the one that doctor is run in."""
        return [*dict.fromkeys([*(one.folder for one in self.sources if one.folder), Path.cwd()])]

    def cortex(self, *words: str) -> str:
        """A command of ours, on the same brain."""
        return _cortex(self.call, *words)

    def index(self, source: Source, *more: str) -> str:
        """What reads *source* again; '' where it cannot be read from here."""
        return _index(self.call, source, *more)


@contextmanager
def examined(call: Call) -> Iterator[Examined]:
    """The brain of *call*, opened as far as that goes and verified."""
    path, brain, found, trouble = call.path, None, [], None
    try:
        with translated(path):
            brain = _opened(path)
            found = [*failures(brain, progress=call.progress)]
        if broken := [one for one in found if one.of_table and one.what not in FULL_TEXT]:
            raise BrainDamaged(path, f"{broken[0].what}: {broken[0].problem}")  # noqa: TRY301  as SQLite's own
    except (BrainMissing, BrainTooNew, BrainTooOld, NotABrain, BrainDamaged, BrainUnwritable, DiskFull) as error:
        if brain:
            brain.close()
        brain, trouble = None, _trouble(call, error)
    try:
        yield Examined(call, brain, found, trouble)
    finally:
        if brain:
            brain.close()


def _trouble(call: Call, error: BrainError) -> Trouble:
    said, path = str(error.args[0]), quote(str(call.path.absolute()))
    beside = f"cortex index . --db {quote(str(_beside(call.path)))}"
    match error:
        case BrainMissing() if not call.path.exists():
            index = _cortex(call, "index", ".")
            away = f"{said}, and here is nothing to index: go to a project and run there: {index}"
            return Trouble(said, index) if indexing.holds_something(Path.cwd()) else Trouble(away, "")
        case BrainTooNew():
            return Trouble(f"{said}: upgrade Cortex, or make another brain and name that one with --db", beside)
        case NotABrain():
            return Trouble(f"{said}: make one beside it and name that one with --db", beside)
        case BrainDamaged() | BrainMissing():
            return Trouble(f"{said}: restore a copy, or put it aside and index again", _anew(call))
        case DiskFull():
            return Trouble(f"{said}: make room there", f"df -h {quote(str(call.path.absolute().parent))}")
        case _:
            return Trouble(said, f"chmod u+rw {path} && chmod u+rwx {quote(str(call.path.absolute().parent))}")


def _opened(path: Path) -> Brain:
    try:
        return open_brain(path, make=False)
    except (BrainUnwritable, DiskFull):
        return open_brain(path, read_only=True)


def _beside(path: Path) -> Path:
    return path.absolute().with_name(f"{path.stem}-schema{SCHEMA_VERSION}.db")


def _anew(call: Call) -> str:
    path = call.path.absolute()
    parts = [str(part) for end in ("", "-wal", "-shm") if (part := path.with_name(path.name + end)).exists()]
    aside = f"{path}.damaged"
    return f"{join(['mkdir', aside])} && {join(['mv', *parts, aside])} && {_cortex(call, 'index', '.')}"


def _sources(brain: Brain) -> list[Source]:
    return [Source(id_, name, location, exported=_is_exported(brain, name)) for id_, name, location in locations(brain)]


def _is_exported(brain: Brain, name: str) -> bool:
    return holds(brain, name, "github", gone=True) and not holds(brain, name, "git", "tree", gone=True)


def _cortex(call: Call, *words: str) -> str:
    return join(["cortex", *words, *(["--db", str(call.path.absolute())] if call.named else [])])


def _index(call: Call, source: Source, *more: str) -> str:
    if source.folder:
        place = ["--github-export", source.location] if source.exported else [source.location]
    elif source.location.startswith("https://"):
        parts = urlsplit(source.location)
        api = [] if parts.hostname == "github.com" else ["--github-api", f"https://{parts.netloc}/api/v3"]
        place = ["--github", parts.path.strip("/"), *api]
    else:
        return ""
    return _cortex(call, "index", *place, "--source", source.name, *more)
