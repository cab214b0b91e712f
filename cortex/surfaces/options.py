"""Options and arguments of commands, also those that an operation's parameters are, and groups with a main command."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, TypeVar, Union, get_args, get_origin

import click
from pydantic.fields import FieldInfo

from cortex.errors import BadParameter, CortexError
from cortex.regex import regex
from cortex.substrate.holdings import beginning
from cortex.substrate.model import Scope, storable
from cortex.surfaces.contract import Flag, Operation, spelled
from cortex.surfaces.session import Session

MOST: Final = 50


def _held(of: Literal["sources", "handles"], context: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """What the brain holds of it that begins so; nothing where it cannot be read: a shell has no place for an error.

    Refs that are no handles hold colons, where bash begins a new word.
    """
    try:
        with context.find_root().ensure_object(Session).call().reader() as brain:
            return beginning(brain, of, begun, most=MOST)
    except CortexError:
        return []


_EXAMPLES: Final = regex(r"^( *)(Examples?:)$", re.MULTILINE)

Command = TypeVar("Command", bound=Callable[..., Any])


def _keep(context: click.Context, parameter: click.Parameter, value: object) -> None:
    if value not in (None, False) and parameter.name:
        session = context.find_root().ensure_object(Session)
        setattr(session, parameter.name, value)


COMMON: Final = (
    click.Option(
        ["--db"], expose_value=False, callback=_keep, metavar="PATH",
        help="The brain's file, or the postgresql:// address of a database.  "
        "[env: CORTEX_DB; default: ~/.cortex/brain.db]",
    ),
    click.Option(
        ["--json"], is_flag=True, expose_value=False, callback=_keep,
        help="Print one JSON document and nothing else.",
    ),
    click.Option(
        ["-q", "--quiet"], is_flag=True, expose_value=False, callback=_keep,
        help="No progress and no remarks on standard error.",
    ),
)  # fmt: skip
"""What every command takes; it is kept in the session."""


def furnish(command: click.Command) -> None:
    """Give *command*, and those below it, the options that all take, and show its examples line by line; once."""
    if COMMON[0] not in command.params:
        command.params += COMMON
        command.help = _EXAMPLES.sub("\\1\b\n\\1\\2", command.help or "")
        for inner in command.commands.values() if isinstance(command, click.Group) else ():
            furnish(inner)


sources = click.option(
    "--source",
    "sources",
    multiple=True,
    shell_complete=partial(_held, "sources"),
    metavar="NAME",
    callback=lambda _context, _parameter, names: Scope(sources=tuple(map(storable, names)) or None),
    help="Read this source alone; may be repeated.  [default: every federated source]",
)
"""Gives the command a `Scope` called `sources`."""


def several(name: str, called: str, metavar: str, what: str, *, default: str = "") -> Callable[[Command], Command]:
    """An option *called* so that takes a text and may be repeated; its help says *what* it does."""
    told = f"{what}; may be repeated." + (f"  [default: {default}]" if default else "")
    return click.option(name, called, type=WORDS, multiple=True, metavar=metavar, help=told)


def preset(name: str, type_: click.ParamType[Any], default: object, help_: str) -> Callable[[Command], Command]:
    """An option with a default, which its help shows."""
    return click.option(name, type=type_, default=default, show_default=True, help=help_)


WORDS: Final = click.types.FuncParamType(storable)
"""Text as a person typed it, with what no brain can hold replaced."""
WORDS.name = "text"


MAIN: Final = "run"
_FOLDER: Final = click.Path(path_type=Path)
_HELP: Final = ("-h", "--help")


class MainGroup(click.Group):
    """A group whose `run` happens when no subcommand is named: `cortex smoke FILE` is `cortex smoke run FILE`.

    Attributes:
        implied: the subcommand that does.
    """

    implied = MAIN

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Name the main subcommand where *args* name none."""
        if not args or (args[0] not in self.commands and args[0] not in _HELP):
            args = [self.implied, *args]
        return super().parse_args(ctx, args)


def takes(operation: Operation[Any, Any]) -> Callable[[Command], Command]:
    """Let a command take the parameters of *operation*, and hand those that were given to it as `asked`."""

    def decorate(command: Command) -> Command:
        fields = operation.parameters.model_fields

        def collected(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401  what click hands on
            given = {name: options.pop(name) for name in fields}
            asked = {name: value for name, value in given.items() if value not in (None, fields[name].default)}
            try:
                return command(*arguments, asked=asked, **options)
            except BadParameter as error:
                context = click.get_current_context()
                meant = next((one for one in context.command.params if one.name == error.parameter), None)
                raise click.BadParameter(error.problem, ctx=context, param=meant) from error

        collected.__doc__, collected.__name__ = command.__doc__, command.__name__
        collected.__click_params__ = list(getattr(command, "__click_params__", ()))  # type: ignore[attr-defined]
        for name, field in reversed(fields.items()):
            collected = parameter(name, field)(collected)
        return collected  # type: ignore[return-value]

    return decorate


def parameter(name: str, field: FieldInfo) -> Callable[[Command], Command]:
    """The argument or option that *field* is."""
    flag = next((marker for marker in field.metadata if isinstance(marker, Flag)), None)
    inner, many = _inner(field.annotation)
    if flag and not flag.name:
        required = field.is_required()
        joined = inner is str and many is None and not flag.metavar
        words: dict[str, Any] = {"nargs": -1} if many or joined else {}
        if joined:
            words["callback"] = lambda _, __, said: " ".join(said)
        return click.argument(
            name,
            type=_type(inner, field),
            required=required and not words,
            metavar=flag.metavar or None,
            shell_complete=partial(_held, "handles") if flag.metavar == "HANDLE" else None,
            **words,
        )
    option = spelled(name, field)
    told = f"  [default: {flag.default}]" if flag and flag.default else ""
    said = str(field.description).removesuffix(".") + ("; may be repeated." if many else ".")
    shared: dict[str, Any] = {"help": f"{said}{told}", "required": field.is_required()}
    if inner is bool:
        default = None if field.default is None else False
        switch = f"{option}/{flag.off}" if flag and flag.off else option
        return click.option(switch, name, is_flag=True, default=default, **shared)
    shown = type(field.default) is int
    default = field.default if shown or isinstance(field.default, str) else None
    return click.option(
        option, name, type=_type(inner, field), multiple=bool(many), metavar=(flag and flag.metavar) or None,
        default=default, show_default=shown,
        shell_complete=partial(_held, "sources") if option == "--source" else None, **shared,
    )  # fmt: skip


def _inner(annotation: Any) -> tuple[Any, bool | None]:  # noqa: ANN401  any annotation
    origin = get_origin(annotation)
    if origin is Annotated:
        return _inner(get_args(annotation)[0])
    if origin in (Union, UnionType):
        return _inner(next(one for one in get_args(annotation) if one is not NoneType))
    if origin is tuple:
        return _inner(get_args(annotation)[0])[0], True
    return annotation, None


def _type(inner: Any, field: FieldInfo) -> click.ParamType[Any]:  # noqa: ANN401  any annotation
    if get_origin(inner) is Literal:
        return click.Choice(get_args(inner))
    if inner is Path:
        return _FOLDER
    if inner is int:
        low, high = (
            next((getattr(one, end) for one in field.metadata if hasattr(one, end)), None) for end in ("ge", "le")
        )
        return click.IntRange(low, high)
    return WORDS
