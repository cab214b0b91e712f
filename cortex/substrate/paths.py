"""Paths as people and programs give them, and as records name files: from the root of their repository."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import PurePosixPath
from posixpath import normpath
from typing import Final, NamedTuple

from cortex.substrate.brain import Brain
from cortex.substrate.owners import Owner, matches, owners_of
from cortex.substrate.statements import sql

MOST: Final = 1_000
"""Files that a pattern stands for at most."""

_WILD: Final = re.compile(r"[*?]")


class Here(NamedTuple):
    """Where somebody stands.

    Attributes:
        home: names of the sources read from there.
        folder: from the root of the repository.
    """

    home: tuple[str, ...] = ()
    folder: str = ""


NOWHERE: Final = Here()


class Place(NamedTuple):
    """What a path stands for.

    Attributes:
        name: of the file or the folder, from the root of its repository, or a pattern.
        files: what records call it; of a pattern, the files it matches.
        sources: ids of those that know it, else a folder above it; none where none does.
        known: something stands there, or stood.
    """

    name: str
    files: tuple[str, ...]
    sources: frozenset[int]
    known: bool = True


def places_of(
    brain: Brain, paths: Iterable[str], *, own: Collection[int], sources: Collection[int], folder: str = ""
) -> list[Place]:
    """What each of *paths* stands for in the sources one stands in, else in any; the root itself is left out.

    Args:
        own: ids of the sources one stands in.
    """
    found = []
    for text in paths:
        here = place(brain, text, sources=own, folder=folder) if own else None
        one = here if here and here.known else place(brain, text, sources=sources)
        one = here if here and one and not one.known else one
        found += [one] if one else []
    return found


def place(brain: Brain, text: str, *, sources: Collection[int], folder: str = "") -> Place | None:
    """What *text* stands for: a file or a folder, from the root or from *folder*, or all that a pattern matches.

    Of an absolute path it is what the end of it names that is known. None for the root itself.

    Args:
        folder: where one stands, from the root of the repository.
    """
    plain = normpath(text.strip().replace("\\", "/"))
    absolute = plain.startswith("/") or bool(re.match(r"[A-Za-z]:/|~/", plain))
    name = plain.strip("/")
    if name in ("", "."):
        return None
    below = normpath(f"{folder}/{name}").strip("/") if folder else name
    named = [one for one in dict.fromkeys((name, below)) if not one.startswith("../") and one not in ("..", ".")]
    for one in [*named, *(_ends(name) if absolute else ())]:
        if found := _known(brain, one, sources):
            return found
    above = {one: _knowing_above(brain, one, sources) for one in named}
    first = next((one for one in named if above[one]), named[0] if named else name)
    return Place(first, (first,), above.get(first, frozenset()), known=False)


def _ends(name: str) -> Iterator[str]:
    """What is left of a path without its first folders, the longest first, and its last part only in a folder."""
    parts = name.split("/")
    for start in range(1, len(parts) - 1):
        yield "/".join(parts[start:])


def owners_at(brain: Brain, path: str, *, sources: Collection[int]) -> list[Owner]:
    """Lines that name owners of the file or folder at *path*, as `owners_of`, of the repositories that it is in.

    What owns everything in a repository owns nothing elsewhere: it counts where the path, or a folder above it, is
    known, and everywhere where none is.
    """
    known = _known(brain, path, sources)
    knowing = known.sources if known else _knowing_above(brain, path, sources)
    return owners_of(brain, path, sources=knowing or sources)


def _knowing_above(brain: Brain, path: str, sources: Collection[int]) -> frozenset[int]:
    """The sources that know the nearest folder above *path* that any knows; the root is of all."""
    above = (str(one) for one in PurePosixPath(path).parents if one.name)
    return next((found.sources for one in above if (found := _known(brain, one, sources))), frozenset())


def _known(brain: Brain, name: str, sources: Collection[int]) -> Place | None:
    listed = json.dumps([*sources])
    knowing = {id_ for (id_,) in brain.db.execute(sql("sources_of_path"), {"sources": listed, "path": name})}
    if knowing:
        return Place(name, (name,), frozenset(knowing))
    wild = _WILD.search(name)
    if wild is None:
        return None
    start = name[: wild.start()].rpartition("/")[0]
    found = brain.db.execute(sql("files_within"), {"sources": listed, "start": f"{start}/" if start else ""})
    matched = [(id_, file) for id_, file in found if matches(f"/{name}" if "/" in name else name, file)]
    files = dict.fromkeys(file for _, file in matched)
    return Place(name, tuple(files)[:MOST], frozenset(id_ for id_, _ in matched)) if matched else None
