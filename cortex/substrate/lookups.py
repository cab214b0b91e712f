"""What stored fields tell: records by their metadata, people, labels, paths and verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from cortex.substrate.reading import Reader
from cortex.substrate.statements import column, run

EVERY: Final = -1  # the limit that is none
FIRST: Final = 16  # sources that are read before all others, where a few may tell enough


class Filter(NamedTuple):
    """Which records are asked for; what is empty asks for nothing.

    Attributes:
        types: record types.
        states: 'closed' is also 'closed as duplicate'.
        verdicts: states of reviews that they had, by `reviewers` where those are given.
        assignees: one of whom each has; '' is nobody.
        labels: one of which each has, and one of `and_labels`, and none of `not_labels`.
        paths: files or folders that they changed, or the commits they were merged as.
        words: groups of which a passage holds a word each; 'instal*' is any that begins so.
        titled: whether it holds them in its context: the title or the headings.
        dated: day that counts: 'created', 'merged', 'closed', 'reverted'; '' for the last of the first three; 'landed'
            for what was merged, and commits that came alone.
        since: first day, ISO 8601; `until` is the first after the last.
        oldest: the oldest first.
    """

    types: tuple[str, ...]
    states: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    mergers: tuple[str, ...] = ()
    closers: tuple[str, ...] = ()
    assignees: tuple[str, ...] = ()
    reviewers: tuple[str, ...] = ()
    verdicts: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    and_labels: tuple[str, ...] = ()
    not_labels: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    words: tuple[tuple[str, ...], ...] = ()
    titled: bool = False
    dated: str = ""
    since: str = ""
    until: str = ""
    reverted: bool = False
    oldest: bool = False


class StatedOf(NamedTuple):
    """What a file states of its project: a property, of what, and its heading and value as the title has them."""

    id: int
    source_id: int
    what: str
    of: str
    title: str
    path: str
    line: int | None

    @property
    def value(self) -> str:
        """The value without its heading."""
        return self.title.partition(": ")[2]


class VerdictOn(NamedTuple):
    """A reviewer's last verdict on a thread."""

    record_id: int
    author: str
    state: str
    day: str


def list_records(reader: Reader, asked: Filter, *, limit: int) -> tuple[list[int], int]:
    """Ids of the records that *asked* filters, in order, *limit* at most, and how many there are in all."""
    found = _rows(reader, asked, limit)
    return [row[0] for row in found], found[0][-1] if found else 0


def count_by(reader: Reader, asked: Filter, role: str) -> list[tuple[str, int, int]]:
    """Who has most of the records that *asked* filters: their name, how many, and the id of the latest.

    Args:
        role: 'author', 'merged_by' or 'closed_by'.
    """
    place = ("author", "merged_by", "closed_by").index(role)
    found = [
        (who, id_) for id_, *people, _ in _rows(reader, asked._replace(oldest=False), EVERY) if (who := people[place])
    ]
    latest = dict(reversed(found))
    return [(who, often, latest[who]) for who, often in Counter(who for who, _ in found).most_common()]


def _rows(reader: Reader, asked: Filter, limit: int) -> list[tuple[Any, ...]]:
    holding = reader.records_holding(asked.words, titled=asked.titled) if asked.words else None
    values = asked._asdict() | _scope(reader) | {"holding": holding, "limit": limit}
    return run(reader.brain, "lookups.listed_records", **values).fetchall()


def people_called(reader: Reader, name: str, *, reviewers: bool = False) -> list[str]:
    """Who is called *name*; by a first name one person alone; with *reviewers* also who only wrote reviews."""
    found = run(reader.brain, "people.people_called", **_scope(reader), name=name).fetchall()
    if not found and reviewers:
        return column(reader.brain, "people.reviewers_called", **_scope(reader), name=name.lower())
    whole = [who for who, is_whole in found if is_whole]
    return whole or ([found[0][0]] if len(found) == 1 else [])


def git_names(reader: Reader, login: str) -> list[str]:
    """What git calls who is called *login* on GitHub, in lower case."""
    return column(reader.brain, "people.names_of_login", **_scope(reader), who=login.lower())


def labels_called(reader: Reader, names: Sequence[str]) -> list[str]:
    """The labels of issues and pull requests that one of *names*, in lower case, calls."""
    return column(reader.brain, "people.labels_called", **_scope(reader), names=names)


def paths_called(reader: Reader, name: str) -> list[str]:
    """The file or folder *name* that commits changed; else the one file that ends so."""
    if name and column(reader.brain, "paths.touched_in", sources=reader.sources, path=name):
        return [name]
    ending = column(reader.brain, "paths.paths_ending", sources=reader.sources, name=name)
    return ending if len(ending) == 1 else []


def records_called(reader: Reader, refs: Sequence[str]) -> list[int]:
    """Ids of the records of these refs; 'commit:0a1b2c3' is every commit that begins so."""
    spans = [(ref, f"{ref}g" if ref.startswith("commit:") else ref) for ref in refs]
    return [record_id for record_id, _ in reader.named(spans)]


def verdicts_on(reader: Reader, source_id: int, ref: str, *, verdict: str = "") -> list[VerdictOn]:
    """Each reviewer's last verdict on a thread, the latest first; of *verdict* alone where it is given."""
    asked = {"source_id": source_id, "ref": ref, "as_of": reader.as_of, "verdict": verdict}
    return [VerdictOn(*row) for row in run(reader.brain, "lookups.verdicts_on", **asked)]


def has_issues(reader: Reader) -> bool:
    """Whether the brain holds any issue: a git history alone has none, and says nothing of which there are."""
    return bool(column(reader.brain, "lookups.has_issues", **_scope(reader))[0])


def linking_to(reader: Reader, source_id: int, ref: str, relation: str) -> list[int]:
    """Ids of the merged pull requests and commits that link to *ref*, the latest first."""
    asked = {"source_id": source_id, "ref": ref, "relation": relation, "as_of": reader.as_of}
    return column(reader.brain, "links.merged_linking_to", **asked)


def stated_of_project(
    reader: Reader, properties: Sequence[str], *, among: Sequence[int] | None = None
) -> list[StatedOf]:
    """What the files of the sources state of these *properties*, in the order of their paths and lines.

    Args:
        among: ids of the sources, where these are not all that are read.
    """
    asked = {"sources": [*reader.sources] if among is None else among, "named": properties}
    return [StatedOf(*row) for row in run(reader.brain, "lookups.project_records", **asked)] if asked["sources"] else []


def stated_by_source(
    reader: Reader, properties: Sequence[str], *, among: Sequence[int] | None = None
) -> dict[int, list[StatedOf]]:
    """As `stated_of_project`, by the id of the source."""
    found: dict[int, list[StatedOf]] = {}
    for one in stated_of_project(reader, properties, among=among):
        found.setdefault(one.source_id, []).append(one)
    return found


def _scope(reader: Reader) -> dict[str, Any]:
    return {"sources": [*reader.sources], "as_of": reader.as_of}
