"""A command with subcommands of its own that does its main job when none of them is named."""

from __future__ import annotations

from typing import Final

import click

MAIN: Final = "run"
_HELP: Final = ("-h", "--help")


class MainGroup(click.Group):
    """A group whose `run` happens when no subcommand is named: `cortex smoke FILE` is `cortex smoke run FILE`.

    Attributes:
        implied: the subcommand that does.
    """

    implied = MAIN

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Name the main subcommand where *args* name none."""
        if not args or (args[0] not in self.commands and args[0] not in _HELP):
            args = [self.implied, *args]
        return super().parse_args(ctx, args)
