"""Ownership files: CODEOWNERS, OWNERS and MAINTAINERS, one record a line that names owners."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

from cortex.indexers.connectors import documents, maintainers
from cortex.indexers.connectors.pages import Page, Span, line, line_count, record_of, trimmed
from cortex.language.patterns import patterns
from cortex.substrate.model import Record, Skipped
from cortex.substrate.owners import is_bare_list

_ENGLISH: Final = patterns("connectors", "ownership")

_PLACES = (".github/", "", "docs/", ".gitlab/", ".gitea/", ".forgejo/")
_GITLAB_SECTION = re.compile(r"\^?\[(?P<name>[^\]]+)\](?:\[\d+\])?(?P<owners>.*)")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_PATTERN_END = re.compile(r"(?<!\\)\s+")
_KEY = re.compile(r"(?!file:)(?P<key>[^\s:]+)\s*:(?P<value>(?:\s.*)?)")
_PERSON = re.compile(r"@?[\w.+-]+(?:[@/][\w.-]+)?")
_PEOPLE = {"approvers", "reviewers", "owners", "maintainers", "emeritus_approvers", "emeritus_reviewers"}
_LONGEST_LINE = 1_000


def claims(path: str) -> bool:
    """Whether the file at *path* says who owns what, by its name."""
    return _ENGLISH["file"].fullmatch(path) is not None or maintainers.claims(path)


def overruled(path: str, paths: Container[str]) -> str:
    """The CODEOWNERS file that counts instead of the one at *path*; '' where that counts, or is none.

    Source: GitHub takes the first of .github/, the root and docs/; GitLab of the root, docs/ and .gitlab/.

    >>> overruled("CODEOWNERS", {".github/CODEOWNERS", "CODEOWNERS"}), overruled("src/OWNERS", {"CODEOWNERS"})
    ('.github/CODEOWNERS', '')
    """
    places = [place + "CODEOWNERS" for place in _PLACES]
    if path not in places:
        return ""
    return next((place for place in places[: places.index(path)] if place in paths), "")


def read(found: Page, *, source: str) -> Iterator[Record | Skipped]:
    """An `ownership` record for every line that names owners, its number the ref: `ownership:.github/CODEOWNERS#12`.

    Its title leads from the kind of file to what is owned, `CODEOWNERS › UI › /src/`; its assignees are the owners as
    written, without `@`.
    """
    name = PurePosixPath(found.path).name
    if name == "CODEOWNERS":
        yield from _codeowners(found, source)
    elif name == "OWNERS":
        yield from _owners(found, source)
    else:
        yield from maintainers.read(found, source=source)


def read_whole(found: Page, *, source: str) -> Iterator[Record | Skipped]:
    """The file as a document, for what its comments say and to be cited as one: `doc:.github/CODEOWNERS`."""
    read_ = documents.read_plain if is_bare_list(found.path) else documents.read
    yield from read_(found, source=source)


def _codeowners(found: Page, source: str) -> Iterator[Record]:
    section, defaults, comments, above = "", "", list[str](), ""
    for number in range(line_count(found)):
        text = line(found, number).strip()
        if gitlab := _GITLAB_SECTION.fullmatch(text):
            section, defaults = gitlab["name"], gitlab["owners"]
        elif text.startswith("#"):
            comments = [*comments, text] if above.startswith("#") else [text]
        elif not text:
            comments = []
        else:
            pattern, *owners = _PATTERN_END.split(text, maxsplit=1)
            titles = ("CODEOWNERS", section, _heading(comments), pattern.replace("\\ ", " "))
            yield _record(found, number, titles, _COMMENT.sub("", "".join(owners) or defaults).split(), source)
        above = text


def _heading(comments: Sequence[str]) -> str:
    """What the comment above a block calls it: one short line.

    Prose, rules commented out, and what could stand above any block, as "Owners", call it nothing.
    """
    words = [comment.strip("#=-*~ \t") for comment in comments]
    lines = [line for line in words if line]
    if len(lines) != 1 or len(lines[0]) > 80 or "@" in lines[0] or _ENGLISH["no_section"].fullmatch(lines[0]):
        return ""
    return lines[0]


def _owners(found: Page, source: str) -> Iterator[Record]:
    """The people in lists below a key, as Kubernetes writes them, or on lines of their own, as Chromium does."""
    folder, key = str(PurePosixPath(found.path).parent), ""
    place = ("OWNERS", "/" if folder == "." else folder + "/")
    for number in range(line_count(found)):
        text, names = _COMMENT.sub("", line(found, number))[:_LONGEST_LINE].strip(), list[str]()
        if per_file := _ENGLISH["per_file"].fullmatch(text):
            yield _record(found, number, (*place, per_file["files"]), re.split(r"[,\s]+", per_file["owners"]), source)
        elif begun := _KEY.fullmatch(text):
            key, names = begun["key"], _PERSON.findall(begun["value"])
        else:
            names = [name for name in (text.removeprefix("- ").strip("\"' "),) if _PERSON.fullmatch(name)]
            if names and not key:
                yield _record(found, number, place, names, source)
        if names and key in _PEOPLE:
            gone = key.startswith("emeritus")
            state = "emeritus" if gone else ""
            yield _record(found, number, (*place, key), [] if gone else names, source, state=state)


def _record(
    found: Page, number: int, titles: Sequence[str], owners: Sequence[str], source: str, *, state: str = ""
) -> Record:
    span = trimmed(found, Span(found.starts[number], found.starts[number + 1]))
    ref, title = f"ownership:{found.path}#{number + 1}", " › ".join(filter(None, titles))
    who = tuple(dict.fromkeys(owner.removeprefix("@") for owner in owners if owner))
    return record_of(found, span, source=source, type="ownership", ref=ref, title=title, state=state, assignees=who)
