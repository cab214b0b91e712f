"""Questions that stored fields answer are answered from them, however they are put; others are left to retrieval."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from cortex.composer.retrieve.lookup import look_up
from cortex.composer.values import Listed
from cortex.substrate.brain import Brain
from cortex.substrate.reading import Reader
from tests.brains import open_new
from tests.composer.kiln import index_kiln
from tests.tables import walk

TODAY = date(2024, 10, 10)


@pytest.fixture(scope="module")
def kiln(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_new(tmp_path_factory.mktemp("kiln") / "brain.db") as brain:
        index_kiln(brain)
        yield brain


def asked(brain: Brain, text: str, *, as_of: str = "", today: date | None = TODAY) -> Listed | None:
    sources = dict(brain.db.execute("select id, name from sources"))
    return look_up(Reader(brain, sources, as_of=as_of), text, today=today)


def refs(brain: Brain, listed: Listed) -> list[str]:
    """The records of the items, pull requests and issues by number alone."""
    found = [brain.db.execute("select ref from records where id = ?", (id_,)).fetchone()[0] for id_, _ in listed.items]
    return [ref.removeprefix("pull:").removeprefix("issue:") for ref in found]


MERGED = "PR #10 “Grease the door” by ada, merged by bob-b on 2024-03-11"
OPEN = "PR #12 “Rework the burner” by ada, open since 2024-06-01, not merged"


@walk(
    ("text", "expected", "part"),
    [
        ("who merged #10", ["10"], MERGED),
        ("Who merged 10?", ["10"], MERGED),
        ("can you tell me who merged PR 10 please?", ["10"], MERGED),
        ("who was pull request #10 merged by", ["10"], MERGED),
        ("by whom was #10 merged?", ["10"], MERGED),
        ("who merged #12?", ["12"], OPEN),
        ("who opened issue 3", ["3"], "reported by bob-b on 2023-05-10"),
        ("#10 author", ["10"], "by ada"),
        ("author of #10", ["10"], "by ada"),
        ("#10's author?", ["10"], "by ada"),
        ("who's the author of PR-10", ["10"], "by ada"),
        ("Who reported #1?", ["1"], "issue #1 “Glaze cracks on cooling”, open since 2023-01-10, reported by ada"),
        ("who closed #3?", ["3"], "closed by dan on 2024-03-12"),
        ("who closed #13", ["13"], "closed by dan on 2024-06-09 without being merged"),
        ("who approved #10?", ["comment:10#1"], "PR #10 “Grease the door” was approved by bob-b on 2024-03-02"),
        ("who reviewed PR #12", ["comment:12#3", "comment:12#2"], "sent back with changes requested by carol"),
        ("reviewers of #12", ["comment:12#3", "comment:12#2"], "by carol"),
        ("who approved #11?", ["11"], "not approved"),
        ("who wrote commit cc33cc3", ["commit:cc33cc33cc33"], "commit cc33cc3 “Tidy the door” by Bob B on 2024-04-15"),
        ("who is assigned to #1", ["1"], "assigned to nobody"),
        ("when was #10 merged", ["10"], "on 2024-03-11"),
        ("#10 merge date", ["10"], "on 2024-03-11"),
        ("when did #10 get merged?", ["10"], "on 2024-03-11"),
        ("when did #10 land", ["10"], "on 2024-03-11"),
        ("on what day was PR 10 merged?", ["10"], "on 2024-03-11"),
        ("when was #12 merged?", ["12"], "not merged"),
        ("is #12 open?", ["12"], "open since"),
        ("is #12 merged yet", ["12"], "not merged"),
        ("status of #10", ["10"], "merged by bob-b"),
        ("what's the state of issue #3?", ["3"], "closed by dan"),
        ("was #11 reverted?", ["11", "14"], "reverted by PR #14"),
        ("was #10 reverted?", ["10"], "not reverted"),
        ("was #10 superseded?", ["10"], "not superseded"),
        ("#12 status", ["12"], "open since"),
        ("did bob-b merge #10?", ["10"], "merged by bob-b"),
        ("did carol merge #10?", ["10"], "merged by bob-b"),
        ("was #10 merged by carol?", ["10"], "merged by bob-b"),
        ("did bob-b approve #12", ["comment:12#2"], "approved by bob-b"),
        ("was #11 approved?", ["11"], "not approved"),
        ("who merged #10 and when?", ["10"], MERGED),
        ("what's #10's status", ["10"], MERGED),
        ("what fixed #3?", ["10"], "issue #3 is fixed by PR #10"),
        ("which PR fixed issue 3?", ["10"], MERGED),
        ("who fixed #3?", ["10"], "by ada"),
        ("fix for #3", ["10"], "is fixed by"),
        ("is #3 fixed?", ["10"], "is fixed by"),
        ("what did #10 fix?", ["3"], "PR #10 fixes issue #3"),
        ("which issues were fixed by #10", ["3"], "PR #10 fixes"),
        ("what reverted #11?", ["14"], "PR #11 is reverted by PR #14"),
        ("when was #11 reverted?", ["14"], "merged by dan on 2024-09-21"),
        ("which release has #10?", ["doc:CHANGELOG.md#110"], "PR #10 is in the notes of 1.1.0, released 2024-04-01"),
        ("what version is PR #10 in?", ["doc:CHANGELOG.md#110"], "1.1.0"),
        ("has #12 been released?", ["12"], "not merged"),
    ],
)
def test_what_is_asked_of_a_thread_is_told_from_its_fields(
    kiln: Brain, text: str, expected: list[str], part: str
) -> None:
    found = asked(kiln, text)
    assert found is not None
    assert refs(kiln, found) == expected
    assert part in found.items[0][1]
    assert found.complete


@walk(
    ("text", "expected"),
    [
        ("which issues are open?", ["2", "1"]),
        ("open issues", ["2", "1"]),
        ("list all open issues", ["2", "1"]),
        ("how many open issues are there?", ["2", "1"]),
        ("how many issues are still open", ["2", "1"]),
        ("how many open issues with label bug", ["1"]),
        ("which issues are labelled good first issue?", ["3"]),
        ("open bug issues", ["1"]),
        ("open issues tagged bug by ada", ["1"]),
        ("how many issues by ada", ["2", "1"]),
        ("which issues are in milestone 2.0?", ["4", "1"]),
        ("which open issues are bugs?", ["1"]),
        ("are there any open bugs", ["1"]),
        ("how many bugs are there", ["3", "1"]),
        ("which issues are not bugs?", ["4", "2"]),
        ("issues without label bug", ["4", "2"]),
        ("PRs with changes requested", ["12"]),
        ("which decisions were superseded?", ["doc:docs/adr/0001-wood.md"]),
        ("issues ada opened", ["2", "1"]),
        ("how many open PRs do we have?", ["12"]),
        ("were any PRs reverted?", ["11"]),
        ("was anything reverted", ["11"]),
        ("what was the last pull request to be merged?", ["14"]),
        ("issues closed in March by dan", ["3"]),
        ("Which issues were closed by carol?", ["4"]),
        ("which issues did ada open?", ["2", "1"]),
        ("which PRs did carol merge?", ["11"]),
        ("what did bob-b merge in 2024?", ["10"]),
        ("what did dan merge last month", ["14"]),
        ("merged PRs", ["14", "11", "10"]),
        ("list merged pull requests about the door in 2024", ["10"]),
        ("PRs merged since September 2024", ["14", "11"]),
        ("PRs merged between 2024-03-01 and 2024-03-31", ["10"]),
        ("prs merged in q3 2024", ["14", "11"]),
        ("which pull requests were closed without being merged?", ["13"]),
        ("which PRs were approved by bob-b", ["12", "10"]),
        ("the oldest open issue", ["1"]),
        ("what is the newest PR?", ["14"]),
        ("what are the two oldest issues?", ["1", "2"]),
        ("what was the first commit?", ["commit:aa11aa11aa11"]),
        ("who made the last commit?", ["commit:cc33cc33cc33"]),
        ("commits by Bob B in April", ["commit:cc33cc33cc33"]),
        ("commits by Ada Low", ["commit:bb22bb22bb22", "commit:aa11aa11aa11"]),
        ("what was reverted?", ["11"]),
        ("what was reverted in September 2024?", ["11"]),
        ("which pull requests were reverted", ["11"]),
        ("what changed last month?", ["14", "11"]),
        ("what changed since 2024-09-10", ["14"]),
        ("who last touched src/door.py?", ["commit:cc33cc33cc33"]),
        ("when was README.md last changed", ["commit:aa11aa11aa11"]),
        ("which commits changed src/door.py?", ["commit:cc33cc33cc33", "commit:bb22bb22bb22"]),
        ("who owns src/door.py?", ["ownership:CODEOWNERS#12"]),
        ("owner of src/kiln.py", ["ownership:CODEOWNERS#3"]),
        ("src/door.py owner", ["ownership:CODEOWNERS#12"]),
        ("who maintains the src folder", ["ownership:CODEOWNERS#3"]),
        ("what does dan own?", ["ownership:CODEOWNERS#12"]),
        ("latest release", ["doc:CHANGELOG.md#120/added"]),
        ("what is the latest version?", ["doc:CHANGELOG.md#120/added"]),
        ("which version are we on?", ["doc:CHANGELOG.md#120/added"]),
        ("when was the last release?", ["doc:CHANGELOG.md#120/added"]),
        ("when was 1.1.0 released", ["doc:CHANGELOG.md#110"]),
        ("when did v1.1 come out?", ["doc:CHANGELOG.md#110"]),
        ("release date of 1.1.0", ["doc:CHANGELOG.md#110"]),
        ("previous release", ["doc:CHANGELOG.md#110"]),
        ("which release came before 1.1.0?", ["doc:CHANGELOG.md#100"]),
        ("first release", ["doc:CHANGELOG.md#100"]),
        ("which releases were made in 2024?", ["doc:CHANGELOG.md#120/added", "doc:CHANGELOG.md#110"]),
        ("who contributed most?", ["commit:bb22bb22bb22", "commit:cc33cc33cc33"]),
        ("who merged the most PRs", ["14", "11", "10"]),
    ],
)
def test_a_list_is_what_the_fields_tell(kiln: Brain, text: str, expected: list[str]) -> None:
    found = asked(kiln, text)
    assert found is not None
    assert refs(kiln, found) == expected
    assert found.complete


def told(brain: Brain, text: str) -> list[str]:
    """The items of what *text* asks for, each with what it quotes."""
    found = asked(brain, text)
    assert found is not None
    assert found.complete
    bodies = dict(brain.db.execute("select id, body from records"))
    quotes = {place: f" “{bodies[found.items[place][0]][slice(*span)]}”" for place, span in found.quotes.items()}
    return [text + quotes.get(place, "") for place, (_, text) in enumerate(found.items)]


def test_what_changed_in_a_release_is_told_by_its_entries(kiln: Brain) -> None:
    for text in ("what changed in 1.2.0?", "what's new in the latest release", "1.2.0 release notes", "what's new?"):
        assert told(kiln, text) == [
            "1.2.0, released 2024-10-01 (CHANGELOG.md): ‘Added’: “The firing curve is cached and taken back (#14).”",
            "‘Fixed’: “Nothing else.”",
        ]
    assert told(kiln, "what was fixed in 1.2.0") == [
        "1.2.0, released 2024-10-01 (CHANGELOG.md): ‘Fixed’: “Nothing else.”"
    ]
    for text in ("what changed since the last release?", "what is in the next release?", "next release"):
        assert told(kiln, text) == ["next release, not released yet (CHANGELOG.md): “A new burner.”"]
    for text in ("what changed since 1.0.0", "changes since version 1", "what changed between 1.0.0 and 1.2.0"):
        assert told(kiln, text)[-1] == "1.1.0, released 2024-04-01 (CHANGELOG.md): “The door is greased (#10).”"
    assert asked(kiln, "what changed in 9.9") is None


def test_a_release_that_brought_something_is_found_by_its_entries(kiln: Brain) -> None:
    entry = "1.2.0, released 2024-10-01 (CHANGELOG.md): ‘Added’: “The firing curve is cached and taken back (#14).”"
    assert told(kiln, "which release added the firing curve?") == [entry]
    assert told(kiln, "in which version did we introduce the firing curve") == [entry]


def test_a_count_is_told_first(kiln: Brain) -> None:
    found = asked(kiln, "how many PRs were merged?")
    assert found is not None
    assert (found.lead, len(found.items)) == ("3 in all: ", 3)


def test_owners_are_told_with_the_line_that_says_so(kiln: Brain) -> None:
    found = asked(kiln, "who owns src/door.py")
    assert found is not None
    assert found.items[0][1] == "src/door.py is owned by @dan (CODEOWNERS line 12)"


@walk(
    "text",
    [
        "who merged #99999",
        "is #99999 open",
        "what fixed #99999?",
        "which PRs did Zorg merge?",
        "issues with label frobnication",
        "what did zorg-9 merge last week",
        "commits by zorg-9",
        "which commits touched src/nothing.py",
        "when was 4.0.0 released?",
    ],
)
def test_what_is_not_there_is_answered_by_nothing(kiln: Brain, text: str) -> None:
    found = asked(kiln, text)
    assert found is not None
    assert (found.items, found.complete) == ((), True)


@walk(
    "text",
    [
        "who should merge PRs?",
        "why was #12 merged?",
        "how do we release?",
        "what is a release?",
        "how was #3 fixed?",
        "issues",
        "list issues",
        "who merges pull requests?",
        "who is the release manager?",
        "what is #12 about?",
        "what did ada say about #12?",
        "what did ada say about open issues?",
        "who can approve PRs?",
        "why did ada close #3?",
        "which pull request introduced the firing curve?",
        "who decided to merge #12?",
        "how many reviewers does a PR need?",
        "when should #12 be merged?",
        "when do we release?",
        "how often do we release?",
        "what is our release process?",
        "who wrote a parser of their own?",
        "what version of python does it support?",
        "who owns the roadmap?",
        "who maintains it?",
        "what changed in the burner?",
        "who is affected by #12?",
        "what does #12 change?",
        "is #12 a good idea?",
        "should #12 be reverted?",
        "what happens when an issue is closed?",
        "what is the oldest kiln?",
        "who opened the door?",
        "how long was #3 open?",
        "what is a good first issue?",
        "which issues are important?",
        "who merged #12 and why?",
        "when was the kiln first fired?",
        "are issues closed automatically?",
        "what was decided in #12?",
        "list the steps of a release",
        "which release should I use?",
        "who fixed the fan?",
        "what did we learn from the revert?",
        "was ADR 1 superseded?",
        "what is the status of ADR 2?",
        "who assigned #1?",
        "which decisions about gas were accepted?",
        "commits by carol",
        "",
        "?",
        "#12",
    ],
)
def test_other_questions_are_left_to_retrieval(kiln: Brain, text: str) -> None:
    assert asked(kiln, text) is None


@walk(
    ("text", "as_of", "part"),
    [
        (
            "who merged #10",
            "2024-03-01T00:00:00Z",
            "PR #10 “Grease the door” by ada, open since 2024-02-01, not merged",
        ),
        ("is #3 open?", "2024-01-01T00:00:00Z", "open since 2023-05-10"),
        ("what is the latest release?", "2024-05-01T00:00:00Z", "1.1.0, released 2024-04-01"),
        ("what fixed #3?", "2024-03-01T00:00:00Z", "is addressed by PR #10 “Grease the door” by ada, open since"),
        ("what fixed #3?", "2024-01-01T00:00:00Z", "no fix is linked"),
        ("was #11 reverted?", "2024-09-10T00:00:00Z", "not reverted"),
        ("who approved #10", "2024-02-10T00:00:00Z", "not approved"),
        ("which release has #10?", "2024-03-20T00:00:00Z", "no release is dated after that"),
    ],
)
def test_records_are_told_as_they_were(kiln: Brain, text: str, as_of: str, part: str) -> None:
    found = asked(kiln, text, as_of=as_of)
    assert found is not None
    assert part in found.items[0][1]


def test_lists_hold_what_was_there_then(kiln: Brain) -> None:
    for text, expected in (("open issues", ["3", "2", "1"]), ("merged PRs", []), ("what was reverted?", [])):
        found = asked(kiln, text, as_of="2024-01-01T00:00:00Z")
        assert found is not None
        assert refs(kiln, found) == expected
    assert asked(kiln, "who merged #14", as_of="2024-01-01T00:00:00Z") == Listed("person", ())


def test_a_period_that_counts_from_an_unknown_day_is_no_lookup(kiln: Brain) -> None:
    assert asked(kiln, "what did dan merge last month", today=None) is None


def test_other_sources_are_not_read(kiln: Brain) -> None:
    reader = Reader(kiln, {99: "elsewhere"})
    for text in ("who merged #10", "open issues", "latest release", "who owns src/door.py", "who contributed most"):
        found = look_up(reader, text, today=TODAY)
        assert found is None or found.items == ()
