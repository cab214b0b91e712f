"""The postings of PostgreSQL rank as FTS5 does, and stay what a rebuild would make of their rows."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from cortex.errors import BrainTooOld
from cortex.language.identifiers import parts
from cortex.language.stems import stemmer
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.search import count_terms, search, text_index
from cortex.substrate.text_index import Match, Name, Term, engine_of
from tests import postgres
from tests.brains import open_file

NOW = "2025-03-01T12:00:00Z"
WORDS = (
    "lock lease leases timeout retry retries openBrain café the queue worker busy_timeout naïve 42 run running".split()
)
Pair = tuple[Brain, Brain]


@pytest.fixture(scope="module")
def brains(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """The same rows in a file and in a database: three sources, some records gone, some passages unverified."""
    with open_file(tmp_path_factory.mktemp("postings") / "brain.db") as file, postgres.postgres_brain() as database:
        for brain in (file, database):
            fill(brain)
        yield file, database


def fill(brain: Brain) -> None:
    chance = random.Random(7)  # noqa: S311  no secret
    with brain.transaction() as db:
        db.executemany("insert into sources (name, created_at) values (?, ?)", [(name, NOW) for name in "abc"])
        for number in range(60):
            gone, vouched = (NOW if number % 11 == 0 else None), (None, 0, 40)[number % 3]
            (record,) = db.execute(
                "insert into records (source_id, type, ref, title, body, authority, origin, content_hash, gone_at,"
                " vouched) values (?, 'issue', ?, '', '', 0.75, 'test', '', ?, ?) returning id",
                (number % 3 + 1, f"issue:{number}", gone, vouched),
            ).fetchone()
            put(brain, number % 3 + 1, record, chance)
        count_terms(brain)


def put(brain: Brain, source: int, record: int, chance: random.Random) -> None:
    passages, facts = [], []
    for _ in range(5):
        context, body = (" ".join(chance.choices(WORDS, k=chance.randint(1, most))) for most in (4, 60))
        passages.append((source, record, context, body, parts(f"{context} {body}")))
        facts.append((source, record, f"fact-{chance.random()}", context, parts(context)))
    brain.db.executemany(
        "insert into passages (source_id, record_id, start, end_, context, body, parts) values (?, ?, 0, 50, ?, ?, ?)",
        passages,
    )
    brain.db.executemany(
        "insert into facts (source_id, record_id, handle, kind, statement, excerpt, start, end_, authority, confidence,"
        " base_confidence, fingerprint, path, parts) values (?, ?, ?, 'spec', ?, '', 0, 0, 0.75, 1, 1, '', 'docs', ?)",
        facts,
    )


def change(brain: Brain, chance: random.Random) -> None:
    """Take records and a passage out, reword some facts, and put passages into the last record there is."""
    with brain.transaction() as db:
        records = [id_ for (id_,) in db.execute("select id from records order by id")]
        db.execute("delete from records where id in (?, ?)", (chance.choice(records), chance.choice(records)))
        db.execute("update facts set statement = statement || ' reworded' where id % 7 = ?", (chance.randint(0, 6),))
        source, record = db.execute("select source_id, id from records order by id desc limit 1").fetchone()
        put(brain, source, record, chance)
        db.execute("delete from passages where id = (select max(id) from passages)")


def ranked(matches: Sequence[Match]) -> list[tuple[float, int]]:
    """In order, but for equals, which the last bit of a sum tells apart; of those at the end any may be the last."""
    last = round(matches[-1].score, 9) if matches else 0
    return sorted((-score, rowid if score > last else 0) for rowid, one in matches for score in [round(one, 9)])


@pytest.mark.parametrize("sources", [None, [1], [2, 3]], ids=["all", "one", "two"])
@pytest.mark.parametrize("name", ["facts", "passages"])
def test_both_engines_find_the_same_rows_with_the_same_scores(
    brains: Pair, name: Name, sources: list[int] | None
) -> None:
    chance = random.Random(1)  # noqa: S311
    for _ in range(20):
        asked, beside = (chance.sample(WORDS, chance.randint(low, 5)) for low in (1, 0))
        file, database = (search(brain.db, name, asked, beside=beside, sources=sources) for brain in brains)
        assert ranked(database) == ranked(file), (asked, beside)


@pytest.mark.parametrize("sources", [None, [2]], ids=["all", "one"])
def test_both_engines_count_the_same(brains: Pair, sources: list[int] | None) -> None:
    stems = ["lock", "leas", "retri", "cafe", "nobody"]
    file, database = (text_index(brain.db, "passages", sources) for brain in brains)
    assert database.frequencies(stems) == file.frequencies(stems)
    assert [database.unverified(stem) for stem in stems] == [file.unverified(stem) for stem in stems]


@pytest.mark.parametrize("titled", [True, False])
def test_both_engines_find_the_records_that_hold_words(brains: Pair, titled: bool) -> None:  # noqa: FBT001  a parameter
    for words in ((("leases",),), (("le*", "42"), ("queue",)), (("open*",), ("retry",)), (("nobody",),)):
        file, database = (text_index(brain.db, "passages", None).holding(words, titled=titled) for brain in brains)
        assert sorted(database) == sorted(file), words


def test_rows_that_come_change_and_go_leave_what_a_rebuild_makes() -> None:
    chance = random.Random(3)  # noqa: S311
    with postgres.postgres_brain() as brain:
        fill(brain)
        for _ in range(5):
            change(brain, chance)
            assert [*engine_of(brain.db).examined(brain.db, read_only=True)] == [True, True]
        with brain.transaction() as db:
            db.execute("delete from sources where name = 'a'")
        assert [*engine_of(brain.db).examined(brain.db, read_only=True)] == [True, True]
        assert db.execute("select count(*) from postings where source_id = 1").fetchone() == (0,)


@pytest.mark.parametrize("sources", [None, [1], [2, 3]], ids=["all", "one", "two"])
@pytest.mark.parametrize("name", ["facts", "passages"])
def test_what_is_kept_changes_no_ranking_whatever_is_written_between(
    tmp_path: Path, name: Name, sources: list[int] | None
) -> None:
    with open_file(tmp_path / "brain.db") as file, postgres.postgres_brain() as database:
        fill(file)
        fill(database)
        chance = random.Random(11)  # noqa: S311
        for turn in range(4):
            for _ in range(12):
                asked, limit = chance.sample(WORDS, chance.randint(1, 6)), chance.randint(1, 8)
                found = [apart(brain, name, asked, sources, limit) for brain in (file, database)]
                assert ranked(found[1]) == ranked(found[0]), asked
            for brain in (file, database):
                change(brain, random.Random(turn))  # noqa: S311


def apart(brain: Brain, name: Name, asked: Sequence[str], sources: list[int] | None, limit: int) -> list[Match]:
    """The best rows with the first word, for which the others count."""
    words = {stem: word for word, stem in stemmer().stem(asked).items()}
    first, *rest = (Term(word, stem, 1) for stem, word in words.items())
    return text_index(brain.db, name, sources).best([first], limit, rest=rest)


def test_an_index_of_an_earlier_cortex_is_made_anew() -> None:
    with postgres.postgres_brain() as brain:
        fill(brain)
        brain.db.execute("alter table text_sizes drop column version")
        brain.db.execute("update postings set data = substr(data, 1, 3)")
        with pytest.raises(BrainTooOld):
            open_brain(brain.path, read_only=True)
        with open_brain(brain.path) as renewed:
            assert [*engine_of(renewed.db).examined(renewed.db, read_only=True)] == [True, True]
        with open_brain(brain.path, read_only=True) as reader:
            reader.restrict([1])
            assert {source for (source,) in reader.db.execute("select source_id from postings")} == {1}


def test_terms_of_an_earlier_cortex_are_indexed_by_themselves_too() -> None:
    with postgres.postgres_brain() as brain:
        fill(brain)
        brain.db.execute("drop index postings_by_term")
        with pytest.raises(BrainTooOld):
            open_brain(brain.path, read_only=True)
        held = brain.db.execute("select * from postings order by 1, 2, 3, 4").fetchall()
        open_brain(brain.path).close()
        open_brain(brain.path, read_only=True).close()
        assert brain.db.execute("select * from postings order by 1, 2, 3, 4").fetchall() == held


def test_an_index_that_lost_a_word_is_found_out_and_rebuilt() -> None:
    with postgres.postgres_brain() as brain:
        fill(brain)
        engine = engine_of(brain.db)
        brain.db.execute("delete from postings where index_name = 'p' and term = 'lock'")
        assert [*engine.examined(brain.db, read_only=True)] == [True, False]
        with brain.transaction() as db:
            engine.rebuild(db, "passages")
        assert [*engine.examined(brain.db, read_only=True)] == [True, True]


def test_a_word_more_often_than_a_posting_tells_counts_as_often_as_it_can(tmp_path: Path) -> None:
    with open_file(tmp_path / "brain.db") as file, postgres.postgres_brain() as database:
        for brain in (file, database):
            fill(brain)
            with brain.transaction() as db:
                db.execute(
                    "insert into passages (source_id, record_id, start, end_, context, body, parts)"
                    " values (3, 3, 0, 0, '', ?, '')",
                    ("zebra " * 400,),
                )
        found = [search(brain.db, "passages", "zebra", sources=None) for brain in (file, database)]
        assert found[1][0].rowid == found[0][0].rowid
        assert found[1][0].score == pytest.approx(found[0][0].score, rel=0.02)
