"""`cortex chat`: a conversation at a terminal, or through a pipe, one turn at a time."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import click

from cortex.composer.explain import explain
from cortex.composer.query.following import is_courtesy, next_topic
from cortex.errors import CortexError, UsageError
from cortex.substrate.brain import Brain
from cortex.substrate.model import Answer, Scope, storable
from cortex.surfaces import render_answer, render_record
from cortex.surfaces.contract import Call, run
from cortex.surfaces.operations import asking, looking
from cortex.surfaces.operations.asking import Question
from cortex.surfaces.options import parameter
from cortex.surfaces.placing import placed
from cortex.surfaces.render import dim, line, table, wrapped
from cortex.surfaces.session import Session, session

COURTESY: Final = "Ask anything about the project."
_COMMAND: Final = re.compile(r"/([a-z]+)(?:\s+(.*))?")


class Chat:
    """What a conversation remembers: the last answer, and what the last one that was no refusal cited first."""

    def __init__(self, here: Session, brain: Brain, scope: Scope) -> None:
        self._here, self._brain, self._scope = here, brain, scope
        self._answer: Answer | None = None
        self._topic = ""

    def say(self, text: str) -> None:
        """Print what comes back to *text*, a question or a command.

        Raises:
            CortexError: it cannot be answered; the conversation goes on.
        """
        command = _COMMAND.fullmatch(text)
        if command is None and is_courtesy(text):
            self._print(COURTESY)
        elif command is None:
            self._ask(text)
        elif command[1] in COMMANDS:
            COMMANDS[command[1]][2](self, (command[2] or "").strip())
        else:
            hint = f"there are: {', '.join(f'/{one}' for one in COMMANDS)}"
            raise UsageError(f"there is no /{command[1]}", hint=hint)

    def sources(self, _: str) -> None:
        """What the last answer rests on, with its words."""
        answer = self._last()
        cited = [one.model_dump(mode="json") for one in answer.citations or answer.considered]
        text = render_answer.cited(answer) or "Nothing was cited."
        self._print(text, {"question": answer.question, "refused": answer.refused, "sources": cited})

    def all(self, _: str) -> None:
        """Every statement of the last answer."""
        self._print(render_answer.answer(self._last(), every=True), self._last())

    def why(self, _: str) -> None:
        """Which rows were read for the last answer, and why each stands where it stands."""
        found = explain(self._brain, self._last().question, scope=self._scope, now=self._here.now())
        self._print(render_answer.explanation(found), found)

    def open(self, number: str) -> None:
        """The record behind a source of the last answer."""
        answer = self._last()
        rows = answer.citations or answer.considered
        chosen = int(number) if number.isdecimal() else 0 if number else 1
        if not 1 <= chosen <= len(rows):
            there = f"1 to {len(rows)}" if rows else "none"
            raise UsageError(f"/open {number}: the last answer has no such source", hint=f"there are: {there}")
        row = rows[chosen - 1]
        found = run(looking.get, self._call(), {"name": row.record.ref, "sources": (row.source,)})
        self._print(render_record.shown(found), found)

    def help(self, _: str) -> None:
        """What can be said."""
        rows = [(said, told) for said, told, _ in COMMANDS.values()]
        first = "Ask anything; a question that follows up on the last answer need not repeat what that was about."
        self._print(f"{wrapped(first)}\n\n{table([*rows, ('/quit', 'ends the conversation')])}")

    def _ask(self, text: str) -> None:
        names = self._scope.sources or ()
        asked = {"question": text, "sources": names, "all": not names, "after": self._topic}
        self._answer = answer = run(asking.ask, self._call(), asked)
        self._topic = next_topic(self._topic, text, answer.question, [one.handle for one in answer.citations])
        if answer.question != text:
            self._here.remark(dim(f"asked: {line(answer.question)}"))
        self._print(render_answer.answer(answer, more="/all"), answer)
        if answer.refused and not self._here.json and (nearest := render_answer.nearest(answer)):
            self._here.remark(f"{nearest}\n")

    def _print(self, text: str, value: object = None) -> None:
        if self._here.json:
            self._here.print_json({"said": text} if value is None else value, line=True)
        else:
            click.echo(f"{text}\n")

    def _call(self) -> Call:
        return self._here.call(brain=self._brain)

    def _last(self) -> Answer:
        if self._answer is None:
            raise UsageError("there is no answer yet", hint="ask something first")
        return self._answer


COMMANDS: Final[Mapping[str, tuple[str, str, Callable[[Chat, str], None]]]] = {
    "all": ("/all", "every statement of the last answer", Chat.all),
    "sources": ("/sources", "what the last answer rests on, word for word", Chat.sources),
    "why": ("/why", "which rows were read for it, and why each stands where it stands", Chat.why),
    "open": ("/open N", "the record behind source N", Chat.open),
    "help": ("/help", "this", Chat.help),
}
"""By name; /quit is the terminal's."""


PROMPT: Final = "cortex> "
HISTORY: Final = "chat_history"
REMEMBERED: Final = 1000
ENDS: Final = ("/quit", "/exit")
_HINT: Final = "Ask; /all, /sources, /why and /open N look behind the last answer, /help tells more, Ctrl-D ends it."


@click.command()
@parameter("sources", Question.model_fields["sources"])
@parameter("all", Question.model_fields["all"])
def chat(**asked: Any) -> int:  # noqa: ANN401  the parameters of a question
    """Hold a conversation: ask, look at the sources, ask on.

    It asks the project you stand in, as `ask` does. A question that names nothing ("and why?", "who decided that?") is
    asked of what the last answer was about, and you are told how. /all, /sources, /why and /open N look behind the
    last answer. Through a pipe each line is a turn, and one that cannot be answered makes it exit 1; what you type is
    remembered in CORTEX_HOME/chat_history.

    Examples:
      cortex chat
      cortex chat < questions.txt
    """
    here = session()
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    with here.call().reader() as brain:
        call = here.call(brain=brain)
        at = placed(call, brain, asked["sources"], everything=asked["all"])
        at.remark(call)
        talk = Chat(here, brain, at.scope)
        if at_terminal:
            here.remark(dim(_HINT))
            with _history(here.settings.home.expanduser() / HISTORY):
                _converse(talk)
            return 0
        with click.open_file("-", encoding="utf-8", errors="replace") as lines:
            answered = [_turn(talk, text) for text in _said(lines)]
        return 0 if all(answered) else 1


def _converse(talk: Chat) -> None:
    """Take turns until Ctrl-D; Ctrl-C gives up a line, or an answer that takes too long."""
    while True:
        try:
            text = storable(input(PROMPT)).strip()
            if text in ENDS:
                return
            if text:
                _turn(talk, text)
        except EOFError:
            click.echo()
            return
        except KeyboardInterrupt:
            click.echo()


def _said(lines: Iterable[str]) -> Iterator[str]:
    for text in map(str.strip, lines):
        if text in ENDS:
            return
        if text:
            yield storable(text)


def _turn(talk: Chat, text: str) -> bool:
    """Print what comes back; whether it could be answered."""
    try:
        talk.say(text)
    except CortexError as error:
        click.echo(f"cortex: {error}", err=True)
        return False
    return True


@contextmanager
def _history(path: Path) -> Iterator[None]:
    """Lines that were typed before, for the arrow keys; kept for their owner alone."""
    try:
        readline = import_module("readline")
    except ImportError:  # Windows: its terminal remembers lines itself
        yield
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    readline.read_history_file(path)
    readline.set_history_length(REMEMBERED)
    try:
        yield
    finally:
        readline.write_history_file(path)
