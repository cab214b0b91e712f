"""What titles, and the items of changelogs, say was changed."""

from __future__ import annotations

from cortex.indexers.changes import Worded, worded, worded_section
from tests.tables import walk


@walk(
    ("title", "told"),
    [
        ("Replace Fax with Post", Worded("replaces", "Fax", "Fax", "Post")),
        ("mail: rename `fax()` to `post()` (#12)", Worded("replaces", "fax()", "fax()", "post()", "mail")),
        ("chore(deps): bump fax from 1.2 to 1.3", Worded("replaces", "fax", "1.2", "1.3", "deps")),
        ("Moved the mail from Fax to Post", Worded("replaces", "mail", "Fax", "Post")),
        ("Raise the fax timeout to 30 s", Worded("replaces", "fax timeout", "", "30 s")),
        ("Use Post instead of Fax", Worded("replaces", "Fax", "Fax", "Post")),
        ("This PR drops fax retries, fixes #3", Worded("removes", "fax retries")),
        ("Get rid of the fax", Worded("removes", "fax")),
        ("Adding fax support because nobody has a horse", Worded("adds", "fax support")),
        ('Revert "Add fax and post"', Worded("reverts", "Add fax and post")),
        ("Release v1.4.0", Worded("releases", new="1.4.0")),
        ("1.4.0rc1", Worded("releases", new="1.4.0rc1")),
    ],
)  # fmt: skip
def test_a_title_states_one_change(title: str, told: Worded) -> None:
    assert [*worded(title)] == [told]


@walk("title", ["Should we drop fax?", "Consider to drop fax", "Fix the fax", "", "Fax"])
def test_what_is_doubted_or_no_change_states_none(title: str) -> None:
    assert [*worded(title)] == []


def test_clauses_with_verbs_of_their_own_are_changes_of_their_own() -> None:
    assert [(one.op, one.subject) for one in worded("Add post, drop fax and telex")] == [
        ("adds", "post"),
        ("removes", "fax and telex"),
    ]


def test_a_section_of_a_changelog_states_its_release_and_its_items() -> None:
    items = "#### Removed\n- The fax (it was slow).\n- Add post\n"
    found = [*worded_section("Changelog › [1.2.0] - 2024-05-01 › Removed", items)]
    assert {day for day, _ in found} == {"2024-05-01"}
    assert [(one.op, one.subject or one.new) for _, one in found] == [
        ("releases", "1.2.0"),
        ("removes", "The fax"),
        ("adds", "post"),
    ]
    assert [*worded_section("Guide › Removed", "- The fax")] == []
