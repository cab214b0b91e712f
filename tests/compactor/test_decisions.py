"""Decisions that a later one overtook: what titles say, and which pairs of them are reported."""

from __future__ import annotations

import pytest

from cortex.compactor.contradictions import change_in
from cortex.compactor.run import compact
from tests.compactor.brains import NOW, Facts
from tests.tables import walk


def decide(facts: Facts, *titles: str, author: str = "ada") -> list[str]:
    """Handles of commits of these titles, a day apart."""
    made = []
    for number, title in enumerate(titles):
        at = f"2025-01-{number + 1:02}T00:00:00Z"
        ref = f"commit:{author}{number:06x}"
        made.append(
            facts.add(f"Commit {number:x} ({at[:10]} by {author}): {title}", ref, author=author, path="promotion")
        )
        facts.db.execute("update records set title = ?, created_at = ? where ref = ?", (title, at, ref))
    return made


def reported(facts: Facts) -> list[tuple[str, str, str]]:
    """Ground, what stands and what is outranked of each pair."""
    found = compact(facts.brain, jobs=["orphans"], contradictions=True, now=NOW).contradictions or ()
    return [(one.ground, one.stands.handle, one.outranked.handle) for one in found]


@pytest.mark.parametrize(
    ("earlier", "later", "ground"),
    [
        ("Add the lookahead cache", "Remove lookahead cache", "superseded"),
        ("parser: introduce parse_tail()", "parser: drop unused function parse_tail", "superseded"),
        ("Disable the nightly fuzz job", "Enable nightly fuzz job", "superseded"),
        ("Bump minimum CMake version to 3.16", "Bump CMake minimum version from 3.16 to 3.22", "number"),
        ("Set the default read limit to 100MiB", "Raise default read limit to 1GiB", "number"),
    ],
)
def test_what_a_later_decision_overtook_is_reported(facts: Facts, earlier: str, later: str, ground: str) -> None:
    old, new = decide(facts, earlier, later)
    assert reported(facts) == [(ground, new, old)]


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Consider a lookahead cache", "Add the lookahead cache"),
        ("Add the lookahead cache", "Add tests for the lookahead cache"),
        ("Remove trailing whitespace", "Add trailing whitespace"),
        ("lexer: add token buffer", "parser: remove token buffer"),
        ("Enable some of the flaky network tests", "Disable some of the flaky network tests"),
        ("Remove myself from the owners file", "Add myself to the owners file"),
        ("Add helper scan_tail", "Drop unused flags parameter from scan_tail"),
        ("Bump serde from 1.0.1 to 1.0.2", "Bump serde from 1.0.2 to 1.0.3"),
        ("lexer: use token_at", "parser: stop using token_at"),
        ("Rename options to settings", "Rename settings to options"),
    ],
)
def test_evolution_and_other_things_are_not(facts: Facts, earlier: str, later: str) -> None:
    decide(facts, earlier, later)
    assert reported(facts) == []


def test_only_the_last_word_and_the_last_against_it_are_reported(facts: Facts) -> None:
    *_, removed, again = decide(facts, "Add lookahead cache", "Remove lookahead cache", "Add the lookahead cache")
    assert reported(facts) == [("superseded", again, removed)]


def test_what_many_titles_name_is_a_kind_of_thing(facts: Facts) -> None:
    decide(
        facts, "Add release checklist", "Remove release checklist", *(f"Tick release checklist {n}" for n in "abcdef")
    )
    assert reported(facts) == []


def test_what_programs_commit_is_routine(facts: Facts) -> None:
    decide(facts, "Bump minimum CMake version to 3.16", "Bump minimum CMake version to 3.22", author="renovate[bot]")
    assert reported(facts) == []


def test_what_was_reverted_no_longer_stands_and_contradicts_nothing(facts: Facts) -> None:
    old, _ = decide(facts, "Add lookahead cache", "Remove lookahead cache")
    facts.db.execute("update facts set valid_until = '2025-01-02T00:00:00Z' where handle = ?", (old,))
    assert reported(facts) == []


@walk("title", ["", ":", "Merge branch 'main'", "Remove", "[x]", "Bump to 3", "Rename to", "()"])
def test_a_title_that_says_nothing_says_nothing(title: str) -> None:
    assert change_in(title, str.split) is None
