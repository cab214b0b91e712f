"""What is reported as contradicting, and what is not."""

from __future__ import annotations

from datetime import timedelta

import pytest

from cortex.compactor.job import Contradiction
from cortex.compactor.run import CLEANING, JOBS, compact
from cortex.compactor.schedule import last_compaction
from cortex.indexers.changes import index_changes
from cortex.indexers.promotion import vouch
from tests.compactor.brains import NOW, Facts


def report(facts: Facts) -> tuple[Contradiction, ...]:
    done = compact(facts.brain, jobs=["orphans"], contradictions=True, now=NOW)
    assert done.contradictions is not None
    return done.contradictions


@pytest.mark.parametrize(
    ("ours", "theirs", "ground"),
    [
        ("Readers must wait for the nightly writer", "Readers must not wait for the nightly writer", "negation"),
        ("The busy timeout of the brain is 30 seconds", "The busy timeout of the brain is 60 seconds", "number"),
        ("The default port of the gateway is 8080", "The default port of the gateway is 9090", "number"),
        ("Each reader must close its own brain", "Each reader should close its own brain", "choice"),
        ("The nightly writer is enabled on every laptop", "The nightly writer is disabled on every laptop", "negation"),
        ("The sessions of every reader live in Redis", "The sessions of every reader do not live in Redis", "negation"),
    ],
    ids=["negation", "number", "a short number", "how binding", "opposite", "does and does not"],
)
def test_two_claims_that_differ_in_one_point_contradict(facts: Facts, ours: str, theirs: str, ground: str) -> None:
    light = facts.add(ours, "doc:a.md", authority=0.7)
    heavy = facts.add(theirs, "doc:b.md", authority=0.85)
    (found,) = report(facts)
    assert (found.ground, found.stands.handle, found.outranked.handle) == (ground, heavy, light)


def test_at_equal_authority_the_later_stands(facts: Facts) -> None:
    facts.add("Readers must wait for the nightly writer", "doc:a.md", valid_from="2020-01-01T00:00:00Z")
    late = facts.add("Readers must not wait for the nightly writer", "doc:b.md", valid_from="2024-01-01T00:00:00Z")
    (found,) = report(facts)
    assert found.stands.handle == late


def test_who_wants_another_thing_than_a_directive_is_outranked(facts: Facts) -> None:
    rule = facts.add("Plus Jakarta Sans is the only typeface", "directive:ui.md#1", authority=1.0, kind="directive")
    wish = facts.add("Use Inter for the interface instead of Plus Jakarta Sans", "issue:7", path="comments")
    (found,) = report(facts)
    assert (found.ground, found.stands.handle, found.outranked.handle) == ("choice", rule, wish)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("We are considering WAL mode for every brain", "We decided on WAL mode for every brain"),
        ("Maybe readers must wait for the nightly writer", "Readers must not wait for the nightly writer"),
        ("Should readers wait for the nightly writer?", "Readers must not wait for the nightly writer"),
        ("The parser keeps 30 sessions open at most", "The lexer drops 60 tokens of lookahead at most"),
        ("Needs version 0.3.1 of the parser library", "Needs version 0.3.2 of the parser library"),
        ("Readers must wait for the nightly writer", "Readers must wait for the nightly writer now"),
        ("Readers that are not ready must wait for the writer", "Readers that are ready must wait for the writer"),
        (
            "First 5 minutes the writer is free to wait for readers",
            "First 9 minutes the writer is free to wait for readers",
        ),
        (
            "The ledger service supports PostgreSQL as its database.",
            "The ledger service supports MySQL as its database.",
        ),
        ("The nightly writer of the brain runs on Linux", "The nightly writer of the brain runs on Windows"),
        ("The parser keeps the state of Alice in memory", "The parser keeps the state of Bob in memory"),
        ("The sessions of the gateway live in Redis in Europe", "The sessions of the gateway live in Redis in America"),
        ("We keep the logs of every service in S3 on Monday", "We keep the logs of every service in S3 on Tuesday"),
        (
            "It keeps a copy of each order in Redis and in Postgres",
            "It keeps a copy of each order in Redis and in Kafka",
        ),
        (
            "We may keep the sessions of every service in Redis",
            "We might keep the sessions of every service in Memcached",
        ),
        ("Must wait for the nightly writer of the brain", "Must not wait for the nightly writer of the brain"),
    ],
)
def test_evolution_doubt_and_other_subjects_are_no_contradiction(facts: Facts, ours: str, theirs: str) -> None:
    facts.add(ours, "doc:a.md")
    facts.add(theirs, "doc:b.md")
    assert report(facts) == ()


def test_two_parts_of_one_document_speak_of_two_things(facts: Facts) -> None:
    facts.add("Readers must wait for the nightly writer", "doc:a.md#alpha")
    facts.add("Readers must not wait for the nightly writer", "doc:a.md#beta")
    assert report(facts) == ()


def test_a_subject_of_many_documents_is_another_in_each(facts: Facts) -> None:
    for number in range(8):
        facts.add(f"The busy timeout of the brain is {number} seconds", f"doc:{number}.md")
    assert report(facts) == ()


def test_a_report_of_a_year_tells_how_things_were_then(facts: Facts) -> None:
    facts.add(
        "Report of 2023: The busy timeout is 30 seconds or more",
        "doc:a.md",
        excerpt="The busy timeout is 30 seconds or more",
    )
    facts.add(
        "Report of 2024: The busy timeout is 60 seconds or more",
        "doc:b.md",
        excerpt="The busy timeout is 60 seconds or more",
    )
    assert report(facts) == ()


def test_a_name_is_a_name_by_its_letters(facts: Facts) -> None:
    facts.add("You must create a table only with a migration", "directive:a.md#1", authority=1.0, kind="directive")
    facts.add("Use `CREATE2` instead of `CREATE` for it", "issue:7", path="comments")
    assert report(facts) == ()


def test_sources_do_not_contradict_each_other(facts: Facts) -> None:
    facts.add("Readers must wait for the nightly writer", "doc:a.md", source="web")
    facts.add("Readers must not wait for the nightly writer", "doc:b.md", source="api")
    assert report(facts) == ()


def test_what_was_taken_back_and_still_stands_is_reported(facts: Facts) -> None:
    old = facts.add("Commit aaa fixed issue #7", "commit:aaa", path="promotion")
    new = facts.add('Commit bbb: Revert "mend it"', "commit:bbb", path="promotion")
    facts.db.execute(
        "insert into links (source_id, from_ref, relation, to_ref) values (1, 'commit:bbb', 'reverts', 'commit:aaa')"
    )
    vouch(facts.brain, source_id=1)
    index_changes(facts.brain, source_id=1)
    (found,) = report(facts)
    assert (found.ground, found.stands.handle, found.outranked.handle) == ("superseded", new, old)


def test_a_report_changes_nothing(facts: Facts) -> None:
    facts.add("Readers must wait for the nightly writer", "doc:a.md")
    facts.add("Readers must not wait for the nightly writer", "doc:b.md")
    before = facts.dump()
    assert report(facts)
    assert facts.dump() == before
    assert compact(facts.brain, now=NOW).contradictions is None


def test_a_report_prunes_no_archive(facts: Facts) -> None:
    weak = facts.add("It may be so.", confidence=0.1)
    compact(facts.brain, now=NOW)
    later = NOW + timedelta(days=400)
    assert compact(facts.brain, jobs=["contradictions"], now=later).pruned == 0
    assert facts.archived(weak)
    assert compact(facts.brain, jobs=["contradictions", "orphans"], now=later).pruned == 1


def test_the_report_is_a_job_like_the_others_for_whoever_asks_for_it(facts: Facts) -> None:
    light = facts.add("Readers must wait for the nightly writer", "doc:a.md")
    facts.add("Readers must not wait for the nightly writer", "doc:b.md", authority=0.9)
    alone = compact(facts.brain, jobs=["contradictions"], now=NOW)
    (ran,) = alone.jobs
    assert (ran.job, ran.looked_at, ran.changed, ran.found) == ("contradictions", 2, 0, 1)
    assert ran.examples[0].handle == light
    assert [job.job for job in compact(facts.brain, contradictions=True, now=NOW).jobs] == [*JOBS]
    assert [job.job for job in compact(facts.brain, now=NOW).jobs] == [*CLEANING]


def test_a_night_with_the_report_is_a_whole_one_and_the_report_alone_is_none(facts: Facts) -> None:
    facts.source("web")
    compact(facts.brain, jobs=["contradictions"], now=NOW)
    assert last_compaction(facts.brain, now=NOW) is None
    compact(facts.brain, contradictions=True, now=NOW)
    assert last_compaction(facts.brain, now=NOW + timedelta(days=9)) == NOW


def test_a_rehearsal_reports_what_would_be_left(facts: Facts) -> None:
    facts.add("Readers must wait for the nightly writer", "doc:a.md", confidence=0.1)
    facts.add("Readers must not wait for the nightly writer", "doc:b.md")
    assert compact(facts.brain, contradictions=True, dry_run=True, now=NOW).contradictions == ()
