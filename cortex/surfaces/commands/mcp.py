"""`cortex mcp`: the brain as tools for a coding agent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cortex.errors import MissingExtra
from cortex.surfaces import clients
from cortex.surfaces.clients import unheld
from cortex.surfaces.commands.agent_hooks import brain_named
from cortex.surfaces.commands.installing import WRITE, offer
from cortex.surfaces.contract import MAY, Call
from cortex.surfaces.encoding import Readers, models_of
from cortex.surfaces.options import WORDS, MainGroup, common
from cortex.surfaces.session import session, standing_in
from cortex.surfaces.starting import adding, is_own, serves

CLIENT = click.option("--client", type=click.Choice([*clients.clients()]), required=True, help="Whose configuration.")


@click.group(cls=MainGroup)
@common
def mcp() -> None:
    """Offer the brain to coding agents, as tools of the Model Context Protocol.

    Without a subcommand it serves one client on standard input and output, as the client's configuration says.

    Examples:
      cortex mcp install --client claude-code
      cortex mcp --may read
    """


@mcp.command()
@click.option("--may", type=click.Choice([*MAY]), default="write", show_default=True, help="What the agent may do.")
@click.option(
    "--source",
    "sources",
    type=WORDS,
    multiple=True,
    metavar="NAME",
    help="Let it reach this source alone; may be repeated.  [default: every source]",
)
@common
def run(may: str, sources: tuple[str, ...]) -> None:
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
    if sources and here.path.is_file():
        with readers.lent() as brain:
            if problem := unheld(brain, sources):
                raise problem

    def calls(context: Context) -> Call:
        client = context.session.client_params
        return Call(
            caller="agent", path=here.path, settings=here.settings, now=here.now(), grants=frozenset(MAY[may]),
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


@mcp.command()
@CLIENT
@WRITE
@common
def install(client: str, *, write: bool) -> None:
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
    offer(here, clients.installed(chosen, path, brain_named(here), instead=here.db is not None), write=write)
    if not serves() and is_own(clients.entry(chosen, None)["command"], Path()):
        here.remark(f"It cannot be started yet: cortex mcp needs the extra 'serve'; {adding('serve')}")


@mcp.command()
@CLIENT
@WRITE
@common
def remove(client: str, *, write: bool) -> None:
    """Show the client's configuration without Cortex, and with --write take it out.

    Example:
      cortex mcp remove --client claude-code --write
    """
    chosen = clients.clients()[client]
    offer(session(), clients.removed(chosen, chosen.file(Path(), Path.home())), write=write)
