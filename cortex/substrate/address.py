"""Where a brain is that is no file: the address of a database, with the path that the files beside it are named by."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from cortex.errors import NotABrain

_SCHEMES: Final = ("postgresql:", "postgres:")


if TYPE_CHECKING:
    _Path = Path
else:
    _Path = type(Path())  # Path itself takes no subclass before 3.12


class Address(_Path):
    """The path of a file that there is not: what stands beside a brain, such as its ledger, stands beside it.

    Attributes:
        url: of the database; '' for a path that was made of this one.
    """

    url = ""

    def with_segments(self, *segments: str) -> Path:
        """What is made of this path is a path as any other."""
        return Path(*segments)

    def exists(self, **_: bool) -> bool:
        """Whether there is something: a database is opened to find out."""
        return bool(self.url) or super().exists()

    def is_file(self, **_: bool) -> bool:
        """As `exists`."""
        return bool(self.url) or super().is_file()

    def __reduce__(self) -> tuple[object, ...]:
        return _placed, (self.url, str(self))


def located(where: str, home: Path) -> Path:
    """The path of the brain at *where*: a file's, or the address of a database with its own files in *home*.

    >>> located("postgresql://ada:secret@db.example.com/notes", Path("/home/ada/.cortex")).as_posix()
    '/home/ada/.cortex/postgresql/db.example.com/notes.db'
    >>> located("brain.db", Path("/home/ada/.cortex")).as_posix()
    'brain.db'

    Raises:
        NotABrain: the address of the database is none.
    """
    if not where.startswith(_SCHEMES):
        return Path(where)
    try:
        parts = urlsplit(where)
        host = "_".join(str(part) for part in (parts.hostname or "local", parts.port) if part)
    except ValueError as error:
        raise NotABrain(_without_password(where), f"it is no address of a database: {error}") from error
    return _placed(where, str(home.expanduser() / "postgresql" / host / f"{parts.path.strip('/') or 'default'}.db"))


def _placed(url: str, path: str) -> Path:
    placed = Address(path)
    placed.url = url
    return placed


def is_database(path: Path) -> bool:
    """Whether *path* stands for a database."""
    return bool(getattr(path, "url", ""))


def argument(path: Path) -> str:
    """What `--db` takes for *path*, wherever one stands; a password is kept in no command."""
    return shown(path) if is_database(path) else str(path.absolute())


def setting(path: Path) -> str:
    """What `CORTEX_DB` takes for *path*, in a program that is started: a password is kept there alone."""
    return str(getattr(path, "url", "") or path.absolute())


def shown(path: Path) -> str:
    """What people are told of where a brain is: of a database its address without the password."""
    return _without_password(str(getattr(path, "url", ""))) or str(path)


def _without_password(url: str) -> str:
    return re.sub(r"(?<=//)([^/@:]*):[^/]*@", r"\1@", url)
