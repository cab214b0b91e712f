"""Tokens, by which callers over HTTP are known, and the deliveries of a webhook that were taken."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import Literal

from cortex.errors import BadInput, TokenExists, UnknownToken
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope, Value, is_blank
from cortex.substrate.sources import readable, timestamp
from cortex.substrate.statements import column, rows

Grant = Literal["read", "write", "admin"]


class Token(Value):
    """What is kept of a token: everything but the token."""

    name: str
    grants: tuple[Grant, ...]
    sources: tuple[str, ...] | None
    created_at: datetime
    revoked_at: datetime | None


def digest(secret: str) -> str:
    """What a token is known by. Tokens are long and random: a slow hash would add nothing to them."""
    return sha256(secret.encode()).hexdigest()


def create_token(
    brain: Brain, name: str, secret: str, *, grants: Sequence[Grant], sources: Sequence[str] | None, now: datetime
) -> Token:
    """Let whoever has *secret* call as *name*.

    Args:
        sources: all that it may reach; None is every source, those to come included.

    Raises:
        BadInput: the name shows as nothing.
        TokenExists: one of that name is not revoked.
        UnknownSource: the brain does not hold one of *sources*.
    """
    if is_blank(name):
        raise BadInput(name, "no name", hint="call the token by what is to use it: cortex token create ci")
    if sources is not None:
        sources = [*readable(brain, Scope(sources=tuple(sources))).values()]
    known_by, listed = digest(secret), None if sources is None else json.dumps(sources)
    values = (name, known_by, json.dumps(grants), listed, timestamp(now))
    with brain.transaction() as db:
        if db.execute("select 1 from tokens where name = ? and revoked_at is null", (name,)).fetchone():
            raise TokenExists(name)
        db.execute("insert into tokens (name, digest, grants, sources, created_at) values (?, ?, ?, ?, ?)", values)
    return _listed(brain, known_by)[0]


def tokens(brain: Brain) -> list[Token]:
    """Every token there is and was, the latest last."""
    return _listed(brain, None)


def token_of(brain: Brain, secret: str) -> Token | None:
    """The token that *secret* is; None where it is none, or was revoked."""
    return next(iter(_listed(brain, digest(secret))), None)


def has_tokens(brain: Brain) -> bool:
    """Whether anybody could call with one."""
    return brain.db.execute("select 1 from tokens where revoked_at is null").fetchone() is not None


def revoke_token(brain: Brain, name: str, *, now: datetime) -> None:
    """Refuse the token called *name* from the next request on.

    Raises:
        UnknownToken: none of that name is in force.
    """
    with brain.transaction() as db:
        revoked = "update tokens set revoked_at = ? where name = ? and revoked_at is null"
        if not db.execute(revoked, (timestamp(now), name)).rowcount:
            raise UnknownToken(name, column(brain, "select name from tokens where revoked_at is null order by name"))


def is_delivered(brain: Brain, id_: str, body: bytes) -> bool:
    """Whether a delivery of this id, or of this *body*, was noted before: only the body is signed."""
    asked = "select 1 from deliveries where id in (?, ?)"
    return brain.db.execute(asked, _delivery_keys(id_, body)).fetchone() is not None


def note_delivery(brain: Brain, id_: str, body: bytes, event: str, *, now: datetime) -> None:
    """Note that a delivery is stored: not before it is, so that one that was cut short may come again."""
    noted = [(key, event, timestamp(now)) for key in _delivery_keys(id_, body)]
    with brain.transaction() as db:
        db.executemany("insert or ignore into deliveries values (?, ?, ?)", noted)


def _delivery_keys(id_: str, body: bytes) -> tuple[str, str]:
    return id_, f"sha256:{sha256(body).hexdigest()}"


def _listed(brain: Brain, wanted: str | None) -> list[Token]:
    found = rows(brain, "sources.tokens", digest=wanted)
    lists = ({name: json.loads(row[name] or "null") for name in ("grants", "sources")} for row in found)
    return [Token(**(row | listed)) for row, listed in zip(found, lists, strict=True)]
