"""Many commands on one brain, damaged brains and bytes that are nearly HTTP; many more by `bench/attacks.py`."""

from __future__ import annotations

import pytest

from tests.attacks.wrecking import commands_at_once, damaged, raw_http


def test_of_many_commands_at_once_each_ends_well_and_none_loses_a_row() -> None:
    assert commands_at_once(18, 9) == []


@pytest.mark.of_a_file("damages the pages of a file")
def test_a_damaged_brain_is_named_or_works_and_verify_finds_what_was_lost() -> None:
    assert damaged(3) == []


def test_bytes_that_are_nearly_http_break_nothing() -> None:
    assert raw_http(50) == []
