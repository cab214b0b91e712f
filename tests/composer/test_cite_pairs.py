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
