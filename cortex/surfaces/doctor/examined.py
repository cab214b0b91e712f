"""What is examined: the brain as far as it can be opened, and how the commands are spelled that mend it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from shlex import join, quote
from typing import NamedTuple
from urllib.parse import urlsplit

from cortex import errors
from cortex.substrate.address import argument, is_database
from cortex.substrate.brain import SCHEMA_VERSION, Brain, open_brain
from cortex.substrate.holdings import holds
from cortex.substrate.selection import locations
from cortex.substrate.sqlite.transactions import translated
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

    def __init__(self, call: Call) -> None:
        self.call, self.path = call, call.path.absolute()
        self.brain: Brain | None = None
        self.failures: Sequence[Failure] = ()
        self.unusable: Trouble | None = None
        self.sources: Sequence[Source] = ()

    @property
    def opened(self) -> Brain:
        """The brain, for a check that is made only of one that can be used."""
        if self.brain is None:
            raise TypeError("this is asked of a brain that can be used")
        return self.brain

    @property
    def folders(self) -> list[Path]:
        """The folders of the sources, and the one that doctor is run in."""
        return [*dict.fromkeys([*(one.folder for one in self.sources if one.folder), Path.cwd()])]

    def cortex(self, *words: str) -> str:
        """A command of ours, on the same brain."""
        return join(["cortex", *words, *(["--db", argument(self.path)] if self.call.named else [])])

    def index(self, source: Source, *more: str) -> str:
        """What reads *source* again; '' where it cannot be read from here."""
        if source.folder:
            place = ["--github-export", source.location] if source.exported else [source.location]
        elif source.location.startswith("https://"):
            parts = urlsplit(source.location)
            api = [] if parts.hostname == "github.com" else ["--github-api", f"https://{parts.netloc}/api/v3"]
            place = ["--github", parts.path.strip("/"), *api]
        else:
            return ""
        return self.cortex("index", *place, "--source", source.name, *more)


@contextmanager
def examined(call: Call) -> Iterator[Examined]:
    """The brain of *call*, opened as far as that goes and verified."""
    found = Examined(call)
    with ExitStack() as closing:
        try:
            with translated(call.path):
                found.brain = closing.enter_context(_opened(call.path))
                found.failures = [*failures(found.brain, progress=call.progress)]
            if broken := [one for one in found.failures if one.of_table and one.what not in FULL_TEXT]:
                raise errors.BrainDamaged(call.path, f"{broken[0].what}: {broken[0].problem}")
            found.sources = [*_sources(found.brain)]
        except errors.BrainError as error:
            if isinstance(error, errors.BrainBusy):
                raise
            closing.close()  # which takes away files beside the brain, that are not to be named
            trouble = _trouble_of_database if is_database(call.path) else _trouble
            found.brain, found.unusable = None, trouble(found, error)
        yield found


def _trouble_of_database(found: Examined, error: errors.BrainError) -> Trouble:
    said = str(error.args[0])
    if isinstance(error, errors.BrainMissing):
        return _absent(found, said)
    return Trouble(f"{said}: {error.hint}" if error.hint else said, "")


def _trouble(found: Examined, error: errors.BrainError) -> Trouble:
    said, path, folder = str(error.args[0]), quote(str(found.path)), quote(str(found.path.parent))
    beside = f"cortex index . --db {quote(str(found.path.with_name(f'{found.path.stem}-schema{SCHEMA_VERSION}.db')))}"
    match error:
        case errors.BrainMissing() if not found.path.exists():
            return _absent(found, said)
        case errors.BrainTooNew():
            return Trouble(f"{said}: upgrade Cortex, or make another brain and name that one with --db", beside)
        case errors.NotABrain():
            return Trouble(f"{said}: make one beside it and name that one with --db", beside)
        case errors.BrainDamaged() | errors.BrainMissing():
            files = [found.path.with_name(found.path.name + end) for end in ("", "-wal", "-shm")]
            aside, parts = f"{found.path}.damaged", [str(one) for one in files if one.exists()]
            anew = f"{join(['mkdir', aside])} && {join(['mv', *parts, aside])} && {found.cortex('index', '.')}"
            return Trouble(f"{said}: restore a copy, or put it aside and index again", anew)
        case errors.DiskFull():
            return Trouble(f"{said}: make room there", f"df -h {folder}")
        case _:
            return Trouble(said, f"chmod u+rw {path} && chmod u+rwx {folder}")


def _absent(found: Examined, said: str) -> Trouble:
    index = found.cortex("index", ".")
    away = f"{said}, and here is nothing to index: go to a project and run there: {index}"
    return Trouble(said, index) if indexing.holds_something(Path.cwd()) else Trouble(away, "")


def _opened(path: Path) -> Brain:
    try:
        return open_brain(path, make=False)
    except (errors.BrainUnwritable, errors.DiskFull):
        return open_brain(path, read_only=True)


def _sources(brain: Brain) -> Iterator[Source]:
    for id_, name, location in locations(brain):
        exported = holds(brain, name, "github", gone=True) and not holds(brain, name, "git", "tree", gone=True)
        yield Source(id_, name, location, exported)
