"""Paths as people and programs give them, and as records name files: from the root of their repository."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from posixpath import normpath
from typing import Final, NamedTuple

from cortex.substrate.brain import Brain
from cortex.substrate.owners import Owner, matches, owners_of
from cortex.substrate.statements import column, run

MOST: Final = 1_000  # files that a pattern stands for at most
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


class Known:
    """The files and folders that some sources know.

    Args:
        sources: their ids.
    """

    def __init__(self, brain: Brain, sources: Collection[int]) -> None:
        self.brain, self.sources = brain, [*sources]

    @cached_property
    def _kept(self) -> Mapping[str, set[int]]:
        kept: defaultdict[str, set[int]] = defaultdict(set)
        for id_, path in run(self.brain, "paths.kept_paths", sources=self.sources):
            for one in (path, *_above(path)):
                kept[one].add(id_)
        return kept

    def of(self, path: str) -> frozenset[int]:
        """The sources that know the file or the folder at *path*."""
        touched = column(self.brain, "paths.touched_in", sources=self.sources, path=path)
        return frozenset(touched).union(self._kept.get(path, ()))

    def nearest(self, path: str) -> frozenset[int]:
        """The sources that know *path*, else the nearest folder above it that any knows; the root is of all."""
        return next((found for one in (path, *_above(path)) if (found := self.of(one))), frozenset())

    def matching(self, pattern: str) -> Place | None:
        """What *pattern* stands for; None where no file that is known matches it."""
        start = pattern[: _WILD.search(pattern).start()].rpartition("/")[0]  # type: ignore[union-attr]
        asked = {"sources": self.sources, "start": f"{start}/" if start else ""}
        found = {(file, id_) for id_, file in run(self.brain, "paths.files_within", **asked)}
        found |= {(file, id_) for file, ids in self._kept.items() for id_ in ids}
        shape = f"/{pattern}" if "/" in pattern else pattern
        matched = sorted(one for one in found if matches(shape, one[0]))
        files = dict.fromkeys(file for file, _ in matched)
        return Place(pattern, tuple(files)[:MOST], frozenset(id_ for _, id_ in matched)) if matched else None


def places_of(
    brain: Brain, paths: Iterable[str], *, own: Collection[int], sources: Collection[int], folder: str = ""
) -> list[Place]:
    """What each of *paths* stands for in the sources one stands in, else in any; the root itself is left out.

    Args:
        own: ids of the sources one stands in.
    """
    ours, theirs = Known(brain, own), Known(brain, sources)
    found = []
    for text in paths:
        here = place(ours, text, folder=folder) if own else None
        one = here if here and here.known else place(theirs, text)
        one = here if here and one and not one.known else one
        found += [one] if one else []
    return found


def place(known: Known, text: str, *, folder: str = "") -> Place | None:
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
        if found := known.of(one):
            return Place(one, (one,), found)
        if _WILD.search(one) and (matched := known.matching(one)):
            return matched
    above = {one: known.nearest(one) for one in named}
    first = next((one for one in named if above[one]), named[0] if named else name)
    return Place(first, (first,), above.get(first, frozenset()), known=False)


def owners_at(known: Known, path: str) -> list[Owner]:
    """Lines that name owners of the file or folder at *path*, as `owners_of`, of the repositories that it is in.

    What owns everything in a repository owns nothing elsewhere: it counts where the path, or a folder above it, is
    known, and everywhere where none is.
    """
    knowing = known.nearest(path) if len(known.sources) > 1 else frozenset(known.sources)
    return owners_of(known.brain, path, sources=knowing or known.sources)


def _above(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path


def _ends(name: str) -> Iterator[str]:
    parts = name.split("/")
    for start in range(1, len(parts) - 1):
        yield "/".join(parts[start:])


class Touched(NamedTuple):
    """A file: whether its tree has it, None where no tree was read, and how many commits touched it."""

    there: bool | None
    commits: int


def files_touched(brain: Brain, paths: Collection[str], *, source_id: int) -> dict[str, Touched]:
    """What is known of the files at *paths* of a source."""
    found = run(brain, "paths.files_touched", source_id=source_id, paths=paths).fetchall()
    return {path: Touched(None if there is None else bool(there), commits) for path, there, commits in found}


def put_tree(brain: Brain, paths: Collection[str], *, source_id: int) -> None:
    """Keep *paths* as the files of a source's tree; writes nothing where they are kept already."""
    from cortex.substrate.secrets import redact  # noqa: PLC0415  only an index run waits for its patterns

    kept = {path for (path,) in brain.db.execute("select path from tree where source_id = ?", (source_id,))}
    new = {*map(redact, paths)}
    if kept != new:
        with brain.transaction() as db:
            of = "delete from tree where source_id = ? and path = ?"
            db.executemany(of, [(source_id, path) for path in kept - new])
            added = ((source_id, path) for path in sorted(new - kept))
            db.executemany("insert or ignore into tree values (?, ?)", added)
