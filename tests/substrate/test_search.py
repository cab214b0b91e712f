from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cortex.language.identifiers import parts
from cortex.language.stems import stemmer
from cortex.substrate.brain import Brain
from cortex.substrate.search import count_terms, query_terms
from cortex.substrate.search import search as find
from cortex.substrate.sqlite.text_index import quoted
from cortex.substrate.text_index import FACT_WEIGHTS
from tests.brains import open_new

NOW = "2025-03-01T12:00:00Z"


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    with open_new(tmp_path / "brain.db") as brain:
        brain.db.execute(
            "insert into sources (id, name, created_at) values (1, 'here', ?), (2, 'there', ?)", (NOW, NOW)
        )
        yield brain


def add_record(db: sqlite3.Connection, *, source: int = 1, gone_at: str | None = None) -> int:
    (record,) = db.execute(
        "insert into records (source_id, type, ref, title, body, authority, origin, content_hash, gone_at)"
        " values (?, 'issue', (select 'issue:' || count(*) from records), '', '', 0.75, 'test', '', ?) returning id",
        (source, gone_at),
    ).fetchone()
    return int(record)


def add_facts(brain: Brain, *statements: str, source: int = 1, gone_at: str | None = None) -> None:
    record = add_record(brain.db, source=source, gone_at=gone_at)
    with brain.transaction() as db:
        db.executemany(
            "insert into facts (source_id, record_id, handle, kind, statement, excerpt, start, end_, authority,"
            " confidence, base_confidence, fingerprint, path, parts) values"
            " (?, ?, (select 'fact-' || count(*) from facts), 'spec', ?, '', 0, 0, 0.75, 1, 1, '', 'promotion', ?)",
            [(source, record, statement, parts(statement)) for statement in statements],
        )


def add_passages(brain: Brain, *passages: tuple[str, str]) -> None:
    record = add_record(brain.db)
    with brain.transaction() as db:
        db.executemany(
            "insert into passages (source_id, record_id, start, end_, context, body, parts)"
            " values (1, ?, 0, 0, ?, ?, ?)",
            [(record, context, body, parts(f"{context} {body}")) for context, body in passages],
        )


def found(brain: Brain, query: str | Sequence[str], **how: object) -> list[str]:
    matches = find(brain.db, "facts", query, **{"sources": None} | how)  # type: ignore[arg-type]
    return [
        brain.db.execute("select statement from facts where id = ?", (match.rowid,)).fetchone()[0] for match in matches
    ]


def brute_force(db: sqlite3.Connection, query: str) -> list[tuple[int, float]]:
    """Every fact with any of the terms, scored by SQLite itself, best first."""
    word_of = {stem: word for word, stem in reversed(stemmer().stem(query_terms(query)).items())}
    if not word_of:
        return []
    return db.execute(
        "select rowid, -bm25(facts_fts, ?, ?) as score from facts_fts"
        " where facts_fts match ? order by score desc, rowid",
        (*FACT_WEIGHTS, " OR ".join(map(quoted, word_of.values()))),
    ).fetchall()


@pytest.mark.parametrize(
    ("identifier", "query"),
    [
        ("busy_timeout", "busy_timeout"),
        ("busy_timeout", "busy timeout"),
        ("busy_timeout", "busyTimeout"),
        ("busyTimeout", "busy_timeout"),
        ("openBrain", "openBrain"),
        ("openBrain", "brain"),
        ("open_brain", "openBrain"),
        ("src/a/b.py", "src/a/b.py"),
        ("src/a/b.py", "b.py"),
        ("#958", "#958"),
        ("#958", "958"),
        ("secp256k1_ecdsa_sign", "secp256k1_ecdsa_sign"),
        ("secp256k1_ecdsa_sign", "ecdsa"),
        ("HTTPServer2", "HTTPServer2"),
        ("HTTPServer2", "http server"),
        ("--no-emit", "--no-emit"),
        ("--no-emit", "emit"),
        ("v0.3.2", "v0.3.2"),
        ("v0.3.2", "0.3.2"),
        ("SHA-256", "sha256"),
        ("größe_max", "grosse GRÖSSE größe"),
    ],
)
def test_an_identifier_is_found_whole_and_in_parts(brain: Brain, identifier: str, query: str) -> None:
    add_facts(brain, f"Someone set {identifier} last year", "Nothing else is in here")
    assert found(brain, query) == [f"Someone set {identifier} last year"]


@pytest.mark.parametrize(
    ("query", "whole", "apart"),
    [
        ("busy_timeout", "We set busy_timeout to 30 s there", "Busy people ran into a timeout, a timeout"),
        ("src/a/b.py", "It stands in src/a/b.py since then", "In src there is a py, then b comes"),
        ("#958", "See #958 for why it is there", "It took 958 ns on 958"),
        ("v0.3.2", "It came with v0.3.2 last year", "Of 3 v0 ones 2 were 3"),
        ("busyTimeout", "We set busy_timeout to 30 s there", "Busy people ran into a timeout, a timeout"),
    ],
)
def test_a_whole_identifier_ranks_above_its_pieces_apart(brain: Brain, query: str, whole: str, apart: str) -> None:
    add_facts(brain, apart, whole, *(f"Other {word} here" for word in ("facts", "words", "rows", "things")))
    assert found(brain, query)[0] == whole


def test_words_are_stemmed_and_folded(brain: Brain) -> None:
    add_facts(brain, "The naïve resolver was caching promises", "Another one")
    assert found(brain, "NAIVE cached promise") == ["The naïve resolver was caching promises"]


def test_stop_words_count_only_when_there_is_nothing_else() -> None:
    assert query_terms("What doesn't the cache do?") == ["cache"]
    assert query_terms("what is it") == ["what", "is", "it"]


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "a AND",
        "NEAR(",
        "statement : x",
        "(",
        "*",
        "^x",
        "-x",
        "a\0b",
        "\ud800",
        "🙂",
        "…?!",
        "",
        " ",
        "x" * 100_000,
        "word " * 20_000,
        "' or 1=1 --",
        '"a" OR "b',
        "{parts} : x",
        "e\u0301",
        "²",
        "中文",
        "_" * 1000,
    ],
)
def test_any_text_is_a_query(brain: Brain, query: str) -> None:
    add_facts(brain, "A fact", *(f"Fact {number}" for number in range(10)))
    find(brain.db, "facts", query, sources=None)
    find(brain.db, "facts", [query], sources=[1])
    find(brain.db, "passages", query, sources=None)


@pytest.mark.parametrize("query", ["", "?!…", '"', "🙂", "\0", "\ud800", "--"])
def test_a_query_without_words_finds_nothing(brain: Brain, query: str) -> None:
    add_facts(brain, "A fact")
    assert found(brain, query) == []


@given(st.text(st.characters(exclude_categories=())))
@settings(max_examples=300)
def test_no_text_raises(brain: Brain, query: str) -> None:
    find(brain.db, "facts", query, sources=None)


def test_rows_of_other_sources_are_not_found(brain: Brain) -> None:
    add_facts(brain, "Ours is blue", source=1)
    add_facts(brain, "Theirs is blue", source=2)
    assert found(brain, "blue", sources=[1]) == ["Ours is blue"]
    assert found(brain, "blue", sources=[2]) == ["Theirs is blue"]
    assert found(brain, "blue", sources=[]) == []
    assert len(found(brain, "blue", sources=[1, 2])) == 2


def test_rows_whose_record_is_gone_are_not_found(brain: Brain) -> None:
    add_facts(brain, *["Blue"] * 100, gone_at=NOW)
    add_facts(brain, "It is blue and there to stay")
    assert found(brain, "blue", limit=5) == ["It is blue and there to stay"]


def test_a_passage_is_found_by_its_thread_title_first(brain: Brain) -> None:
    add_passages(brain, ("Other", "The lease is here"), ("Lease", "The other is here"), *[("x", "y")] * 5)
    first, second = find(brain.db, "passages", "lease", sources=None)
    assert (first.rowid, second.rowid) == (2, 1)


def test_a_limit_is_kept_and_none_is_none(brain: Brain) -> None:
    add_facts(brain, *["Blue"] * 50)
    assert len(find(brain.db, "facts", "blue", sources=None, limit=7)) == 7
    assert find(brain.db, "facts", "blue", sources=None, limit=0) == []


def test_counting_again_writes_nothing(brain: Brain) -> None:
    add_facts(brain, "Blue one", "Blue two")
    count_terms(brain)
    before = brain.db.total_changes
    count_terms(brain)
    assert brain.db.total_changes == before


@pytest.mark.of_a_file("the frequencies that FTS5 is planned by have a table of their own")
def test_counts_follow_the_index_within_a_transaction_too(brain: Brain) -> None:
    def counted() -> dict[str, int]:
        return dict(brain.db.execute("select term, documents from term_frequencies where index_name = 'facts_fts'"))

    add_facts(brain, "Blue one", "Blue two", "Red one")
    count_terms(brain)
    assert {term: number for term, number in counted().items() if term.isalpha()} == {"blue": 2, "on": 2}
    with brain.transaction() as db:
        db.execute("delete from facts where statement = 'Blue two'")
        count_terms(brain)
    assert {term: number for term, number in counted().items() if term.isalpha()} == {"on": 2}
    assert counted()[""] == 2


VOCABULARY = [f"w{number}" for number in range(400)] + [
    "testing",
    "tested",
    "openBrain",
    "busy_timeout",
    "größe",
    "naïve",
]


@pytest.fixture(scope="module")
def grown_brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    """Facts whose words are as unevenly spread as those of a language, and seldom repeated; a tenth is elsewhere."""
    chance = random.Random(1)  # noqa: S311  no secret
    shares = [1 / (rank + 5) for rank in range(len(VOCABULARY))]
    with open_new(tmp_path_factory.mktemp("grown") / "brain.db") as brain:
        brain.db.execute(
            "insert into sources (id, name, created_at) values (1, 'here', ?), (2, 'there', ?)", (NOW, NOW)
        )
        for batch in range(10):
            texts = [dict.fromkeys(chance.choices(VOCABULARY, shares, k=chance.randint(1, 25))) for _ in range(1000)]
            add_facts(brain, *map(" ".join, texts), source=1 + (batch == 3))
        count_terms(brain)
        yield brain


def overlap(db: sqlite3.Connection, query: str) -> float:
    """The share of the best rows that a search finds; every row it finds has to carry its score."""
    expected = brute_force(db, query)
    best = find(db, "facts", query, sources=None)
    scores = dict(expected)
    assert [match.score for match in best] == pytest.approx([scores[match.rowid] for match in best])
    assert [match.score for match in best] == sorted((match.score for match in best), reverse=True)
    assert len(best) == min(30, len(expected))
    return sum(match.score >= expected[len(best) - 1][1] - 1e-9 for match in best) / len(best) if best else 1.0


queries_of_the_vocabulary = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=12, unique=True).map(" ".join)


@pytest.mark.of_a_file("FTS5 is what the scores are held to")
@given(queries_of_the_vocabulary)
@settings(max_examples=60)
def test_a_search_by_the_rarest_words_carries_the_scores_of_sqlite(grown_brain: Brain, query: str) -> None:
    assert overlap(grown_brain.db, query) >= 0.3


@pytest.mark.of_a_file("FTS5 is what the scores are held to")
def test_a_search_by_the_rarest_words_misses_few_of_the_best(grown_brain: Brain) -> None:
    chance = random.Random(2)  # noqa: S311  no secret
    queries = [" ".join(chance.sample(VOCABULARY, chance.randint(1, 7))) for _ in range(100)]
    assert sum(overlap(grown_brain.db, query) for query in queries) / len(queries) >= 0.95


@pytest.mark.of_a_file("FTS5 keeps its index in pieces")
def test_an_index_in_many_pieces_is_merged_when_it_is_counted(brain: Brain) -> None:
    for number in range(12):
        add_facts(brain, f"Fact {number}")
    count_terms(brain)
    assert brain.db.execute("select count(distinct segid) from facts_fts_idx").fetchone() == (1,)


def test_a_brain_that_only_takes_readers_can_be_searched(brain: Brain) -> None:
    add_facts(brain, "Blue sky")
    count_terms(brain)
    with closing(brain.reader()) as reader:
        reader.restrict(None)
        assert len(find(reader.db, "facts", "blue", sources=None)) == 1


def test_a_term_that_came_after_the_count_is_found(grown_brain: Brain) -> None:
    add_facts(grown_brain, "Brandnew w0 w1")
    first = find(grown_brain.db, "facts", "brandnew w0 w1 w2", sources=None)[0]
    (statement,) = grown_brain.db.execute("select statement from facts where id = ?", (first.rowid,)).fetchone()
    assert statement == "Brandnew w0 w1"
