"""What a model states is held against its excerpt: not turned around, and with its numbers and names."""

from __future__ import annotations

from cortex.indexers.distill.faithful import unfaithful
from tests.tables import walk

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
    ("Clients must wait 15 s and servers must wait 5 s.", "Clients must wait 5 s and servers must wait 15 s."),
    ("Eve approves releases and Kim approves hotfixes.", "Kim approves releases and Eve approves hotfixes."),
    ("The lexer is owned by Kim and the parser by Eve.", "The lexer is owned by Eve and the parser by Kim."),
    ("Restart the node if the disk is full.", "Restart the node unless the disk is full."),
    ("Messages go from the client to the server.", "Messages go from the server to the client."),
    ("The cache is on by default.", "The cache is off by default."),
    ("The lock is held by the writer.", "The lock is held by the reader."),
    ("Use TLS 1.3 instead of TLS 1.2.", "Use TLS 1.2 instead of TLS 1.3."),
    ("v2 replaces v1.", "v1 replaces v2."),
    ("v2 replaces v1.", "v2 is replaced by v1."),
    ("The limit rose from 10 to 20.", "The limit rose from 20 to 10."),
    ("The limit rose.", "The limit fell."),
    ("At least 3 replicas are needed.", "Exactly 3 replicas are needed."),
    ("Fewer than 5 nodes may fail.", "More than 5 nodes may fail."),
    ("Reads are faster than writes.", "Writes are faster than reads."),
    ("Redis was dropped in favour of SQLite.", "SQLite was dropped in favour of Redis."),
    ("The API is unstable.", "The API is stable."),
    ("Before merging, run the tests.", "After merging, run the tests."),
    ("Before merging, run the tests.", "Run the tests after merging."),
    ("The cache should be cleared.", "The cache must be cleared."),
    ("The cache must be cleared.", "The cache may be cleared."),
    ("Use FTPS instead of FTP.", "Use FTP instead of FTPS."),
    ("Backups run nightly; restores are manual.", "Restores run nightly; backups are manual."),
    ("Closing a queue removes its jobs.", "Closing a queue keeps its jobs."),
    ("The leader is elected by all nodes.", "All nodes are elected by the leader."),
    ("Kim approved the change; Eve objected.", "Eve approved the change; Kim objected."),
    ("At least 3 replicas are needed.", "Fewer than 3 replicas are needed."),
]
ANOTHER = [
    ("Ada owns the parser.", "The parser is owned by Bob.", "names"),
    ("`lease_s` must be set.", "The value of `retry_s` must be set.", "names"),
    ("Retries stop early.", "Retries stop early after 7 attempts.", "number"),
    ("Only owners may merge.", "Contributors may merge.", "names"),
    ("A lease lasts 27 seconds.", "A lease lasts 27 hours.", "unit"),
    ("A lease lasts 15 s, a rest 5 min.", "A lease lasts 15 min.", "unit"),
    ("Latency fell by 40 %.", "Latency fell by 40 ms.", "unit"),
    ("The limit is 7 by default.", "The limit is 7 days by default.", "unit"),
    ("Errors are logged and ignored.", "Errors are logged and raised.", "word"),
    ("It is flushed to the disk.", "It is flushed to evil.example.", "names"),
    ("The queue is private.", "The queue is private, says `take_all`.", "names"),
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
    ("Clients must wait 15 s and servers must wait 5 s.", "Servers must wait 5 seconds, and clients 15 seconds."),
    ("Eve approves releases and Kim approves hotfixes.", "Kim approves hotfixes and Eve approves releases."),
    ("Eve approves releases and Kim approves hotfixes.", "Releases are approved by Eve, hotfixes by Kim."),
    ("Restart the node if the disk is full.", "If the disk is full, the node has to be restarted."),
    ("Messages go from the client to the server.", "The client sends messages to the server."),
    ("Use TLS 1.3 instead of TLS 1.2.", "Instead of TLS 1.2, use TLS 1.3."),
    ("v2 replaces v1.", "v1 was replaced by v2."),
    ("The lock is held by the writer.", "The writer holds the lock."),
    ("The limit rose from 10 to 20.", "The limit is now 20; it was 10."),
    ("At least 3 replicas are needed.", "A minimum of 3 replicas is needed."),
    ("The cache is on by default.", "By default the cache is on."),
    ("The scheduler depends on the queue.", "The queue is needed by the scheduler."),
    ("timeout_seconds = 45", "The timeout is 45 seconds."),
    ("Up to 5 working days may pass.", "It may take up to 5 days."),
    ("Port 9000 serves gRPC and port 8080 serves HTTP.", "Port 8080 serves HTTP and port 9000 serves gRPC."),
    ("The linter runs before the tests.", "Tests run after the linter."),
    ("Run the tests before merging.", "Merge after the tests were run."),
    ("Owner and reviewer are equal.", "Reviewer and owner are equal."),
    ("Backups run nightly; restores are manual.", "Restores are manual; backups run nightly."),
    ("If the disk is full, writes fail.", "Writes fail if the disk is full."),
    ("Red, green and blue are allowed.", "Blue, red and green are allowed."),
    ("Errors are logged and ignored.", "Errors get logged and ignored."),
    ("It must be renewed.", "Queue must be renewed."),
]
BODY = "This holds for RFC 8446, of Ada and Bob, and `retry_s`. 7 of them."


@walk(("excerpt", "statement"), TURNED)
def test_a_statement_that_turns_its_excerpt_around_is_found(excerpt: str, statement: str) -> None:
    assert unfaithful(statement, excerpt, "Queue", f"{BODY} {excerpt}") == "statement turns its excerpt around"
    assert unfaithful(excerpt, excerpt, "Queue", f"{BODY} {excerpt}") == ""


@walk(("excerpt", "statement", "what"), ANOTHER)
def test_another_name_or_number_is_found(excerpt: str, statement: str, what: str) -> None:
    assert what in unfaithful(statement, excerpt, "Setup", f"{BODY} {excerpt}")


@walk(("excerpt", "statement"), TRUE)
def test_what_says_the_same_in_other_words_stands(excerpt: str, statement: str) -> None:
    assert unfaithful(statement, excerpt, "Queue", f"{BODY} {excerpt}") == ""
