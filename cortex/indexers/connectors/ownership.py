"""Ownership files: CODEOWNERS, OWNERS and MAINTAINERS, one record a line that names owners."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

from cortex.indexers.connectors import documents
from cortex.indexers.connectors.directives import Rule, nodes, rules, within
from cortex.indexers.connectors.markdown import plain
from cortex.indexers.connectors.outline import document
from cortex.indexers.connectors.pages import Page, Span, line, line_count, line_numbers, lines_span, record_of, trimmed
from cortex.language.patterns import patterns
from cortex.substrate.model import Record, Skipped
from cortex.substrate.owners import is_bare_list

_ENGLISH: Final = patterns("connectors", "ownership")
_MAINTAINERS: Final = patterns("connectors", "maintainers")
_AREAS: Final = patterns("connectors", "areas")

_PLACES = (".github/", "", "docs/", ".gitlab/", ".gitea/", ".forgejo/")
_GITLAB_SECTION = re.compile(r"\^?\[(?P<name>[^\]]+)\](?:\[\d+\])?(?P<owners>.*)")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_PATTERN_END = re.compile(r"(?<!\\)\s+")
_KEY = re.compile(r"(?!file:)(?P<key>[^\s:]+)\s*:(?P<value>(?:\s.*)?)")
_PERSON = re.compile(r"@?[\w.+-]+(?:[@/][\w.-]+)?")
_PEOPLE = {"approvers", "reviewers", "owners", "maintainers", "emeritus_approvers", "emeritus_reviewers"}
_LONGEST_LINE = 1_000
_HANDLE = re.compile(r"(?<![\w./@])@([A-Za-z\d](?:[\w-]*[A-Za-z\d])?(?:/[\w.-]+)?)")
_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_LINE_WORDS = 12
_AREA_WORDS = 12  # more are a sentence about something else
_NAMED = re.compile(r"([^\W\d_][\w.' -]{0,60}?)\s{0,9}<[^<>\s]{1,64}@[^<>\s]{1,255}>")


def claims(path: str) -> bool:
    """Whether the file at *path* says who owns what, by its name."""
    return _ENGLISH["file"].fullmatch(path) is not None or is_of_maintainers(path)


def is_of_maintainers(path: str) -> bool:
    """Whether the file at *path* lists maintainers, by its name."""
    return _MAINTAINERS["file"].fullmatch(path) is not None


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
        yield from _maintainers(found, source)


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
            owners = _COMMENT.sub("", "".join(owners) or defaults).split()
            span = trimmed(found, lines_span(found, number, number + 1))
            yield _record(found, span, titles, owners, source)
        above = text


def _heading(comments: Sequence[str]) -> str:
    """What the comment above a block calls it: one short line.

    Prose, rules commented out, and what could stand above any block, as "Owners", call it nothing.
    """
    match [*filter(None, (comment.strip("#=-*~ \t") for comment in comments))]:
        case [one] if len(one) <= 80 and "@" not in one and not _ENGLISH["no_section"].fullmatch(one):
            return one
    return ""


def _owners(found: Page, source: str) -> Iterator[Record]:
    """The people in lists below a key, as Kubernetes writes them, or on lines of their own, as Chromium does."""
    folder, key = str(PurePosixPath(found.path).parent), ""
    place: tuple[str, ...] = ("OWNERS", "/" if folder == "." else folder + "/")
    for number in range(line_count(found)):
        text = _COMMENT.sub("", line(found, number))[:_LONGEST_LINE].strip()
        titles, names = place, [name for name in (text.removeprefix("- ").strip("\"' "),) if _PERSON.fullmatch(name)]
        if per_file := _ENGLISH["per_file"].fullmatch(text):
            titles, names = (*place, per_file["files"]), re.split(r"[,\s]+", per_file["owners"])
        elif begun := _KEY.fullmatch(text):
            key, names = begun["key"], _PERSON.findall(begun["value"])
        if key and not per_file:
            titles, names = (*place, key), names if key in _PEOPLE else []
        if names:
            span = trimmed(found, lines_span(found, number, number + 1))
            former = key.startswith("emeritus") and not per_file
            yield _record(found, span, titles, names, source, former=former)


def _record(
    found: Page, span: Span, titles: Sequence[str], owners: Iterable[str], source: str, *, former: bool = False
) -> Record:
    first, _ = line_numbers(found, span) or (0, 0)
    who = () if former else tuple(dict.fromkeys(owner.removeprefix("@") for owner in owners if owner))
    return record_of(
        found, span, source=source, type="ownership", ref=f"ownership:{found.path}#{first}",
        title=" › ".join(filter(None, titles)), state="emeritus" if former else "", assignees=who,
    )  # fmt: skip


def _maintainers(found: Page, source: str) -> Iterator[Record]:
    """The people in a list, a table or lines of their own, and what they maintain.

    A title leads to what they maintain, `MAINTAINERS › parser`, and ends at the file where that is everything. Who
    maintains it no more is no assignee, and the record's state is 'emeritus'.
    """
    if is_bare_list(found.path):
        yield from _plain(found, source)
        return
    parsed = document(found, fallback="MAINTAINERS")
    blocks = nodes(parsed.tokens)
    for section in parsed.sections:
        stated = list(rules(found, within(blocks, section.first, section.end), people=True))
        if any(people(found.text[slice(*rule.span)]) for rule in stated):
            yield from (_ruled(found, rule, section.titles[1:], source) for rule in stated)


def _ruled(found: Page, rule: Rule, headings: Sequence[str], source: str) -> Record:
    text = found.text[slice(*rule.span)]
    owners, head = people(text), _table_head(found, rule)
    context = rule.context[:-1] if head else rule.context
    titles = [*headings, *context]
    if owners and not _is_former(*titles, text):
        sides = _AREAS["separator"].split(text.strip(), maxsplit=1)
        without = [side for side in sides if not people(side)]
        # Before or after the people it names an item says what they maintain.
        area = next(iter(_named(without)), "") if len(sides) == 2 and len(without) == 1 else ""
        titles = [*_named(titles), _of_row(text, head) if head else area]
    return _maintained(found, rule.span, titles, owners, source)


def _table_head(found: Page, rule: Rule) -> str:
    """The head of the table that *rule* is a row of; '' where it is none."""
    number = bisect_right(found.starts, rule.span.start) - 1
    while number > 1 and "|" in line(found, number):
        number -= 1
        parts = line(found, number).rstrip("\r\n")
        if "-" in parts and _AREAS["delimiter"].fullmatch(parts):
            return line(found, number - 1)
    return ""


def people(text: str) -> list[str]:
    """Who *text* names: handles, else profiles, else the names before mail addresses, else those addresses.

    >>> people("| Ada Lovelace | [@ada](https://github.com/ada) | engine |"), people("Ada Lovelace <ada@example.org>")
    (['ada'], ['Ada Lovelace'])
    """
    handles = _HANDLE.findall(text) or _MAINTAINERS["profile"].findall(text)
    if handles or not (addresses := _ADDRESS.findall(text)):
        return list(dict.fromkeys(handles))
    # An address in a sentence is where to write to, on a line of its own it is somebody.
    names = _NAMED.findall(text) or (addresses if len(text.split()) <= _LINE_WORDS else [])
    return list(dict.fromkeys(names))


def _plain(found: Page, source: str) -> Iterator[Record]:
    heading = ""
    for number in range(line_count(found)):
        text = line(found, number).strip()
        if names := people(text):
            titles = [heading] if _is_former(heading) else _named([heading])
            yield _maintained(found, trimmed(found, lines_span(found, number, number + 1)), titles, names, source)
        elif text and text.strip("#=-*~ "):
            heading = text.strip("#=-*~: ")[:100]


def _maintained(found: Page, span: Span, titles: Sequence[str], owners: Sequence[str], source: str) -> Record:
    former = bool(owners) and _is_former(*titles, found.text[slice(*span)].partition("\n")[0])
    return _record(found, span, ("MAINTAINERS", *titles), owners, source, former=former)


def _is_former(*texts: str) -> bool:
    """Whether a heading or a line says that somebody maintains it no more.

    >>> _is_former("Emeritus maintainers"), _is_former("Information")
    (True, False)
    """
    return any(_AREAS["former"].search(text) for text in texts)


def _named(texts: Iterable[str]) -> list[str]:
    """Those headings that say what is maintained, not that people follow.

    >>> _named(["Current maintainers", "Parser", "The following people"])
    ['Parser']
    """
    short = (text for text in (plain(text).strip(" :") for text in texts) if 0 < len(text.split()) <= _AREA_WORDS)
    return [text for text in short if not (_AREAS["of_people"].fullmatch(text) or _AREAS["of_areas"].fullmatch(text))]


def _of_row(row: str, head: str) -> str:
    """The cells of a table's *row* under those names of its *head* that speak of no person."""
    heads, cells = (
        [plain(cell.strip()) for cell in _AREAS["cell"].split(one.strip().strip("|"))] for one in (head, row)
    )
    pairs = zip(heads, cells, strict=False)
    said = [cell for column, cell in pairs if not _AREAS["of_people"].fullmatch(column) and not people(cell)]
    return ", ".join(cell for cell in _named(said) if any(map(str.isalpha, cell)))
