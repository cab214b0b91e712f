"""Asking GitHub, through PyGithub's requester: what to wait for is waited for, what passes is tried again.

Waiting is the caller's: nothing here reads a clock, how long a rate limit lasts is told by the answer that named it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from cortex.errors import GitHubFailed, MissingExtra
from cortex.substrate.secrets import redact

PER_PAGE: Final = 100
TIMEOUT_S: Final = 30
TRIES: Final = 6  # of one request that fails: a cut connection, a broken answer, an error of the server
LONGEST_WAIT_S: Final = 3700  # a primary rate limit is reset within the hour; whoever asks for more is not waited for
LIMITED: Final = 10  # times in a row that one request may be told to wait
_SECONDARY_WAIT_S: Final = 60  # GitHub asks for at least a minute where it names no time, and for more after each
_LINK: Final = re.compile(r'<([^<>]*)>;\s*rel="(\w+)"')
Wait = Callable[[float, str], None]  # waits for so many seconds, and says what for


class Answer(NamedTuple):
    """What GitHub answered.

    Attributes:
        etag: to ask for it again only if it has changed.
        next: the parameters of the next page; none on the last.
        last: those of the last page, where GitHub says which that is.
    """

    data: Any
    etag: str
    next: Mapping[str, str]
    last: Mapping[str, str]


class Repository:
    """A repository on GitHub, or on a GitHub Enterprise server, to be asked one thing at a time.

    Attributes:
        name: 'owner/name', as GitHub has it now: a repository that was renamed answers to its old name.

    Raises:
        MissingExtra: PyGithub is not installed.
    """

    def __init__(self, name: str, *, address: str, token: str, wait: Wait) -> None:
        try:
            from github import Auth, Github  # noqa: PLC0415  an extra
        except ImportError as error:
            raise MissingExtra("github", "cortex index --github") from error
        self.name, self._wait = name, wait
        self._requester = Github(
            auth=Auth.Token(token) if token else None, base_url=address, timeout=TIMEOUT_S, per_page=PER_PAGE,
            retry=None, seconds_between_requests=None,
        ).requester  # fmt: skip

    def find(self) -> None:
        """Learn what the repository is called now.

        Raises:
            GitHubFailed: there is none, the token may not read it, or nobody answers.
        """
        found = self.get("")
        if found and isinstance(full := found.data.get("full_name"), str):
            self.name = full

    def get(
        self, path: str, parameters: Mapping[str, str] | None = None, *, etag: str = "", many: bool = False
    ) -> Answer | None:
        """What is at *path* of the repository; None where it is as it was when it had that *etag*.

        Args:
            many: a list of rows is asked for, and not one of them; what answers with the other has not answered.

        Raises:
            GitHubFailed: GitHub said no, or did not answer though it was asked several times.
        """
        failed = limited = 0
        while True:
            status, headers, text = self._ask(path, parameters or {}, etag)
            if status == HTTPStatus.NOT_MODIFIED:
                return None
            if status == HTTPStatus.OK and (answer := _answer(headers, text, list if many else dict)):
                return answer
            problem = _problem(status, text)
            seconds = _limit(status, headers, problem, limited)
            if seconds is not None and limited < LIMITED and seconds <= LONGEST_WAIT_S:
                limited += 1
                self._wait(seconds, "its rate limit")
            elif (status < HTTPStatus.BAD_REQUEST or status >= HTTPStatus.INTERNAL_SERVER_ERROR) and failed + 1 < TRIES:
                failed += 1
                self._wait(2.0 ** (failed - 1), f"a new try, for {problem}")
            else:
                raise GitHubFailed(f"repos/{self.name}{path}", status=status, said=problem)

    def _ask(self, path: str, parameters: Mapping[str, str], etag: str) -> tuple[int, Mapping[str, str], str]:
        try:
            return self._requester.requestJson(
                "GET", f"/repos/{self.name}{path}", dict(parameters), {"If-None-Match": etag} if etag else {}
            )
        except OSError as error:  # every error of requests is one
            return 0, {}, json.dumps({"message": type(error).__name__})
        except RuntimeError as error:  # a redirection to another host
            raise GitHubFailed(f"repos/{self.name}{path}", status=301, said=str(error)) from error


def _answer(headers: Mapping[str, str], text: str, shape: type) -> Answer | None:
    """The answer in *text*; None where it is broken off, or of another shape than what was asked for."""
    try:
        data = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, shape):
        return None
    links = dict(reversed(link) for link in _LINK.findall(headers.get("link", "")))
    pages = [dict(parse_qsl(urlsplit(links.get(page, "")).query)) for page in ("next", "last")]
    return Answer(data, headers.get("etag", ""), *pages)


def _problem(status: int, text: str) -> str:
    """What GitHub says of its refusal, with the status where it is one."""
    answer = _answer({}, text, dict)
    message = answer.data.get("message") if answer else ""
    said = redact(" ".join(message.split()))[:200] if isinstance(message, str) else ""
    if status in (0, HTTPStatus.OK):
        return said or "an answer that broke off, or of another shape"
    return f"{status} {said}".strip()


def _limit(status: int, headers: Mapping[str, str], said: str, before: int) -> float | None:
    """Seconds to wait where GitHub has limited the rate; None where it has not.

    Source: https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
    """
    if status not in (HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS):
        return None
    reset, date = headers.get("x-ratelimit-reset", ""), headers.get("date", "")
    if (after := headers.get("retry-after", "")).isdigit():
        return float(after)
    if headers.get("x-ratelimit-remaining") == "0" and reset.isdigit() and date:
        return max(int(reset) - parsedate_to_datetime(date).timestamp(), 0) + 1
    limited = status == HTTPStatus.TOO_MANY_REQUESTS or re.search(r"rate limit|abuse detection", said.lower())
    return _SECONDARY_WAIT_S * 2.0**before if limited else None
