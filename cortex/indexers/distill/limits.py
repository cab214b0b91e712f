"""Lists of limits and requirements: "Timeout: 30 s", "Python 3.11 or newer"."""

from __future__ import annotations

import re
from typing import Final

from cortex.indexers.distill.unit import Unit

LISTED: Final = 0.8
"""How sure the rules are of a value in a list of limits, or of what is needed: too few were judged to fit it."""

_LONGEST_LABEL: Final = 50

_LIMITED: Final = re.compile(
    r"(?:(?:\w+ ){0,2}(?:and |& )?)?(?:limits?|limitations|quotas?|requirements|prerequisites|thresholds?"
    r"|time-?outs|defaults"
    r"|constraints|capacit(?:y|ies)|sizes|sizing|service levels?|slas?|slos?|supported (?:versions?|platforms?)"
    r"|retention"
    r"|dependencies)",
    re.IGNORECASE,
)
"""Headings below which a list tells what is needed, or how much."""

_LABEL: Final = re.compile(
    r"(?:\w+[ -]){0,3}(?:max(?:imum)?|min(?:imum)?|limits?|time-?outs?|retries|rates?|memory|ram|cpus?|cores"
    r"|disk|storage"
    r"|bandwidth|sizes?|ports?|defaults?|ttl|intervals?|quotas?|retention|capacity|lifetime|expiry|length|width|depth|age"
    r"|versions?|replicas|workers|threads|connections|concurrency)(?: [\w-]+){0,3}"
    r"|(?:max(?:imum)?|min(?:imum)?)\.?(?: [\w-]+){1,4}",
    re.IGNORECASE,
)
"""What a short item gives a value of."""

_VALUE: Final = re.compile(
    r"(?:(?:at (?:least|most)|up to|about|no (?:more|less) than|>=?|<=?|≥|≤|~|exactly)\s*)?[$€£]?\d[\d.,]*\b.{0,80}",
    re.IGNORECASE,
)
_NEEDED: Final = re.compile(
    r"(?:\d[\d.,]*\s?(?i:%|[kmgt]i?b|ghz|cores?|cpus?|v?cpus?|gigabytes?|megabytes?|nodes?|seconds?|minutes?|days?)\b.{0,60}"
    r"|[A-Z][\w+#./-]*(?: [\w+#./-]+){0,3}? (?:>=?|<=?|≥|≤|==|~=)\s?v?\d[\w.]*\b.{0,40}"
    r"|[A-Z`][\w+#./`-]*(?: [\w+#./-]+){0,3}? (?:version )?v?\d[\w.]*(?: ?\+| (?:or|and) (?:newer|later|higher"
    r"|above|up|older|earlier)| to \d[\w.]*)"
    r".{0,40})\.?"
)
"""What a project needs: "Python 3.11 or newer", "4 GB of memory"."""


def lists(unit: Unit, title: str) -> bool:
    """Whether *unit* is an item that gives a limit its value, or says what is needed.

    >>> lists(Unit(0, 9, "Timeout: 30 s", shape="item"), "Gateway › Notes")
    True
    >>> lists(Unit(0, 9, "Team: 30 people", shape="item"), "Gateway › Notes")
    False
    """
    if unit.shape != "item" or unit.sentences > 1:
        return False
    below = any(_LIMITED.fullmatch(above) for above in (title.rpartition(" › ")[2], unit.context))
    label, found, value = unit.text.strip("*_` ").partition(":")
    if found and _VALUE.match(value.strip("*_` ")) and len(label) <= _LONGEST_LABEL:
        return below or _LABEL.fullmatch(label.strip("*_` ")) is not None
    return below and _NEEDED.fullmatch(unit.text) is not None
