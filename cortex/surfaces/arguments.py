"""The command line's arguments and options, made of an operation's parameters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, TypeVar, Union, get_args, get_origin

import click
from pydantic.fields import FieldInfo

from cortex.errors import BadParameter
from cortex.surfaces.contract import Flag, Operation, spelled
from cortex.surfaces.options import WORDS, complete_handles, complete_sources

Command = TypeVar("Command", bound=Callable[..., Any])

_FOLDER: Final = click.Path(path_type=Path)


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
        words: dict[str, Any] = {"nargs": -1, "callback": _joined} if joined else {"nargs": -1} if many else {}
        return click.argument(
            name,
            type=_type(inner, field),
            required=required and not words,
            metavar=flag.metavar or None,
            shell_complete=complete_handles if flag.metavar == "HANDLE" else None,
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
        shell_complete=complete_sources if option == "--source" else None, **shared,
    )  # fmt: skip


def _joined(_context: click.Context, _parameter: click.Parameter, words: tuple[str, ...]) -> str:
    return " ".join(words)


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
