"""With NO_COLOR no command colours a terminal, whatever draws there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from cortex.substrate.address import argument
from tests.surfaces.test_cli_processes import on_a_terminal
from tests.trees import write

STYLE = re.compile(r"\x1b\[[\d;]*m")
COLOUR = re.compile(r"\x1b\[(?:[\d;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[\d;]*)?m")

STYLED = [("ask", "who owns the eval harness?"), ("show", "issue:671"), ("tiers",)]


@pytest.mark.parametrize("command", STYLED, ids=" ".join)
def test_what_is_styled_is_not_with_no_color(brain: Path, command: Sequence[str]) -> None:
    assert STYLE.search(on_a_terminal("--db", argument(brain), *command, TERM="xterm"))
    assert not STYLE.search(on_a_terminal("--db", argument(brain), *command, TERM="xterm", NO_COLOR="1"))


def test_bars_are_gone_in_the_end_and_have_no_colour_either(tmp_path: Path) -> None:
    write(tmp_path / "project", {"README.md": "# Project\n\nThe runner must be started before the board.\n"})
    index = ("index", tmp_path / "project", "--db")
    coloured = on_a_terminal(*index, tmp_path / "a.db", TERM="xterm-256color")
    assert COLOUR.search(coloured)
    assert "promotion" in coloured.rpartition("reading tree")[2]
    assert not COLOUR.search(on_a_terminal(*index, tmp_path / "b.db", TERM="xterm-256color", NO_COLOR="1"))


def test_an_empty_no_color_counts_as_none(brain: Path) -> None:
    assert STYLE.search(on_a_terminal("--db", argument(brain), "search", "lease", TERM="xterm", NO_COLOR=""))
