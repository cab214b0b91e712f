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
