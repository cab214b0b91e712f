"""A conversation: questions and the commands that look behind the last answer, one turn at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from cortex.composer.explain import explain
from cortex.composer.query.following import is_courtesy, next_topic
from cortex.errors import UsageError
from cortex.substrate.brain import Brain
from cortex.substrate.model import Answer, Scope, Value
from cortex.surfaces import render_answer, render_record
from cortex.surfaces.contract import Call, run
from cortex.surfaces.operations import asking, looking
from cortex.surfaces.render import line, table, wrapped
from cortex.surfaces.render_explanation import explanation

COURTESY: Final = "Ask anything about the project."
_COMMAND: Final = re.compile(r"/([a-z]+)(?:\s+(.*))?")


class Said(NamedTuple):
    """What a turn gives.

    Attributes:
        value: as JSON says it; None where there is nothing but text.
        remark: what a person is told beside it.
        answer: of a question; None of a command.
    """

    text: str
    value: Value | Mapping[str, object] | None = None
    remark: str = ""
    answer: Answer | None = None


class Chat:
    """What a conversation remembers: the last answer, and what the last one that was no refusal cited first."""

    def __init__(self, call: Callable[[], Call], brain: Brain, scope: Scope) -> None:
        self._call, self._brain, self._scope = call, brain, scope
        self._answer: Answer | None = None
        self._topic = ""

    def say(self, text: str) -> Said:
        """What comes back to *text*, a question or a command.

        Raises:
            CortexError: it cannot be answered; the conversation goes on.
        """
        command = _COMMAND.fullmatch(text)
        if not command:
            return Said(COURTESY) if is_courtesy(text) else self._ask(text)
        name, rest = command[1], (command[2] or "").strip()
        if name not in COMMANDS:
            raise UsageError(f"there is no /{name}", hint=f"there are: {', '.join(f'/{one}' for one in COMMANDS)}")
        return COMMANDS[name].act(self, rest)

    def sources(self, _: str) -> Said:
        """What the last answer rests on, with its words."""
        answer = self._last()
        cited = [one.model_dump(mode="json") for one in answer.citations or answer.considered]
        text = render_answer.cited(answer) or "Nothing was cited."
        return Said(text, {"question": answer.question, "refused": answer.refused, "sources": cited})

    def all(self, _: str) -> Said:
        """Every statement of the last answer."""
        answer = self._last()
        return Said(render_answer.answer(answer, every=True), answer)

    def why(self, _: str) -> Said:
        """Which rows were read for the last answer, and why each stands where it stands."""
        found = explain(self._brain, self._last().question, scope=self._scope, now=self._call().now)
        return Said(explanation(found), found)

    def open(self, number: str) -> Said:
        """The record behind a source of the last answer."""
        answer = self._last()
        rows = answer.citations or answer.considered
        chosen = int(number) if number.isdecimal() else 0 if number else 1
        if not 1 <= chosen <= len(rows):
            there = f"1 to {len(rows)}" if rows else "none"
            raise UsageError(f"/open {number}: the last answer has no such source", hint=f"there are: {there}")
        row = rows[chosen - 1]
        found = run(looking.get, self._call(), {"name": row.record.ref, "sources": (row.source,)})
        return Said(render_record.shown(found), found)

    def help(self, _: str) -> Said:
        """What can be said."""
        rows = [(f"/{name} {each.takes}".strip(), each.told) for name, each in COMMANDS.items()]
        first = "Ask anything; a question that follows up on the last answer need not repeat what that was about."
        return Said(f"{wrapped(first)}\n\n{table([*rows, ('/quit', 'ends the conversation')])}")

    def _ask(self, text: str) -> Said:
        names = self._scope.sources or ()
        asked = {"question": text, "sources": names, "all": not names, "after": self._topic}
        answer = run(asking.ask, self._call(), asked)
        remark = "" if answer.question == text else f"asked: {line(answer.question)}"
        self._answer = answer
        self._topic = next_topic(self._topic, text, answer.question, [one.handle for one in answer.citations])
        return Said(render_answer.answer(answer, more="/all"), answer, remark, answer)

    def _last(self) -> Answer:
        if self._answer is None:
            raise UsageError("there is no answer yet", hint="ask something first")
        return self._answer


class _Command(NamedTuple):
    act: Callable[[Chat, str], Said]
    told: str
    takes: str = ""


COMMANDS: Final[Mapping[str, _Command]] = {
    "all": _Command(Chat.all, "every statement of the last answer"),
    "sources": _Command(Chat.sources, "what the last answer rests on, word for word"),
    "why": _Command(Chat.why, "which rows were read for it, and why each stands where it stands"),
    "open": _Command(Chat.open, "the record behind source N", "N"),
    "help": _Command(Chat.help, "this"),
}
"""By name; /quit is the terminal's."""
