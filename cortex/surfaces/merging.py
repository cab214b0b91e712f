"""Changing other programs' configuration: shown first, what else is there kept, the old file put aside."""

from __future__ import annotations

import copy
import difflib
import json
import os
import re
import shutil
import tomllib
from collections.abc import Callable, Mapping
from datetime import date, time
from itertools import chain, count
from pathlib import Path
from typing import Any, Final

from pydantic import Field

from cortex.errors import BadInput
from cortex.substrate.atomic_files import write_file
from cortex.substrate.model import Value

BACKUP: Final = ".before-cortex"
_BEGIN: Final = "# cortex: begin"
_END: Final = "# cortex: end"
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")


class Change(Value):
    """What a file is to become."""

    path: Path
    before: str | None = Field(description="none where there is no such file")
    after: str

    @property
    def changed(self) -> bool:
        """Whether there is anything to write."""
        return (self.before or "") != self.after

    @property
    def diff(self) -> str:
        """The change as a unified diff; '' where there is none."""
        old, new = (text.splitlines(keepends=True) for text in (self.before or "", self.after))
        return "".join(difflib.unified_diff(old, new, str(self.path), str(self.path)))


def json_change(path: Path, edit: Callable[[dict[str, Any]], dict[str, Any]]) -> Change:
    """What the JSON in *path* becomes by *edit*; a file that says the same afterwards is left as it is spelled."""
    alone = edit({})
    shown = json.dumps(alone, ensure_ascii=False) if alone else ""
    before = _text(path, shown)
    try:
        held = json.loads(before) if before and before.strip() else {}
        if not isinstance(held, dict):
            raise _unreadable(path, "no JSON object", shown)
        wanted = edit(copy.deepcopy(held))
        after = json.dumps(wanted, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
        after.encode()
    except (ValueError, RecursionError) as error:
        raise _unreadable(path, f"no plain JSON ({error})", shown) from error
    return Change(path=path, before=before, after=(before or "") if wanted == held else _spelled(after, before))


def toml_change(
    path: Path, at: str, name: str, edit: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None
) -> Change:
    """What the TOML in *path* becomes with the table *at*.*name* between marks of ours, or without it for None.

    The rest of the file stays as it is, comments and all.

    Args:
        edit: makes the table of what it is by now, which is empty where there is none.
    """
    pairs = ", ".join(_pairs(edit({}))) if edit else ""
    shown = f"{at}.{name} = {{ {pairs} }}, above every table" if edit else ""
    before = _text(path, shown)
    rest = _without_ours(before or "")
    try:
        held, whole = tomllib.loads(rest), tomllib.loads(before or "")
    except (ValueError, RecursionError) as error:
        raise _unreadable(path, f"no TOML ({error})", shown) from error
    if not isinstance(tables := whole.get(at, {}), dict):
        raise _unreadable(path, f"its {at} is no table", shown)
    if name in held.get(at, {}):
        raise _unreadable(path, f"it has a [{at}.{name}] already", pairs)
    ours, others = tables.get(name, {}), {key: value for key, value in tables.items() if key != name}
    entry = edit(copy.deepcopy(ours)) if edit else {}
    if edit and entry == ours:
        return Change(path=path, before=before, after=before or "")
    lines = [_BEGIN, f"[{at}.{name}]", *_pairs(entry), _END] if edit else []
    above = f"{rest.rstrip()}\n\n" if rest.strip() else ""
    after = _spelled(above + "\n".join(lines) + "\n", before) if edit else rest
    if _parsed(after, at) != {**whole, at: others | ({name: dict(entry)} if edit else {})}:
        raise _unreadable(path, "what else it holds could not stay", shown)
    return Change(path=path, before=before, after=after)


def _parsed(text: str, at: str) -> Mapping[str, Any]:
    try:
        return {at: {}, **tomllib.loads(text)}
    except tomllib.TOMLDecodeError:
        return {}


def _pairs(table: Mapping[str, Any]) -> list[str]:
    return [f"{key if _BARE.fullmatch(key) else json.dumps(key)} = {_inline(value)}" for key, value in table.items()]


def _inline(value: object) -> str:
    if isinstance(value, Mapping):
        return f"{{ {', '.join(_pairs(value))} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    if isinstance(value, str | bool):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return value.isoformat() if isinstance(value, date | time) else str(value)


def write(change: Change) -> Path | None:
    """Write *change*, all or nothing; where what it replaces was put aside, None where there was nothing to replace.

    What was put aside earlier stays there.
    """
    if not change.changed:
        return None
    target = change.path.resolve()  # a link to a file kept elsewhere stays a link
    aside = _put_aside(target) if change.before is not None else None
    write_file(target, change.after, private=aside is not None)
    if aside:
        shutil.copymode(aside, target)
    return aside


def _put_aside(target: Path) -> Path:
    """Where *target* is kept as it is: beside it, under the first name that is free or holds the same already."""
    names = (target.with_name(f"{target.name}{BACKUP}{end}") for end in chain([""], map(".{}".format, count(2))))
    kept = target.read_bytes()
    aside = next(one for one in names if not os.path.lexists(one) or (one.is_file() and one.read_bytes() == kept))
    if not os.path.lexists(aside):
        write_file(aside, kept, private=True)
        shutil.copymode(target, aside)
    return aside


def _spelled(after: str, before: str | None) -> str:
    return after.replace("\r\n", "\n").replace("\n", "\r\n") if "\r\n" in (before or "") else after


def _without_ours(text: str) -> str:
    begin, end = text.find(_BEGIN), text.find(_END)
    if begin < 0 or end < begin:
        return text
    line = "\r\n" if "\r\n" in text else "\n"
    before, after = text[:begin].rstrip(), text[end + len(_END) :].lstrip("\r\n")
    return f"{before}{line}{line}{after}" if before and after else f"{before}{line}" if before else after


def _text(path: Path, shown: str) -> str | None:
    if not path.is_absolute() and not (place := path.resolve()).is_relative_to(Path.cwd()):
        raise _unreadable(path, f"a link leads from it out of the folder, to {place}", shown)
    try:
        return path.read_bytes().decode()
    except FileNotFoundError:
        return None
    except (UnicodeDecodeError, IsADirectoryError) as error:
        raise _unreadable(path, str(error), shown) from error


def _unreadable(path: Path, problem: str, shown: str) -> BadInput:
    hint = f"add by hand: {shown}" if shown else "take out by hand what is Cortex's"
    return BadInput(path, f"{problem}; it was left as it is", hint=hint)
