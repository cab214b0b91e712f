"""`cortex completion`: a script for a shell."""

from __future__ import annotations

from typing import Final

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from cortex.surfaces.cli import COMPLETE, cli
from cortex.surfaces.options import common
from cortex.surfaces.session import session

SHELLS: Final[dict[str, type[ShellComplete]]] = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}


@click.command()
@click.argument("shell", type=click.Choice([*SHELLS]))
@common
def completion(shell: str) -> None:
    """Print what makes a shell complete commands, options and sources.

    Put the line for your shell where it starts: ~/.bashrc, ~/.zshrc, or a file in ~/.config/fish/completions.

    Examples:
      eval "$(cortex completion bash)"
      eval "$(cortex completion zsh)"
      cortex completion fish | source
    """
    here, script = session(), SHELLS[shell](cli, {}, "cortex", COMPLETE).source()
    here.show({"shell": shell, "script": script}, lambda _: script)
