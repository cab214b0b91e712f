"""Git hooks that index a project in the background: put beside what is there, and taken out to the byte."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from shlex import join, quote, split
from typing import Final, Literal

from pydantic import Field

from cortex.errors import BadInput, CortexError
from cortex.indexers.connectors import git
from cortex.indexers.connectors.git_command import asked
from cortex.indexers.connectors.worktrees import main_folder
from cortex.substrate.address import argument
from cortex.substrate.atomic_files import write_file
from cortex.substrate.model import Value
from cortex.surfaces.indexing import Indexed

NAMES: Final = ("post-commit", "post-merge", "post-checkout")
SAVED: Final = ".before-cortex"
"""Behind the name of a hook that is no shell script, or switched off, while ours stands in its place."""

NICE: Final = 10

_BEGIN: Final = "# >>> cortex: keeps this project's memory fresh; taken out by: cortex hook remove\n"
_END: Final = "# <<< cortex\n"
_MADE: Final = "# made by cortex hook install\n"
_HEADER: Final = f"#!/bin/sh\n{_MADE}"
_CHAINED: Final = f'[ ! -x "$0{SAVED}" ] || exec "$0{SAVED}" "$@"\n'
_SOURCED: Final = f'. "$0{SAVED}"\n'  # a script that many names lead to asks what it was called by
_BLOCK: Final = re.compile(re.escape(_BEGIN) + r".*?" + re.escape(_END), re.DOTALL)
_STARTS: Final = re.compile(r"&& exec (?:nice -n \d+ )?(.+?) </dev/null")
_SHELL: Final = re.compile(rb"#![ \t]*(?:\S*/)?(?:env[ \t]+)?(?:ba|da|k|z)?sh(?:[ \t][^\n]*)?\r?\n")


class Hook(Value):
    """One hook of a repository."""

    name: str
    path: str
    state: Literal["installed", "missing"]
    beside: bool = Field(description="somebody else's hook runs there too")


class Hooks(Value):
    """The hooks of a repository, and where they are."""

    root: str = Field(
        description="where the repository stands that is indexed: its main work tree, or itself if it is bare"
    )
    folder: str = Field(description="where git looks for hooks: core.hooksPath, else those of the repository")
    hooks: tuple[Hook, ...]


def install(root: Path, brain: Path, cortex: Sequence[str]) -> Hooks:
    """Put the hooks in; where they are already, they are brought up to date.

    Args:
        cortex: the command line's own command.

    Raises:
        BadInput: there is no repository, or its hooks are those of others too.
    """
    folder = _folder(root)
    _make_sure_it_is_ours(root, folder)
    for path in (folder / name for name in NAMES):
        _make_sure_nothing_is_lost(path)
    folder.mkdir(parents=True, exist_ok=True)
    command = [*cortex, "hook", "run", str(_indexed(root))]
    for name in NAMES:
        _put(folder / name, _block(name, command, brain, cortex[0]))
    return hooks(root)


def remove(root: Path) -> Hooks:
    """Take the hooks out: every file is again as it was, and those that were made are gone."""
    for name in NAMES:
        _take_out(_folder(root) / name)
    return hooks(root)


def hooks(root: Path) -> Hooks:
    """The hooks as they stand.

    Raises:
        BadInput: there is no repository.
    """
    folder = _folder(root)
    return Hooks(root=str(_indexed(root)), folder=str(folder), hooks=tuple(_hook(folder / name) for name in NAMES))


def program_of(path: Path) -> str:
    """What our part of the hook at *path* starts; '' where there is none of ours."""
    block = _BLOCK.search(_text(path) or "")
    found = _STARTS.search(block[0]) if block else None
    return split(found[1])[0] if found else ""


def _hook(path: Path) -> Hook:
    text = _text(path) or ""
    beside = not _is_made(_BLOCK.sub("", text)) or _saved(path).is_file()
    return Hook(name=path.name, path=str(path), state="installed" if _BLOCK.search(text) else "missing", beside=beside)


def _text(path: Path) -> str | None:
    return path.read_bytes().decode("utf-8", "surrogateescape") if path.is_file() else None


def _write(path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8", "surrogateescape"))


def _saved(path: Path) -> Path:
    return path.with_name(path.name + SAVED)


def _folder(root: Path) -> Path:
    found = asked(root, "rev-parse", "--git-path", "hooks", climb=True, hooks=True)
    if not found:
        raise BadInput(root, "no git repository", hint="run it in one")
    return Path(root, found).resolve()


def _indexed(root: Path) -> Path:
    """What the hooks of *root* index: a folder in a linked work tree, which may be gone tomorrow, stands for all."""
    top = git.top(root)
    return main_folder(top if top and (top / ".git").is_file() else root)


def _make_sure_it_is_ours(root: Path, folder: Path) -> None:
    own = [asked(root, "rev-parse", place, climb=True) for place in ("--show-toplevel", "--git-common-dir")]
    own.append(str(_indexed(root)))
    if not any(folder.is_relative_to(Path(root, place).resolve()) for place in own if place):
        raise BadInput(
            folder, "git looks for hooks there, which other repositories share",
            hint="give this one its own: git config core.hooksPath .git/hooks",
        )  # fmt: skip


def _block(name: str, command: Sequence[str], brain: Path, program: str) -> str:
    """What a shell runs: a background process that outlives the terminal, and nothing git would wait for.

    It is out of the way from its start: what somebody does next would wait for its imports.
    """
    only = '[ "${3-1}" = 1 ] && ' if name == "post-checkout" else ""  # of a branch, not of a file
    run = join([*command, "--db", argument(brain)])
    background = f"{only}[ -x {quote(program)} ] && trap '' HUP && exec nice -n {NICE} {run}"
    return f"{_BEGIN}({background} </dev/null >/dev/null 2>&1 &)\n{_END}"


def _make_sure_nothing_is_lost(path: Path) -> None:
    saved = _saved(path)
    if not _BLOCK.search(_text(path) or "") and (saved.exists() or saved.is_symlink()):
        raise BadInput(
            saved, f"another program took the place of cortex's {path.name}, behind which this hook stood",
            hint="move it away, or back to its place, then run it again",
        )  # fmt: skip


def _put(path: Path, block: str) -> None:
    text, is_link = _text(path), path.is_symlink()
    if text is not None and _BLOCK.search(text):
        renewed = _BLOCK.sub(lambda _: block, text)
        if renewed != text:
            _write(path, renewed)
        return
    shebang, _, rest = (text or "").partition("\n") if _is_shell(path) else ("", "", "")
    if shebang and not is_link:
        _write(path, f"{shebang}\n{block}{rest}")
        return
    made = f"{shebang}\n{_MADE}{block}{_SOURCED}" if shebang else _HEADER + block
    if text is not None or is_link:
        made += "" if shebang else _CHAINED
        path.rename(_saved(path))
    _write(path, made)
    path.chmod(0o755)


def _is_made(rest: str) -> bool:
    return rest in ("", _HEADER, _HEADER + _CHAINED) or rest.partition("\n")[2] == _MADE + _SOURCED


def _is_shell(path: Path) -> bool:
    """Whether the hook is a shell script that git runs: only of such a one can lines run in the same shell."""
    return path.is_file() and os.access(path, os.X_OK) and _SHELL.match(path.read_bytes()) is not None


def _take_out(path: Path) -> None:
    text = _text(path)
    if text is None or not _BLOCK.search(text):
        return
    rest, saved = _BLOCK.sub("", text), _saved(path)
    if _is_made(rest) and (saved.is_file() or saved.is_symlink()):
        saved.replace(path)
    elif _is_made(rest):
        path.unlink()
    else:
        _write(path, rest)


try:
    import fcntl
except ImportError:  # Windows: every hook runs on its own, and the database sees to the rest
    fcntl = None  # type: ignore[assignment]


class LastRun(Value):
    """What the last run behind a hook did."""

    at: datetime
    changed: bool
    error: str = Field("", description="why it failed; '' when it did not")


def index_behind_hooks(brain: Path, root: Path, index: Callable[[], Indexed], *, now: Callable[[], datetime]) -> int:
    """Run *index* unless another process is at it, which then runs it again; how often it was run here."""
    asked = _beside(brain, root, "asked")
    asked.touch()
    runs = 0
    while asked.exists():  # asked for again while the lock was given back
        with _alone(_beside(brain, root, "lock")) as alone:
            if not alone:
                return runs
            while asked.exists():
                asked.unlink()
                write_file(_beside(brain, root, "json"), _ran(index, now).model_dump_json())
                runs += 1
    return runs


def last_run(brain: Path, root: Path) -> LastRun | None:
    """What the last run behind a hook of *root* did; None where there was none."""
    path = _beside(brain, root, "json")
    return LastRun.model_validate_json(path.read_bytes()) if path.is_file() else None


def _ran(index: Callable[[], Indexed], now: Callable[[], datetime]) -> LastRun:
    try:
        done = index()
    except (CortexError, OSError) as error:
        return LastRun(at=now(), changed=False, error=str(error))
    return LastRun(at=now(), changed=done.changed)


def _beside(brain: Path, root: Path, what: str) -> Path:
    brain.parent.mkdir(parents=True, exist_ok=True)
    name = blake2b(os.fsencode(root.resolve()), digest_size=4).hexdigest()
    return brain.with_name(f"{brain.stem}.hook-{name}.{what}")


@contextmanager
def _alone(lock: Path) -> Iterator[bool]:
    """Whether this process is the only one in here."""
    with lock.open("a") as held:
        if fcntl is not None:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                yield False
                return
        yield True
