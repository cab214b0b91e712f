"""Which source somebody in a folder works on, told by files alone: a hook has no time to start git."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from cortex.substrate.brain import Brain
from cortex.substrate.selection import locations

_LOCAL: Final = (".", "/", "file:")
_CONFIG: Final = 1_000_000  # characters of a configuration of git that are read
_NAMED: Final = re.compile(r"[:/]([\w.-]+/[\w.-]+?)(?:\.git)?/?$")


class Standing(NamedTuple):
    """Where somebody stands.

    Attributes:
        sources: by number; none where the folder is of no source.
        root: what the paths of their records start from, in this work tree.
    """

    sources: list[int]
    root: Path


def standing(brain: Brain, folder: Path) -> Standing:
    """The sources read from the repository that *folder* is in, any work tree or clone of it, else from a folder above.

    A repository's own comes first, then the nearest folder in it that was read on its own.
    """
    folder = folder.resolve()
    root = next((above for above in (folder, *folder.parents) if (above / ".git").exists()), None)
    rows = locations(brain)
    if root is None:
        places = [(above, above) for above in (folder, *folder.parents)]
    else:
        main = _main(root)
        within = [above for above in (folder, *folder.parents) if above.is_relative_to(root)]
        places = [(root, main), *((above, main / above.relative_to(root)) for above in within)]
    for here, place in places:
        if found := [id_ for id_, _, location in rows if location == str(place)]:
            return Standing(found, here)
    called = _called(_main(root)) if root else ""
    return Standing([id_ for id_, name, at in rows if called and _is_it(called, name, at)], root or folder)


def may_be_project(brain: Brain, folder: Path) -> bool:
    """Whether *folder* could be a source of its own: a home, or a folder that sources are in, is none."""
    folder = folder.resolve()
    places = (Path(at) for _, _, at in locations(brain))
    return folder != Path("~").expanduser() and not any(at.is_relative_to(folder) for at in places)


def _is_it(called: str, name: str, location: str) -> bool:
    files = Path(location)
    return name.casefold() == called and (not (files / ".git").exists() or _called(_main(files)) == called)


def _main(root: Path) -> Path:
    """The main work tree of the repository that has a work tree at *root*; the repository itself where it is bare."""
    linked = root / ".git"
    if not linked.is_file():
        return root
    own = (root / linked.read_text("utf-8").removeprefix("gitdir:").strip()).resolve()
    shared = own / "commondir"
    if not shared.is_file():  # a submodule's, or what leads to a bare repository
        return own if "true" in _values(own, "[core]", "bare") else root
    common = (own / shared.read_text("utf-8").strip()).resolve()
    return common.parent if common.name == ".git" else common


def _called(main: Path) -> str:
    """'owner/name' as the remote called origin says it, in small letters; '' where it says none."""
    addresses = (url for url in _values(main, '[remote "origin"]', "url") if not url.startswith(_LOCAL))
    found = _NAMED.search(next(addresses, ""))
    return found[1].casefold() if found else ""


def _values(repository: Path, section: str, name: str) -> Iterator[str]:
    path = next((one for one in (repository / ".git" / "config", repository / "config") if one.is_file()), None)
    if path is None:
        return
    with path.open(encoding="utf-8", errors="replace") as file:
        lines = file.read(_CONFIG).splitlines()
    held = ""
    for line in map(str.strip, lines):
        key, is_set, value = line.partition("=")
        if line.startswith("["):
            held = line
        elif held == section and is_set and key.rstrip().lower() == name:
            yield value.strip()
