"""Secrets, told by the shape of their values, and the marks that stand in their place before anything is stored.

The shapes are data, in `secrets.toml`; what no shape can say is judged by `secret_values`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from typing import Any, Final

from cortex.substrate.model import Record
from cortex.substrate.secret_texture import held
from cortex.substrate.secret_values import JUDGES, PASSWORD

MARK: Final = "[REDACTED:"
_PEOPLE: Final = ("author", "merged_by", "closed_by")
_LONG: Final = 20  # characters of the shortest token that a provider gives out
_BEGINNING: Final = 3
_DIGITS: Final = frozenset("0123456789")
_EDGE: Final = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))"
"""Where a value may begin; a line's end in a string is written as a letter."""

_RUN: Final = re.compile(_EDGE + r"(?=([A-Za-z0-9][\w.-]{2})[\w.+/=-]{13})")


def redact(text: str, found: Counter[str] | None = None) -> str:
    """*text* with '[REDACTED:kind]' in place of every value that looks like a secret; counted by kind in *found*.

    >>> redact("it failed with AKIA" + "Q3ZT7WVN5KRB2JXM" + " set")
    'it failed with [REDACTED:aws-access-key] set'
    >>> redact("postgres://cortex:hunter2@db/brain")
    'postgres://cortex:[REDACTED:password]@db/brain'
    >>> redact("what does the token: busy_timeout mean?")
    'what does the token: busy_timeout mean?'
    """
    return _applied(_suspects(text), text, found) if text else text


def _applied(rules: Iterable[_Rule], text: str, found: Counter[str] | None) -> str:
    for rule in rules:
        text = rule.applied(text, found)
    return text


def without_secrets(record: Record) -> tuple[Record, Counter[str]]:
    """*record* without a secret in any text that is kept of it, and how many there were of each kind."""
    url = record.url if "@" in record.url or "?" in record.url else ""  # no other holds more than a place
    listed = (*record.labels, *record.assignees, *(link.to_ref for link in record.links))
    short = (record.title, url, record.path, record.ref, *(getattr(record, name) for name in _PEOPLE), *listed)
    rules, found = _suspects(record.body), Counter[str]()
    cleaned: dict[str, Any] = {"body": _applied(rules, record.body, found)} if rules else {}
    if _suspects("\n".join(short)):
        cleaned |= {name: redact(getattr(record, name), found) for name in ("title", "url", "path", *_PEOPLE)}
        cleaned |= {
            name: tuple(redact(text, found) for text in getattr(record, name)) for name in ("labels", "assignees")
        }
        cleaned["links"] = tuple(
            link.model_copy(update={"to_ref": redact(link.to_ref, found)}) for link in record.links
        )
    if not found:
        return record, found
    cleaned["ref"] = redact(record.ref).replace(MARK, "redacted-").replace("]", "")
    return record.model_copy(update=cleaned), found


class _Rule:
    """A kind of secret; its pattern is compiled when one of its keywords is first seen."""

    def __init__(
        self,
        kind: str,
        pattern: str,
        judge: str = "shape",
        keywords: Sequence[str] = (),
        context: Sequence[str] = (),
        beside: Sequence[str] = ("",),
        shortest: int = 0,
    ) -> None:
        self.kind, self.source, self.judge, self.shortest = kind, pattern, judge, shortest
        self.keywords, self.context, self.beside = keywords, context, beside

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The rule's pattern between its edges."""
        return re.compile(_EDGES.get(self.judge, "{}").replace("{}", self.source))

    def applied(self, text: str, found: Counter[str] | None) -> str:
        """*text* with a mark in place of each value."""
        return self.pattern.sub(lambda match: self._marked(match, found), text)

    def _marked(self, match: re.Match[str], found: Counter[str] | None) -> str:
        whole, held = match[0], "secret" if "secret" in self.pattern.groupindex else 0
        value, start = match[held], match.start(held) - match.start()
        if MARK in whole or not JUDGES[self.judge](match, value):
            return whole
        kind = "password" if self.kind == "value" and PASSWORD.search(match["name"]) else self.kind
        if found is not None:
            found[kind] += 1
        return f"{whole[:start]}{MARK}{kind}]{whole[start + len(value) :]}"


_EDGES: Final = {
    "shape": f"{_EDGE}(?:{{}})(?![A-Za-z0-9])",
    "random": f"{_EDGE}(?:{{}})(?![A-Za-z0-9])",
    "header": f"{_EDGE}(?:{{}})",
    "basic": f"{_EDGE}(?:{{}})(?![A-Za-z0-9+/=])",
}


@cache
def _rules() -> tuple[_Rule, ...]:
    return tuple(_Rule(**rule) for rule in held()["rules"])


@cache
def _literals() -> tuple[dict[str, dict[str, set[int]]], dict[str, set[int]]]:
    """The numbers of the rules by what stands in their context, and by how their values begin.

    A literal of a context stands under the shortest that it holds, so that it is looked for where that one is.
    """
    context, beginnings = dict[str, set[int]](), dict[str, set[int]]()
    for number, rule in enumerate(_rules()):
        for literal in rule.context:
            context.setdefault(literal, set()).add(number)
        for literal in rule.keywords:
            beginnings.setdefault(literal[:_BEGINNING], set()).add(number)
    held = dict[str, dict[str, set[int]]]()
    for literal in sorted(context, key=len):
        held.setdefault(next((one for one in held if one in literal), literal), {})[literal] = context[literal]
    return held, beginnings


def _suspects(text: str) -> list[_Rule]:
    """The rules that may apply to *text*, in their order: for nearly every text none, which is found out quickly."""
    context, beginnings = _literals()
    lower, long = text.lower(), [word for word in text.split() if len(word) >= _LONG]
    seen = [
        context[first][literal]
        for first in filter(lower.__contains__, context)
        for literal in filter(lower.__contains__, context[first])
    ]
    for word in long:
        seen += [beginnings[start] for start in _RUN.findall(word) if start in beginnings]
    if not seen:
        return []
    longest = max((len(word) for word in long if not _DIGITS.isdisjoint(word)), default=0)
    rules = (_rules()[number] for number in sorted(set().union(*seen)))
    return [rule for rule in rules if rule.shortest <= longest and any(map(text.__contains__, rule.beside))]
