"""Questions with what a right answer holds, read from YAML or JSON lines; a mistake in a file is named by its line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, Self

from pydantic import Field, ValidationError, model_validator

from cortex.errors import BadInput
from cortex.substrate.model import Text, Value, storable

Rubric = Literal["cases", "questions"]

_QUESTION_NAMES: Final = {"gold": "cites"}


class Case(Value):
    """A question, and what a right answer to it holds."""

    id: Text = Field(min_length=1)
    category: Text = Field(min_length=1)
    question: Text = Field(min_length=1)
    answerable: bool = Field(default=True, description="no: the only right answer is the refusal")
    must: tuple[Text, ...] = Field((), description="each stands in the answer; case and white space are ignored")
    must_not: tuple[Text, ...] = Field((), description="none stands in it, unless as what is outranked")
    cites: tuple[Text, ...] = Field((), description="refs or handles of which at least one is cited")
    meta: bool = Field(default=False, description="`must` may stand in the cited record's author, assignees, … too")

    @model_validator(mode="before")
    @classmethod
    def _says_unanswerable_either_way(cls, given: Any) -> Any:  # noqa: ANN401  whatever the file holds
        if not isinstance(given, Mapping) or not isinstance(given.get("unanswerable"), bool):
            return given
        rest = {**given}
        answerable = not rest.pop("unanswerable")
        if rest.get("answerable", answerable) is given["unanswerable"]:
            raise ValueError("answerable and unanswerable contradict each other")
        return rest | {"answerable": answerable}

    @model_validator(mode="after")
    def _can_be_right_and_wrong(self) -> Self:
        if self.answerable and not self.cites:
            raise ValueError("cites nothing, so any row would do; name at least one ref, or say answerable: false")
        if not self.answerable and (self.must or self.cites):
            raise ValueError("is not answerable, yet says what the answer holds")
        return self


class Suite(Value):
    """The cases of one file, in its order.

    `rubric` is how they are scored: 'cases' as YAML cases are, 'questions' as question files in JSON lines are.
    """

    name: str = Field(description="the file's name, which the history and the released rates go by")
    rubric: Rubric
    cases: tuple[Case, ...]


class _Row(NamedTuple):
    """A case as a file gives it, with the lines its fields stand on."""

    line: int
    values: dict[str, Any]
    lines: Mapping[str, int]


def load_suite(path: Path) -> Suite:
    """The cases in *path*: a YAML list of them, or a question as JSON on each line of a .jsonl file."""
    text, lines = read_text(path), path.suffix == ".jsonl"
    if not (rows := [*(_json_rows(path, text) if lines else _yaml_rows(path, text))]):
        raise BadInput(path, "holds no case", hint="see docs/evals.md for how one is written")
    return Suite(name=path.name, rubric="questions" if lines else "cases", cases=tuple(_checked(path, rows)))


def read_text(path: Path) -> str:
    """The text of *path*."""
    try:
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise BadInput(path, error.strerror or str(error), hint="name a file of cases, YAML or JSON lines") from error
    except UnicodeDecodeError as error:
        raise BadInput(path, f"is not UTF-8 at byte {error.start}", hint="save it as UTF-8") from error


def dump_case(case: Case, *, remark: str = "") -> str:
    """*case* as an item of a YAML list, with *remark* as a comment above it; `load_suite` reads it back."""
    import yaml  # noqa: PLC0415  whoever only scores does not wait for it

    shown: dict[str, Any] = {"id": case.id, "category": case.category, "question": case.question}
    if not case.answerable:
        shown["answerable"] = False
    shown |= {"must": [*case.must], "must_not": [*case.must_not], "cites": [*case.cites]}
    dumped = yaml.safe_dump([shown], sort_keys=False, allow_unicode=True, width=1_000)
    return f"# {' '.join(remark.split())}\n{dumped}" if remark else dumped


def _checked(path: Path, rows: Iterable[_Row]) -> Iterator[Case]:
    seen: dict[str, int] = {}
    for row in rows:
        try:
            case = Case.model_validate(row.values)
        except ValidationError as error:
            raise _invalid(path, row, error) from error
        line = row.lines.get("id", row.line)
        if case.id in seen:
            raise _bad(path, line, f"id {case.id!r} is that of line {seen[case.id]} already")
        seen[case.id] = line
        yield case


def _invalid(path: Path, row: _Row, error: ValidationError) -> BadInput:
    first = error.errors()[0]
    field = str(first["loc"][0]) if first["loc"] else ""
    said = first["msg"].removeprefix("Value error, ")
    match first["type"]:
        case "extra_forbidden":
            said = f"no field of a case; there are {', '.join(Case.model_fields)}"
        case "string_type":
            said = f"{first['input']!r} is no text; put it in quotes"
        case "missing":
            said = "is missing"
    name = row.values.get("id")
    what = ": ".join(filter(None, (f"case {name!r}" if isinstance(name, str) else "", field, said)))
    return _bad(path, row.lines.get(field, row.line), what)


def _bad(path: Path, line: int, problem: str) -> BadInput:
    return BadInput(f"{path}:{line}", problem, hint="mend that line; docs/evals.md says what a case holds")


def _json_rows(path: Path, text: str) -> Iterator[_Row]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            given = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise _bad(path, number, "is not JSON") from error
        if not isinstance(given, dict):
            raise _bad(path, number, "is no object")
        values = {_QUESTION_NAMES.get(name, name): value for name, value in given.items()}
        kept = {name: value for name, value in values.items() if name in Case.model_fields}
        yield _Row(number, kept | {"id": storable(str(given.get("id", "")))}, {})


def _yaml_rows(path: Path, text: str) -> Iterator[_Row]:
    import yaml  # noqa: PLC0415  0.02 s that a question does not need

    try:
        loader = yaml.SafeLoader(text)
        document = loader.get_single_node()
        if document is None:
            return
        if not isinstance(document, yaml.SequenceNode):
            raise _bad(path, document.start_mark.line + 1, "is no list of cases; each begins with '- id: …'")
        for node in document.value:
            line = node.start_mark.line + 1
            if not isinstance(node, yaml.MappingNode):
                raise _bad(path, line, "is no case; each is a mapping of fields such as 'question: …'")
            lines = {str(key.value): key.start_mark.line + 1 for key, _ in node.value}
            values = {str(name): value for name, value in loader.construct_mapping(node, deep=True).items()}
            yield _Row(line, values, lines)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or " ".join(str(error).split())
        raise _bad(path, mark.line + 1 if mark else 1, f"is not YAML: {problem}") from error
