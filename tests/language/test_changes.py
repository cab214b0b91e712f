"""A title or a sentence states what was done to what, from which value to which, and how surely."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortex.language.changes import LONGEST, parse
from tests.tables import walk

STATED = [
    ("Add a retry limit", "adds|retry limit|||done"),
    ("net: raise the retry limit from 3 to 5", "amends|retry limit|3|5|done"),
    ("Set the default timeout to 30 s", "amends|default timeout||30 s|done"),
    ("The timeout was raised from 3 s to 5 s.", "amends|timeout|3 s|5 s|done"),
    ("Remove the cache from the server (#9)", "removes|cache|||done"),
    ("Stop using Fax", "removes|Fax|||done"),
    ("We no longer support Python 3.7", "removes|Python 3.7|||done"),
    ("TLS support removed", "removes|TLS support|||done"),
    ("The cache was removed in #12.", "removes|cache|||done"),
    ("Removal of the cache", "removes|cache|||done"),
    ("Replace Fax with Post", "replaces|Fax|Fax|Post|done"),
    ("Move the mail from Fax to Post", "replaces|mail|Fax|Post|done"),
    ("Use Post instead of Fax", "replaces|Fax|Fax|Post|done"),
    ("Drop Fax in favour of Post", "replaces|Fax|Fax|Post|done"),
    ("Rename `foo_bar` to `baz`", "renames|`foo_bar`|foo_bar|baz|done"),
    ("Superseded by #13 since it is simpler", "supersedes|||#13|done"),
    ("#14 reverts #12", "reverts|#12|||done"),
    ("Re-add the cache", "relands|cache|||done"),
    ("chore: release v1.2.3", "releases|v1.2.3|||done"),
    ("Deprecate the v1 API in favor of v2", "deprecates|v1 API|v1 API|v2|done"),
    ("We decided to drop the cache.", "removes|cache|||done"),
    ("We should replace Fax with Post.", "replaces|Fax|Fax|Post|planned"),
    ("Please revert #12", "reverts|#12|||planned"),
    ("Should we drop the cache?", "removes|cache|||asked"),
    ("If we remove the cache, it breaks.", "removes|cache|||conditional"),
    ("We did not remove the cache.", "removes|cache|||denied"),
    ("I think we removed the cache", "removes|cache|||hedged"),
]


@walk(("text", "expected"), STATED, ids=[text for text, _ in STATED])
def test_a_text_states_one_change(text: str, expected: str) -> None:
    (found,) = parse(text)
    assert "|".join((found.op, found.subject, found.old, found.new, found.certainty)) == expected


@walk(
    "text",
    [
        "The add button is green",
        "Fix the crash when removing a file",
        "We use Redis for the queue.",
        "Merge pull request #12 from ada/oil",
        "Typo",
        "",
    ],
)
def test_other_texts_state_none(text: str) -> None:
    assert parse(text) == ()


def test_a_sentence_may_state_several() -> None:
    found = parse("feat(net)!: add a queue, drop the cache and rename `a` to `b`")
    assert [(one.op, one.subject, one.scope) for one in found] == [
        ("adds", "queue", "net"), ("removes", "cache", "net"), ("renames", "`a`", "net"),
    ]  # fmt: skip


def test_each_layer_of_a_revert_turns_the_one_inside() -> None:
    found = parse('Revert "Revert "Revert "Oil the gears""" (#12)')
    assert [(one.op, one.subject) for one in found] == [
        ("reverts", 'Revert "Revert "Oil the gears""'),
        ("relands", 'Revert "Oil the gears"'),
        ("reverts", "Oil the gears"),
    ]


def test_a_change_limited_to_an_environment_or_a_part_says_so() -> None:
    assert parse("Increase `max_size` from 10 MB to 20 MB in staging")[0].scope == "staging"
    assert parse("Partial revert of #12")[0].partial


@given(st.one_of(st.text(max_size=80), st.lists(st.sampled_from([text for text, _ in STATED])).map(" ".join)))
def test_a_subject_is_a_span_of_its_text(text: str) -> None:
    for one in parse(text):
        assert 0 <= one.start <= one.end <= min(len(text), LONGEST)
        assert one.subject == text[one.start : one.end].strip()
