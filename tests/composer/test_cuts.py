"""A quotation may be cut where what it says stays what the row says, and nowhere else."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from cortex.composer.ask import ask
from cortex.composer.cite import holds
from cortex.composer.claims import tokens
from cortex.composer.cuts import TURNING, shortened, turned_by
from cortex.language.sentences import sentences
from cortex.language.stems import Stemmer
from cortex.substrate.brain import Brain
from cortex.substrate.facts import plain
from cortex.substrate.model import Citation, CitedRecord, Scope
from tests.brains import index_records, record

BODY = """Ship it

We deploy to production unless the audit fails. All tests pass except the fuzz test. Ship on Friday? No. The server is
in Oslo or in Bergen. The key is rotated never. Windows is supported, said nobody. ~~The queue is Redis.~~ The queue is
RabbitMQ. It took 3-5 days. The API is stable
— not. Keys live for 30 days, and each host has its own. Never
deploy by hand.

- [ ] Remove the old uploader.
- [x] Add the chunked uploader.

> Is the disk encrypted?

Yes. <!-- The disk is new. --> <del>The port is 80.</del>"""
RECORD = CitedRecord(
    type="pull", ref="pull:742", title="Ship it", author="ada", state="merged", assignees=("cleo",),
    created_at=datetime(2026, 2, 10, tzinfo=UTC),
)  # fmt: skip


def says(said: str, body: str = BODY, record_: CitedRecord = RECORD) -> bool:
    citation = Citation(
        handle="pull:742@0-90", statement="", excerpt=body[:90], kind=None, authority=0.9, confidence=1, record=record_,
        source="o8",
    )  # fmt: skip
    return holds(f"{said} [CITATION:{citation.handle}]", [citation], {"o8 pull:742": body})


@pytest.mark.parametrize(
    "quoted",
    [
        "We deploy to production.",
        "We deploy to production …",
        "All tests pass.",
        "Ship on Friday.",
        "Ship on Friday",
        "The server is in Oslo.",
        "The key is rotated.",
        "The key is rotated …",
        "Windows is supported.",
        "The queue is Redis.",
        "It took 3",
        "The API is stable",
        "deploy by hand.",
        "… deploy by hand.",
        "Keys live for 30",
        "Keys live for 30 …",
        "Remove the old uploader.",
        "Is the disk encrypted?",
        "the disk encrypted",
        "The disk is new.",
        "The port is 80.",
    ],
)
def test_a_quotation_cut_where_its_meaning_turns_does_not_hold(quoted: str) -> None:
    assert not says(f"PR #742 by ada, merged: “{quoted}”")
    assert not says(quoted)


@pytest.mark.parametrize(
    "quoted",
    [
        "We deploy to production unless the audit fails.",
        "Ship on Friday?",
        "Ship on Friday? No.",
        "The queue is RabbitMQ.",
        "Keys live for 30 days",
        "Keys live for 30 days …",
        "Keys live for 30 days, and each host has its own. Never deploy by hand.",
        "☐ Remove the old uploader.",
        "☐ Remove the old uploader. ☑ Add the chunked uploader.",
        "Add the chunked uploader.",
        "☑ Add the chunked uploader. Yes.",
    ],
)
def test_what_is_cut_elsewhere_holds(quoted: str) -> None:
    assert says(f"PR #742 by ada, merged: “{quoted}”")


def test_a_note_set_apart_in_a_document_is_its_own() -> None:
    body = "Setup\n\n> [!NOTE]\n> The port is 7070.\n\nRun it."
    quoted = "Setup: “The port is 7070.”"
    assert not says(quoted, body)
    assert says(quoted, body, CitedRecord(type="doc", ref="doc:a.md", title="Setup", author="", state=""))


def test_who_is_assigned_did_not_assign() -> None:
    assert says("PR #742 was assigned to cleo.")
    assert not says("PR #742 was assigned by cleo.")
    assert not says("PR #742 was opened to ada.")


def test_no_sentence_of_a_project_holds_without_what_turns_it(demo: Brain) -> None:
    stemmer, chance, made = Stemmer(), random.Random(7), 0  # noqa: S311  no secret
    for ref, type_, body in demo.db.execute("select ref, type, body from records where type <> 'ownership'").fetchall():
        row = CitedRecord(type=type_, ref=ref, title="", author="", state="")
        for span in sentences(body):
            told = plain(body[span.start : span.end]).split()
            turns = [at for at, word in enumerate(told) if at > 2 and not TURNING.isdisjoint(tokens(word))]
            if not turns or " ".join(told[: turns[-1]]) in plain(body[: span.start] + body[span.end :]):
                continue
            cut = " ".join(told[: chance.randint(3, turns[-1])])
            citation = Citation(
                handle=f"{ref}@0-9", statement="", excerpt=body[span.start : span.end], kind=None, authority=0.9,
                confidence=1, record=row, source="o8",
            )  # fmt: skip
            for mark in ("", ".", " …"):
                said = f"“{cut}{mark}” [CITATION:{citation.handle}]"
                assert not holds(said, [citation], {f"o8 {ref}": body}, stemmer), (body[span.start : span.end], said)
            made += 1
    assert made > 150


def test_what_is_shortened_never_leaves_out_what_turns_it(demo: Brain) -> None:
    made = 0
    for (body,) in demo.db.execute("select body from records").fetchall():
        text = plain(body)
        for longest in (40, 90, 160):
            short = shortened(text, longest)
            rest = text[len(short.removesuffix(" …")) :]
            assert not short.endswith("…") or text == short or not turned_by(rest), (short, rest)
            made += short != text
    assert made > 500


@pytest.mark.parametrize(
    ("body", "question", "has", "lacks"),
    [
        ("Plan\n\n- [ ] Remove the legacy uploader\n- [x] Add it", "Is the legacy uploader removed?", "☐ Remove", ""),
        ("Stock\n\n> Do we count it hourly?\n\nStock is counted daily.", "How often is stock counted?", "d", "hourly"),
        ("Store\n\n~~The session store is Redis.~~ The session store is Valkey.", "What is the session store?",
         "Valkey", "Redis"),
        ("Events\n\nEvents are sent\n\n## Not in this change\n\nRefund events are encrypted.",
         "Are refund events encrypted?", "sent — Not in this change: Refund", ""),
    ],
    ids=["a task", "a quoted line", "struck out", "a heading"],
)  # fmt: skip
def test_an_answer_keeps_what_its_marks_mean(brain: Brain, body: str, question: str, has: str, lacks: str) -> None:
    others = (record(f"issue:{number}", f"Topic {number}\n\nOther words.", state="open") for number in range(2, 9))
    index_records(brain, record("issue:1", body, state="open"), *others)
    answer = ask(brain, question, scope=Scope()).answer
    assert has in answer
    assert not lacks or lacks not in answer


def test_quotes_of_an_answer_are_in_the_order_of_their_row() -> None:
    told = ["We deploy to production unless the audit fails.", "All tests pass except the fuzz test."]
    assert all(says(f"PR #742: “{one} {other}”") for one, other in pairwise(told))
    assert not says(f"PR #742: “{told[1]} {told[0]}”")
