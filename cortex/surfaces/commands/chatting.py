"""`cortex chat`: a conversation at a terminal, or through a pipe, one turn at a time."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from cortex.composer.explain import explain
from cortex.composer.query.following import is_courtesy, next_topic
from cortex.errors import CortexError, UsageError
from cortex.substrate.brain import Brain
from cortex.substrate.model import Answer, Scope, Value, storable
from cortex.surfaces import render_answer, render_record
from cortex.surfaces.contract import Call, run
from cortex.surfaces.operations import asking, looking
from cortex.surfaces.operations.asking import Question
from cortex.surfaces.options import common, parameter
from cortex.surfaces.placing import placed
from cortex.surfaces.render import dim, line, table, wrapped
from cortex.surfaces.session import Session, session

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
        return COMMANDS[name][2](self, rest)

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
        return Said(render_answer.explanation(found), found)

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
        rows = [(said, told) for said, told, _ in COMMANDS.values()]
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


COMMANDS: Final[Mapping[str, tuple[str, str, Callable[[Chat, str], Said]]]] = {
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
@common
@click.pass_context
def chat(context: click.Context, /, **asked: Any) -> None:  # noqa: ANN401  the parameters of a question
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
        talk = Chat(lambda: here.call(brain=brain), brain, at.scope)
        if at_terminal:
            here.remark(dim(_HINT))
            with _history(here.settings.home.expanduser() / HISTORY):
                _converse(here, talk)
        else:
            with click.open_file("-", encoding="utf-8", errors="replace") as lines:
                answered = [_turn(here, talk, text) for text in _said(lines)]
            context.exit(0 if all(answered) else 1)


def _converse(here: Session, talk: Chat) -> None:
    """Take turns until Ctrl-D; Ctrl-C gives up a line, or an answer that takes too long."""
    while True:
        try:
            text = storable(input(PROMPT)).strip()
            if text in ENDS:
                return
            if text:
                _turn(here, talk, text)
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


def _turn(here: Session, talk: Chat, text: str) -> bool:
    """Print what comes back; whether it could be answered."""
    try:
        said = talk.say(text)
    except CortexError as error:
        click.echo(f"cortex: {error}", err=True)
        return False
    if said.remark:
        here.remark(dim(said.remark))
    if here.json:
        here.print_json(said.value if said.value is not None else {"said": said.text}, line=True)
        return True
    click.echo(f"{said.text}\n")
    if said.answer and said.answer.refused and (nearest := render_answer.nearest(said.answer)):
        here.remark(f"{nearest}\n")
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
