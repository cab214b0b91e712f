"""Changing other programs' configuration: shown first, what else is there kept, the old file put aside."""

from __future__ import annotations

import difflib
import json
import os
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import Field

from cortex.errors import BadInput
from cortex.substrate.model import Value

BACKUP: Final = ".before-cortex"
_BEGIN: Final = "# cortex: begin"
_END: Final = "# cortex: end"


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
    """What the JSON in *path* becomes by *edit*; a file that says the same afterwards is left as it is spelled.

    Raises:
        BadInput: it is no JSON, or no object; it says what to add by hand.
    """
    alone = edit({})
    shown = json.dumps(alone, ensure_ascii=False) if alone else ""
    before = _text(path, shown)
    try:
        held = json.loads(before) if before and before.strip() else {}
    except ValueError as error:
        raise _unreadable(path, f"no plain JSON ({error})", shown) from error
    if not isinstance(held, dict):
        raise _unreadable(path, "no JSON object", shown)
    wanted = edit(json.loads(json.dumps(held)))
    if wanted == held:
        return Change(path=path, before=before, after=before or "")
    return Change(path=path, before=before, after=json.dumps(wanted, indent=2, ensure_ascii=False) + "\n")


def toml_change(path: Path, at: str, name: str, entry: Mapping[str, Any] | None) -> Change:
    """What the TOML in *path* becomes with the table *at*.*name* between marks of ours, or without it for None.

    The rest of the file stays as it is, comments and all.

    Raises:
        BadInput: it is no TOML, or has such a table that we did not write; it says what to add by hand.
    """
    pairs = [f"{key} = {json.dumps(value)}" for key, value in (entry or {}).items()]
    shown = f"{at}.{name} = {{ {', '.join(pairs)} }}, above every table" if entry else ""
    before = _text(path, shown)
    rest = _without_ours(before or "")
    try:
        held = tomllib.loads(rest)
    except tomllib.TOMLDecodeError as error:
        raise _unreadable(path, f"no TOML ({error})", shown) from error
    if name in held.get(at, {}):
        raise _unreadable(path, f"it has a [{at}.{name}] already", shown)
    if entry is None:
        return Change(path=path, before=before, after=rest)
    lines = [_BEGIN, f"[{at}.{name}]", *pairs, _END]
    above = f"{rest.rstrip()}\n\n" if rest.strip() else ""
    return Change(path=path, before=before, after=above + "\n".join(lines) + "\n")


def write(change: Change) -> Path | None:
    """Write *change*, all or nothing; where the old file was put aside, None where there was none or nothing changed.

    A copy put aside earlier, of what was there before Cortex came, is kept.
    """
    if not change.changed:
        return None
    change.path.parent.mkdir(parents=True, exist_ok=True)
    target = change.path.resolve()  # a link to a file kept elsewhere stays a link
    aside = target.with_name(target.name + BACKUP)
    if change.before is not None and not aside.exists():
        aside.write_text(change.before, "utf-8")
    made = target.with_name(f".{target.name}.{os.getpid()}")
    made.write_text(change.after, "utf-8")
    if change.before is not None:
        made.chmod(target.stat().st_mode)
    made.replace(target)
    return aside if change.before is not None else None


def _without_ours(text: str) -> str:
    begin, end = text.find(_BEGIN), text.find(_END)
    if begin < 0 or end < begin:
        return text
    before, after = text[:begin].rstrip(), text[end + len(_END) :].lstrip("\n")
    return f"{before}\n\n{after}" if before and after else f"{before}\n" if before else after


def _text(path: Path, shown: str) -> str | None:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        return None
    except (UnicodeDecodeError, IsADirectoryError) as error:
        raise _unreadable(path, str(error), shown) from error


def _unreadable(path: Path, problem: str, shown: str) -> BadInput:
    hint = f"add by hand: {shown}" if shown else "take out by hand what is Cortex's"
    return BadInput(path, f"{problem}; it was left as it is", hint=hint)
