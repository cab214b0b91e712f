"""What a paragraph, a list or a table says: definitions, answers, values, replacements, rows."""

from __future__ import annotations

from cortex.indexers.distill.rules import distill
from cortex.indexers.distill.text import Text
from tests.tables import walk


def facts(body: str, title: str = "Guide › Queue") -> list[str]:
    """The facts of *body* without their headings; each excerpt is in its text."""
    found = list(distill(Text(1, "doc", "doc:guide.md#queue", title, body, "", "", None, "", "guide.md")))
    assert all(body[one.start : one.end].strip() for one in found)
    return [one.statement.removeprefix(f"{title}: ") for one in found]


DEFINITIONS = [
    "*Epoch* means the span between two checkpoints.",
    '"Quorum" refers to more than half of the voters.',
    "A *shard* is a part of the table.",
    "`ttl`: how long a row lives.",
    "Backlog denotes the jobs that nobody took.",
    "Fence — a number that grows with every lease.",
]


@walk("said", DEFINITIONS)
@walk("title", ["Guide › Queue", "Guide › Terminology"])
def test_what_a_term_means_is_a_fact(said: str, title: str) -> None:
    assert facts(said.replace("Fence", "**Fence**"), title) == [said]


def test_items_that_begin_with_their_term_define_it() -> None:
    body = "- **Snapshot**: a copy of the store at one instant.\n- **Lease** — the time for which a job is taken.\n"
    assert facts(body) == [
        "Snapshot: a copy of the store at one instant.",
        "Lease — the time for which a job is taken.",
    ]


@walk("label", ["Note", "Example", "Step 2", "Good example", "Result"])
def test_a_label_is_no_term(label: str) -> None:
    assert facts(f"- **{label}**: the pod was there.\n") == []


@walk(
    "question", ["Have you ever wondered how it works?", "Any questions about the build?", "Which store is the best?"]
)
def test_what_nobody_answers_takes_no_paragraph_for_its_answer(question: str) -> None:
    rule = "Every nightly job must end before 6 o'clock in the morning."
    assert facts(f"{question}\n\n{rule}\n") == [rule]


def test_a_question_introduces_no_list() -> None:
    body = "- Who needs to know of it?\n  - Every worker must renew its lease in time.\n"
    assert facts(body) == ["Every worker must renew its lease in time."]


@walk("lead", ["Thanks to everybody who supports us", "See also", "Some examples are", "We met"])
def test_lists_that_are_introduced_by_nothing_are_no_values(lead: str) -> None:
    assert facts(f"{lead}:\n\n- Ada\n- Bob\n") == []


def test_items_are_introduced_by_the_last_sentence_of_a_long_paragraph() -> None:
    body = f"{'The queue was written in the spring of that year. ' * 6}A worker must:\n\n- renew its lease in time\n"
    assert facts(body)[-1] == "A worker must: renew its lease in time"


@walk(
    "said",
    [
        "The v1 protocol replaces the legacy framing.",
        "The `/v2/jobs` endpoint supersedes `/jobs`.",
        "The old importer has been retired.",
        "`connect` is deprecated; use `open_store`.",
        "The option `--old` was renamed to `--new`.",
    ],
)
def test_what_takes_the_place_of_something_is_a_fact(said: str) -> None:
    assert facts(said) == [said]


ALONE = {
    "a node": "A node is a process with its own disk.",
    "an epoch": "An epoch is the span between two commits.",
    "marked": "*Quorum* is more than half of the voters.",
    "the term": 'The term "cold storage" means tape.',
    "labelled": "Tombstone: a mark that a row was deleted.",
    "we mean": 'By "peer" we mean any node of the same cluster.',
    "a default": "The default port is 7000.",
    "a share": "Writes go to 3 of 5 replicas.",
    "hours": "A token is valid for 24 h.",
    "at once": "Each worker handles 4 requests at once.",
    "supersedes": "ADR-7 supersedes ADR-3.",
    "deprecated": "`open_db` is deprecated.",
    "replaces": "v2 replaces v1.",
    "superseded by": "Superseded by ADR-9.",
    "obsoletes": "This document obsoletes the 2019 handbook.",
    "forbidden": "It is forbidden to rewrite history.",
}


@walk("said", ALONE.values(), ids=ALONE.keys())
def test_definitions_numbers_replacements_and_rules_of_few_words_are_facts(said: str) -> None:
    assert facts(said, "Handbook › Operation") == [said]


@walk(
    "said",
    [
        "Always a pleasure!",
        "A drawback is the size.",
        "A good way is the script.",
        "Proposal for handling deprecated content",
        "Forward ports 1.0.3 fix.",
        "Example 1: Entity replaces attribute",
        "The following are also included: `socks5h`",
    ],
)
def test_few_words_that_say_nothing_alone_are_no_fact(said: str) -> None:
    assert facts(said) == []


@walk("answer", ["Yes.", "Yes, they are.", "See below.", "Not at this point.", "TBD"])
def test_an_answer_that_says_nothing_is_none(answer: str) -> None:
    assert facts(f"### Who may merge?\n\n{answer}\n", "Handbook › FAQ › Who may merge?") == []


@walk("lead", ["To summarize", "To do that", "We met the following people"])
def test_what_leads_to_nothing_makes_no_steps(lead: str) -> None:
    assert facts(f"{lead}:\n\n1. Ada came\n2. Bob came\n") == []


def test_what_is_said_for_the_law_is_no_fact() -> None:
    said = "Every release must be signed by two maintainers before it is tagged and published."
    assert [len(facts(said, title)) for title in ("Guide › Releases", "Guide › Disclaimer")] == [1, 0]
    legal = "Every patch that is sent hereunder must be signed by two maintainers before it is merged."
    assert [len(facts(legal, title)) for title in ("Guide › Limits", "Guide › Contributing")] == [1, 0]
