"""Where a caller on this machine stands: the sources it means where it names none, and what its paths start from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope
from cortex.substrate.paths import Here
from cortex.substrate.quoting import inert
from cortex.substrate.sources import readable, source_names
from cortex.surfaces.contract import Call
from cortex.surfaces.folders import Standing, may_be_project, standing

UNINDEXED: Final = "this folder is not indexed; asked everything: cortex index"


class Placed(NamedTuple):
    """What a call reads, and what it means by its paths.

    Attributes:
        here: nowhere for a caller elsewhere.
        paths: those of files on this machine as records name them.
        of: the sources it was narrowed to by where the caller stands; '' where it was not, or there are no others.
    """

    scope: Scope
    here: Here
    paths: tuple[str, ...]
    of: str = ""

    def remark(self, call: Call) -> None:
        """Tell a person at a terminal, where nothing was found, that there is more to ask."""
        if self.of and call.caller == "operator":
            call.remark(f"asked only {inert(self.of)}; for every source: --all")


def placed(
    call: Call, brain: Brain, sources: tuple[str, ...], *, everything: bool = False, paths: Sequence[str] = ()
) -> Placed:
    """What to read: *sources*, else those of the project that the *paths* or the caller are in, else all.

    Args:
        everything: read all; never more than the caller may reach.
    """
    scope, places = call.scope(brain, sources), _places(brain, call.folders)
    if not places:
        return Placed(scope, Here(), tuple(paths))
    folder, at = places[0]
    below = folder.relative_to(at.root).as_posix() if at.sources and folder.is_relative_to(at.root) else ""
    found = [*_found(brain, paths, folder, at.root)]
    own = [id_ for _, ids in found for id_ in ids] or [id_ for _, one in places for id_ in one.sources]
    names = source_names(brain)
    home = () if sources else tuple(dict.fromkeys(names[id_] for id_ in own))
    stood = Placed(scope, Here(home, "" if below == "." else below), tuple(path for path, _ in found))
    return stood if sources else _narrowed(call, brain, stood, everything=everything)


def own_source(call: Call, brain: Brain, asked: str | None) -> str | None:
    """The source to write to: the one *asked* for, else that of the folder the caller is in; None is the only one."""
    if asked is None and not call.sources:
        home = placed(call, brain, ()).here.home
        asked = home[0] if len(home) == 1 else None
    return call.target(brain, asked)


def _narrowed(call: Call, brain: Brain, stood: Placed, *, everything: bool) -> Placed:
    """*stood*, with the sources of its own project alone, unless it asks *everything* or is of none."""
    every = [*readable(brain, stood.scope).values()]
    own = [name for name in stood.here.home if call.sources is None or name in every]
    if everything:
        isolated = [name for name in own if name not in every]
        scope = Scope(sources=(*every, *isolated)) if isolated else stood.scope
        return stood._replace(scope=scope, here=stood.here._replace(home=()))
    if own and {*own} != {*every}:
        return stood._replace(scope=Scope(sources=tuple(own)), of=", ".join(own) if {*every} - {*own} else "")
    if every and not own and call.caller == "operator" and may_be_project(brain, call.folders[0]):
        call.remark(UNINDEXED)
    return stood


def _places(brain: Brain, folders: Sequence[Path]) -> list[tuple[Path, Standing]]:
    """Each folder with its sources, those that have some first; one that cannot be made out is left out."""
    found = []
    for folder in folders:
        try:
            found.append((folder.resolve(), standing(brain, folder)))
        except (OSError, ValueError):  # what leads to a repository may say anything
            continue
    return sorted(found, key=lambda place: not place[1].sources)


def _found(brain: Brain, paths: Sequence[str], folder: Path, root: Path) -> Iterator[tuple[str, list[int]]]:
    """Each path, of a file within a project from its root, and the sources of that project.

    What stands below *folder* and not below *root* was meant from where one stands.
    """
    for text in paths:
        path = Path(text.strip()).expanduser() if text.strip().startswith("~/") else Path(text.strip())
        if "\0" not in text and not path.is_absolute() and (folder / path).exists() and not (root / path).exists():
            path = folder / path
        place = standing(brain, path.parent) if path.is_absolute() and "\0" not in text else None
        file = path.parent.resolve() / path.name if place else path
        if place and place.sources and file.is_relative_to(place.root):
            yield file.relative_to(place.root).as_posix(), place.sources
        else:
            yield text, []
