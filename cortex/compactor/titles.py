"""What the title of a change says was done: to what it gave or took, which value it set, what it renamed.

English imperatives and their like only, in words any project uses; a title that says it otherwise says nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from cortex.language.words import STOP_WORDS

Stems = Callable[[str], Sequence[str]]
"""The stems of a text, in order."""

_TYPE: Final = re.compile(r"(?:feat|fix|chore|docs?|refactor|perf|style|build|revert)\b", re.I)
_SCOPE: Final = re.compile(r"(?:[\w./#+ -]{1,40}(?:\([^)]*\))?!?:\s+|\[[^\]]{1,40}\]\s*)+")
_TAIL: Final = re.compile(
    r"\s*\((?:fixes|closes|gh-|#)[^)]*\)|,?\s+(?:fixes|closes|refs?|see)\s+#\d+.*$|\s+#\d+$", re.I
)
_GIVES: Final = frozenset(
    """add adds added introduce introduces introduced reintroduce include includes included implement implements
    implemented restore restores restored reinstate create creates created enable enables enabled reenable allow allows
    allowed permit permits accept accepts support supports require requires required""".split()
)
_TAKES: Final = frozenset(
    """remove removes removed drop drops dropped delete deletes deleted eliminate disable disables disabled disallow
    disallows forbid forbids prohibit prohibits reject rejects deny ban bans""".split()
)
_NOT: Final = re.compile(r"(?:don['’]?t|do not|stop|never|avoid|no longer)\s+(?=\w)", re.I)
_VAGUE: Final = frozenset(
    """line break whitespac newlin space blank empti typo comment todo section head format extra trail addit incorrect
    wrong new more some exampl question link refer note file import code test first initi temporari duplic
    support""".split()
)
_KIND: Final = frozenset(
    """function method macro option flag script fixtur depend field struct argument paramet variabl helper class modul
    command support unus unneed unnecessari redund extran miss delet legaci obsolet deprec old dead fake""".split()
)
"""Stems that say what kind of thing a name is, or in what state: the thing is the same without."""
_OF: Final = re.compile(r"\s(?:from|to|of|in|for|on)\s", re.I)
_SOME: Final = re.compile(r"\b(?:some|more|another|other|few|further|myself|me|my)\b", re.I)
_SPECIFIC: Final = re.compile(r"[^\W_]_[^\W_]|[a-z][A-Z]|::|(?<!\S)--\w|\w\.\w|`")
_VALUE: Final = (
    r"[vV]?(?P<new>\d+(?:[.,_]\d+)*)\s?"
    r"(?P<unit>%|[kKMG]i?B|ms|s|seconds?|minutes?|hours?|days?|weeks?|months?|years?|bits?|bytes?)?"
)
_NUMBER: Final = re.compile(rf"(?<![\w.#/-]){_VALUE}(?![\w-]|\.\d)", re.I)
_UNITS: Final = {
    "second": "s", "minute": "min", "hour": "h", "day": "day", "week": "week", "month": "month", "year": "year",
    "bit": "bit", "byte": "byte",
}  # fmt: skip
_NEAR: Final = 6
"""Words before a number that tell what it is of."""
_SETS: Final = re.compile(
    r"(?:set|sets|change|changes|raise|raises|increase|increases|lower|lowers|reduce|reduces|decrease|decreases|bump"
    r"|bumps|update|updates|limit|limits|extend|move|require)\s+(?P<what>.{4,80}?)\s+(?:from\s+\S+\s+)?(?:up\s+)?to\s+"
    + _VALUE,
    re.I,
)
_LIMIT: Final = re.compile(
    r"\b(?:min|minimum|minimal|max|maximum|maximal|limit|default|required|timeout|interval|threshold|target"
    r"|milestone|retries|period|deadline|size|length|depth|level|rate|window|age|graduation|baseline|supported)\b",
    re.I,
)
_NAME: Final = r"[`'\"“]?[\w./:*@<>-]+(?:\(\))?[`'\"”]?(?:\s[\w./:`-]+)?"
_RENAMES: Final = re.compile(
    rf"(?:rename[sd]?)\s+(?:the\s+)?(?P<old>{_NAME})\s*(?:\bto\b|\binto\b|\bas\b|->|=>|→)\s*(?P<new>{_NAME})", re.I
)
_SWITCHES: Final = re.compile(
    rf"(?:replaces?|switch(?:es)?(?:\s+from)?|migrates?(?:\s+from)?|moves?\s+from|changes?)\s+(?:the\s+)?(?P<old>{_NAME})"
    rf"\s+(?:to|with|by|->|=>|→)\s*(?P<new>{_NAME})",
    re.I,
)


class Change(NamedTuple):
    """One thing that a title says was done.

    Attributes:
        kind: 'gives' or 'does', which say whether *what* is there or done by `positive`; 'sets'; 'renames'; 'switches'.
        what: stems of what it was done to; of a new name.
        value: what was set, or the stems of the name that was given up.
    """

    kind: str
    scope: str
    what: frozenset[str]
    positive: bool = True
    value: str | frozenset[str] = ""
    specific: bool = False


def changes(title: str, stems: Stems) -> list[Change]:
    """What *title* says was done, in every way it can be read.

    >>> changes("parser: drop lookahead_limit", lambda text: text.lower().split())[0][:4]
    ('gives', 'parser', frozenset({'lookahead_limit'}), False)
    """
    scope, said = _apart(title)
    if found := _SETS.fullmatch(said):
        what = _content(found["what"], stems)
        limits = bool(_LIMIT.search(found["what"]))
        return [Change("sets", scope, what, value=_value(found))] if limits and len(what) > 1 else []
    for kind, pattern in (("renames", _RENAMES), ("switches", _SWITCHES)):
        if found := pattern.fullmatch(said):
            new, old = _content(found["new"], stems), _content(found["old"], stems)
            specific = bool(_SPECIFIC.search(found["new"])) or len(new) > 1
            return [Change(kind, scope, new, value=old, specific=specific)] if new and old and new != old else []
    return _given(scope, said, stems)


def values(sentence: str) -> Iterator[tuple[str, str]]:
    """Each number of *sentence*, with its unit, and the few words before it.

    >>> [*values("Requests end after the default timeout of 30 s.")]
    [('end after the default timeout of', '30 s')]
    """
    for found in _NUMBER.finditer(sentence):
        yield " ".join(sentence[: found.start()].split()[-_NEAR:]), _value(found)


def _value(found: re.Match[str]) -> str:
    unit = (found["unit"] or "").lower()
    unit = next((short for long, short in _UNITS.items() if unit.startswith(long)), unit)
    return f"{found['new'].replace(',', '')} {unit}".strip()


def _given(scope: str, said: str, stems: Stems) -> list[Change]:
    refused = _NOT.match(said)
    rest = said[refused.end() :] if refused else said
    verb, _, thing = rest.partition(" ")
    specific = bool(_SPECIFIC.search(thing))
    what = _content(thing, stems)
    head = _content(_OF.split(thing, maxsplit=1)[0], stems)
    if _SOME.search(thing):
        return []
    if specific and len(what - _KIND) > 1 and head - _KIND:
        what -= _KIND
    if not specific and len(what - _VAGUE) < 2:
        return []
    verb = verb.lower()
    if verb in _GIVES or verb in _TAKES:
        return [Change("gives", scope, what, (verb in _GIVES) != bool(refused), specific=specific)]
    done = frozenset([*stems(verb), *what])
    return [Change("does", scope, done, not refused, specific=specific)]


def _apart(title: str) -> tuple[str, str]:
    """The part of a project a title names before a colon, and what it says of it."""
    found = _SCOPE.match(title)
    said = _TAIL.sub("", title[found.end() :] if found else title).strip(" .")
    return _TYPE.sub("", found[0] if found else "").lower().strip(" :!()[]"), said


def _content(text: str, stems: Stems) -> frozenset[str]:
    kept = " ".join(
        word for word in text.split() if word.lower() not in STOP_WORDS or word.lower() in ("no", "without")
    )
    return frozenset(stems(kept))
