"""Locate a topic in the code: files changed by the records about it, in any language."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from cortex.composer.query.intents import Lookup
from cortex.composer.query.matching import Matcher
from cortex.composer.query.understand import understand
from cortex.composer.retrieve.stated import Items, sentence, source_of
from cortex.composer.values import Listed, Query
from cortex.language.patterns import read_table
from cortex.regex import regex
from cortex.substrate.paths import files_touched
from cortex.substrate.quoting import inert, titled
from cortex.substrate.reading import Reader, Row
from cortex.substrate.work import works, works_behind

PASSAGES: Final = 80
NEAREST: Final = 30
MEANING: Final = 0.5  # worth of a passage's likeness beside that of its words
NAMED: Final = 3.0  # how much more a file is worth whose path says all that is asked
OFTEN: Final = 3  # commits beside which those that touched a file count: what everything touches tells nothing
LEAST: Final = 0.35  # share of the question's weight that path and records hold
FILES: Final = 3
ASIDE: Final = 0.2  # worth of a test, an example or a document, which tell of code and do not hold it

_PIECES: Final = regex(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


class _Voter(NamedTuple):
    worth: float
    record_id: int
    row: Row


def tell_files(reader: Reader, asked: Lookup) -> Listed | None:
    """The most likely files for *topic*; None if no path or record matches enough of it."""
    brain, topic = reader.brain, str(asked.slots["topic"])
    query = understand(reader, topic, brain.stemmer, encoder=brain.encoder)
    matcher, asides = Matcher(query, brain.stemmer), regex(read_table("project")["asides"])
    votes: defaultdict[tuple[int, str], list[_Voter]] = defaultdict(list)
    for file, voter in _votes(reader, query):
        votes[voter.row.source_id, file].append(voter)
    found = []
    for source_id in reader.sources:
        files = [file for of, file in votes if of == source_id]
        for file, touched in files_touched(brain, files, source_id=source_id).items():
            voters = votes[source_id, file]
            path = matcher.holds([" ".join(_PIECES.findall(file)).lower()])[0]
            told = sum(one.worth for one in voters) / (OFTEN + touched.commits) ** 0.5
            worth = told * (1 + NAMED * matcher.covered(path))
            best = max(voters, key=lambda one: one.worth)
            said = matcher.holds([best.row.text])[0]
            aside = bool(asides.search(file))
            held = path if aside or "loose" in asked.slots else path | said
            if touched.there is not False and matcher.likeness(held) >= LEAST:
                found.append((worth * (ASIDE if aside else 1.0), file, best))
    found.sort(key=lambda one: -one[0])
    items = _items(reader, [(file, best) for _, file, best in found[:FILES]])
    return Listed(asked.intent, items, sure=False) if items else None


def _votes(reader: Reader, query: Query) -> Iterable[tuple[str, _Voter]]:
    matches = reader.passages(query.terms, limit=PASSAGES)
    near = dict(reader.nearest(query.vector, encoder=query.encoder, limit=NEAREST)) if query.vector else {}
    rows = reader.passage_rows([*{*(one.rowid for one in matches), *near}])
    worth = {id_: MEANING * max(0.0, likeness) for id_, likeness in near.items()}
    for one in matches:
        worth[one.rowid] = worth.get(one.rowid, 0.0) + one.score / matches[0].score
    told: dict[int, _Voter] = {}
    for id_, row in rows.items():
        voter = _Voter(worth[id_], row.record_id, row)
        if row.type == "code":
            yield row.ref.partition(":")[2].partition("#")[0], voter
        elif worth[id_] > told.get(row.record_id, voter).worth or row.record_id not in told:
            told[row.record_id] = voter
    yield from _through_works(reader, told)


def _through_works(reader: Reader, told: Mapping[int, _Voter]) -> Iterable[tuple[str, _Voter]]:
    best: dict[int, _Voter] = {}
    for record, ids in works_behind(reader.brain, [*told], until=reader.as_of).items():
        for id_ in ids:
            best[id_] = max(best.get(id_, told[record]), told[record], key=lambda one: one.worth)
    for id_, work in works(reader.brain, [*best], until=reader.as_of).items():
        for file in work.files:
            yield file, best[id_]._replace(worth=best[id_].worth / (1 + len(work.files)), record_id=id_)


def _items(reader: Reader, found: list[tuple[str, _Voter]]) -> Items:
    records = reader.records([best.record_id for _, best in found])
    return tuple((id_, _stated(reader, file, records[id_], row)) for file, (_, id_, row) in found if id_ in records)


def _stated(reader: Reader, file: str, record: Mapping[str, Any], row: Row) -> str:
    if row.type == "code":
        return f"{inert(file)} line {record['line_start']}: {titled(row.called)}"
    return f"{inert(file)}: changed by {sentence(record, source=source_of(reader, record))}"
