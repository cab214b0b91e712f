"""Names of records as people and pages write them, 'PR #116' or an address on GitHub, as refs."""

from __future__ import annotations

import re
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from cortex.regex import regex

_NUMBERED: Final = regex(
    r"(?P<source>[\w.-]+/[\w.-]+(?=#))?(?P<kind>pull requests?|pulls?|prs?|issues?|gh)?[ :/#-]*"
    r"(?P<number>[1-9]\d{0,8})",
    re.I,
)
_THREAD: Final = regex(r"/(?P<source>[^/]+/[^/]+)/(?P<kind>pull|issues)/(?P<number>[1-9]\d{0,8})(?:/.*)?")
_COMMIT: Final = regex(r"/(?P<source>[^/]+/[^/]+)/commit/(?P<sha>[0-9a-f]{7,64})", re.I)
_REMARK: Final = regex(r"(?:issuecomment-|discussion_r|pullrequestreview-)(?P<number>\d+)")


class Meant(NamedTuple):
    """What a name may stand for.

    Attributes:
        source: that it is of, 'owner/name'; '' where the name does not say it.
        refs: groups of refs: what is called by one of the first is meant, and only where there is none, of the next.
    """

    source: str
    refs: tuple[tuple[str, ...], ...]


def meant(name: str) -> Meant:
    """What *name* stands for, as far as its form tells; an issue and a pull request are numbered together.

    >>> meant("PR #116"), meant("#7").refs
    (Meant(source='', refs=(('pull:116',), ('issue:116',))), (('issue:7', 'pull:7'),))
    >>> meant("https://github.com/acme/app/issues/7#issuecomment-9").refs[0]
    ('comment:7#9',)
    """
    if "://" in name:
        return _address(name)
    found = _NUMBERED.fullmatch(name.strip())
    if not found or (not found["kind"] and name.strip().isdecimal() and len(found["number"]) > 6):
        return Meant("", ())
    return Meant(found["source"] or "", _threads(found["kind"] or "", found["number"]))


def _threads(kind: str, number: str) -> tuple[tuple[str, ...], ...]:
    issue, pull = f"issue:{number}", f"pull:{number}"
    if kind.lower().startswith("p"):
        return (pull,), (issue,)
    return ((issue,), (pull,)) if kind.lower().startswith("i") else ((issue, pull),)


def _address(name: str) -> Meant:
    try:
        parts = urlsplit(name.strip())
    except ValueError:
        return Meant("", ())
    if commit := _COMMIT.fullmatch(parts.path):
        return Meant(commit["source"], ((f"commit:{commit['sha'].lower()[:12]}",),))
    found = _THREAD.fullmatch(parts.path)
    if not found:
        return Meant("", ())
    if remark := _REMARK.fullmatch(parts.fragment):
        return Meant(found["source"], ((f"comment:{found['number']}#{remark['number']}",),))
    return Meant(found["source"], _threads(found["kind"], found["number"]))
