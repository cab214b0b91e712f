"""The command line: one group, whose commands are imported only when they are run."""

from __future__ import annotations

import builtins
import gc
import os
import sqlite3
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Final, NoReturn

import click

from cortex.errors import BrainError, CortexError
from cortex.substrate.quoting import visible
from cortex.surfaces import INTERRUPTED, SAID
from cortex.surfaces.options import furnish
from cortex.surfaces.session import Session

PIPE_CLOSED: Final = 141  # what a shell shows for a program that SIGPIPE ended

COMPLETE: Final = "_CORTEX_COMPLETE"  # what the script of `cortex completion` sets when a shell asks what may come next

COMMANDS: Final = {
    "Make a memory": {
        "init": "Register the project you stand in and say what there is to index.",
        "index": "Read a project, or an export of one, into the brain.",
        "demo": "Index the bundled demo project and ask it seven questions.",
    },
    "Ask it": {
        "ask": "Answer a question with citations, or say that the brain does not know.",
        "chat": "Hold a conversation: ask, look at the sources, ask on.",
        "search": "List the rows that match a query, best first.",
        "show": "Show a fact, a record or a passage by its handle.",
        "brief": "Say what to know before a task, in about ten lines.",
        "precedents": "List finished work like a task.",
        "facts": "List facts by kind, authority, source and age, the latest first.",
        "history": "Say what became of a fact: what was merged into it, what took it out, what superseded it.",
        "decisions": "List what was decided, and whether it still stands.",
        "owners": "Say who owns a path or a topic, and who has worked on it.",
    },
    "Keep it": {
        "outcome": "Record what became of a piece of work, and list what was recorded.",
        "remember": "Keep a directive or a note, with who said it and where.",
        "notes": "List remembered notes and directives, the latest first.",
        "review": "List notes of agents and outcomes found in records; approve, reject or merge them.",
        "forget": "Forget a note, an outcome or a single fact, or restore it.",
        "sources": "List the sources and what each holds; remove, rename or archive one.",
        "status": "Say what the brain holds, by source.",
        "queue": "Show the tasks and texts that wait, add and stop tasks, put right what got stuck.",
        "compact": "Clean the facts, or undo a cleaning.",
        "compactions": "List the compactions there were, with their reports.",
        "hook": "Index after every commit, merge and checkout, in the background.",
        "schedule": "Compact every night: keep running, or let the machine do it.",
        "tiers": "Say which models can be called, why others cannot, and what today cost.",
        "doctor": "Say what is wrong with the brain and what is around it, and which command mends it.",
        "verify": "Check every excerpt against its record, and the indexes against the rows.",
        "copy": "Copy a brain into a new one, and compare them row by row.",
    },
    "Offer it": {
        "mcp": "Offer the brain to coding agents, as tools of the Model Context Protocol.",
        "worker": "Work on the tasks in the queue, on any machine that reaches the brain.",
        "serve": "Serve the page, the HTTP interface, MCP and a webhook until it is stopped.",
        "token": "Make, list and revoke the tokens that callers over HTTP are known by.",
        "completion": "Print what makes a shell complete commands, options and sources.",
        "agent-hooks": "Tell coding agents what the project decided, and propose what a session decided.",
    },
    "Hold it to its word": {
        "smoke": "Ask a handful of questions three times over; exit 1 unless each answer is right each time.",
        "eval": "Ask many questions and rate the answers by category; exit 1 when a category falls too low.",
        "capture": "Keep the questions asked and what came of them, for replay; off unless you switch it on.",
        "feedback": "Say whether the last answer was of use, or the answer to the kept question of that number.",
    },
}
"""By section of the help: each command and what it does."""

SUMMARIES: Final = {name: line for section in COMMANDS.values() for name, line in section.items()}
_MODULES: Final = {
    "project": ("init", "index", "demo"),
    "asking": ("ask", "search"),
    "chatting": ("chat",),
    "upkeep": ("outcome", "compact", "copy", "verify"),
    "background": ("hook", "schedule"),
    "offering": ("mcp", "completion", "agent-hooks"),
    "serving": ("serve", "token"),
    "worker": ("worker",),
    "evals": ("smoke", "eval", "capture", "feedback"),
}
"""The module of each command that is more than its operation; the others are declared."""


class Program(click.Group):
    """The group: imports a command to run it, and turns every error into one line and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's signature
        """Every command, in the order of the help."""
        return [*SUMMARIES]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command called *cmd_name*, imported now."""
        if cmd_name not in SUMMARIES:
            return None
        home = next((module for module, names in _MODULES.items() if cmd_name in names), "declared")
        module = import_module(f"cortex.surfaces.commands.{home}")
        name = cmd_name.replace("-", "_")
        name = f"{name}_" if hasattr(builtins, name) else name
        found: click.Command = getattr(module, name, None) or module.made(cmd_name)
        furnish(found)
        if not gc.isenabled():  # the entry point switches it off until everything is imported
            gc.freeze()  # or the first collection would look at all of that
            gc.set_threshold(10_000)  # a command makes few cycles and many objects
            gc.enable()
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the sections without importing a single command."""
        for section, commands in COMMANDS.items():
            with formatter.section(section):
                formatter.write_dl([*commands.items()])

    def main(self, args: Sequence[str] | None = None, prog_name: str | None = None, *_: Any, **extra: Any) -> NoReturn:  # noqa: ANN401
        """Run the command *args* name, and exit."""
        arguments = [*(sys.argv[1:] if args is None else args)]
        for stream in (sys.stdout, sys.stderr):
            if reconfigure := getattr(stream, "reconfigure", None):
                reconfigure(errors="replace")  # what a terminal cannot show never fails
        if asked := os.environ.get(COMPLETE):
            from click.shell_completion import shell_complete  # noqa: PLC0415  only a shell asks for it

            sys.exit(shell_complete(self, extra, prog_name or "cortex", COMPLETE, asked))
        sys.exit(_run(lambda: self._execute(arguments, prog_name or "cortex", extra), arguments))

    def _execute(self, arguments: list[str], name: str, extra: dict[str, Any]) -> int:
        with self.make_context(name, arguments, **extra) as context:
            try:
                code = self.invoke(context)
            except click.exceptions.Exit as done:
                code = done.exit_code
            sys.stdout.flush()
        return code if isinstance(code, int) else 0


def _run(execute: Callable[[], int], arguments: list[str]) -> int:
    """The exit code of *execute*: the one place where errors become what a person reads."""
    as_json = "--json" in arguments  # before click, which takes what it has read off the list
    try:
        return execute()
    except click.exceptions.Exit as done:
        return done.exit_code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # or Python complains while it exits
        return PIPE_CLOSED
    except (Exception, KeyboardInterrupt) as error:
        translated = _translated(error)
        if translated is None:
            raise
        return _complain(*translated, as_json=as_json)


def _translated(error: BaseException) -> tuple[CortexError | str, int] | None:
    """What to say of *error* and the exit code; None for a bug, which is shown with where it happened."""
    match error:
        case CortexError():
            return error, error.exit_code
        case click.Abort() | KeyboardInterrupt():
            return SAID, INTERRUPTED
        case click.ClickException():
            return _usage(error), error.exit_code
        case sqlite3.Error():
            return f"the brain failed: {error}; check it with: cortex verify", BrainError.exit_code
        case OSError():
            return f"{error.filename or 'cannot go on'}: {error.strerror or error}", 1
    return None


def _usage(error: click.ClickException) -> str:
    message = error.format_message().rstrip(".")
    message = message[:1].lower() + message[1:]
    context = getattr(error, "ctx", None)
    return f"{message}; try: {context.command_path} --help" if context else message


def _complain(error: CortexError | str, exit_code: int, *, as_json: bool) -> int:
    line = " ".join(visible(str(error)).split())
    click.echo(f"cortex: {line}", err=True)
    if as_json:
        type_, message, hint = "Error", line, ""
        if isinstance(error, CortexError):
            type_, message, hint = type(error).__name__, error.args[0], error.hint
        Session().print_json({"error": {"type": type_, "message": message, "hint": hint, "exit_code": exit_code}})
    return exit_code


def _print_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001  click's signature
    if wanted:
        from importlib.metadata import version  # noqa: PLC0415  0.02 s that only this takes

        click.echo(f"cortex {version('cortex-project-memory')}")
        context.exit()


@click.group(
    cls=Program,
    name="cortex",
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Print it.")
@click.pass_context
def cli(context: click.Context) -> None:
    """The memory of a project: what it decided, with citations, or an honest refusal.

    Start with `cortex index` in a repository, then `cortex ask "why do we …?"`. Nothing leaves this machine.

    The options below may stand before or after the command. Exit codes: 0 done (a refusal is an answer), 1 failed,
    2 usage, 3 the brain cannot be used.
    """
    if os.environ.get("NO_COLOR"):
        context.color = False
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


furnish(cli)


def main() -> NoReturn:
    """Run `cortex`."""
    try:
        cli.main()
    except SystemExit as done:
        if done.code == INTERRUPTED:  # at once: Python would wait for threads that look a name up
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(INTERRUPTED)
        raise
