"""Sections of documents: rules, definitions, numbers, items with what introduces them, rows with their heads."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortex.indexers.distill.rules import _cut, best, distill
from cortex.indexers.distill.text import Text
from cortex.substrate.facts import Candidate
from tests.tables import walk


def doc(body: str, title: str = "Guide › Queue", path: str = "docs/guide.md") -> Text:
    return Text(1, "doc", f"doc:{path}#queue", title, body, "", "", None, "", path)


def facts(body: str, title: str = "Guide › Queue", path: str = "docs/guide.md") -> list[Candidate]:
    return list(distill(doc(body, title, path)))


def said(body: str, title: str = "Guide › Queue", path: str = "docs/guide.md") -> list[str]:
    """Every unit as it would be stated, whether kept or not."""
    return [f"{unit.context}: {unit.text}" if unit.context else unit.text for unit in _cut(doc(body, title, path))]


def test_a_rule_stands_under_its_headings() -> None:
    body = "## Queue\n\nA worker MUST renew its lease at least every 30 seconds.\n"
    (fact,) = facts(body)
    assert fact.statement == "Guide › Queue: A worker MUST renew its lease at least every 30 seconds."
    assert body[fact.start : fact.end] == "A worker MUST renew its lease at least every 30 seconds."
    assert fact.kind == "spec"


@walk(
    "rule",
    [
        "The server must listen on port 8433.",
        "Every job must have an owner.",
        "Never commit secrets.",
        "Tests must pass.",
        "A release needs two approvals.",
        "Retries are limited to 3.",
        "The lease lasts 60 seconds.",
    ],
)
def test_a_rule_of_few_words_is_a_fact(rule: str) -> None:
    assert [fact.statement for fact in facts(rule)] == [f"Guide › Queue: {rule}"]


@walk("remark", ["Don't worry about it.", "We must do it.", "Then it must stop.", "Must it?", "It always works."])
def test_few_words_that_bind_nobody_are_no_fact(remark: str) -> None:
    assert facts(f"The queue was written in spring. {remark}", "Guide › A queue for everybody who waits")[1:] == []


@walk("lead", ["Every release needs", "A deploy requires", "The following are always required"])
def test_what_a_list_requires_is_a_fact_of_each_item(lead: str) -> None:
    body = f"{lead}:\n\n- two approvals\n- an owner\n"
    found = facts(body)
    assert [fact.statement for fact in found] == [
        f"Guide › Queue: {lead}: two approvals",
        f"Guide › Queue: {lead}: an owner",
    ]
    assert [body[fact.start : fact.end].lstrip("- ") for fact in found] == ["two approvals", "an owner"]
    assert facts(body.replace(lead, "There are on the table")) == []


@pytest.mark.parametrize("body", ["It is recommended that every job has an owner.", "It is up to the owner to retry."])
def test_the_it_that_stands_for_nothing_is_not_the_heading(body: str) -> None:
    assert said(f"## Queue\n\n{body}\n") == [body]


def test_a_sentence_that_leans_on_the_one_before_comes_with_it() -> None:
    assert said("The lease ends after 60 seconds. This value is not configurable.")[1] == (
        "The lease ends after 60 seconds. This value is not configurable."
    )


def test_a_list_item_comes_whole_with_the_sentence_that_introduces_it() -> None:
    assert said("A worker must do three things:\n\n- Take a lease. It lasts a minute.\n- Renew it.\n") == [
        "A worker must do three things:",
        "A worker must do three things: Take a lease. It lasts a minute.",
        "A worker must do three things: Renew it.",
    ]


def test_nested_items_stand_under_the_words_of_their_item() -> None:
    assert "On Windows: Always use backslashes." in said("- On Windows:\n  - Always use backslashes.\n")


def test_a_definition_stands_under_its_term() -> None:
    assert said("lease\n: The time for which a job belongs to one worker.") == [
        "lease: The time for which a job belongs to one worker."
    ]


def test_a_heading_that_asks_is_answered_by_its_section() -> None:
    body = "## Can two workers share a brain?\n\nYes, because each job is leased to exactly one of them.\n"
    (fact,) = facts(body, "FAQ › Can two workers share a brain?")
    assert fact.statement.startswith("FAQ › Can two workers share a brain?: Yes, because")


def test_code_quotes_and_promises_are_no_facts() -> None:
    rule = "A worker MUST renew its lease at least every 30 seconds."
    assert facts(rule)
    assert facts(f"```\n{rule}\n```\n") == []
    assert facts(f"> {rule}\n") == []
    assert facts("Every worker MUST do each of the following in this order:\n") == []


def test_a_note_is_read_though_it_is_quoted() -> None:
    assert said("> **Warning:** A worker without a lease MUST NOT write.\n") == [
        "Warning: A worker without a lease MUST NOT write."
    ]


def test_what_was_deprecated_is_kept_with_what_replaced_it() -> None:
    (fact,) = facts(
        "- `--old-queue` is deprecated and will be removed in 2.0; use `--queue` instead.\n",
        "Changelog › 1.4.0 › Deprecated",
    )
    assert fact.statement.endswith("use `--queue` instead.")


LINES = st.sampled_from(
    """# A
- item one is required
  - nested
| a | b |
|---|---|
| 1 | 2 |
> note
```
term
: what

A worker MUST wait at least 3 seconds.
It must not wait.
1. First, do this:
What is it?""".split("\n")
)


@given(st.lists(st.one_of(LINES, st.text(max_size=30)), max_size=14), st.sampled_from(["a.md", "a.rst"]))
def test_excerpts_are_of_the_body_and_do_not_overlap(lines: list[str], path: str) -> None:
    text = doc("\n".join(lines), path=path)
    found = [unit for unit, _ in best(text)]
    assert all(0 <= unit.start < unit.end <= len(text.body) for unit in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


RESTRUCTURED = {
    "deprecated": (
        ".. deprecated:: 2.0\n   Use ``open_store`` instead of ``connect``, which leaks its handle.\n",
        "Guide › Queue: Deprecated since 2.0: Use ``open_store`` instead of ``connect``, which leaks its handle.",
    ),
    "changed": (
        ".. versionchanged:: 3.1 The timeout defaults to 30 seconds.\n",
        "Guide › Queue: Changed in 3.1: The timeout defaults to 30 seconds.",
    ),
    "warning": (
        ".. warning:: The cache must never be shared between two processes.\n",
        "Guide › Queue: The cache must never be shared between two processes.",
    ),
    "note": (
        ".. note::\n\n   The limit of open files must be at least 4096.\n\nThat is all.",
        "Guide › Queue: The limit of open files must be at least 4096.",
    ),
}


@walk(("body", "told"), RESTRUCTURED.values(), ids=RESTRUCTURED.keys())
def test_notes_and_changes_of_restructured_text_are_told(body: str, told: str) -> None:
    assert [one.statement for one in facts(body, path="docs/guide.rst")] == [told]


@pytest.mark.parametrize(
    "body", [".. code-block:: python\n\n   must = never(at_least=4096, of=limit)\n", ".. deprecated:: 2.0\n"]
)
def test_other_directives_tell_nothing(body: str) -> None:
    assert facts(body, path="docs/guide.rst") == []


@walk(
    "body",
    [
        "It is forbidden to rewrite history.",
        "It is strongly recommended that existing libraries are used.",
        "It is unclear if the option must cover the proxy.",
        "It is the owner who has to merge a change.",
        "It is an error to close the store twice, because its lock is gone.",
        "It is bad practice to close the store twice, because its lock is gone.",
        "It must be noted that readers wait.",
        "It should be the owner that retries.",
    ],
)
def test_the_it_of_what_comes_after_it_is_not_the_heading(body: str) -> None:
    assert said(body, "Guide › Rewriting") == [body]


@walk("heading", ["Don't use fsync", "Upgrade the schema", "Never sync twice", "Known issues"])
def test_a_heading_that_orders_is_no_thing(heading: str) -> None:
    assert not any(f"{heading} must" in one for one in said("It must be avoided on tmpfs.", f"Guide › {heading}"))


@walk(
    "body",
    [
        "The queue is old.\n\nIt must be restarted when the clock jumps.",
        "The queue is old.\n\nThese are required by every worker.",
        "Make sure to look into them before upgrading.",
        "The package has the following dependencies...",
    ],
)
def test_what_begins_with_a_word_for_something_else_is_no_fact_alone(body: str) -> None:
    assert facts(body, "Guide › Notes on it") == []


@walk(
    ("heading", "body"),
    [
        ("Rejected options", "- Use of MySQL is required."),
        ("Proposal (not accepted)", "All nodes must run Windows."),
        ("TODO", "- [ ] Sessions must expire after 90 days"),
    ],
)
def test_what_was_rejected_quoted_or_is_still_to_do_binds_nobody(heading: str, body: str) -> None:
    assert facts(body, f"Guide › {heading}") == []


def test_what_a_message_must_hold_is_a_rule_though_its_name_is_quoted() -> None:
    assert facts('All ServerHello messages MUST contain the "supported_versions" extension.')
    assert facts("- [x] Tokens must be rotated every 30 days")


def test_a_list_of_anything_else_is_not() -> None:
    assert facts("- Bump foo from 10 to 11\n- Ada: 30\n- Team: 25 people\n", "Guide › Packaging") == []


@pytest.mark.parametrize("path", ["a.md", "a.rst"])
@pytest.mark.parametrize(("kind", "text"), [("note", "Sessions expire after 90 days.")])
def test_an_alert_is_read_without_its_mark(kind: str, text: str, path: str) -> None:
    body = f"> [!{kind.upper()}]\n> {text}\n" if path == "a.md" else f".. {kind}::\n\n   {text}\n"
    (fact,) = facts(body, path=path)
    assert fact.statement == f"Guide › Queue: {text}"


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ("[![PyPI](https://img.example/a.svg)](https://pypi.example/x) ![Tests passing on main](b.svg)\n", "a.md"),
        ("|CI Build Status on main| |Coverage Status of tests|\n", "a.rst"),
    ],
)
def test_badges_say_nothing(body: str, path: str) -> None:
    assert said(body) == [] if path == "a.md" else facts(body, path=path) == []


def test_a_long_rule_before_a_heading_is_soon_read() -> None:
    for body in ("a" + "-" * 20_000, "- " + "-" * 20_000, "<!--" * 5_000):  # minutes, where it is tried again and again
        assert "Limits" not in " ".join(found.statement for found in distill(doc(body, "Limits", "a.rst")))


@walk(
    "said",
    [
        "We chose Kafka over NATS because replay matters to the auditors, and NATS loses messages on restart.",
        "We decided against DynamoDB: it locks us to one cloud.",
        "A queue of its own was ruled out because of the second writer it needs.",
    ],
)
def test_a_choice_told_in_any_document_is_a_decision(said: str) -> None:
    assert [(one.kind, one.confidence >= 0.78) for one in facts(said)] == [("decision", True)]


def test_what_is_only_chosen_at_run_time_or_quoted_is_none() -> None:
    for said in ("The suite was chosen by the server.", "“We chose Kafka over NATS because of replay” is a quote."):
        assert "decision" not in {one.kind for one in facts(said)}
