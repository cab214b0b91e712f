"""Decisions in the transcript of an agent's session, proposed as notes for review."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from cortex.errors import Outranked
from cortex.indexers.connectors.fields import Row, moment, rows
from cortex.indexers.distill.confidence import confidence
from cortex.indexers.distill.cues import binds, holds_any
from cortex.indexers.distill.rules import units
from cortex.indexers.distill.tells import decides
from cortex.indexers.distill.text import Text
from cortex.substrate.brain import Brain
from cortex.surfaces.remembering import remember

MOST: Final = 5  # proposals of one session
RULE: Final = 0.25  # least confidence in a person's rule
DECISION: Final = 0.5  # least confidence in a decision
LONGEST: Final = 600  # characters of a statement that is proposed
SIZE: Final = 50_000_000  # bytes of a transcript beyond which it is not read
OWN_STEPS: Final = frozenset(("i",))  # what an agent says of itself is what it does next, and no choice of the project
PERSON: Final = "user"
_ROLES: Final = (PERSON, "assistant")


class Decided(NamedTuple):
    """A sentence that states a decision, or a rule by the person."""

    text: str
    directive: bool
    role: str
    sure: float


def messages(path: Path) -> Iterator[Text]:
    """The messages of a transcript in JSON lines, as Claude Code and Codex write them; other lines are ignored.

    A message has a role, and a content that is a text or a list of parts with texts. Output of tools is left out.
    """
    if path.suffix != ".jsonl" or not path.is_file() or path.stat().st_size > SIZE:
        return
    for row in rows(path):
        if not isinstance(row, Row) or row.value.get("isMeta") or row.value.get("isSidechain"):
            continue
        held = next((one for name in ("message", "payload") if isinstance(one := row.value.get(name), dict)), row.value)
        role, at = held.get("role"), row.value.get("timestamp")
        if role in _ROLES and (text := "\n\n".join(_texts(held.get("content")))):
            then = moment(at) if isinstance(at, str) else None
            yield Text(0, "comment", "session", "", text, str(role), "", then.isoformat() if then else None)


def _texts(content: object) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    for part in content if isinstance(content, list) else ():
        is_text = isinstance(part, Mapping) and str(part.get("type", "")).endswith("text")
        if is_text and isinstance(part.get("text"), str):
            yield part["text"]


def decided(path: Path) -> list[Decided]:
    """The decisions of a session, the surest first, each once."""
    found: dict[str, Decided] = {}
    for message in messages(path):
        of_person = message.author == PERSON
        for unit in units(message):
            sure, rule = confidence(unit, message), of_person and unit.sentences == 1 and binds(unit)
            said = message.body[unit.start : unit.end].strip()
            if not of_person and holds_any(unit.text, OWN_STEPS):
                continue
            if len(said) <= LONGEST and sure >= (RULE if rule else DECISION if decides(unit.text) else 1):
                found.setdefault(said, Decided(said, rule, message.author, sure))
    return sorted(found.values(), key=lambda one: -one.sure)[:MOST]


def propose(
    brain: Brain, source: str, path: Path, *, session: str, agent: str, person: str,
    authority: Mapping[str, float] | None, now: datetime,
) -> None:  # fmt: skip
    """Remember the decisions of the session with the transcript *path* as untrusted notes.

    Those that are known already, or were rejected, are left as they are.

    Args:
        person: author of the person's messages.
    """
    where = f"session {session}".strip()
    for one in decided(path):
        with suppress(Outranked):
            remember(
                brain, one.text, directive=one.directive, by=person if one.role == PERSON else "", where=where,
                source=source, recorder=f"agent {agent}", trusted=False, authority=authority, now=now,
            )  # fmt: skip
