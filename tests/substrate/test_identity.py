"""Handles are pasted into pull requests: these vectors must never change."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortex.substrate.identity import fingerprint, handle, normalised
from tests.tables import walk


@walk(
    ("source", "ref", "statement", "expected"),
    [
        ("o8", "issue:496", "Issue #496 (open): decompose RepoRegistrySection.tsx", "fact-d0eefb0dd8b5"),
        ("", "", "", "fact-96a296d224f2"),
        ("owner/name", "doc:docs/\xe9.md#ports", "Ports \u2014 8080", "fact-11e97955afe9"),
        ("a", "b\ud800", "c\x00d", "fact-099e2195dee8"),
    ],
)
def test_a_handle_never_changes(source: str, ref: str, statement: str, expected: str) -> None:
    assert handle(source, ref, statement) == expected


@walk(
    ("statement", "expected"),
    [
        ("Use WAL mode, always.", "8a7c66c83c8c86ba"),
        ("", "e4a6a0577479b2b4"),
        ("???", "8e5b38c2024e265f"),
        ("Stra\xdfe \u2014 \u201cok\u201d", "c4ec0f310b73ce4e"),
        ("x != y", "435687c3610857c4"),
    ],
)
def test_a_fingerprint_never_changes(statement: str, expected: str) -> None:
    assert fingerprint(statement) == expected


@walk("other", ["use wal  mode always", "Use `WAL` mode (always)!", "\tUSE WAL MODE, ALWAYS\n"])
def test_case_spacing_and_punctuation_around_words_make_no_difference(other: str) -> None:
    assert fingerprint(other) == fingerprint("Use WAL mode, always.")


@walk(("one", "other"), [("x != y", "x == y"), ("-1", "1"), ("C++", "C"), ("1.5", "15"), ("!", "?"), ("a b", "ab")])
def test_signs_and_operators_make_a_difference(one: str, other: str) -> None:
    assert fingerprint(one) != fingerprint(other)


@given(st.text())
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    assert len(fingerprint(text)) == 16
    assert " ".join(normalised(text).split()) == normalised(text)


def test_fields_do_not_run_into_each_other() -> None:
    assert handle("ab", "c", "") != handle("a", "bc", "")
