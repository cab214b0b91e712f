"""Asking git, the one way there is: nothing that a repository configures is run, fetched, or read from elsewhere."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final, cast

from cortex.errors import BadInput, RepositoryElsewhere
from cortex.indexers.connectors import git_places
from cortex.indexers.connectors.fields import BODY_LIMIT

# What a repository's own configuration could make git run, print otherwise, or stumble over.
_SETTINGS: Final = (
    "core.quotePath=false",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "submodule.recurse=false",
    "diff.external=",
    "diff.orderFile=/dev/null",
    "diff.relative=false",
    "log.showSignature=false",
    "log.showRoot=true",
    "log.follow=false",
    "log.mailmap=false",
    "i18n.logOutputEncoding=UTF-8",
)
DEADLINE_S: Final = 120  # of what git is asked and not streamed
_Done = subprocess.CompletedProcess[bytes]
_NO_HOOKS: Final = "core.hooksPath=/dev/null"
_NOTHING: Final = "CORTEX_GIT_NOTHING"
_ENVIRONMENT: Final = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    # A partial clone would fetch what it lacks, by a program that its configuration names. An empty list allows no
    # protocol, where a word would be the name of one; older releases heed this one alone.
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",
    # A commit is what its id says.
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.devnull,
    _NOTHING: "",
}


def asked(root: Path, *arguments: str, climb: bool = False, hooks: bool = False, given: str = "") -> str | None:
    """What git prints, its last newline left out; None when it says no, or there is no repository.

    Args:
        climb: whether the repository may be one that *root* is a folder in.
        hooks: whether git may see where its hooks are; only what runs none may be asked then.
        given: what git reads on its standard input.

    Raises:
        BadInput: git cannot work here at all.
        RepositoryElsewhere: the repository's files or history are in another place.
    """
    bare = _bare(root, climb=climb)
    if bare is None:
        return None
    return _printed(_run(root, arguments, [bare, *([] if hooks else [_NO_HOOKS])], climb=climb, given=given))


def user(root: Path) -> str:
    """Who is at work in *root*, by its repository's settings or else the person's own; '' where neither says.

    Raises:
        BadInput, RepositoryElsewhere: as for `asked`.
    """
    own = ("config", "--global", "--get", "user.name")
    named = asked(root, "config", "--get", "user.name", climb=True)
    return named or _printed(_run(Path(os.sep), own, [_NO_HOOKS], climb=False)) or ""


def is_changed(root: Path) -> bool:
    """Whether a tracked file of the repository that *root* is in was changed; its filters are not asked.

    Raises:
        BadInput, RepositoryElsewhere: as for `asked`.
    """
    listed = asked(root, "config", "--null", "--name-only", "--get-regexp", r"^filter\..*\.", climb=True)
    drivers = {name.rpartition(".")[0] for name in (listed or "").split("\0") if name}
    unset = [f"--config-env={one}.{key}={_NOTHING}" for one in drivers for key in ("clean", "process", "required")]
    # git asks a submodule with the submodule's settings alone
    status = ("status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all")
    bare = _bare(root, climb=True)
    return bare is not None and bool(_printed(_run(root, status, [bare, _NO_HOOKS, *sorted(unset)], climb=True)))


class GitStopped(Exception):
    """Git ended with an error; the text is its own last word."""


@contextmanager
def streamed(root: Path, *arguments: str) -> Iterator[IO[bytes]]:
    """The output of git as it comes; git is ended when the caller stops reading.

    Raises:
        GitStopped: there is no repository; or on leaving, where git failed before its output ended.
    """
    bare = _bare(root, climb=False)
    if bare is None:
        raise GitStopped("not a git repository")
    with (
        TemporaryFile() as words,
        subprocess.Popen(
            _command(root, arguments, [bare, _NO_HOOKS]),
            env=_environment(root, climb=False),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=words,
        ) as git,
    ):
        try:
            yield cast("IO[bytes]", git.stdout)
        except BaseException:
            git.kill()
            raise
        if git.wait():
            words.seek(0)
            last = words.read(1 << 16).decode(errors="replace").strip().splitlines()[-1:]
            raise GitStopped("".join(last).removeprefix("fatal: ") or f"exit {git.returncode}")


def tokens(output: IO[bytes]) -> Iterator[bytes]:
    """What NULs end in *output*; of a token longer than a body may be only the beginning."""
    held = b""
    while chunk := output.read(1 << 16):
        first, *rest = chunk.split(b"\0")
        if len(held) <= BODY_LIMIT:
            held += first
        if rest:
            yield held
            yield from rest[:-1]
            held = rest[-1]


def _bare(root: Path, *, climb: bool) -> str | None:
    """The setting that says whether *root* may itself be a bare repository; None where there is no repository."""
    folder = Path(os.path.realpath(root))
    tops = git_places.tops(folder, climb=climb)
    if not tops and not git_places.is_repository(folder):
        return None
    return _checked(folder, climb, git_places.stamp(folder, tops))


@lru_cache(maxsize=256)
def _checked(folder: Path, climb: bool, _stamp: object) -> str | None:  # noqa: FBT001  a cache's key
    """`_bare`, once git has told where the repository lies and that is where the folder's own files lead.

    A bare repository among another's files came with them: it is read as files.
    """
    tops = git_places.tops(folder, climb=climb)
    alone = git_places.is_repository(folder) and not asked(
        folder.parent, "ls-files", "--cached", "--", folder.name, climb=True
    )
    bare = f"safe.bareRepository={'all' if alone else 'explicit'}"
    done = _run(folder, ("rev-parse", "--absolute-git-dir", "--show-toplevel"), [bare, _NO_HOOKS], climb=climb)
    _printed(done)
    said = _text(done.stdout).removesuffix("\n")
    if not said or (said == str(folder) and not alone):
        return None
    strays = [*_strays(said, tops, folder)]
    if strays:
        raise RepositoryElsewhere(folder, strays[0])
    return bare


def _strays(said: str, tops: Sequence[Path], folder: Path) -> Iterator[Path]:
    """Where the repository that git *said* it found leads, where that is not the folder it was asked of.

    Args:
        said: the repository, then, where it has one, its work tree behind a newline; either may hold newlines.
    """
    ends = [at for at, sign in enumerate(said) if sign == "\n"] or [len(said)]
    for repository, named in ((Path(said[:at]), said[at + 1 :]) for at in ends):
        # A bare repository beside the `.git` that points to it has no work tree.
        at = (top for top in tops if _leads(top, repository) and (not named or git_places.same(Path(named), top)))
        own = next(at, None)
        if own or (git_places.same(repository, folder) and (not named or _leads(Path(named), repository))):
            if own and not _is_own(own, repository):
                yield repository
            yield from git_places.strays(repository)
            return
    yield Path(said.rpartition("\n")[2])


def _leads(top: Path, repository: Path) -> bool:
    found = git_places.repository_of(top)
    return found is not None and git_places.same(found, repository)


def _is_own(top: Path, repository: Path) -> bool:
    common = git_places.common_of(repository)
    is_inside = repository.is_relative_to(top) and common.is_relative_to(top)
    if is_inside or git_places.is_linked(top, repository):
        return True
    # a submodule's repository stands in the one around it, and says which folder it is for
    command = ("config", "--no-includes", "--file", str(repository / "config"), "--get", "core.worktree")
    back = _printed(_run(top, command, [_NO_HOOKS], climb=False))
    return bool(back and common == repository and git_places.same(repository / back, top))


def _printed(done: _Done) -> str | None:
    root = Path(os.fsdecode(done.args[done.args.index("-C") + 1]))
    if done.returncode and b"dubious ownership" in done.stderr:
        mend = f"git config --global --add safe.directory {root}"
        raise BadInput(root, "the repository belongs to somebody else", hint=f"if you trust it: {mend}")
    return None if done.returncode else _text(done.stdout).removesuffix("\n")


def _text(output: bytes) -> str:
    return output.decode("utf-8", "surrogateescape")


def _run(root: Path, arguments: Sequence[str], settings: Sequence[str], *, climb: bool, given: str = "") -> _Done:
    try:
        return subprocess.run(
            _command(root, arguments, settings),
            env=_environment(root, climb=climb),
            input=os.fsencode(given),
            capture_output=True,
            check=False,
            timeout=DEADLINE_S,
        )
    except subprocess.TimeoutExpired as error:
        hint = "look for patterns that match slowly in its ignore files, or for a pipe among git's own files"
        raise BadInput(root, f"git {arguments[0]} took longer than {DEADLINE_S} s", hint=hint) from error
    except FileNotFoundError as error:
        raise BadInput(root, "git is not installed", hint="install git, or put it on the PATH") from error


def _command(root: Path, arguments: Sequence[str], settings: Sequence[str]) -> list[str]:
    given = [part for one in (*_SETTINGS, *settings) for part in ((one,) if one.startswith("--") else ("-c", one))]
    return ["git", "--no-pager", "-C", str(root), *given, *arguments]


def _environment(root: Path, *, climb: bool) -> dict[str, str]:
    """The caller's, without what a hook's git hands down: that would point every command at the hook's repository."""
    persons = ("GIT_EXEC_PATH", "GIT_CEILING_DIRECTORIES", "GIT_CONFIG")
    kept = {name: told for name, told in os.environ.items() if name[:4] != "GIT_" or name.startswith(persons)}
    kept |= _ENVIRONMENT
    return kept if climb else kept | {"GIT_CEILING_DIRECTORIES": str(root.resolve().parent)}
