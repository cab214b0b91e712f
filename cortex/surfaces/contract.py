"""The contract: what an operation is, who calls it, and the one gate every call goes through.

Each operation is declared once, in `cortex.surfaces.operations`: a function from a call and its parameters to a result.
Its name is the operation's, its docstring is what people and models read of it, its annotations are the schemas. The
command line, the MCP tools, the HTTP routes and their documentation are made of that; none has logic of its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from inspect import cleandoc
from pathlib import Path
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar, get_type_hints

from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from cortex.errors import AmbiguousSource, BadParameter, NotAllowed, UnknownSource
from cortex.settings import Settings
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Scope, Value
from cortex.substrate.quoting import escaped, visible
from cortex.substrate.sources import as_listed, source_names
from cortex.surfaces.deadline import Deadline
from cortex.surfaces.encoding import models_of
from cortex.surfaces.schemas import plain

DEFAULT_REF_TEMPLATE: Final = "#/$defs/{model}"  # pydantic's own

Effect = Literal["read", "write", "admin"]
"""What an operation does to a brain: nothing, add to it, or change what others put there."""

MAY: Final[Mapping[str, frozenset[Effect]]] = {
    "read": frozenset({"read"}), "write": frozenset({"read", "write"}), "admin": frozenset({"read", "write", "admin"}),
}  # fmt: skip
"""By the most that a program on this machine is let do, as options name it, all of it."""

Caller = Literal["operator", "agent", "remote", "scheduler"]
"""Who calls: a person at a terminal, a program they started on this machine, one elsewhere, the clock."""

NAMES: Final[Mapping[Caller, str]] = {
    "operator": "the operator", "agent": "an agent", "remote": "a remote client", "scheduler": "the scheduler"
}  # fmt: skip
"""Callers as sentences name them."""

Progress = Callable[[str, int, int | None], None]
"""Told of a stage, by how much it has gone on, and of how much in all."""


GRANTS: Final[Mapping[Caller, frozenset[Effect]]] = {
    "operator": MAY["admin"], "agent": MAY["write"], "remote": MAY["read"], "scheduler": MAY["admin"]
}  # fmt: skip
"""What a caller may do unless its call says otherwise."""


class Parameters(Value):
    """What an operation takes; closed, so that a misspelled name is an error and not a default."""


class Local(NamedTuple):
    """Marks a parameter that only callers on this machine may set, such as a path; others do not even see it."""


class Flag(NamedTuple):
    """How the command line spells a parameter where that does not follow from its name and type.

    Attributes:
        name: such as '--job' or '-k'; '' makes it a positional argument.
        metavar: what stands for the value in the help.
        default: what the help says of the default, where the value itself does not say it.
        off: what switches a flag off, '--isolated'; '' where nothing does.
    """

    name: str = ""
    metavar: str = ""
    default: str = ""
    off: str = ""


def spelled(name: str, field: FieldInfo) -> str:
    """The option that the parameter *name* is on the command line; '' for a positional argument."""
    flag = next((marker for marker in field.metadata if isinstance(marker, Flag)), None)
    return flag.name if flag else f"--{name.replace('_', '-')}"


@dataclass(frozen=True)
class Call:
    """Who calls, from where, at what moment; trust is part of it.

    Attributes:
        path: the brain's file.
        by: what the caller is known as: 'token NAME' as its operator named it, or an MCP client's name for itself.
        grants: the effects it may have.
        sources: all that it may reach; None is every source.
        lent: lends an open reader instead of opening one, for whoever keeps some open.
        remark: told what is no result, such as that a question could not be captured.
        named: the caller named the brain; the demo project is no stand-in for it.
        folders: where the caller works on this machine; none where that is not known, or elsewhere.
        deadline: until when it may read; None is any time.
        fence: what each transaction begins with, which raises where a worker lost its lease.
    """

    caller: Caller
    path: Path
    settings: Settings
    now: datetime
    by: str = ""
    grants: frozenset[Effect] | None = None
    sources: tuple[str, ...] | None = None
    progress: Progress = field(default=lambda *_: None)
    remark: Callable[[str], None] = field(default=lambda _: None)
    lent: Callable[[], AbstractContextManager[Brain]] | None = None
    named: bool = True
    folders: tuple[Path, ...] = ()
    deadline: Deadline | None = None
    fence: Callable[[Brain], None] = field(default=lambda _: None)

    @property
    def trusted(self) -> bool:
        """Whether what it writes weighs as much as its kind does; else it weighs as little as anything."""
        return self.caller in ("operator", "scheduler")

    @property
    def recorder(self) -> str:
        """Who really calls, for what it records: its kind is never what it says of itself."""
        if self.caller == "agent":
            return f"agent {self.by}".rstrip()
        return (self.by or "remote client") if self.caller == "remote" else self.caller

    def allows(self, operation: Operation[Any, Any]) -> bool:
        """Whether the caller may have this operation at all."""
        return self.may(operation.effect) and not (operation.local and self.caller == "remote")

    def may(self, effect: Effect) -> bool:
        """Whether the caller has this grant; one that may not read is told the name of no source."""
        return effect in (GRANTS[self.caller] if self.grants is None else self.grants)

    def reader(self) -> AbstractContextManager[Brain]:
        """The brain, read-only, until the deadline."""
        lent = self.lent() if self.lent else open_brain(self.path, read_only=True).encoding(*models_of(self.settings))
        return self.deadline.over(lent) if self.deadline else lent

    def writer(self) -> Brain:
        """The brain, to write to.

        Raises:
            BrainMissing: there is none.
        """
        return open_brain(self.path, make=False).encoding(*models_of(self.settings)).fenced(self.fence)

    def maker(self) -> Brain:
        """The brain, made when there is none."""
        return open_brain(self.path).encoding(*models_of(self.settings)).fenced(self.fence)

    def target(self, brain: Brain, asked: str | None) -> str | None:
        """The source to write to; None where there is but one, and the caller may reach every source.

        Raises:
            AmbiguousSource: the caller may reach several, and named none.
            UnknownSource: it may not reach the one it named, or any.
        """
        if self.sources is None:
            return asked
        reached = self.scope(brain, (asked,) if asked else ()).sources or ()
        if len(reached) > 1:
            raise AmbiguousSource("what is recorded", reached)
        if not reached:
            raise UnknownSource(asked or "to record in", ())
        return reached[0]

    def scope(self, brain: Brain, asked: tuple[str, ...]) -> Scope:
        """What to read when *asked* for these sources, none meaning all: never more than the caller may reach.

        Raises:
            UnknownSource: the caller may not reach one of them, and learns no other's name; or the brain holds none of
                those that it may.
        """
        if self.sources is None:
            return Scope(sources=asked or None)
        held = [*source_names(brain).values()]
        reached = tuple(name for name in (as_listed(name, held) for name in self.sources) if name in held)
        if self.sources and not reached:
            raise UnknownSource(self.sources[0], None)
        asked = tuple(as_listed(name, reached) for name in asked)
        for name in asked:
            if name not in reached:
                raise UnknownSource(name, reached)
        return Scope(sources=asked or reached)


P = TypeVar("P", bound=Parameters)
R = TypeVar("R")


@dataclass(eq=False)
class Operation(Generic[P, R]):
    """One thing a brain can be asked to do.

    Attributes:
        name: letters and '_'; MCP calls it 'cortex_' and this.
        summary: what it does, in a line.
        guidance: when to use it and what comes back, for models and people; '' where the summary says it all.
        local: only for callers on this machine.
        command: the words of the command line that do this, such as 'outcome add'.
        tool: whether MCP clients are offered it.
        examples: commands, for the command's help.
        manual: what that help says in place of the guidance, where it says more.
    """

    function: Callable[[Call, P], R]
    effect: Effect
    local: bool
    command: str
    tool: bool
    examples: tuple[str, ...]
    manual: str

    def __post_init__(self) -> None:
        self.name = self.function.__name__.rstrip("_")
        self.command = self.command or self.name
        self.summary, _, guidance = cleandoc(self.function.__doc__ or "").partition("\n\n")
        self.guidance = guidance.strip()

    @property
    def help(self) -> str:
        """What the command's help says before its options."""
        examples = "\n".join(["Examples:", *(f"  {line}" for line in self.examples)]) if self.examples else ""
        return "\n\n".join(filter(None, (self.summary, self.manual or self.guidance, examples)))

    @cached_property
    def _hints(self) -> Mapping[str, Any]:
        return get_type_hints(self.function, include_extras=True)

    @property
    def parameters(self) -> type[P]:
        """The model of what it takes."""
        model: type[P] = self._hints["asked"]
        return model

    @property
    def result(self) -> type[R]:
        """The model of what comes back."""
        model: type[R] = self._hints["return"]
        return model

    @cached_property
    def adapter(self) -> TypeAdapter[R]:
        """What turns its results into JSON."""
        return TypeAdapter(self.result)

    def input_schema(self, caller: Caller, refs: str = DEFAULT_REF_TEMPLATE) -> dict[str, Any]:
        """JSON Schema of what *caller* may send."""
        schema = plain(self.parameters.model_json_schema(ref_template=refs), given=True)
        schema.pop("description", None)
        for name in self.hidden(caller):
            schema["properties"].pop(name)
        return schema

    def output_schema(self, refs: str = DEFAULT_REF_TEMPLATE) -> dict[str, Any]:
        """JSON Schema of what comes back; an object, whatever its variants."""
        return {"type": "object"} | plain(self.adapter.json_schema(mode="serialization", ref_template=refs))

    def hidden(self, caller: Caller) -> Iterator[str]:
        """Names of the parameters *caller* may not set."""
        if caller == "remote":
            for name, info in self.parameters.model_fields.items():
                if any(isinstance(marker, Local) for marker in info.metadata):
                    yield name


def operation(
    effect: Effect, *examples: str, local: bool = False, command: str = "", tool: bool = True, manual: str = ""
) -> Callable[[Callable[[Call, P], R]], Operation[P, R]]:
    """Declare the operation the function below is."""
    return lambda function: Operation(function, effect, local, command, tool, examples, manual)


def run(chosen: Operation[P, R], call: Call, given: Mapping[str, Any]) -> R:
    """What *chosen* returns for *given*: every surface comes through here, and nothing goes past.

    Raises:
        NotAllowed: the caller may not have this operation, or one of the parameters it sent.
        BadParameter: a parameter is missing, unknown, or not what it takes.
        UnknownSource, AmbiguousSource: as the operation does; to a caller that may not read they name no other source.
        TookTooLong: a program asks, and it cannot be read in the time that the settings give a request.
    """
    if chosen.local and call.caller == "remote":
        raise NotAllowed(NAMES[call.caller], chosen.name, "it runs on the brain's own machine only")
    if not call.allows(chosen):
        raise NotAllowed(NAMES[call.caller], chosen.name, f"it needs the grant {chosen.effect!r}")
    for name in chosen.hidden(call.caller):
        if name in given:
            raise NotAllowed(NAMES[call.caller], chosen.name, f"{name!r} is for the brain's own machine only")
    try:
        asked = chosen.parameters.model_validate(given)
    except ValidationError as error:
        raise _bad(chosen, call.caller, error) from error
    if seconds := limit_of(chosen, call.caller, call.settings):
        call = replace(call, deadline=Deadline(chosen.name, seconds))
    try:
        return chosen.function(call, asked)
    except (UnknownSource, AmbiguousSource) as error:
        if call.may("read"):
            raise
        raise error.nameless() from None


def limit_of(chosen: Operation[Any, Any], caller: Caller, settings: Settings) -> float:
    """Seconds that *chosen* may take: a program's requests that read have a limit; 0 is any time."""
    is_request = caller in ("agent", "remote") and chosen.effect == "read" and not chosen.local
    return settings.request_seconds if is_request else 0


def _bad(chosen: Operation[Any, Any], caller: Caller, error: ValidationError) -> BadParameter:
    found = error.errors(include_url=False, include_context=False, include_input=False)
    schema = chosen.input_schema(caller)
    needed = schema.get("required", ())
    takes = [f"{name} (needed)" if name in needed else name for name in schema["properties"]]
    first = min(found, key=lambda one: one["type"] != "extra_forbidden")  # a misspelled name explains a missing one
    said = {"extra_forbidden": "there is no such parameter", "missing": "it is missing"}
    plain_words = first["msg"].removeprefix("Value error, ").replace("Input", "it", 1).replace("tuple", "list")
    problem = said.get(first["type"], plain_words)
    return BadParameter(chosen.name, ".".join(map(str, first["loc"])), problem, takes)


def one_line(content: object) -> str:
    """*content* as JSON on one line, whatever a reader takes for a line break."""
    return escaped(json.dumps(content, ensure_ascii=False))


def as_json(result: object, chosen: Operation[Any, Any]) -> dict[str, Any]:
    """*result* as the JSON object the output schema of *chosen* describes."""
    content: dict[str, Any] = chosen.adapter.dump_python(result, mode="json", by_alias=True)
    return content


def shown(content: Any) -> Any:  # noqa: ANN401  JSON
    """JSON *content* whose strings hold nothing that a reader does not see."""
    if isinstance(content, str):
        return visible(content)
    if isinstance(content, dict):
        return {name: shown(value) for name, value in content.items()}
    return [*map(shown, content)] if isinstance(content, list) else content
