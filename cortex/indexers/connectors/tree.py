"""A project's files: listed once, each read by the connector its name belongs to."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Final

from cortex.errors import BadInput
from cortex.indexers.connectors import (
    Cursor,
    Item,
    Unread,
    decisions,
    directives,
    doc_comments,
    documents,
    manifests,
    ownership,
    python_api,
    settings,
)
from cortex.indexers.connectors.listing import leads_out, list_tree, load, printable
from cortex.indexers.connectors.pages import Page
from cortex.substrate.model import Record, Skipped

_LONGEST_ENDING: Final = 12
NO_TEXT: Final = "says nothing: empty, or headings, comments and imports only"


def read(root: Path, *, source: str) -> Iterator[Item]:
    """Every document, directive and ownership file under *root*, unread, in the order of their paths.

    A text belongs to one kind: ownership before directives, directives before decisions, and these before other
    documents. Only who owns what is told line by line and as a document too, and what a project states of itself
    beside whatever else a file is.
    The cursor is complete unless a file or folder could not be read: that must not make its records look deleted.

    Args:
        root: a repository, a folder of one, or any folder; refs and paths count from here.

    Raises:
        BadInput: *root* is no folder.
    """
    if not root.is_dir():
        raise BadInput(root, "no such folder", hint="name a repository or a folder of documents")
    return _items(Path(os.path.realpath(root)), source)


def _items(root: Path, source: str) -> Iterator[Item]:
    listed = list(list_tree(root, wanted))
    paths = {path for path in listed if isinstance(path, str)}
    standing = decisions.standing(_first(root, listed, decisions.claims))
    public = python_api.exports(_first(root, listed, python_api.is_package))
    complete = True
    for path in listed:
        for item in _read_file(root, path, paths):
            complete &= not (isinstance(item, Skipped) and item.reason.startswith("unreadable"))
            if isinstance(item, Page):
                known = standing if decisions.claims(item.path) else {}, public if python_api.claims(item.path) else {}
                yield Unread(len(item.text), partial(_stated, item, *known, source))
            else:
                yield item
    files = tuple(map(printable, sorted(paths)))
    others = (PurePosixPath(printable(one)) for one in sorted(paths) if not wanted(one) and not (root / one).is_dir())
    endings = (one.suffix.lower() if 1 < len(one.suffix) <= _LONGEST_ENDING else one.name for one in others)
    yield Cursor(value="", complete=complete, unread=dict(Counter(endings).most_common()), files=files)


def _first(root: Path, listed: list[str | Skipped], claims: Callable[[str], bool]) -> Iterator[Page]:
    """What is read twice: which decisions stand, and what packages export, is known only when all were seen."""
    for path in listed:
        if isinstance(path, str) and claims(path):
            yield from (item for item in load(root, path) if isinstance(item, Page))


def _read_file(root: Path, path: str | Skipped, paths: set[str]) -> Iterator[Skipped | Page]:
    if isinstance(path, Skipped):
        yield path
        return
    link = root / path
    target = os.path.relpath(os.path.realpath(link), root) if link.is_symlink() else path
    if instead := ownership.overruled(path, paths):
        yield Skipped(input=path, reason=f"{instead} counts instead")
    elif wanted(path) and not (target != path and target in paths and wanted(target)):
        yield from load(root, path)
    elif target != path and not link.suffix and link.is_dir() and leads_out(root, path):
        yield Skipped(input=printable(path), reason="a symlink out of the tree")


def wanted(path: str) -> bool:
    """Whether a file of this name is read."""
    return any(kind.claims(path) for kind in (*_TEXTS, manifests, settings, python_api, doc_comments))


_TEXTS: Final = (documents, directives, ownership)


def _stated(
    page: Page, standing: decisions.Standing, public: Mapping[str, str], source: str
) -> Iterator[Record | Skipped]:
    stated = [*manifests.read(page, source=source)]
    stated += settings.read(page, source=source) if settings.claims(page.path) else ()
    is_text = any(kind.claims(page.path) for kind in _TEXTS)
    items: Iterator[Record | Skipped] = iter(())
    if python_api.claims(page.path):
        items = python_api.read(page, public, source=source)
    elif doc_comments.claims(page.path):
        items = doc_comments.read(page, source=source)
    elif ownership.claims(page.path):
        items = chain(ownership.read(page, source=source), ownership.read_whole(page, source=source))
    elif directives.claims(page.path):
        items = directives.read(page, source=source)
    elif decisions.claims(page.path):
        items = decisions.read(page, standing, source=source)
    elif is_text:
        items = documents.read(page, source=source)
    says_nothing = not stated and is_text
    for item in items:
        says_nothing = False
        yield item
    if says_nothing:
        yield Skipped(input=page.path, reason=NO_TEXT)
    yield from stated
