"""A repository on GitHub as the command line reaches it: with whose token, at which address, and waiting visibly."""

from __future__ import annotations

import os
import re
from math import ceil
from time import sleep
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from cortex.errors import BadInput
from cortex.indexers.connectors.github_http import Repository
from cortex.indexers.connectors.github_rows import Thread
from cortex.substrate.brain import Brain
from cortex.substrate.holdings import titles_of_threads
from cortex.surfaces.progress import WAITING
from cortex.surfaces.starting import said_by

if TYPE_CHECKING:
    from cortex.surfaces.contract import Progress

API: Final = "https://api.github.com"
_NAME: Final = re.compile(r"[A-Za-z0-9][\w-]*/[\w.-]+")
_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


class Remote(NamedTuple):
    """A repository on GitHub.

    Attributes:
        address: where a person finds it.
    """

    address: str
    repository: Repository


def remote(name: str, api: str, progress: Progress) -> Remote:
    """The repository called *name*, asked with the token of GITHUB_TOKEN or of the GitHub command line."""
    if not _NAME.fullmatch(name):
        raise BadInput(name, "is no repository", hint="name it as owner/name")
    address = _address(api)

    def wait(seconds: float, why: str) -> None:
        progress(f"{WAITING}{why}", 0, ceil(seconds))
        sleep(seconds)

    asked = Repository(name, address=address, token=_token(address), wait=wait)
    return Remote(web_address(name, api), asked)


def web_address(name: str, api: str) -> str:
    """Where a person finds the repository.

    >>> web_address("ada/parser", API)
    'https://github.com/ada/parser'
    """
    parts = urlsplit(_address(api))
    return f"{parts.scheme}://{parts.netloc.replace('api.github.com', 'github.com')}/{name}"


def threads(brain: Brain, source: str) -> dict[int, Thread]:
    """The issues and pull requests that *brain* holds of *source*."""
    return {number: Thread(type_, title) for type_, number, title in titles_of_threads(brain, source)}


def _address(api: str) -> str:
    """*api* as PyGithub takes it: a GitHub Enterprise server's ends in /api/v3."""
    parts = urlsplit(api if "://" in api else f"https://{api}")
    if parts.scheme not in ("https", "http") or not parts.hostname or parts.username or parts.password:
        raise BadInput(
            parts.hostname or "--github-api", "is no address of an API", hint=f"such as {API} or https://HOST/api/v3"
        )
    if parts.scheme == "http" and parts.hostname not in _LOOPBACK:
        raise BadInput(parts.hostname, "would be sent the token unencrypted", hint="use https://")
    path = parts.path.rstrip("/")
    own = path or parts.hostname in ("api.github.com", *_LOOPBACK)
    return f"{parts.scheme}://{parts.netloc}{path if own else '/api/v3'}"


def _token(address: str) -> str:
    """The token to ask with; '' where there is none, and GitHub answers 60 requests an hour."""
    if token := os.environ.get("GITHUB_TOKEN", "").strip():
        return token
    host = urlsplit(address).hostname or ""
    host = "github.com" if host == "api.github.com" else host
    return (said_by("gh", "auth", "token", "--hostname", host, timeout_s=10) or "").strip()
