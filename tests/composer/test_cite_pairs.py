"""What a row says and what an answer makes of it: which of the two say the same."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from cortex.composer.cite import holds
from cortex.substrate.model import Citation, CitedRecord


def says(said: str, body: str, **fields: object) -> bool:
    """Whether a merged pull request of that *body* supports *said*."""
    known: dict[str, Any] = {
        "type": "pull", "ref": "pull:742", "title": "", "state": "merged", "author": "ada", "merged_by": "bert",
        "created_at": datetime(2024, 1, 5, 10, tzinfo=UTC), "merged_at": datetime(2024, 2, 7, 10, tzinfo=UTC),
        "closed_at": datetime(2024, 2, 7, 10, tzinfo=UTC), "assignees": ("cleo",),
    }  # fmt: skip
    record = CitedRecord(**(known | fields))
    one = Citation(
        handle="pull:742@0-9",
        statement="",
        excerpt=body,
        kind=None,
        authority=0.95,
        confidence=1.0,
        record=record,
        source="o8",
    )
    return holds(f"{said} [CITATION:pull:742@0-9]", [one], {"o8 pull:742": body})


SIGNS = [
    "We allow 10**6 rows.", "The modulus is 2**32 - 1.", "The modulus is `2**32 - 1`.", "Use C# for it.",
    "Use .NET for it.", "Use `if (!ok)`.", "Set x = !y.", "The limit is ~5 rows.", "It costs 1'500 EUR.",
    "The range is 5..10 jobs.", "Ignore `src/**/gen`.", "Run `__main__.py`.", "The limit is .5 s.",
]  # fmt: skip


@pytest.mark.parametrize("text", SIGNS)
def test_a_row_says_its_own_signs(text: str) -> None:
    assert says(text, text)
    assert says(f"“{text}”", text)


@pytest.mark.parametrize("text", SIGNS)
@pytest.mark.parametrize("sign", ["**", "#", ".", "!", "~", "'", "__"])
def test_a_sign_that_a_row_has_is_not_left_out(text: str, sign: str) -> None:
    without = text.removesuffix(".").replace(sign, "", 1) + "."
    if without != text:
        assert not says(without, text)
        assert not says(f"“{without}”", text)


@pytest.mark.parametrize("path", ["/cue/go and /cue/stop are on UDP 8765.", "/var/lib is used."])
def test_a_path_is_the_same_wherever_a_line_breaks(path: str) -> None:
    assert says(f"OSC input — {path}", f"OSC input — {path}")
    assert says(f"“Input — {path}”", f"Input —\n{path}")
    assert not says(path.replace("/", " ").strip(), path)


TOLD_WRONG = [
    "PR #742 was merged – by ada.", "PR #742 was merged. This was by ada.", "PR #742 was merged. It was by ada.",
    "PR #742 was merged by bert. On 2024-01-05.", "PR #742 was merged by bert. It was 2024-01-05.",
    "PR #742 was opened by ada. That was on 2024-02-07.", "2024-02-07 – PR #742 by ada.",
    "PR #742 (2024-02-07) by ada.", "PR #742 by ada (2024-02-07), merged.",
    "PR #742 was merged. Raise the gate. By ada.", "Raise the gate. By ada.",
]  # fmt: skip
TOLD_RIGHT = [
    "PR #742 was merged – by bert.", "PR #742 was merged. This was by bert.",
    "PR #742 was merged by bert. On 2024-02-07.", "PR #742 was opened by ada. That was on 2024-01-05.",
    "2024-01-05 – PR #742 by ada.", "PR #742 (2024-01-05) by ada.", "PR #742 by ada, merged (2024-02-07).",
    "PR #742 was opened by ada. It was merged by bert. It was assigned to cleo.",
    "PR #742 was merged. PR #742 is by ada.", "Raise the gate. PR #742 is by ada.", "PR #742 by ada: Raise the gate.",
    "ada opened PR #742. Raise the gate. It was merged by bert.",
]  # fmt: skip


@pytest.mark.parametrize("said", TOLD_WRONG)
def test_a_person_or_a_date_apart_from_its_verb_is_of_that_verb(said: str) -> None:
    assert not says(said, "Raise the gate.")


@pytest.mark.parametrize("said", TOLD_RIGHT)
def test_what_is_known_of_a_record_is_told_in_several_pieces(said: str) -> None:
    assert says(said, "Raise the gate.")


def test_a_state_of_several_words_has_its_date() -> None:
    closed = {"state": "closed as not planned", "merged_by": "", "merged_at": None}
    assert says("PR #742 by ada, closed as not planned (2024-02-07): “Raise the gate.”", "Raise the gate.", **closed)
    assert not says(
        "PR #742 by ada, closed as not planned (2024-01-05): “Raise the gate.”", "Raise the gate.", **closed
    )


AFTER = [
    "Not any more.", "No longer so since 2021.", "It did until 2021.", "Until 2019.", "Only on Mondays.",
    "Except on Windows.", "(Outdated.)", "[outdated]", "At least in theory.", "On paper.", "Edit: weekly.",
    "EDIT: it is weekly now.", "Update: weekly.", "Sorry, weekly.", "Oops, weekly.", "I mean weekly.",
    "Actually, weekly.", "I was wrong.", "Please disregard.", "This is a myth.", "Bert says no.", "Bert disagrees.",
    "That changed in 2021.", "LOL.", "As if.", "Yeah, sure.", "That was the idea.", "No.",
]  # fmt: skip
BEFORE = [
    "**Outdated.**", "OUTDATED!", "Deprecated.", "This section is outdated.", "The following is no longer true.",
    "What follows is wrong.", "The rest of it is old. This page is obsolete.",
]  # fmt: skip
LABELS = ("**Outdated.**", "OUTDATED!", "Deprecated.", "This section is outdated.")
BESIDE = [
    "It rotates daily because of the audit.", "Sorry for the delay.", "Only admins see it.",
    "Until then we keep both keys.", "It is the same for staging.", "No key is shared.", "Updates are weekly.",
    "I mean to write it down.", "That is all.", "Edit the file to change it.",
    "Actually, we could ask Bert to do it.", "Not all keys do.",
]  # fmt: skip


@pytest.mark.parametrize("after", AFTER)
def test_what_the_next_sentence_takes_back_or_narrows_is_not_said_without_it(after: str) -> None:
    for between in (" ", "\n"):
        body = f"The key rotates daily.{between}{after}"
        assert not says("The key rotates daily.", body)
        assert not says("“The key rotates daily.”", body)


@pytest.mark.parametrize("before", BEFORE)
def test_what_is_announced_to_be_wrong_is_said_with_that(before: str) -> None:
    for between in (" ", "\n\n", "\n\nMore of it.\n\n- Cleo knows.\n\n"):
        body = f"{before}{between}The key rotates daily."
        assert not says("The key rotates daily.", body)
        assert not says("“The key rotates daily.”", body)
    assert says("The key rotates daily.", f"{before}\n\n# Keys\n\nThe key rotates daily.")
    assert says("The key rotates daily.", f"The key rotates daily. {before}") == (before not in LABELS)


@pytest.mark.parametrize("beside", BESIDE)
def test_a_plain_sentence_beside_another_takes_nothing_back(beside: str) -> None:
    for body in (f"The key rotates daily. {beside}", f"{beside} The key rotates daily."):
        assert says("The key rotates daily.", body)
        assert says("“The key rotates daily.”", body)


JOINED = [
    "Merging is allowed, and forbidden on Fridays.", "You may deploy, and you need two approvals.",
    "All tests pass, because they are disabled.", "All tests pass, and this is sarcasm.",
    "Redis is used, and removed later.", "Redis was used, and then we moved to Postgres.",
    "The limit is 10, and then it was doubled.", "The limit is 10, so Bert doubled it.", "The default was 10, now 5.",
    "We used Redis, now Postgres.", "The key rotates daily; that was the idea.",
    "The pool holds 400, and 40 of them are broken.", "The pump is on, so no.", "The pump is on, so nobody thought.",
    "The pump is on, so no bearing was broken, and then it was removed.",
]  # fmt: skip
LEFT = [
    "The timeout is raised, because 31 packets were lost.", "Redis is used, and Postgres is too.",
    "Ada wrote it, so ask her.", "The limit was 10 until May, now 5.", "The key rotates daily; Bert wrote the job.",
    "The pump is on, so no bearing was broken.", "The pump is on, so nothing gets lost, and Bert is glad.",
]  # fmt: skip


@pytest.mark.parametrize("body", JOINED)
def test_a_clause_that_ends_or_narrows_what_it_goes_on_from_is_said_with_it(body: str) -> None:
    first = body.replace(";", ",").partition(",")[0]
    assert not says(f"{first}.", body)
    assert not says(f"“{first} …”", body)
    assert says(body, body)


@pytest.mark.parametrize("body", LEFT)
def test_a_clause_that_only_goes_on_may_be_left_out(body: str) -> None:
    assert says(f"{body.replace(';', ',').partition(',')[0]}.", body)


def test_a_line_that_a_change_takes_out_is_not_said_and_a_list_is() -> None:
    assert not says("timeout = 5", "- timeout = 5\n+ timeout = 9")
    assert says("timeout = 9", "- timeout = 5\n+ timeout = 9")
    assert says("It is slow.", "- It is slow.\n+ Nobody pays for this.")


@pytest.mark.parametrize(
    "after",
    [
        "Not true.", "Well, was.", "Used to be, at least.", "We switched to KeyDB since.", "Or so I thought.", "Soon.",
        "(This was before the move to KeyDB.)", "UPDATE 2024: KeyDB is used.", "On staging.", "Or is it?",
        "From 2025 on.", "Maybe.", "Allegedly.", "I think.", "Says Bert.",
    ],
)  # fmt: skip
def test_what_the_next_sentence_doubts_or_narrows_is_not_said_alone(after: str) -> None:
    assert not says("Redis is used.", f"Redis is used. {after}")
    assert says("Redis is used.", "Redis is used. For that we pay a lot of money each month.")


def test_what_a_value_was_may_be_left_out_and_what_became_of_it_not() -> None:
    assert says("The wait is 30 s.", "The wait is 30 s (was 10 s).")
    assert not says("The wait is 30 s.", "The wait is 30 s (was removed in 2.0).")
    assert not says("The wait is 30 s.", "The wait is 30 s (was 10 s, and is 40 s on Windows).")
