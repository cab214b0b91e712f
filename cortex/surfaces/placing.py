"""Where a caller on this machine stands: the project that a brief is about, and what its paths start from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from cortex.substrate.brain import Brain
from cortex.substrate.paths import NOWHERE, Here
from cortex.surfaces.contract import Call
from cortex.surfaces.folders import standing


def placed(call: Call, brain: Brain, paths: Sequence[str], asked: Sequence[str]) -> tuple[tuple[str, ...], Here]:
    """*paths*, those of files on this machine as records name them, and where *call* is made: nowhere from elsewhere.

    Args:
        asked: the sources asked for: where some are, it does not matter which one stands in.
    """
    if call.folder is None:
        return tuple(paths), NOWHERE
    at, folder = standing(brain.db, call.folder), call.folder.resolve()
    below = folder.relative_to(at.root).as_posix() if at.sources and folder.is_relative_to(at.root) else ""
    found = [*_found(brain, paths, folder, at.root)]
    own = [id_ for _, sources in found for id_ in sources] or at.sources
    names = dict(brain.db.execute("select id, name from sources"))
    home = () if asked else tuple(dict.fromkeys(names[id_] for id_ in own))
    return tuple(path for path, _ in found), Here(home, "" if below == "." else below)


def _found(brain: Brain, paths: Sequence[str], folder: Path, root: Path) -> Iterator[tuple[str, list[int]]]:
    """Each path, of a file within a project from its root, and the sources of that project.

    What stands below *folder* and not below *root* was meant from where one stands.
    """
    for text in paths:
        path = Path(text.strip()).expanduser() if text.strip().startswith("~/") else Path(text.strip())
        if "\0" not in text and not path.is_absolute() and (folder / path).exists() and not (root / path).exists():
            path = folder / path
        place = standing(brain.db, path.parent) if path.is_absolute() and "\0" not in text else None
        file = path.parent.resolve() / path.name if place else path
        if place and place.sources and file.is_relative_to(place.root):
            yield file.relative_to(place.root).as_posix(), place.sources
        else:
            yield text, []
