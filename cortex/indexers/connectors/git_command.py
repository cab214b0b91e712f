"""Asking git: no hooks, filters, pagers, locks or network, and the same words in every locale."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final, cast

from cortex.errors import BadInput

# What a repository's own configuration could make `git log` run, print otherwise, or stumble over.
_SETTINGS: Final = (
    "core.quotePath=false",
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "diff.external=",
    "diff.orderFile=/dev/null",
    "diff.relative=false",
    "log.showSignature=false",
    "log.showRoot=true",
    "log.follow=false",
    "i18n.logOutputEncoding=UTF-8",
)
# What a hook's git hands down to its children: it would point every command at the hook's own repository.
_INHERITED: Final = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_SHALLOW_FILE",
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
)


def asked(root: Path, *arguments: str, climb: bool = False) -> str | None:
    """What git prints, its last newline left out; None when it says no.

    Args:
        climb: whether the repository may be one that *root* is a folder in.

    Raises:
        BadInput: git cannot work here at all.
    """
    done = _run(root, arguments, climb=climb)
    if done.returncode and "dubious ownership" in done.stderr:
        mend = f"git config --global --add safe.directory {root}"
        raise BadInput(root, "the repository belongs to somebody else", hint=f"if you trust it: {mend}")
    return None if done.returncode else done.stdout.removesuffix("\n")


def _run(root: Path, arguments: tuple[str, ...], *, climb: bool) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            _command(root, *arguments),
            env=_environment(root, climb=climb),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            check=False,
        )
    except FileNotFoundError as error:
        raise BadInput(root, "git is not installed", hint="install git, or put it on the PATH") from error


class GitStopped(Exception):
    """Git ended with an error; the text is its own last word."""


@contextmanager
def streamed(root: Path, *arguments: str) -> Iterator[IO[bytes]]:
    """The output of git as it comes; git is ended when the caller stops reading.

    Raises:
        GitStopped: on leaving, where git failed before its output ended.
    """
    with (
        TemporaryFile() as words,
        subprocess.Popen(
            _command(root, *arguments),
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


def _command(root: Path, *arguments: str) -> list[str]:
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    return ["git", "--no-pager", "-C", str(root), *settings, *arguments]


def _environment(root: Path, *, climb: bool) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _INHERITED}
    kept |= {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
    # A partial clone would fetch what it lacks; without a protocol to use it says what is missing instead.
    kept |= {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1"}
    return kept if climb else kept | {"GIT_CEILING_DIRECTORIES": str(root.resolve().parent)}
