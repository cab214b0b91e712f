from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from cortex.indexers.references import references
from cortex.substrate.model import Link
from tests.tables import walk

SHA = "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567"
OWN = "ada/engine"


def found(text: str) -> list[tuple[str, str]]:
    """Relation and target, the target's source before it where it has one."""
    return [(link.relation, link.to_source + link.to_ref) for link in references(text, own=[OWN])]


SAID = {
    "Fixes #12": [("fixes", "#12")],
    "fix: #12": [("fixes", "#12")],
    "This closes issue #12.": [("fixes", "#12")],
    "Resolved GH-12": [("fixes", "#12")],
    "implements #12": [("fixes", "#12")],
    "Closes ada/engine#12": [("fixes", "#12")],
    "Closes Ada/Engine#12": [("fixes", "#12")],
    "Closes bob/gear#12": [("fixes", "bob/gear#12")],
    "Fixes https://github.com/ada/engine/issues/12.": [("fixes", "#12")],
    "Fixes [#12](https://github.com/bob/gear/issues/12)": [("fixes", "bob/gear#12")],
    "fixes #1, #2 and #3, see #4": [("fixes", "#1"), ("fixes", "#2"), ("fixes", "#3"), ("mentions", "#4")],
    "Fixes: 1a2b3c4d5e6f": [("fixes", "commit:1a2b3c4d5e6f")],
    "This doesn't fix #12": [("mentions", "#12")],
    "It might not close #12": [("mentions", "#12")],
    "Partially fixes #12": [("mentions", "#12")],
    "Do not crash\n\nFixes #12": [("fixes", "#12")],
    "It does not\nfix #12": [("mentions", "#12")],
    "fix crash (#12)": [("mentions", "#12")],
    "Fixed by #12": [("fixed_by", "#12")],
    f"Done in {SHA}": [("fixed_by", "commit:0a1b2c3d4e5f")],
    "Fixed in 1a2b3c4": [("fixed_by", "commit:1a2b3c4")],
    "Closing in favor of #12": [("superseded_by", "#12")],
    "Closing this in favour of PR #12.": [("superseded_by", "#12")],
    "I'm in favor of #12": [("mentions", "#12")],
    "superseded by #12": [("superseded_by", "#12")],
    "was replaced by #12": [("superseded_by", "#12")],
    "Supersedes #12": [("supersedes", "#12")],
    "Rebased version of #12": [("supersedes", "#12")],
    "Duplicate of #12": [("duplicates", "#12")],
    "dupe of https://github.com/ada/engine/issues/12": [("duplicates", "#12")],
    "not a duplicate of #12": [("mentions", "#12")],
    "Mostly a duplicate of #12": [("duplicates", "#12")],
    "What it does was mostly replaced by #12": [("mentions", "#12")],
    "This mostly reverts #12": [("reverts_part", "#12")],
    "same as #12": [("mentions", "#12")],
    "Is this a duplicate of #12?": [("mentions", "#12")],
    "Was this fixed by #12 already?": [("mentions", "#12")],
    "Fixes #12, #13. Ready?": [("fixes", "#12"), ("fixes", "#13")],
    "Fixes #12: is that all?": [("fixes", "#12")],
    "I don't think it is superseded by #12": [("mentions", "#12")],
    "Not sure whether this really fixes #12": [("mentions", "#12")],
    "If this is superseded by #12, close it": [("mentions", "#12")],
    "Let us see whether it is fixed by #12": [("mentions", "#12")],
    "Crashes if it is empty\nFixes #12": [("fixes", "#12")],
    "Crashes if it is empty, fixed by #12": [("fixed_by", "#12")],
    "If it leaks then this fixes #12": [("fixes", "#12")],
    "Probably fixed by #12": [("mentions", "#12")],
    "This has most likely already been fixed by #12": [("mentions", "#12")],
    "Doubt that it is superseded by #12": [("mentions", "#12")],
    "I don't believe that this fixes #12": [("mentions", "#12")],
    "It never was the leak that fixed #12": [("fixes", "#12")],
    "Reverts #12 under pressure from users.": [("reverts", "#12")],
    "Reverts #12 before the freeze.": [("reverts", "#12")],
    "Reverts #12 😞": [("reverts", "#12")],
    "Reverts #12 by disabling it.": [("reverts", "#12")],
    "Reverts #12 (the one that broke it).": [("reverts", "#12")],
    "Not a partial revert. Reverts #12": [("reverts", "#12")],
    "Reverts #12 (the cache).": [("reverts", "#12")],
    "Reverts #12: the cache part.": [("reverts_part", "#12")],
    "Reverts #12, minus the docs.": [("reverts_part", "#12")],
    "Reverts #12 and keeps the tests": [("reverts_part", "#12")],
    "Reverts #12. Partially.": [("reverts_part", "#12")],
    "Reverts #12 to 10 ms.": [("reverts_part", "#12")],
    'Reverted "Oil the gears" 0a1b2c3d4e5f.': [("reverts", "commit:0a1b2c3d4e5f")],
    "Reverts #12 on Windows under load": [("reverts_part", "#12")],
    "Partial revert: reverts #12": [("reverts_part", "#12")],
    "Partly takes back #12.": [("reverts_part", "#12")],
    "Takes back part of #12.": [("reverts_part", "#12")],
    "Partially reverts #12": [("reverts_part", "#12")],
    "Reverts some of the changes of #12": [("reverts_part", "#12")],
    "Does not partly revert #12": [("mentions", "#12")],
    "We could revert part of #12": [("mentions", "#12")],
    "Reverts #12. Partially fixes #13.": [("reverts", "#12"), ("mentions", "#13")],
    "Does this revert #12 because nobody needs it?": [("mentions", "#12")],
    "Duplicate of #12?": [("mentions", "#12")],
    "It never crashed since it was fixed in #12": [("fixed_by", "#12")],
    "This not only fixes #12": [("fixes", "#12")],
    "Reverts ada/engine#12": [("reverts", "#12")],
    f"This reverts commit {SHA}.": [("reverts", "commit:0a1b2c3d4e5f")],
    'Revert "Oil gears (#12)" (#34)': [("reverts", "#12"), ("mentions", "#34")],
    'Revert "Revert "Oil gears (#12)""': [("reapplies", "#12")],
    'Reapply "Oil gears (#12)" (#34)': [("reapplies", "#12"), ("mentions", "#34")],
    "See #12": [("mentions", "#12")],
    "PR#12 and (#13)": [("mentions", "#12"), ("mentions", "#13")],
    "#12's": [("mentions", "#12")],
    "See #12. Later: fixes #12": [("fixes", "#12")],
    "https://github.com/bob/gear/pull/12/files": [("mentions", "bob/gear#12")],
    "https://github.com/ada/engine/pull/12#issuecomment-345": [("mentions", "comment:12#345")],
    "https://github.com/ada/engine/pull/12#discussion_r345": [("mentions", "comment:12#345")],
    "https://github.com/ada/engine/pull/12/files#discussion_r345": [("mentions", "comment:12#345")],
    "https://gitlab.com/team/sub/gear/-/issues/12": [("mentions", "team/sub/gear#12")],
    "https://gitlab.com/team/gear/-/issues/12": [("mentions", "team/gear#12")],
    f"https://github.com/ada/engine/commit/{SHA}": [("mentions", "commit:0a1b2c3d4e5f")],
    f"bob/gear@{SHA}": [("mentions", "bob/gearcommit:0a1b2c3d4e5f")],
    f"ACK {SHA}": [("mentions", "commit:0a1b2c3d4e5f")],
    "in `1a2b3c4` we did": [("mentions", "commit:1a2b3c4")],
    "since commit 1a2b3c4": [("mentions", "commit:1a2b3c4")],
    'Revert "Oil gears (GH-12)"': [("reverts", "#12")],
    'Revert "Merge pull request #12 from ada/oil"': [("reverts", "#12")],
    'Revert "Merge ada/engine#12: Oil gears"': [("reverts", "#12")],
    'Revert "Revert "Oil gears (#12)" (#34)" (#56)': [("reapplies", "#12"), ("reverts", "#34"), ("mentions", "#56")],
    'Reapply "Oil gears (#12)" (#56)': [("reapplies", "#12"), ("mentions", "#56")],
    'Revert "Reapply "Oil gears (#12)""': [("reverts", "#12")],
    'Revert "Oil gears" (#34)': [("mentions", "#34")],
    'Revert "Oil "both" `gears` (#12)"': [("reverts", "#12")],
    'Partially revert "Oil gears (#12)"': [("reverts_part", "#12")],
    'Revert "Oil gears (#12)" (partly)': [("reverts_part", "#12")],
    'Revert "Oil gears"\n(commit 1a2b3c4d5e6f)': [("reverts", "commit:1a2b3c4d5e6f")],
    f'Partly revert "Oil gears"\n\nThis reverts commit {SHA}.': [("reverts_part", "commit:0a1b2c3d4e5f")],
    f'Revert "Fix some gears for now"\n\nThis reverts commit {SHA}.': [("reverts", "commit:0a1b2c3d4e5f")],
    "Undo of 1a2b3c4d": [("reverts", "commit:1a2b3c4d")],
    "*undo* 1a2b3c4d (oil the gears)": [("reverts", "commit:1a2b3c4d")],
    "This is a revert of 1a2b3c4d.": [("reverts", "commit:1a2b3c4d")],
    "This is a partial revert of 1a2b3c4d.": [("reverts_part", "commit:1a2b3c4d")],
    "This backs out changeset 1a2b3c4d.": [("reverts", "commit:1a2b3c4d")],
    "Therefore revert the previous commit (1a2b3c4d)": [("reverts", "commit:1a2b3c4d")],
    "This reverts a couple of changes introduced in 1a2b3c4d": [("reverts_part", "commit:1a2b3c4d")],
    "Commit 1a2b3c4d oiled the gears.\n\nThis largely reverts that commit.": [("reverts_part", "commit:1a2b3c4d")],
    "Commit 1a2b3c4d oiled the gears. Do not revert that commit.": [("mentions", "commit:1a2b3c4d")],
    "#12 oiled the gears. Revert that PR, it smells.": [("reverts", "#12")],
    "#12 oiled the gears. Revert that commit, it smells.": [("mentions", "#12")],
    "Reverting commits:\n1a2b3c4d\n5e6f7a8b": [("reverts", "commit:1a2b3c4d"), ("reverts", "commit:5e6f7a8b")],
    "This reverts the following commits:\n\n  1a2b3c4d oil gears\n  5e6f7a8b and chains\n": [
        ("reverts", "commit:1a2b3c4d"),
        ("reverts", "commit:5e6f7a8b"),
    ],
    "Needs these commits:\n\n  commit 1a2b3c4d oil gears\n": [("mentions", "commit:1a2b3c4d")],
}


@walk(("text", "expected"), SAID.items(), ids=SAID.keys())
def test_what_a_text_says_of_what_it_refers_to(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


NOTHING = {
    "nothing": "",
    "a heading": "# 5 gears",
    "a heading without space": "#gears",
    "a colour": "#fff000 and #12ab34",
    "a long number": "#12345678",
    "a leading zero": "#012",
    "an entity": "it&#39;s",
    "a version": "#1.2",
    "a fragment": "https://example.com/page#12 and https://example.com/a/b#12",
    "a path": "src/gear.py#12x",
    "inline code": "use `#12` and ``ada/engine#12``",
    "a fence": "```\nFixes #12\n```\n",
    "a fence never closed": "~~~ c\nFixes #12",
    "a quote": "> Fixes #12\n\nNo.",
    "a template's comment": "<!-- Fixes #12 -->",
    "a short hash": "the 1a2b3c4 thing",
    "words of hex": "`deadbeef` `defaced` `1234567`",
    "a longer hash": f"Tree-SHA512: {SHA}{SHA}",
}


@walk("text", NOTHING.values(), ids=NOTHING.keys())
def test_what_is_no_reference(text: str) -> None:
    assert found(text) == []


def test_text_around_quotes_and_code_still_counts() -> None:
    assert found("> Fixes #1\nNo, fixes #2\n```\n#3\n```\nand #4") == [("fixes", "#2"), ("mentions", "#4")]


def test_without_an_own_repository_every_named_one_is_another() -> None:
    assert [*references("ada/engine#12")] == [Link(relation="mentions", to_ref="#12", to_source="ada/engine")]


@given(st.text() | st.text("#/-@`>[]()<!h:.ab1 \nfixesGH", max_size=80))
def test_whatever_the_text_nothing_is_raised_and_no_target_comes_twice(text: str) -> None:
    targets = [(link.to_ref, link.to_source) for link in references(text, own=[OWN])]
    assert len(targets) == len(set(targets))


@walk(
    "piece",
    ["<!--", "```\n", "> ", "[#1](", "a/", "`", "fixes ", "https://", "#1 ", "1a2b3c4", "a-b/", "[", "closed " * 9],
)
def test_no_text_takes_more_than_linear_time(piece: str) -> None:
    text = piece * (100_000 // len(piece)) + " #1"
    start = time.process_time()
    references(text, own=[OWN])
    assert time.process_time() - start < 2.5


@walk("blank", ["\t", " ", "\n", " \t"], ids=repr)
@walk("mark", ["", ":", ".", "(", " the"], ids=repr)
def test_a_run_of_blanks_after_a_reference_takes_no_more_than_linear_time(blank: str, mark: str) -> None:
    start = time.process_time()
    references(f"Reverts #98{mark}{blank * 20_000}x", own=[OWN])
    assert time.process_time() - start < 1
