"""`cortex chat`: a conversation at a terminal, or through a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import click

from cortex.errors import CortexError
from cortex.substrate.model import storable
from cortex.surfaces import render_answer
from cortex.surfaces.arguments import parameter
from cortex.surfaces.chat import Chat, Said
from cortex.surfaces.operations.asking import Question
from cortex.surfaces.options import common
from cortex.surfaces.placing import placed
from cortex.surfaces.render import dim
from cortex.surfaces.session import Session, session

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
    with here.reader() as brain:
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
    _print(here, said)
    return True


def _print(here: Session, said: Said) -> None:
    if here.json:
        here.print_json(said.value if said.value is not None else {"said": said.text}, line=True)
        return
    click.echo(f"{said.text}\n")
    if said.answer and said.answer.refused and (nearest := render_answer.nearest(said.answer)):
        here.remark(f"{nearest}\n")


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
