"""Releases are told by changelogs first, then by tags; what is not released yet is never the latest."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from cortex.composer.pipeline import ask
from cortex.composer.retrieve.lookup import look_up
from cortex.composer.values import Listed
from cortex.substrate.model import Answer, Link, Record, Scope
from cortex.substrate.reading import Reader
from tests.brains import NOW, index_records, open_new, record
from tests.composer.kiln import at, commit, pull


def tag(name: str, day: str, digits: str, body: str = "") -> Record:
    links = (Link(relation="releases", to_ref=f"commit:{digits}"),)
    return record(f"release:{name}", body or name, title=name.removeprefix("v"), created_at=at(day), links=links)


def notes(heading: str, body: str, line: int = 1, path: str = "CHANGES.md") -> Record:
    return record(f"doc:{path}#{heading}", body, title=f"Changes › {heading}", path=path, lines=(line, line + 3))


def asked(tmp_path: Path, text: str, *records: Record) -> Listed | None:
    with open_new(tmp_path / "brain.db") as brain:
        index_records(brain, *records, origin="git")
        sources = dict(brain.db.execute("select id, name from sources"))
        return look_up(Reader(brain, sources), text, today=date(2025, 1, 1))


def first(tmp_path: Path, text: str, *records: Record) -> str:
    found = asked(tmp_path, text, *records)
    assert found is not None
    return found.items[0][1]


TAGGED = (
    tag("v1.0", "2024-01-01", "aa11aa11aa11"),
    tag("v1.1", "2024-03-01", "bb22bb22bb22"),
    commit("aa11aa11aa11", "Start", "Ada", "2024-01-01"),
    commit("bb22bb22bb22", "1.1", "Ada", "2024-03-01"),
    commit("cc33cc33cc33", "Grease the door", "Ada", "2024-02-01"),
    pull(7, "Add a fan", "bob", "2024-02-01", "2024-02-03", "ada"),
)


def test_without_a_changelog_tags_tell(tmp_path: Path) -> None:
    assert first(tmp_path, "latest version", *TAGGED) == "1.1, released 2024-03-01 (tag v1.1), the newest release"
    assert first(tmp_path, "when was 1.0 released", *TAGGED) == "1.0, released 2024-01-01 (tag v1.0)"
    found = asked(tmp_path, "what changed in the last release", *TAGGED)
    assert found is not None
    assert [text for _, text in found.items] == [
        "1.1, released 2024-03-01 (tag v1.1):",
        "2 in all since 1.0: PR #7 “Add a fan” by bob, merged by ada on 2024-02-03",
        "commit cc33cc3 “Grease the door” by Ada on 2024-02-01",
    ]
    assert "the first release dated after that is 1.1" in first(tmp_path, "which version added the fan", *TAGGED)
    assert first(tmp_path, "what changed since the last release", *TAGGED).endswith("; nothing landed since")


@pytest.mark.parametrize(
    ("changelog", "latest"),
    [
        ([notes("Version 1.2", "Unreleased\n\n- A chimney.")], "1.1, released 2024-03-01 (tag v1.1)"),
        ([notes("2.0.dev0", "- A chimney.")], "1.1, released 2024-03-01 (tag v1.1)"),
        ([notes("1.2rc1 (2024-05-01)", "- A chimney.")], "1.1, released 2024-03-01 (tag v1.1)"),
        ([notes("1.3", "- Up."), notes("1.2 (2024-05-01)", "- Down.", 9)], "1.2, released 2024-05-01 (CHANGES.md)"),
        ([notes("Unreleased", "- A chimney."), notes("1.1", "- A fan.", 9)], "1.1, released 2024-03-01 (CHANGES.md)"),
        ([notes("1.1 (unreleased)", "- A fan.")], "1.1, released 2024-03-01 (CHANGES.md)"),
    ],
    ids=["unreleased", "development", "candidate", "above-the-dated", "dated-by-its-tag", "tagged-since"],
)  # fmt: skip
def test_what_is_not_released_is_not_the_latest(tmp_path: Path, changelog: list[Record], latest: str) -> None:
    assert first(tmp_path, "what is the latest release?", *TAGGED, *changelog) == f"{latest}, the newest release"


def test_a_tag_that_this_history_does_not_reach_does_not_release_what_the_changelog_calls_unreleased(
    tmp_path: Path,
) -> None:
    records = (*TAGGED, tag("v1.2", "2024-06-01", "dd44dd44dd44"), notes("1.2", "Unreleased\n\n- A chimney."))
    assert first(tmp_path, "latest version", *records).startswith("1.1, ")
    assert first(tmp_path, "when was 1.2 released", *records) == "1.2, not released yet (CHANGES.md)"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("when was kiln 1.0 released", "1.0, released 2024-01-01 (tag v1.0)"),
        ("what is the latest release of kiln?", "1.1, released 2024-03-01 (tag v1.1), the newest release"),
        ("latest kiln version", "1.1, released 2024-03-01 (tag v1.1), the newest release"),
    ],
)
def test_a_release_may_be_called_by_its_project(tmp_path: Path, text: str, told: str) -> None:
    called = record("project:pyproject.toml#name", 'name = "kiln"', title="Name: kiln", labels=("name",))
    assert first(tmp_path, text, *TAGGED, called) == told


def test_the_documentation_of_a_name_tells_the_release_that_brought_it(tmp_path: Path) -> None:
    body = 'def glaze(tone):\n    """Glaze.\n\n    .. versionadded:: 1.1\n    .. versionadded:: 2.0 *tone*\n    """'
    named = record("code:src/kiln.py#glaze", body, title="kiln.glaze(tone)", path="src/kiln.py")
    told = "‘kiln.glaze’: added in 1.1 (src/kiln.py)"
    assert first(tmp_path, "which version added kiln.glaze", *TAGGED, named) == told
    assert first(tmp_path, "in which version was the fan added", *TAGGED, named) != told


def test_a_name_finds_the_entry_that_writes_it_so(tmp_path: Path) -> None:
    older = notes("0.9 (2023-01-01)", "- Add a date format to `--since`.", 30)
    newer = notes("1.0 (2024-01-01)", "- Add `--format` for templates.", 20)
    assert first(tmp_path, "which version added --format", older, newer).startswith("1.0, released 2024-01-01")


def test_definitions_of_links_are_no_entry(tmp_path: Path) -> None:
    links = notes("1.1 (2024-03-01)", "First release.\n\n[#7]: https://kiln.example/7\n[#9]: https://kiln.example/9", 9)
    found = asked(tmp_path, "which release has #7", links, *TAGGED[-1:])
    assert found is not None
    assert "is in the notes of" not in found.items[0][1]


CHANGELOG = (
    notes("1.2 (2024-05-01)", "### Removed\n\n- Support for clay 2.7. (#9)\n\n### Fixed\n\n- A draught.", 3),
    notes("1.1 (2024-03-01)", "- Drop clay 2.6 and 3.3.\n- Add a `fan` that cools, {pr}`7`.", 20),
    pull(7, "Cooling", "bob", "2024-02-01", "2024-02-03", "ada"),
    pull(9, "Clay, again", "dan", "2024-04-01", "2024-04-03", "ada"),
)


def answer(tmp_path: Path, text: str) -> Answer:
    with open_new(tmp_path / "brain.db") as brain:
        index_records(brain, *CHANGELOG)
        return ask(brain, text, scope=Scope(), now=NOW)


def test_entries_are_quoted_whole_and_cited_by_their_own_characters(tmp_path: Path) -> None:
    found = answer(tmp_path, "whats in the latest release?")
    assert [one.excerpt for one in found.citations] == ["Support for clay 2.7. (#9)", "A draught."]
    assert found.answer.startswith(
        "1.2, released 2024-05-01 (CHANGES.md): ‘Removed’: “Support for clay 2.7. (#9)” [CITATION:doc:CHANGES.md#"
    )
    assert "\n‘Fixed’: “A draught.” [CITATION:" in found.answer
    assert "Removed" not in answer(tmp_path, "what was fixed in 1.2?").answer


def test_many_entries_are_told_as_far_as_there_is_room(tmp_path: Path) -> None:
    many = notes("1.0 (2024-01-01)", "\n".join(f"- {place} {'is burned ' * 19}" for place in range(20)))
    found = asked(tmp_path, "what changed in 1.0?", many)
    assert found is not None
    assert len(found.items) == len(found.quotes) == 6
    assert found.items[0][1] == "1.0, released 2024-01-01 (CHANGES.md), 6 of 20 entries:"


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("when did we drop clay 2?", "1.1, released 2024-03-01 (CHANGES.md): “Drop clay 2.6 and 3.3.”"),
        ("when did we drop clay 2.7?", "1.2, released 2024-05-01 (CHANGES.md): ‘Removed’: “Support for clay 2.7."),
        ("which version removed clay 2.7", "1.2, released 2024-05-01 (CHANGES.md): ‘Removed’:"),
        ("which version added the fan", "1.1, released 2024-03-01 (CHANGES.md): “Add a `fan` that cools, #7.”"),
        ("which release has #7", "PR #7 is in the notes of 1.1, released 2024-03-01 (CHANGES.md): “Add a `fan`"),
        ("who added the fan?", "PR #7 “Cooling” by bob, merged by ada on 2024-02-03"),
        ("how many releases?", "2 in all: 1.2, released 2024-05-01 (CHANGES.md)"),
    ],
)  # fmt: skip
def test_the_entry_that_says_so_is_told_with_its_version_and_day(tmp_path: Path, question: str, shown: str) -> None:
    assert answer(tmp_path, question).answer.startswith(shown)


def test_what_no_entry_says_is_not_told_of_a_release(tmp_path: Path) -> None:
    for text in ("which version added clay 2.7", "which version removed the fan", "when did we drop clay 4?"):
        found = asked(tmp_path, text, *CHANGELOG)
        assert found is None or not found.items, found


def test_an_entry_links_to_the_pull_requests_it_names(tmp_path: Path) -> None:
    with open_new(tmp_path / "brain.db") as brain:
        index_records(brain, *CHANGELOG)
        asked = "select to_ref from links where from_ref like 'doc:%' and relation = 'mentions' order by to_ref"
        assert [ref for (ref,) in brain.db.execute(asked)] == ["pull:7", "pull:9"]


def test_a_tag_of_one_line_repeats_no_commit(tmp_path: Path) -> None:
    said = "Glaze the bowls twice before firing"
    with open_new(tmp_path / "brain.db") as brain:
        notes_ = tag("v1.1", "2024-02-01", "bb22bb22bb22", "Second\n\nThe bowls are glazed by hand before firing.")
        index_records(
            brain,
            commit("aa11aa11aa11", said, "Ada", "2024-01-01"),
            tag("v1.0", "2024-01-01", "aa11aa11aa11", said),
            notes_,
        )
        found = ask(brain, "how are the bowls glazed before firing?", scope=Scope(), now=NOW)
    assert {one.record.ref for one in found.citations} == {"commit:aa11aa11aa11", "release:v1.1"}
    assert "release 1.1, 2024-02-01" in found.answer


def test_who_added_a_thing_is_not_who_documented_it(tmp_path: Path) -> None:
    commits = (
        commit("aa11aa11aa11", "Include the steam whistle (with tests)", "Ada", "2024-01-01"),
        commit("bb22bb22bb22", "Added steam whistle documentation", "Bob", "2024-02-01"),
    )
    with open_new(tmp_path / "brain.db") as brain:
        index_records(brain, *commits)
        found = ask(brain, "who added the steam whistle?", scope=Scope(), now=NOW)
    assert "by Ada on 2024-01-01" in found.answer
    assert "Bob" not in found.answer
