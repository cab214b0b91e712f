"""What is asked by what is known of records, who, when, which state, is looked up there and not in texts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.composer.retrieve.filters import MOST, read_filter
from cortex.composer.retrieve.metadata import find_by_metadata
from cortex.composer.understanding import understand
from cortex.language.stems import Stemmer
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Link, Record, Scope
from tests.brains import index_records, record


def day(month: int, number: int = 1) -> datetime:
    return datetime(2024, month, number, tzinfo=UTC)


def issue(number: int, author: str, *labels: str, month: int, closed: int = 0, assignee: str = "") -> Record:
    return record(
        f"issue:{number}",
        f"Title of {number}",
        author=author,
        labels=labels,
        assignees=(assignee,) if assignee else (),
        state="closed" if closed else "open",
        created_at=day(month),
        closed_at=day(closed) if closed else None,
    )


def pull(number: int, author: str, *, month: int, state: str) -> Record:
    then = day(month + 1)
    return record(
        f"pull:{number}", f"Change of {number}", author=author, state=state, created_at=day(month),
        merged_at=then if state == "merged" else None, merged_by="carol" if state == "merged" else "",
        closed_at=None if state == "open" else then,
    )  # fmt: skip


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("known") / "brain.db") as brain:
        index_records(
            brain,
            issue(1, "ada", "parser", month=1),
            issue(2, "ada", "parser", month=2, closed=3, assignee="bob-b"),
            issue(3, "bob-b", "storage", month=3, assignee="ada"),
            issue(4, "Carol", month=4, closed=5),
            pull(5, "ada", month=3, state="merged"),
            pull(6, "bob-b", month=5, state="closed"),
            pull(7, "bob-b", month=7, state="open"),
            record(
                "comment:1#100", "Which issues by ada are open? The parser, said dave.", author="dave", thread="issue:1"
            ),
            record(
                "ownership:CODEOWNERS#1", "* @carol", title="CODEOWNERS › *", path="CODEOWNERS", assignees=("carol",)
            ),
            record(
                "ownership:CODEOWNERS#2",
                "/src/ @ada",
                title="CODEOWNERS › /src/",
                path="CODEOWNERS",
                assignees=("ada",),
            ),
        )
        yield brain


def listed(brain: Brain, text: str, *, as_of: str = "") -> list[str]:
    question = understand(brain, text, Stemmer(), as_of=as_of)
    return [one.row.ref for one in find_by_metadata(brain, question, sources=[1]).found]


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ("Which issues by ada are open?", ["issue:1"]),
        ("Which of ada's issues are closed?", ["issue:2"]),
        ("list all issues by bob-b", ["issue:3"]),
        ("Which issues did carol open?", ["issue:4"]),
        ("Which issues are open?", ["issue:3", "issue:1"]),
        ("How many bugs are closed?", ["issue:4", "issue:2"]),
        ("Are there any open tickets with the label storage?", ["issue:3"]),
        ("Show issues labelled parser", ["issue:2", "issue:1"]),
        ("Which issues are assigned to bob-b?", ["issue:2"]),
        ("Which open issues are assigned to ada?", ["issue:3"]),
        ("Which issues were opened in January 2024?", ["issue:1"]),
        ("Which issues were closed in 2024-05?", ["issue:4"]),
        ("Which pull requests were merged in April 2024?", ["pull:5"]),
        ("Which PRs did bob-b write?", ["pull:7", "pull:6"]),
        ("What pulls are unmerged?", ["pull:7", "pull:6"]),
        ("Which pull requests were made in 2024?", ["pull:7", "pull:6", "pull:5"]),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)  # fmt: skip
def test_a_list_is_what_every_filter_leaves_the_newest_first(known: Brain, text: str, refs: list[str]) -> None:
    assert listed(known, text) == refs


@pytest.mark.parametrize(
    "text",
    [
        "Which issues by zoe are open?", "Which issues are labelled frobnication?", "Which issues are assigned to zoe?",
        "Which pull requests did dave write?", "Which issues were closed in 2019?",
    ],
)  # fmt: skip
def test_a_person_a_label_or_a_time_that_nobody_has_lists_nothing(known: Brain, text: str) -> None:
    assert listed(known, text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Why is the parser slow?", "Who is ada?", "Which issues made the parser slow?", "What caused the open issues?",
        "Which pull request introduced the storage layer?", "What did ada say about open issues?",
        "Which issues does #5 fix?", "any issues?", "issues", "Which parser is open?", "What happened in January 2024?",
    ],
)  # fmt: skip
def test_a_question_that_is_no_list_triggers_nothing(known: Brain, text: str) -> None:
    assert listed(known, text) == []


def test_a_filter_names_the_words_it_cannot_explain(known: Brain) -> None:
    found = read_filter(known, understand(known, "Which open issues by ada mention frobnication?", Stemmer()), [1])
    assert found is not None
    assert (found.states, found.people) == (("open",), {"created": ("ada",)})
    assert found.unexplained == ("mention", "frobnication")


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ("Which issues are not open?", ["issue:4", "issue:2"]),
        ("Which issues aren't closed?", ["issue:3", "issue:1"]),
        ("Which issues are not labelled parser?", ["issue:4", "issue:3"]),
        ("Which issues are labelled parser or storage?", ["issue:2", "issue:3", "issue:1"]),
        ("Which issues are not labelled parser or storage?", ["issue:4"]),
        ("Which issues are open and labelled parser?", ["issue:1"]),
        ("Which issues are open and not labelled parser?", ["issue:3"]),
        ("Which issues have no labels?", ["issue:4"]),
        ("Which unassigned issues are open?", ["issue:1"]),
        ("Which issues are assigned?", ["issue:2", "issue:3"]),
        ("Which issues are assigned to nobody?", ["issue:4", "issue:1"]),
        ("Which issues are not assigned to ada?", ["issue:4", "issue:2", "issue:1"]),
        ("Which issues are not by ada or carol?", ["issue:3"]),
        ("Which PRs were not merged?", ["pull:7", "pull:6"]),
        ("Which PRs were closed but not merged?", ["pull:6"]),
        ("Which PRs are merged or open?", ["pull:7", "pull:5"]),
        ("Which pull requests has carol merged?", ["pull:5"]),
        ("Are there open issues?", ["issue:3", "issue:1"]),
        ("Is there an open issue by ada?", ["issue:1"]),
        ("How many issues are there?", ["issue:4", "issue:2", "issue:3", "issue:1"]),
        ("Which merged PRs by ada are there?", ["pull:5"]),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_what_is_turned_or_joined_is_read_so(known: Brain, text: str, refs: list[str]) -> None:
    assert listed(known, text) == refs


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ("Which pull requests were merged on 2024-04-01?", ["pull:5"]),
        ("Which pull requests were merged on 2 April 2024?", []),
        ("Which issues were opened on February 1st, 2024?", ["issue:2"]),
        ("Which issues were opened after 2024-02-01?", ["issue:4", "issue:3"]),
        ("Which issues were opened since 2024-02-01?", ["issue:4", "issue:3", "issue:2"]),
        ("Which issues were opened before February 2024?", ["issue:1"]),
        ("Which issues were opened until February 2024?", ["issue:2", "issue:1"]),
        ("Which issues were opened between 2024-02 and 2024-03?", ["issue:3", "issue:2"]),
        ("Which issues were opened from 2024-02 to 2024-03?", ["issue:3", "issue:2"]),
        ("Which is the oldest open issue?", ["issue:1"]),
        ("last merged PR", ["pull:5"]),
        ("Which PR was opened last?", ["pull:7"]),
        ("the last 2 issues", ["issue:4", "issue:3"]),
        ("Who opened the most pull requests?", ["pull:7", "pull:6"]),
        ("Who wrote the most open issues?", []),  # two have one each
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_a_list_is_of_a_time_or_of_one_end_of_it(known: Brain, text: str, refs: list[str]) -> None:
    assert listed(known, text) == refs


@pytest.mark.parametrize(
    "text",
    [
        "How many PRs did carol not merge?", "Which issues are open or labelled parser?",
        "Which issues were not opened in 2024?", "Which issues were opened in 2023 or in 2024?",
        "Which PRs were opened and merged by carol?", "Which issues are closed and open?",
        "Which PRs were opened and closed in 2024?", "Which issues are not labelled parser and storage?",
        "Which PRs were opened in 2024 and merged in 2024?",
    ],
)  # fmt: skip
def test_what_may_mean_two_things_is_refused(known: Brain, text: str) -> None:
    found = read_filter(known, understand(known, text, Stemmer()), [1])
    assert found is not None
    assert found.unclear
    assert ask(known, text, scope=Scope()).refused


def test_who_did_most_is_told_with_how_many(known: Brain) -> None:
    assert ask(known, "Who opened the most pull requests?", scope=Scope()).answer.startswith("bob-b, 2 in all: PR #7")


def test_words_no_filter_explains_make_no_strong_evidence(known: Brain) -> None:
    text = "Which issues by ada have the title of 1?"
    assert ask(known, text, scope=Scope()).evidence != "strong"


def test_why_something_was_closed_is_a_filter(brain: Brain) -> None:
    states = {1: "open", 2: "closed", 3: "closed as not planned", 4: "closed as duplicate"}
    index_records(
        brain,
        *(
            record(f"issue:{number}", f"Title of {number}", state=state, created_at=day(number))
            for number, state in states.items()
        ),
    )
    assert listed(brain, "Which issues were not planned?") == ["issue:3"]
    assert listed(brain, "Which issues were closed as duplicates?") == ["issue:4"]
    assert listed(brain, "Which issues are closed?") == ["issue:4", "issue:3", "issue:2"]


def test_a_source_is_a_filter(brain: Brain) -> None:
    index_records(brain, issue(1, "ada", month=1), source="acme/app")
    index_records(brain, issue(2, "ada", month=2), source="acme/agent")
    everywhere = [1, 2]
    for text, refs in [
        ("Which issues are open in agent?", ["issue:2"]),
        ("Which open issues are there in acme/app?", ["issue:1"]),
        ("Which issues are open?", ["issue:2", "issue:1"]),
    ]:
        found = find_by_metadata(brain, understand(brain, text, Stemmer()), sources=everywhere).found
        assert [one.row.ref for one in found] == refs


def test_as_of_a_day_nothing_is_reverted_that_was_later(brain: Brain) -> None:
    undo = record(
        "pull:9", "Revert it", state="merged", created_at=day(6), merged_at=day(6), closed_at=day(6),
        links=(Link(relation="reverts", to_ref="pull:5"),),
    )  # fmt: skip
    index_records(brain, pull(5, "ada", month=3, state="merged"), undo)
    assert listed(brain, "Which pull requests were reverted?") == ["pull:5"]
    assert listed(brain, "Which pull requests were not reverted?") == ["pull:9"]
    assert listed(brain, "Which pull requests were reverted?", as_of="2024-05-15T00:00:00Z") == []


def test_another_sources_people_are_not_known(known: Brain) -> None:
    question = understand(known, "Which issues by ada are open?", Stemmer())
    assert find_by_metadata(known, question, sources=[2]).found == []


def test_a_list_has_an_end(brain: Brain) -> None:
    index_records(brain, *(issue(number, "ada", month=number) for number in range(1, MOST + 4)))
    assert listed(brain, "Which issues are open?") == [f"issue:{number}" for number in range(MOST + 3, 3, -1)]


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ("Who owns src/parse.py?", ["ownership:CODEOWNERS#2"]),
        ("Who is responsible for README.md?", ["ownership:CODEOWNERS#1"]),
        ("Who are the maintainers of src/?", ["ownership:CODEOWNERS#2"]),
        ("Who wrote src/parse.py?", []),
        ("Who owns the parser?", []),
        ("Who owns the src folder?", ["ownership:CODEOWNERS#2"]),
        ("Who maintains src?", ["ownership:CODEOWNERS#2"]),
        ("Who owns the parser of src?", []),
    ],
)
def test_a_path_is_owned_by_whom_its_file_names(known: Brain, text: str, refs: list[str]) -> None:
    assert listed(known, text) == refs


def test_whose_everything_is_comes_after_whose_the_folder_is(demo: Brain) -> None:
    question = understand(demo, "Who owns sandbox/start.go?", Stemmer())
    found = [one.row.title for one in find_by_metadata(demo, question, sources=[1, 2]).found]
    assert found == ["CODEOWNERS › /sandbox/", "CODEOWNERS › *"]


def test_who_owns_a_topic_is_told_by_the_rule_of_its_path_and_by_what_else_tells_of_owning(demo: Brain) -> None:
    told = ask(demo, "Who owns the eval harness?", scope=Scope())
    assert [one.record.ref for one in told.citations] == [
        "ownership:.github/CODEOWNERS#5",
        "doc:.github/CODEOWNERS",
        "doc:docs/eval-harness.md#ownership",
    ]
    told = ask(demo, "Who owns the gateway?", scope=Scope())
    cited = [one.record.ref for one in told.citations]
    assert cited == ["ownership:.github/CODEOWNERS#3", "doc:.github/CODEOWNERS"]


def test_an_answer_to_a_list_is_the_list_with_where_each_stands(demo: Brain) -> None:
    answer = ask(demo, "Which issues by yuto-h8 are open?", scope=Scope())
    assert [one.record.ref for one in answer.citations] == ["issue:1146", "issue:107", "issue:987"]
    assert (answer.evidence, answer.refused) == ("strong", False)
    assert all("(open since " in line and "reported by yuto-h8" in line for line in answer.answer.splitlines())


def test_a_list_of_nothing_is_not_made_up(known: Brain) -> None:
    assert ask(known, "Which issues are labelled frobnication?", scope=Scope()).refused


def test_as_of_a_day_a_list_is_what_stood_so_then(known: Brain) -> None:
    assert listed(known, "Which issues are open?", as_of="2024-02-15T00:00:00Z") == ["issue:2", "issue:1"]
    assert listed(known, "Which pull requests are open?", as_of="2024-03-15T00:00:00Z") == ["pull:5"]
    assert listed(known, "Which pull requests are merged?", as_of="2024-03-15T00:00:00Z") == []


def review(number: int, identity: int, author: str, state: str, body: str, *, month: int) -> Record:
    return record(
        f"comment:{number}#{identity}", body, author=author, state=state, thread=f"pull:{number}",
        created_at=day(month), links=(Link(relation="reviews", to_ref=f"pull:{number}"),),
    )  # fmt: skip


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("reviewed") / "brain.db") as brain:
        index_records(
            brain,
            pull(5, "ada", month=3, state="merged"),
            pull(6, "ada", month=3, state="merged"),
            review(5, 1, "bob-b", "changes_requested", "CHANGES_REQUESTED", month=1),
            review(5, 2, "bob-b", "approved", "APPROVED", month=2),
            review(5, 3, "eve", "approved", "ACK, I have read it and who approved it knows why.", month=3),
            review(6, 4, "dan", "approved", "APPROVED", month=3),
        )
        yield brain


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        (
            "Who approved #5?",
            [
                'PR #5 "Change of 5" was approved by eve on 2024-03-01',
                'PR #5 "Change of 5" was approved by bob-b on 2024-02-01',
            ],
        ),
        ("who reviewed PR 6?", ['PR #6 "Change of 6" was approved by dan on 2024-03-01']),
        ("By whom was PR #6 approved?", ['PR #6 "Change of 6" was approved by dan on 2024-03-01']),
        ("Was PR #6 approved?", ['PR #6 "Change of 6" was approved by dan on 2024-03-01']),
        ("Did dan approve #6?", ['PR #6 "Change of 6" was approved by dan on 2024-03-01']),
        ("Who requested changes on #5?", ['bob-b requested changes on PR #5 "Change of 5" on 2024-01-01']),
    ],
)
def test_who_reviewed_a_pull_request_is_answered_by_their_verdicts(
    reviewed: Brain, question: str, answers: list[str]
) -> None:
    answer = ask(reviewed, question, scope=Scope())
    assert [citation.statement for citation in answer.citations] == answers
    assert all(text in answer.answer for text in answers)


@pytest.mark.parametrize("question", ["Who has not approved #5?", "Who hasn't reviewed #6?", "Who never approved #6?"])
def test_who_did_not_review_is_noted_by_nobody(reviewed: Brain, question: str) -> None:
    assert ask(reviewed, question, scope=Scope()).refused


def test_as_of_a_day_nobody_approved_it_later(reviewed: Brain) -> None:
    assert listed(reviewed, "Who approved #5?", as_of="2024-02-15T00:00:00Z") == ["comment:5#2"]
    assert listed(reviewed, "What did we approve?") == listed(reviewed, "Why was #5 approved?") == []


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ("Which pull requests were merged by carol?", ["pull:5"]),
        ("Which pull requests did carol merge?", ["pull:5"]),
        ("How many pull requests were merged by ada?", []),
        ("Which pull requests were closed unmerged?", ["pull:6"]),
        ("Which pull requests were closed without being merged?", ["pull:6"]),
        ("Which pull requests by bob-b were merged?", []),
        ("Which issues were opened in 2024-02?", ["issue:2"]),
        ("Which issues reported in February 2024 are closed?", ["issue:2"]),
        ("Which closed issues are open?", []),
    ],
)
def test_a_list_asks_who_did_what_and_when(known: Brain, text: str, refs: list[str]) -> None:
    assert listed(known, text) == refs
