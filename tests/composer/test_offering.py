"""Whether something is there: what documents list."""

from __future__ import annotations

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain
from cortex.substrate.model import Record, Scope
from tests.brains import index_records, record

LANGUAGES = record(
    "doc:README.md#languages", "## Languages\n\nDanish, English, Breton, Welsh and Frisian.",
    path="README.md", title="Quayside › Languages",
)  # fmt: skip
FEATURES = record(
    "doc:README.md#features", "## Features\n\n- Berth plans\n- Export to GeoPackage\n- No Shapefile export",
    path="README.md", title="Quayside › Features",
)  # fmt: skip
GONE = record(
    "doc:CHANGELOG.md#removed", "### Removed\n\n- Removed the TIFF overlay",
    path="CHANGELOG.md", title="Changelog › 2.0.0 › Removed",
)  # fmt: skip
CHATTER = [
    record("issue:3", "Frisian holidays\n\nThe office is closed on Frisian holidays. Is tax supported?", state="open"),
    record("issue:4", "Supported browsers\n\nWhich browsers are supported by the berth plan?", state="open"),
]
MANY = [
    record(f"issue:{number}", f"Berth {number} is late\n\nShip {number} waits outside the harbour.", state="open")
    for number in range(20, 2100)
]


def known(brain: Brain, *more: Record) -> Brain:
    index_records(brain, LANGUAGES, FEATURES, GONE, *CHATTER, *more)
    return brain


@pytest.mark.parametrize(
    ("text", "ref"),
    [
        ("Is Frisian supported?", "doc:README.md#languages"),
        ("Does it support Breton?", "doc:README.md#languages"),
        ("Is GeoPackage supported?", "doc:README.md#features"),
    ],
)
def test_what_a_document_lists_is_there_and_no_more_than_moderately_sure(brain: Brain, text: str, ref: str) -> None:
    answer = ask(known(brain), text, scope=Scope())
    assert (answer.citations[0].record.ref, answer.evidence) == (ref, "moderate")


def test_what_a_document_lists_is_there_in_a_large_project_too(brain: Brain) -> None:
    answer = ask(known(brain, *MANY), "Is GeoPackage supported?", scope=Scope())
    assert (answer.citations[0].record.ref, answer.evidence) == ("doc:README.md#features", "moderate")


@pytest.mark.parametrize("text", ["Is Catalan supported?", "Is Shapefile supported?", "Is TIFF supported?"])
def test_what_no_document_lists_or_one_lists_as_gone_is_not_there(brain: Brain, text: str) -> None:
    assert ask(known(brain), text, scope=Scope()).refused


def test_two_words_beside_each_other_are_no_answer_to_a_long_question_in_a_large_project(brain: Brain) -> None:
    cargo = record(
        "doc:cargo.md", "# Cargo\n\nTar and lime are loaded since 2019.", path="cargo.md", title="Cargo"
    )  # fmt: skip
    index_records(brain, cargo, *MANY)
    assert ask(brain, "Since when are tar and lime loaded?", scope=Scope()).citations[0].record.ref == "doc:cargo.md"
    asked = "In which year were people warned of problems with tar and lime in warm weather?"
    assert ask(brain, asked, scope=Scope()).refused


def test_a_document_that_lists_it_is_found_however_much_was_said_of_it(brain: Brain) -> None:
    """Its words stand in four hundred threads, and in one item of a document."""
    chatter = (
        record(f"issue:{number}", f"Radar {number}\n\nRadar support: radar {number} is supported.", state="open")
        for number in range(3000, 3400)
    )
    radar = record(
        "doc:README.md#parts", "## Parts\n\n- A module for berths, quays, cranes and the radar of the harbour pilot",
        path="README.md", title="Quayside › Parts",
    )  # fmt: skip
    answer = ask(known(brain, radar, *chatter), "Is radar supported?", scope=Scope())
    assert (answer.citations[0].record.ref, answer.evidence) == ("doc:README.md#parts", "moderate")


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Quayside › Limitations", "- Lighters"),
        ("Quayside › Alternatives", "- Lighters"),
        ("Quayside › Ships", "| kind | there |\n|---|---|\n| Lighters | ❌ |"),
        ("Changelog › 1.0.0 › Added", "- Lighters"),
    ],
)
def test_what_a_document_lists_as_missing_of_others_or_long_ago_is_not_there(
    brain: Brain, title: str, text: str
) -> None:
    path = "CHANGELOG.md" if title.startswith("Changelog") else "README.md"
    part = record(f"doc:{path}#part", f"## {title.rpartition(' ')[2]}\n\n{text}", path=path, title=title)
    answer = ask(known(brain, part), "Are lighters supported?", scope=Scope())
    assert answer.refused or "Lighters" not in answer.answer.splitlines()[0]
