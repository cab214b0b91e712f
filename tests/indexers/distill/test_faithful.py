"""What a model states is held against its excerpt: not turned around, and with its numbers and names."""

from __future__ import annotations

import pytest

from cortex.indexers.distill.faithful import unfaithful

TURNED = [
    ("A worker must not share its lease.", "A worker must share its lease."),
    ("A worker must share its lease.", "A worker must never share its lease."),
    ("Only owners may push. Reviewers must not push.", "Reviewers must push."),
    ("The cache doesn't survive a restart.", "The cache survives a restart."),
    ("Sharing a lease is forbidden.", "Sharing a lease is fine."),
    ("A reader may wait for a writer.", "A reader must wait for a writer."),
    ("A lease lasts at least 60 seconds.", "A lease lasts at most 60 seconds."),
    ("A lease lasts no more than 60 seconds.", "A lease lasts at least 60 seconds."),
    ("Run the tests before merging.", "Run the tests after merging."),
    ("Tracing is disabled in production.", "Tracing is enabled in production."),
    ("The port must be 8433, not 8080.", "The port must be 8080, not 8433."),
]
ANOTHER = [
    ("Ada owns the parser.", "The parser is owned by Bob.", "names"),
    ("`lease_s` must be set.", "The value of `retry_s` must be set.", "names"),
    ("Retries stop early.", "Retries stop early after 7 attempts.", "number"),
]
TRUE = [
    ("A worker must not share its lease.", "Workers must never share a lease."),
    ("The port must be 8433, not 8080.", "The port must be 8433."),
    ("Readers must not wait; writers must wait.", "Writers must wait."),
    ("If the lease is not renewed, the job is retried.", "The job is retried if the lease is not renewed."),
    ("A lease lasts no more than 60 seconds.", "A lease lasts at most 60 seconds."),
    ("It must not be empty.", "The `name` of a Queue must not be empty."),
    ("It is replaced by the other one.", "RFC 8446 is replaced by the other one."),
    ("The cache does *not* survive a restart.", "The cache does not survive a restart."),
    ("Not only the owner must read it, but every reviewer.", "Every reviewer must read it."),
]
BODY = "This holds for RFC 8446, of Ada and Bob, and `retry_s`. 7 of them."


@pytest.mark.parametrize(("excerpt", "statement"), TURNED)
def test_a_statement_that_turns_its_excerpt_around_is_found(excerpt: str, statement: str) -> None:
    assert unfaithful(statement, excerpt, "Queue", f"{BODY} {excerpt}") == "statement turns its excerpt around"
    assert unfaithful(excerpt, excerpt, "Queue", f"{BODY} {excerpt}") == ""


@pytest.mark.parametrize(("excerpt", "statement", "what"), ANOTHER)
def test_another_name_or_number_is_found(excerpt: str, statement: str, what: str) -> None:
    assert what in unfaithful(statement, excerpt, "Setup", f"{BODY} {excerpt}")


@pytest.mark.parametrize(("excerpt", "statement"), TRUE)
def test_what_says_the_same_in_other_words_stands(excerpt: str, statement: str) -> None:
    assert unfaithful(statement, excerpt, "Queue", f"{BODY} {excerpt}") == ""
