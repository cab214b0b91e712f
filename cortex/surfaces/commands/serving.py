"""`cortex serve` and `cortex token`."""

from __future__ import annotations

import logging
import re
import secrets
import socket
from typing import Any, Final

import click

from cortex.errors import MissingExtra, UsageError
from cortex.substrate import access
from cortex.substrate.access import Grant
from cortex.surfaces import render_upkeep
from cortex.surfaces.contract import MAY
from cortex.surfaces.options import WORDS, preset, several
from cortex.surfaces.session import Session, session

PORT: Final = 8765
GRACE_S: Final = 10  # how long requests that run may take to end once the server was told to
_PORTS: Final = {"http": 80, "https": 443}
_ORIGIN: Final = re.compile(r"(https?)://([a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?")

UNREAD: Final = 64 * 1024
"""Bytes the system keeps for a client to read: few, so that it shows soon whether the client reads at all."""


@click.command()
@preset("--host", WORDS, "127.0.0.1", "The address to listen on.")
@preset("--port", click.IntRange(0, 65535), PORT, "The port; 0 takes a free one.")
@several("--allow-host", "hosts", "NAME", "Answer to this name too, such as that of a proxy before it")
@several("--allow-origin", "origins", "ORIGIN", "Let pages of this origin call, https://board.example")
@click.option("--require-token", is_flag=True, help="Answer nobody without a token, on loopback neither.")
@preset("--may", click.Choice([*MAY]), "write", "What callers without a token may do, on loopback.")
@preset("--rate", click.IntRange(0), 600, "Requests a minute that each token may send; 0 is any number.")
@click.option(
    "--processes",
    type=click.IntRange(0, 64),
    metavar="N",
    help="Processes that answer; 0 answers in threads.  [default: one a core, at most 8]",
)
def serve(
    *, host: str, port: int, hosts: tuple[str, ...], origins: tuple[str, ...], require_token: bool, may: str,
    rate: int, processes: int | None,
) -> None:  # fmt: skip
    """Serve the page, the HTTP interface, MCP and a webhook until it is stopped.

    On loopback, where it listens by default, this machine's own programs and people, of any user, need no token to read
    and to record (--may says what else); any other address needs one (cortex token create), and so does whoever calls
    by a name given with --allow-host. A line for each
    request goes to standard error: its shape, never what it says.

    Examples:
      cortex serve
      cortex serve --may admin
      cortex serve --host 0.0.0.0 --allow-host cortex.example
    """
    here = session()
    try:
        from cortex.surfaces.http.server import LOOPBACK, Options, Server  # noqa: PLC0415  what only this needs
    except ImportError as error:
        raise MissingExtra("serve", "cortex serve") from error
    is_open = host in LOOPBACK and not hosts and not require_token
    called = tuple(as_sent(origin) for origin in origins)
    _check(here, host, hosts, is_open=is_open)
    options = Options(
        host=host, port=port, hosts=hosts, origins=called, rate=rate, open=is_open, may=MAY[may],
        **({} if processes is None else {"processes": processes}),
    )  # fmt: skip
    listening = listening_at(host, port)
    address = f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}"
    if here.json:
        here.print_json({"url": address, "open": is_open}, line=True)
    here.remark(f"Cortex is at {address}; stop it with Ctrl-C")
    try:
        _run(Server(here.path, here.settings, options), listening)
    except KeyboardInterrupt:  # how whoever started it ends it, once what ran has been answered
        here.remark("stopped")


def as_sent(origin: str) -> str:
    """*origin* as browsers send it: in small letters, without the port that its scheme has anyway.

    >>> as_sent("https://Board.Example:443"), as_sent("http://[::1]:8080")
    ('https://board.example', 'http://[::1]:8080')
    """
    found = _ORIGIN.fullmatch(origin.lower())
    if found is None:
        hint = "give its scheme, host and port as browsers have them: https://board.example"
        raise UsageError(f"{origin!r} is no origin", hint=hint)
    scheme, host, port = found.groups()
    return f"{scheme}://{host}" + (f":{port}" if port and int(port) != _PORTS[scheme] else "")


def _check(here: Session, host: str, hosts: tuple[str, ...], *, is_open: bool) -> None:
    if host in ("0.0.0.0", "::") and not hosts:  # noqa: S104  what is refused
        raise UsageError(f"at {host} it answers to no name", hint="name those it is called by: --allow-host NAME")
    with here.call().reader() as brain:
        if not is_open and not access.has_tokens(brain):
            raise UsageError("nobody could call: there is no token yet", hint="make one with: cortex token create NAME")


def listening_at(host: str, port: int) -> socket.socket:
    """A socket that listens there.

    Its protocol is named because asyncio only then switches Nagle's algorithm off: without, the second packet of every
    answer waits some 40 ms for the first to be acknowledged.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD)
    try:
        listening.bind((host, port))
        listening.listen()  # whoever calls before it has started waits for it
    except OSError as error:
        listening.close()
        raise UsageError(
            f"cannot listen at {host}:{port}: {error.strerror}", hint="name another with --port"
        ) from error
    return listening


def _run(server: Any, listening: socket.socket) -> None:  # noqa: ANN401  a type of an extra
    import uvicorn  # noqa: PLC0415

    from cortex.surfaces.http.app import application  # noqa: PLC0415
    from cortex.surfaces.http.patience import Patience  # noqa: PLC0415

    for noisy in ("uvicorn.error", "mcp"):
        logging.getLogger(noisy).setLevel(logging.CRITICAL)  # the request log says what there is to say
    config = uvicorn.Config(
        application(server), log_config=None, access_log=False, proxy_headers=False, server_header=False, ws="none",
        lifespan="on", http=Patience, timeout_graceful_shutdown=GRACE_S,
    )  # fmt: skip
    uvicorn.Server(config).run(sockets=[listening])


@click.group()
def token() -> None:
    """Make, list and revoke the tokens that callers over HTTP are known by.

    Example:
      cortex token create ci --scope read
    """


@token.command()
@click.argument("name", type=WORDS)
@click.option(
    "--scope",
    "grants",
    type=click.Choice([*MAY]),
    multiple=True,
    default=("read",),
    show_default=True,
    help="What it may do; may be repeated.",
)
@several("--source", "sources", "NAME", "What it may reach", default="every source")
def create(name: str, grants: tuple[Grant, ...], sources: tuple[str, ...]) -> None:
    """Make a token and print it, this once; the brain keeps a hash of it.

    What is written with it weighs as little as any agent's word.

    Examples:
      cortex token create board
      cortex token create ci --scope read --scope write --source o8-labs/o8
    """
    here = session()
    secret = f"cortex_{secrets.token_urlsafe(32)}"
    with here.call().writer() as brain:
        made = access.create_token(
            brain, name, secret, grants=list(dict.fromkeys(grants)), sources=sources or None, now=here.now()
        )
    here.show({**dict(made), "token": secret}, lambda _: secret)
    here.remark("this is the only time it is shown; send it as: Authorization: Bearer TOKEN")


@token.command(name="list")
def list_() -> None:
    """List the tokens there are and were; none is shown."""
    here = session()
    with here.call().reader() as brain:
        found = access.tokens(brain)
    here.show(found, render_upkeep.tokens, name="tokens")


@token.command()
@click.argument("name", type=WORDS)
def revoke(name: str) -> None:
    """Refuse a token from the next request on.

    Example:
      cortex token revoke board
    """
    here = session()
    with here.call().writer() as brain:
        access.revoke_token(brain, name, now=here.now())
    here.show(name, lambda name: f"Revoked {name}.", name="revoked")
