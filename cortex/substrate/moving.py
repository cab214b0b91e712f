"""Files that were moved: one that went while another has its text, or came with most of its lines, is that one now."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql


class _File(NamedTuple):
    type: str
    path: str


class _Part(NamedTuple):
    """A record of a file."""

    ref: str
    body: str
    came: bool


_Files = Mapping[_File, Sequence[_Part]]


def note_moved(brain: Brain, values: Mapping[str, object]) -> None:
    """Link what went with this listing to where it stands now; the caller has begun the transaction."""
    brain.db.execute(sql("note_moved"), values)
    if not (left := _files(brain, "left_files", values)):
        return
    standing = _files(brain, "standing_files", values)
    link = "insert or ignore into links (source_id, from_ref, relation, to_source, to_ref) values (?, ?, ?, '', ?)"
    for old, new in _pairs(left, standing):
        moves = [(values["source_id"], ref, "moved_to", to) for ref, to in _places(old, left[old], new, standing[new])]
        brain.db.executemany(link, moves)


def _files(brain: Brain, statement: str, values: Mapping[str, object]) -> _Files:
    files: dict[_File, list[_Part]] = defaultdict(list)
    for type_, path, ref, body, came in brain.db.execute(sql(statement), values):
        files[_File(type_, path)].append(_Part(ref, body, bool(came)))
    return files


def _pairs(left: _Files, standing: _Files) -> Iterator[tuple[_File, _File]]:
    old, new = _own_lines(left), _own_lines(standing)
    common = {(file.type, line) for file, lines in _lines(standing).items() for line in lines}
    common -= {(file.type, line) for file, lines in new.items() for line in lines}
    owner = {(file.type, line): file for file, lines in new.items() if standing[file][0].came for line in lines}
    for file, every in old.items():
        lines = {line for line in every if (file.type, line) not in common}
        shared: Counter[_File] = Counter()
        for line in lines:
            if found := owner.get((file.type, line)):
                shared[found] += len(line)
        best, size = max(shared.items(), key=lambda one: (one[1], one[0]), default=(file, 0))
        if size and 2 * size >= sum(map(len, lines)):
            yield file, best


def _own_lines(files: _Files) -> dict[_File, set[str]]:
    """The lines of each file that no other of them has: what a template gives to all tells nothing."""
    lines = _lines(files)
    counts = Counter((file.type, line) for file, every in lines.items() for line in every)
    return {file: {line for line in every if counts[file.type, line] == 1} for file, every in lines.items()}


def _lines(files: _Files) -> dict[_File, set[str]]:
    return {
        file: {line.strip() for part in parts for line in part.body.split("\n")} - {""} for file, parts in files.items()
    }


def _places(old: _File, parts: Sequence[_Part], new: _File, now: Sequence[_Part]) -> Iterator[tuple[str, str]]:
    """Where each part stands now: what has its text, or its place in the file, or at least half of its lines."""
    by_body = {part.body: part.ref for part in reversed(now)}
    refs = {part.ref for part in now}
    for ref, body, _ in parts:
        same_place = f"{new.type}:{new.path}{ref[len(f'{old.type}:{old.path}') :]}"
        if to := by_body.get(body) or (same_place if same_place in refs else _closest(body, now)):
            yield ref, to


def _closest(body: str, now: Sequence[_Part]) -> str:
    """The part with the most of the lines of *body*; '' where none has half of them."""
    lines = set(body.split("\n")) - {""}
    shared = {part.ref: sum(map(len, lines.intersection(part.body.split("\n")))) for part in now}
    ref = max(sorted(shared), key=shared.__getitem__)
    return ref if 2 * shared[ref] >= sum(map(len, lines)) else ""
