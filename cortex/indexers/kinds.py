"""Which kind of fact a text is, by rule: what its labels, its conventional prefix and its words say."""

from __future__ import annotations

import re
from typing import Final

from cortex.substrate.model import Kind

_LABELS: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    ("incident", re.compile(r"\b(bug|regression|crash|incident|outage|security|vulnerability|defect|broken)\b", re.I)),
    ("process", re.compile(r"\b(ci|build|release|documentation|docs|tests?|testing|tooling|process|infra\w*|chore)\b", re.I)),
    ("spec", re.compile(r"\b(api|spec|rfc|protocol|design|proposal|feature|enhancement)\b", re.I)),
    ("ownership", re.compile(r"\b(maintainers?|ownership|governance)\b", re.I)),
)

_PREFIX: Final = re.compile(r"^\[?([a-z][\w ./-]{0,24}?)\]?(?:\([^)]*\))?!?:\s", re.I)
_PREFIXES: Final[dict[str, Kind]] = (
    dict.fromkeys(("fix", "bugfix", "hotfix", "revert", "perf regression", "security"), "incident")
    | dict.fromkeys(("ci", "build", "chore", "test", "tests", "doc", "docs", "release", "style", "lint"), "process")
    | dict.fromkeys(("api", "spec", "rfc", "proto", "protocol", "schema"), "spec")
)

_WORDS: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    (
        "ownership",
        re.compile(r"\b(maintainers?|code ?owners?|owned by|owns|hand(?:s|ed)? over|step(?:s|ped|ping)? down|assigned to)\b", re.I),
    ),
    (
        "incident",
        re.compile(
            r"\b(root cause|outage|incident|regression|crash\w*|segfault\w*|deadlock\w*|vulnerab\w+|corrupt\w*|revert\w*|"
            r"data loss|leak(?:s|ed|ing)?|broke(?:n)?|breaks|fail(?:s|ed|ure|ing)|fix(?:e[sd])?)\b",
            re.I,
        ),
    ),
    (
        "process",
        re.compile(
            r"\b(release (?:process|cycle|notes?)|before (?:every|each|merging|tagging)|changelog|ci\b|workflow|"
            r"review(?:er|ers|ed)?|checklist|runbook|deploy\w*|merge (?:window|policy)|rotation)\b",
            re.I,
        ),
    ),
    (
        "spec",
        re.compile(
            r"\b(must(?: not)?|shall|required|at (?:least|most)|up to|default(?:s)?|format|version|limit|maximum|minimum|"
            r"timeout|size|bytes?|returns?|parameter|interface)\b",
            re.I,
        ),
    ),
)


def kind_of(type_: str, title: str, labels: str, path: str = "") -> Kind:
    """The kind of a row, by its labels (JSON), the conventional prefix of its title, then its words.

    A row that says nothing else is a decision: somebody chose to do it.
    """
    if type_ == "directive":
        return "directive"
    if type_ == "ownership":
        return "ownership"
    for kind, pattern in _LABELS if labels not in ("", "[]") else ():
        if pattern.search(labels):
            return kind
    prefix = _PREFIX.match(title)
    if prefix and (kind_ := _PREFIXES.get(prefix[1].lower())):
        return kind_
    return kind_of_words(title)


def kind_of_words(text: str) -> Kind:
    """The kind the words of *text* speak for; a decision when none does."""
    for kind, pattern in _WORDS:
        if pattern.search(text):
            return kind
    return "decision"
