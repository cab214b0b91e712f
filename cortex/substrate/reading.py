"""What the answer path reads of a brain: rows, records, links and counts, of some sources and as of some day."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise, starmap
from typing import Any, Final, NamedTuple, TypeVar

from cortex.language.markdown import Span
from cortex.language.patterns import patterns
from cortex.substrate.authority import AUTHORITY
from cortex.substrate.brain import Brain
from cortex.substrate.changes import Change, Lineage, changes_about, changes_of, lineage_of
from cortex.substrate.encoder import Vector
from cortex.substrate.model import called
from cortex.substrate.search import search, text_index
from cortex.substrate.selection import known_records
from cortex.substrate.statements import rows, run
from cortex.substrate.text_index import Match, Name, TextIndex
from cortex.substrate.vectors import nearest

Counted = TypeVar("Counted")

STANDING: Final = ("doc", "directive", "ownership", "project", "code")
"""Types of records that state how things are and are kept up to date."""


class Row(NamedTuple):
    """A fact, or a passage of a record.

    Attributes:
        text: the statement of a fact; a passage as searched, without the lines it quotes.
        unverified: 1 where nobody with rights wrote it or took it up.
        day: when its record was merged or made, ISO 8601; '' when unknown.
        start: first character of the record's body; `end` is the one after the last.
        handle: of the fact; '' for a passage.
    """

    id: int
    record_id: int
    source_id: int
    ref: str
    type: str
    title: str
    authority: float
    thread: str
    state: str
    author: str
    association: str
    unverified: int
    day: str
    start: int
    end: int
    text: str
    handle: str = ""
    kind: str = ""
    confidence: float = 1.0

    @property
    def called(self) -> str:
        """Its title; that of code without its signature, which states something and names many things."""
        return called(self.type, self.title)

    @property
    def about(self) -> str:
        """The thread it belongs to: the issue or pull request of a comment, the file of a section, else the record."""
        return self.thread or self.ref.partition("~" if self.type == "code" else "#")[0]


class Linked(NamedTuple):
    """A record linked to a thread: what fixed it, decided it, duplicates it."""

    source_id: int
    thread: str
    record_id: int
    relation: str
    certainty: float


class Reader:
    """Reads one open brain: these sources, as of this day.

    Args:
        sources: names of the sources that may be read, by id.
        as_of: ISO 8601; rows made later are not seen, and records have the state they had. '' is now.
    """

    def __init__(self, brain: Brain, sources: Mapping[int, str], *, as_of: str = "") -> None:
        self.brain, self.sources, self.as_of = brain, dict(sources), as_of
        self._ids = [*self.sources]
        self._indexes: dict[Name, TextIndex] = {}

    @cached_property
    def counted(self) -> dict[str, Any]:
        """What was counted in the rows, as `Brain.counted` has it: looked up once for all that is read here."""
        return self.brain.counted()

    def once(self, key: str, count: Callable[[], Counted]) -> Counted:
        """What *count* gives of these sources: it is kept until anybody writes."""
        key = f"{key} {self._ids}"
        if key not in self.counted:
            self.counted[key] = count()
        return self.counted[key]  # type: ignore[no-any-return]

    def _index(self, name: Name) -> TextIndex:
        if name not in self._indexes:
            index = self.once(f"index {name}", lambda: text_index(self.brain.db, name, self._ids))
            self._indexes[name] = index.ready()
        return self._indexes[name]

    def passages(self, terms: Sequence[str], *, limit: int, beside: Sequence[str] = ()) -> list[Match]:
        """Passages by BM25, best first; with *beside*, those that hold one of these too."""
        return self._best("passages", terms, limit, beside)

    def facts(self, terms: Sequence[str], *, limit: int) -> list[Match]:
        """Facts by BM25, best first."""
        return self._best("facts", terms, limit)

    def _best(self, name: Name, terms: Sequence[str], limit: int, beside: Sequence[str] = ()) -> list[Match]:
        if not terms:
            return []
        index = self._index(name)
        return search(self.brain.db, name, terms, beside=beside, sources=self._ids, limit=limit, index=index)

    def records_holding(self, words: Sequence[Sequence[str]], *, titled: bool) -> list[int]:
        """Ids of the records with a passage that holds a word of each group, or *titled* so; 'instal*' begins so."""
        return self._index("passages").holding(words, titled=titled)

    def passage_rows(self, ids: Sequence[int]) -> dict[int, Row]:
        """Passages by id; those that were not known as of the day are left out."""
        return {row.id: row for row in self._rows("rows_of_passages", ids, first=False)}

    def fact_rows(self, ids: Sequence[int]) -> dict[int, Row]:
        """Facts by id; those that did not hold as of the day are left out."""
        return {row.id: row for row in self._rows("rows_of_facts", ids)}

    def first_rows(self, record_ids: Sequence[int]) -> dict[int, Row]:
        """The first passage of each record, by the record's id."""
        return {row.record_id: row for row in self._rows("rows_of_passages", record_ids, first=True)}

    def titles(self, type_: str) -> list[tuple[int, str, str]]:
        """The id, the ref and the title of each record of a type."""
        return run(self.brain, "records.titles", sources=self._ids, type=type_).fetchall()

    def _rows(self, statement: str, ids: Sequence[int], **how: bool) -> list[Row]:
        if not ids:
            return []
        found = [*starmap(Row, run(self.brain, f"text_index.{statement}", ids=ids, as_of=self.as_of, **how))]
        records = {row.record_id for row in found}
        known = known_records(self.brain, records, as_of=self.as_of, facts=statement == "rows_of_facts")
        return [row for row in found if row.record_id in known]

    def records(self, ids: Collection[int]) -> dict[int, dict[str, Any]]:
        """Records as a citation shows them, with their body and source, by id, in the state they had."""
        cited = rows(self.brain, "records.cited_records", ids=ids, as_of=self.as_of)
        found = {record["id"]: self._then(record) | {"shared": 0, "ambiguous": 0} for record in cited}
        for id_, shared, ambiguous in self._called_alike(ids):
            found[id_] |= {"shared": shared, "ambiguous": ambiguous}
        for id_, later in written_later(self.brain, found, self.as_of).items() if self.as_of else ():
            found[id_] |= {"body": without(found[id_]["body"], later), "whole": found[id_]["body"]}
        return found

    def _called_alike(self, ids: Collection[int]) -> Iterable[tuple[int, int, int]]:
        if len(self._ids) == 1 or not ids:
            return ()
        return run(self.brain, "records.called_alike", ids=ids, sources=self._ids)

    def _then(self, record: dict[str, Any]) -> dict[str, Any]:
        record |= {name: tuple(json.loads(record[name])) for name in ("labels", "assignees")}
        record["source"] = self.sources[record["source_id"]]
        if self.as_of and record["state"] == "superseded" and not record["superseded_by"]:
            record["state"] = ""
        if not self.as_of or max(record["merged_at"] or "", record["closed_at"] or "") <= self.as_of:
            return record
        then = {"state": "open", "merged_at": None, "closed_at": None, "merged_by": "", "closed_by": ""}
        authority = min(record["authority"], AUTHORITY[f"{record['type']} open"])
        return record | then | {"reverted_by": "", "superseded_by": "", "authority": authority, "updated_at": None}

    def frequencies(self, stems: Collection[str]) -> tuple[int, dict[str, int]]:
        """How many passages there are, and how many hold each of *stems*; stems nobody wrote are left out."""
        return self._index("passages").frequencies(stems)

    def linked(self, threads: Sequence[tuple[int, str]]) -> list[Linked]:
        """What the links of *threads* (source id, ref) lead to; each thread itself first, as 'itself'."""
        asked = [{"source": source_id, "ref": ref} for source_id, ref in threads]
        heads = {
            id_: (source_id, ref)
            for id_, source_id, ref in run(self.brain, "records.threads", threads=asked).fetchall()
        }
        found = [Linked(*head, id_, "itself", 1.0) for id_, head in heads.items()]
        links = run(self.brain, "links.related", ids=heads).fetchall() if heads else []
        found += [Linked(*heads[id_], to, relation, certainty) for id_, to, relation, certainty in links]
        return found

    def named(self, refs: Sequence[tuple[str, str]]) -> list[tuple[int, int | None]]:
        """Records whose ref lies between the two of a pair, with the fact that states how each stands."""
        return run(self.brain, "lookups.named_records", sources=self._ids, refs=refs).fetchall() if refs else []

    def decisions_numbered(self, numbers: Sequence[int]) -> list[tuple[int, int | None]]:
        """Decision records with these numbers, as `named` gives records."""
        asked = {"sources": self._ids, "refs": [], "numbers": numbers}
        return run(self.brain, "lookups.named_decisions", **asked).fetchall() if numbers else []

    def nearest(self, vector: Vector, *, encoder: str, limit: int) -> list[tuple[int, float]]:
        """Passages by id with their likeness to *vector*, the nearest first; none where no vectors are stored."""
        return [*nearest(
            self.brain, vector, encoder=encoder, sources=self._ids, limit=limit, as_of=self.as_of, counted=self.counted,
        )]  # fmt: skip

    def lineage(self, record_ids: Collection[int]) -> dict[int, tuple[Lineage, ...]]:
        """What took the place of these records as of the day, by record id; none of a record that stands."""
        return lineage_of(self.brain, record_ids, as_of=self.as_of)

    def changes_about(self, stems: Collection[str]) -> list[Change]:
        """The changes of what all of *stems* name, the latest first."""
        return changes_about(self.brain, self._ids, stems, as_of=self.as_of)

    def changes_of(self, record_ids: Collection[int]) -> dict[int, tuple[Change, ...]]:
        """What these records change, by record id."""
        return changes_of(self.brain, record_ids)


class _Verified(dict[str, int]):
    """In how many verified passages each stem stands, down to one; counted once it is asked for."""

    def __init__(self, index: TextIndex, found: Mapping[str, int], counted: dict[str, int]) -> None:
        super().__init__(found)
        self._index, self._uncounted, self._counted = index, {*found}, counted

    def get(self, stem: str, default: Any = None) -> Any:  # noqa: ANN401  as a dict has it
        if stem in self._uncounted:
            self._uncounted.discard(stem)
            if stem not in self._counted:
                self._counted[stem] = self._index.unverified(stem)
            self[stem] = max(1, self[stem] - self._counted[stem])
        return super().get(stem, default)


class VerifiedReader(Reader):
    """A reader for which a word is as rare as it is in verified passages, however often others repeat it."""

    def frequencies(self, stems: Collection[str]) -> tuple[int, dict[str, int]]:
        """As every reader tells them, with the unverified passages left out of each stem's count, down to one."""
        rows, found = super().frequencies(stems)
        return rows, _Verified(self._index("passages"), found, self.once("unverified", dict[str, int]))


_PART: Final = re.compile(r"\n(?=[^\S\n]*(?:\n|[-*+•#|]|\d{1,3}[.)]\s|\**\w[\w -]{0,30}:))")
"""Where a paragraph, an item, a row or a field such as 'Status:' begins."""


def written_later(brain: Brain, ids: Collection[int], as_of: str) -> dict[int, re.Pattern[str]]:
    """By record id: what finds the parts of its text that were written after *as_of*.

    A part that names what was made later was written later, and so was the status of a document replaced later.
    """
    ways: dict[int, set[str]] = {}
    for id_, _, _, named, is_new in run(brain, "lookups.named_later", ids=ids, as_of=as_of):
        if is_new:
            number = re.escape(named.partition(":")[2])
            replaced = patterns("questions", "status")["replaced"].pattern.removeprefix("(?im)")
            ways.setdefault(id_, set()).add(rf"(?:#|\bgh-|/)(?:{number})(?!\w)" if named else replaced)
    return {id_: re.compile("|".join(sorted(every)), re.I | re.M) for id_, every in ways.items()}


def without(text: str, later: re.Pattern[str]) -> str:
    r"""*text* with the parts that *later* finds blank.

    >>> without("- A lock (#7).\n- A gate\n  (#9).\n", re.compile("#9"))
    '- A lock (#7).\n        \n       \n'
    """
    starts = [0, *(match.end() for match in _PART.finditer(text)), len(text)]
    parts = (text[start:end] for start, end in pairwise(starts))
    return "".join(re.sub(r"[^\n]", " ", part) if later.search(part) else part for part in parts)


def clipped(text: str, within: Span, around: Span, whole: str) -> Span:
    """The part of *within*, around that span of it, in which *text* has all that stands in *whole*."""
    start, end = within
    blank = [place for place in range(start, min(end, len(text))) if text[place] != whole[place]]
    start = max((place + 1 for place in blank if place < around.start), default=start)
    end = min((place for place in blank if place >= around.start), default=end)
    said = text[start:end]
    return Span(start + len(said) - len(said.lstrip()), start + len(said.rstrip()))
