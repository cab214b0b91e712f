"""`cortex agent-hooks`: what a coding agent is told without asking."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import click

from cortex.surfaces import agent_hook, agent_hooking, agent_session, provenance
from cortex.surfaces.commands.installing import WRITE, offer
from cortex.surfaces.options import WORDS, common
from cortex.surfaces.placing import placed
from cortex.surfaces.session import Session, session

AGENT = click.option(
    "--agent", type=click.Choice(agent_hooking.AGENTS), default="claude-code", show_default=True, help="Whose hooks."
)


@click.group("agent-hooks")
@common
def agent_hooks() -> None:
    """Tell coding agents what the project decided, and propose what a session decided.

    A session starts with rules and decisions; an edit is preceded by three lines about the file. Both end
    after at most 250 ms, and show nothing if the brain cannot be read in that time. Decisions of a session
    wait for `cortex review`.

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


@agent_hooks.command(hidden=True)
@click.argument("transcript", type=click.Path(path_type=Path))
@click.option("--folder", type=click.Path(path_type=Path), default=Path(), help="Where the agent worked.")
@click.option("--session", "called", type=WORDS, default="", help="What it calls the session.")
@common
def propose(transcript: Path, folder: Path, called: str) -> None:
    """Propose the decisions in the session of TRANSCRIPT."""
    here = session()
    call = replace(here.call(), folders=(folder,))
    with here.existing() as brain:
        home = placed(call, brain, ()).here.home
        agent = "codex" if ".codex" in transcript.parts else "claude-code"
        for source in home[:1]:
            agent_session.propose(
                brain, source, transcript, session=called, agent=agent, person=provenance.author(call, ""),
                authority=here.settings.authority, now=here.now(),
            )  # fmt: skip


def brain_named(here: Session) -> Path | None:
    """The brain to name in a configuration: None for the one every command takes where nothing else is said."""
    return here.path if here.db or os.environ.get("CORTEX_DB") else None
