"""`cortex agent-hooks`: what a coding agent is told without asking."""

from __future__ import annotations

import os
from pathlib import Path

import click

from cortex.surfaces import agent_hook, agent_hooking
from cortex.surfaces.commands.installing import WRITE, offer
from cortex.surfaces.options import common
from cortex.surfaces.session import Session, session

AGENT = click.option(
    "--agent", type=click.Choice(agent_hooking.AGENTS), default="claude-code", show_default=True, help="Whose hooks."
)


@click.group("agent-hooks")
@common
def agent_hooks() -> None:
    """Tell coding agents what the project decided: when a session starts, and before they edit a file.

    Both end 250 ms after they begin, with nothing said where the brain cannot be read in that time.

    Example:
      cortex agent-hooks install --write
    """


@agent_hooks.command()
@AGENT
@WRITE
@common
def install(agent: agent_hooking.Agent, *, write: bool) -> None:
    """Show what the agent's configuration becomes, and with --write make it so.

    Keeps what else is in the file, and the brain that a hook of ours names there unless --db is given now. Puts the
    file as it was aside. Twice, and the second changes nothing.

    Example:
      cortex agent-hooks install --agent claude-code --write
    """
    here = session()
    path = Path(agent_hooking.FILES[agent])
    offer(here, agent_hooking.hooked(agent, path, brain_named(here), instead=here.db is not None), write=write)


@agent_hooks.command()
@AGENT
@WRITE
@common
def remove(agent: agent_hooking.Agent, *, write: bool) -> None:
    """Show the agent's configuration without the hooks, and with --write take them out.

    Example:
      cortex agent-hooks remove --agent claude-code --write
    """
    offer(session(), agent_hooking.unhooked(Path(agent_hooking.FILES[agent])), write=write)


@agent_hooks.command()
@click.argument("event", type=click.Choice([*agent_hook.EVENTS]))
@common
def run(event: str) -> None:
    """Answer a hook: its input is read from standard input, what to tell the agent is printed. For agents.

    Example:
      cortex agent-hooks run session-start < /dev/null
    """
    here = session()
    click.get_current_context().exit(agent_hook.main([event, "--db", str(here.path)]))


def brain_named(here: Session) -> Path | None:
    """The brain to name in a configuration: None for the one every command takes where nothing else is said."""
    return here.path if here.db or os.environ.get("CORTEX_DB") else None
