"""By what PostgreSQL's tables are sharded: a row is of one source, but for a few tables that are whole everywhere.

A statement that names a row by its number, or a fact by its handle, names the source of it, too: that of the row beside
which it is looked up, else those that may be read. So does a query that asks whether there is a row, which the server
may answer for all rows at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

REFERENCES: Final[Mapping[str, str]] = {
    "sources": "what a scope names becomes numbers in it",
    "runs": "one may be of every source",
    "compactions": "a day is claimed for every source",
    "calls": "the budget of a day is of every source",
    "tokens": "a caller is known before a scope is",
    "tasks": "a worker takes the next one of any source",
    "deliveries": "one is known before whose it is",
    "vector_blocks": "a block has 512 passages by their numbers, of any source",
}
"""Tables that are not sharded, each with why."""

PARENTS: Final[Mapping[str, str]] = {
    "promotions": "record", "changes_read": "record", "encoded": "passage",
    "compared": "fact", "comparisons": "fact", "confidence_before": "handle",
}  # fmt: skip
"""Tables that have a source here and none in a file: by what a row of theirs has it."""

SHARDED: Final = {
    *PARENTS, "records", "facts", "passages", "links", "cursors", "tree", "facts_archive", "facts_revived",
    "facts_queue", "skips", "changes", "lineage", "postings", "text_sizes", "text_changes",
}  # fmt: skip
_WITH_SOURCE: Final = {*SHARDED, "closings"}
_KEYS: Final = "id|record_id|by_record_id|fact_id|passage_id|archive_id|handle|merged_into"
_KEYWORDS: Final = (
    "as on using cross left join where group order union select limit window returning set values".split()
)
_TABLE: Final = re.compile(r"\b(?:from|join|update|into|using) ([\w.]+)(?=(?: as)?(?:\s+(\w+))?)")
_SUBQUERY: Final = re.compile(r"\) (?:as )?(\w+)")
_EQUAL: Final = re.compile(rf"\b(\w+)\.({_KEYS}) = (\w+)\.({_KEYS})\b")
_CHOSEN: Final = re.compile(
    rf"\b(?:(\w+)\.)?({_KEYS}) (not )?in \(\s*select (?:(\w+)\.)?({_KEYS})\s+from (\w+)\b(?!\.)"
)
_NAMED: Final = re.compile(rf"(?<![\w.:])(?:(\w+)\.)?({_KEYS}) (?:=|in) (?=\S)")
_EXISTS: Final = re.compile(r"\bexists \(\s*select 1 from (\w+)(?: (?!where\b)(\w+))?\s+where ")
_CLAUSE: Final = re.compile(r"\b(?:set|where|from|on|and|or|not|select)\b")
_CLASH: Final = re.compile(r"^insert into (\w+).*?\bon conflict \((?!source_id\b)", re.DOTALL)
_HERE: Final = re.compile("\1([^\2]*)\2")


def by_source(text: str) -> str:
    """*text* with the source wherever a row is named by its number or handle; `scoped` has it ask for the sources read.

    >>> by_source("select 1 from facts f join records r on r.id = f.record_id")
    'select 1 from facts f join records r on (r.source_id, r.id) = (f.source_id, f.record_id)'
    >>> scoped(by_source("select body from records where id = ?"), has_scope=True)
    'select body from records where source_id = any(%(in_scope)s) and id = ?'
    >>> scoped(by_source("select body from records where id = ?"), has_scope=False)
    'select body from records where id = ?'
    """
    aliases = _sharded(text)
    if not aliases:
        return text
    text = _EXISTS.sub(lambda found: f"{found[0]}{_here(found[2])}" if found[1] in _WITH_SOURCE else found[0], text)
    text = _CHOSEN.sub(_chosen, text)
    text = _EQUAL.sub(lambda found: _equal(found, aliases), text)
    text = _NAMED.sub(lambda found: _named(found, text, aliases), text)
    clash = _CLASH.search(text)
    return f"{text[: clash.end()]}source_id, {text[clash.end() :]}" if clash and clash[1] in SHARDED else text


def scoped(text: str, *, has_scope: bool) -> str:
    """*text*, which `by_source` gave, of the sources in `in_scope` or of all: one text for every scope."""
    return _HERE.sub(r"\1 = any(%(in_scope)s) and " if has_scope else "", text)


def _sharded(text: str) -> set[str]:
    """The names by which *text* speaks of tables that have a source, and of nothing else."""
    called: dict[bool, set[str]] = {True: set(), False: {*_SUBQUERY.findall(text)}}
    for found in _TABLE.finditer(text):
        name = found[2] if found[2] and found[2] not in _KEYWORDS else found[1]
        called[found[1] in _WITH_SOURCE].add(name)
    return called[True] - called[False]


def _chosen(found: re.Match[str]) -> str:
    one, key, negated, other, other_key, table = found.groups("")
    if table not in _WITH_SOURCE or "union" in found.string[found.end() : closed(found.string, found.end())]:
        return found[0]
    ours, theirs = (f"{alias}." if alias else "" for alias in (one, other))
    return f"({ours}source_id, {ours}{key}) {negated}in (select {theirs}source_id, {theirs}{other_key} from {table}"  # noqa: S608  names


def _equal(found: re.Match[str], aliases: set[str]) -> str:
    one, key, other, other_key = found.groups()
    if {one, other} <= aliases:
        return f"({one}.source_id, {one}.{key}) = ({other}.source_id, {other}.{other_key})"
    return f"{_here(other)}{found[0]}" if other in aliases else found[0]


def _named(found: re.Match[str], text: str, aliases: set[str]) -> str:
    alias = found[1]
    clauses = [*_CLAUSE.finditer(text, 0, found.start())]
    if not clauses or clauses[-1][0] == "set":
        return found[0]
    table = alias or _table_at(text, found.start())
    return f"{_here(alias)}{found[0]}" if table in aliases else found[0]


def closed(text: str, start: int) -> int:
    """After the bracket that ends what is open at *start*."""
    depth = 1
    for at in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if not depth:
            return at + 1
    return len(text)


def _here(alias: str | None) -> str:
    return f"\1{alias}.source_id\2" if alias else "\1source_id\2"


def _table_at(text: str, place: int) -> str:
    """By what name the query around *place* speaks of the table it begins with; '' where it has none."""
    depth = 0
    for at in range(place - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(text[at], 0)
        if depth < 0:
            return ""
        if not depth and (begins := re.compile(r"\b(?:from|update) (\w+)(?: as)?(?:\s+(\w+))?").match(text, at)):
            return begins[2] if begins[2] and begins[2] not in _KEYWORDS else begins[1]
    return ""
