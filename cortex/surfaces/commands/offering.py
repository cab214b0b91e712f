"""`cortex mcp`, `cortex agent-hooks` and `cortex completion`: what other programs are given of the brain."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from click.shell_completion import get_completion_class

from cortex.errors import BrainMissing, MissingExtra
from cortex.substrate.address import argument
from cortex.substrate.model import Scope
from cortex.substrate.sources import readable
from cortex.surfaces import agent_hook, agent_session, clients, merging, provenance
from cortex.surfaces.cli import COMPLETE, cli
from cortex.surfaces.contract import MAY, Call
from cortex.surfaces.encoding import Readers, models_of
from cortex.surfaces.merging import Change
from cortex.surfaces.options import WORDS, MainGroup, preset, several
from cortex.surfaces.placing import placed
from cortex.surfaces.render import dim, safe
from cortex.surfaces.session import Session, session, standing_in
from cortex.surfaces.starting import adding, is_own, serves

WRITE = click.option("--write", is_flag=True, help="Write it.  [default: only show it]")
AGENT = preset("--agent", click.Choice(clients.AGENTS), "claude-code", "Whose hooks.")
CLIENT = click.option("--client", type=click.Choice([*clients.clients()]), required=True, help="Whose configuration.")


def offer(here: Session, change: Change, *, write: bool) -> None:
    """Show *change*, and write it where that was asked for."""
    aside = merging.write(change) if write else None
    written = write and change.changed
    value = {"file": change.path, "changed": change.changed, "written": written, "diff": change.diff, "backup": aside}
    here.show(value, lambda _: _told(change, f"\n\nWrote {change.path}." if written else "", aside))
    if change.changed and not written and not here.json:
        here.remark(dim("\nWrite it with: --write"))


def _told(change: Change, written: str, aside: Path | None) -> str:
    if not change.changed:
        return f"Nothing to change in {change.path}."
    return safe(change.diff).rstrip() + written + (f" As it was: {aside}" if aside else "")


def brain_named(here: Session) -> Path | None:
    """The brain to name in a configuration: None for the one every command takes where nothing else is said."""
    return here.path if here.db or os.environ.get("CORTEX_DB") else None


@click.group(cls=MainGroup)
def mcp() -> None:
    """Offer the brain to coding agents, as tools of the Model Context Protocol.

    Without a subcommand it serves one client on standard input and output, as the client's configuration says.

    Examples:
      cortex mcp install --client claude-code
      cortex mcp --may read
    """


@mcp.command("run")
@preset("--may", click.Choice([*MAY]), "write", "What the agent may do.")
@several("--source", "sources", "NAME", "Let it reach this source alone", default="every source")
def serve_client(may: str, sources: tuple[str, ...]) -> None:
    """Serve one client on standard input and output; `run` may be left out.

    What the agent records weighs as little as any agent's word, whatever it claims to be. Of a brain that is there, a
    source that it does not hold is refused at once.

    Example:
      cortex mcp run --source o8-labs/o8
    """
    here = session()
    try:
        import anyio  # noqa: PLC0415  what only this command needs
        from mcp.server.stdio import stdio_server  # noqa: PLC0415

        from cortex.surfaces.mcp_local import Roots, mend  # noqa: PLC0415
        from cortex.surfaces.mcp_server import Context, build  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra("serve", "cortex mcp") from error

    readers, roots = Readers(here.path, models_of(here.settings)), Roots()
    if sources:
        with suppress(BrainMissing), readers.lent() as brain:
            readable(brain, Scope(sources=sources))

    def calls(context: Context) -> Call:
        client = context.session.client_params
        return Call(
            caller="agent", path=here.path, settings=here.settings, now=here.now(), grants=MAY[may],
            by=client.client_info.name if client else "", sources=sources or None, lent=readers.lent,
            remark=here.remark, folders=roots.folders or standing_in(),
        )  # fmt: skip

    async def serve() -> None:
        server = build(calls, roots=roots)
        into, mended = anyio.create_memory_object_stream[Any](0)
        async with stdio_server() as (received, sent), anyio.create_task_group() as tasks:
            tasks.start_soon(mend, received, sent, into)
            await server.run(mended, sent, server.create_initialization_options())

    anyio.run(serve)


@mcp.command("install")
@CLIENT
@WRITE
def install_client(client: str, *, write: bool) -> None:
    """Show what the client's configuration becomes, and with --write make it so.

    Keeps what else is in the file, and of an entry of ours its arguments, but for a --db that is given now, its env and
    whatever else was put there; an entry that starts no Cortex is left alone. Puts the file as it was aside. Twice, and
    the second changes nothing.

    Examples:
      cortex mcp install --client claude-code
      cortex mcp install --client cursor --write
    """
    here, chosen = session(), clients.clients()[client]
    path = chosen.file(Path(), Path.home())
    offer(here, clients.installed(chosen, path, brain_named(here), instead=bool(here.db)), write=write)
    if not serves() and is_own(clients.entry(chosen, None)["command"], Path()):
        here.remark(f"It cannot be started yet: cortex mcp needs the extra 'serve'; {adding('serve')}")


@mcp.command("remove")
@CLIENT
@WRITE
def remove_client(client: str, *, write: bool) -> None:
    """Show the client's configuration without Cortex, and with --write take it out.

    Example:
      cortex mcp remove --client claude-code --write
    """
    chosen = clients.clients()[client]
    offer(session(), clients.removed(chosen, chosen.file(Path(), Path.home())), write=write)


@click.group("agent-hooks")
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
def install(agent: clients.Agent, *, write: bool) -> None:
    """Show what the agent's configuration becomes, and with --write make it so.

    Keeps what else is in the file, and the brain that a hook of ours names there unless --db is given now. Puts the
    file as it was aside. Twice, and the second changes nothing.

    Example:
      cortex agent-hooks install --agent claude-code --write
    """
    here = session()
    path = Path(clients.FILES[agent])
    offer(here, clients.hooked(agent, path, brain_named(here), instead=bool(here.db)), write=write)


@agent_hooks.command()
@AGENT
@WRITE
def remove(agent: clients.Agent, *, write: bool) -> None:
    """Show the agent's configuration without the hooks, and with --write take them out.

    Example:
      cortex agent-hooks remove --agent claude-code --write
    """
    offer(session(), clients.unhooked(Path(clients.FILES[agent])), write=write)


@agent_hooks.command()
@click.argument("event", type=click.Choice([*agent_hook.EVENTS]))
def run(event: str) -> int:
    """Answer a hook: its input is read from standard input, what to tell the agent is printed. For agents.

    Example:
      cortex agent-hooks run session-start < /dev/null
    """
    here = session()
    return agent_hook.main([event, "--db", argument(here.path)])


@agent_hooks.command(hidden=True)
@click.argument("transcript", type=click.Path(path_type=Path))
@click.option("--folder", type=click.Path(path_type=Path), default=Path(), help="Where the agent worked.")
@click.option("--session", "called", type=WORDS, default="", help="What it calls the session.")
def propose(transcript: Path, folder: Path, called: str) -> None:
    """Propose the decisions in the session of TRANSCRIPT."""
    here = session()
    call = replace(here.call(), folders=(folder,))
    with here.call().writer() as brain:
        agent = "codex" if ".codex" in transcript.parts else "claude-code"
        for source in placed(call, brain, ()).here.home[:1]:
            agent_session.propose(
                brain, source, transcript, session=called, agent=agent, person=provenance.author(call, ""),
                authority=here.settings.authority, now=here.now(),
            )  # fmt: skip


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what makes a shell complete commands, options and sources.

    Put the line for your shell where it starts: ~/.bashrc, ~/.zshrc, or a file in ~/.config/fish/completions.

    Examples:
      eval "$(cortex completion bash)"
      eval "$(cortex completion zsh)"
      cortex completion fish | source
    """
    completer = get_completion_class(shell)
    script = completer(cli, {}, "cortex", COMPLETE).source() if completer else ""
    session().show({"shell": shell, "script": script}, lambda _: script)
