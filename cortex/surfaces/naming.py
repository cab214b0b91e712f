"""Which source a place is: by where it stands, its remote or its first commit, never by its last folder alone."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

from cortex.indexers.connectors import commits, git, github_export
from cortex.indexers.connectors.git_command import asked
from cortex.indexers.connectors.listing import printable
from cortex.indexers.connectors.worktrees import main_folder
from cortex.indexers.feeds import remote_name, source_of_export, source_of_project
from cortex.substrate.brain import Brain
from cortex.substrate.holdings import holds, sources_holding
from cortex.substrate.model import storable
from cortex.substrate.selection import locations
from cortex.substrate.sources import as_held
from cortex.surfaces.github import Remote

FIRST_COMMITS: Final = 20  # beginnings of a history that are looked at; most have one


class Chosen(NamedTuple):
    """What a place is called in a brain, and where what has its plain name stands, if that is something else."""

    name: str
    namesake: str = ""


def project_folder(brain: Brain, folder: Path, *, named: bool) -> Path:
    """The folder to index for somebody in *folder*: the repository that tracks it, as for git, by its main work tree.

    It is *folder* itself where it was indexed on its own before, or is to be a source with a name of its own.
    """
    found = folder if named or source_at(brain, folder) else tracking(folder)
    return main_folder(found) if (found / ".git").is_file() else found


def tracking(folder: Path) -> Path:
    """The top folder of the repository that has files of *folder* in it, else *folder* itself."""
    tracked = asked(folder, "ls-files", "--cached", "--", ".", climb=True) if folder.is_dir() else None
    return (git.top(folder) or folder) if tracked else folder


def location_of(place: Path | str) -> str:
    """How a brain writes where *place* is; for every work tree of a repository that of the main one."""
    return printable(str(main_folder(place))) if isinstance(place, Path) else place


def source_at(brain: Brain, place: Path | str) -> str | None:
    """What the project at *place* was called the last time."""
    there = location_of(place)
    found = [name for _, name, at in locations(brain) if at == there]
    return found[0] if len(found) == 1 else None


def choose_name(
    brain: Brain, root: Path | None, *, export: Path | None = None, github: Remote | None = None, kept: str = ""
) -> Chosen:
    """The source that a *root*, an *export* of it, a *github* repository, or more than one of them are.

    It is the one last indexed from there; else *kept*, what somebody called it at this place in another brain; else the
    one of its name, where a remote or the export's rows tell it, or where it has the same first commit; else one of its
    own, named with as many of the folders above as it takes.
    """
    places = [place for place in (root, export, github and github.address) if place]
    if known := next(filter(None, (source_at(brain, place) for place in places)), None):
        return Chosen(known)
    if kept and not _location(brain, as_held(brain, kept)):
        return Chosen(as_held(brain, kept))
    told = as_held(brain, _told(root, export, github))
    name = storable(told or (source_of_export(export) if export else source_of_project(root or Path())))
    began = _first_commits(root) if root else []
    if not told and (moved := _moved(brain, began)):
        return Chosen(moved)
    here = {location_of(place) for place in places}
    namesake = _elsewhere(brain, name, here, began, told=bool(told))
    names = map(storable, _longer(name, root or export))
    return Chosen(next(name for name in names if not _elsewhere(brain, name, here, began, told=bool(told))), namesake)


def _told(root: Path | None, export: Path | None, github: Remote | None) -> str:
    """'owner/name' as GitHub, the export's rows or a remote say it; '' where none does."""
    if github:
        return github.repository.name
    return (export and github_export.source_name(export)) or (remote_name(root) if root else "")


def _longer(name: str, place: Path | None) -> Iterator[str]:
    yield name
    *above, last = main_folder(place).parts[1:] if place else ("",)
    for first in reversed(range(len(above))):
        yield "/".join([*above[first:], last])
    yield from (f"{name}-{number}" for number in count(2))


def _elsewhere(brain: Brain, name: str, here: Container[str], began: list[str], *, told: bool) -> str:
    """Where the source *name* stands if it is another project; '' if it is this one, or nothing.

    Args:
        here: where this project stands; another process may have registered it since it was looked for.
        told: a remote or GitHub calls this project so; what was not read from another's files may then be it.
    """
    location = _location(brain, name)
    if not location or location in here or name in _beginning_so(brain, began):
        return ""
    if told and not (
        holds_files(brain, name)
        and Path(location).is_dir()
        and remote_name(Path(location)).casefold() != name.casefold()
    ):
        return ""
    return location


def _moved(brain: Brain, began: list[str]) -> str | None:
    found = [name for name, location in _beginning_so(brain, began).items() if not Path(location).exists()]
    return found[0] if len(found) == 1 else None


def _first_commits(root: Path) -> list[str]:
    listed = asked(root, "rev-list", "--max-parents=0", "HEAD", "--") if root.is_dir() else None
    return [commits.ref(sha) for sha in (listed or "").split()[:FIRST_COMMITS]]


def _beginning_so(brain: Brain, began: list[str]) -> dict[str, str]:
    names = [name for ref in began for name in sources_holding(brain, ref)]
    return {name: location for name in names if (location := _location(brain, name))}


def _location(brain: Brain, name: str) -> str:
    return next((at for _, called, at in locations(brain) if called == name), "")


def files_from(brain: Brain, name: str) -> str:
    """The folder that the files of the source *name* were read from the last time, if it is still there."""
    location = _location(brain, name)
    return location if location and holds_files(brain, name) and Path(location).is_dir() else ""


def holds_files(brain: Brain, name: str) -> bool:
    """Whether files or commits of the source *name* were read from a folder."""
    return holds(brain, name, "git", "tree", gone=True)
