"""Replacing the facts of records: what no longer arrives is archived in the transaction that brings the new."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, NamedTuple

from cortex.language.identifiers import parts
from cortex.language.markdown import ITEM
from cortex.language.patterns import patterns
from cortex.regex import regex
from cortex.substrate.brain import Brain
from cortex.substrate.identity import fingerprint, handle
from cortex.substrate.model import Kind
from cortex.substrate.sources import timestamp
from cortex.substrate.statements import rows, run, run_script
from cortex.substrate.voice import DONE, STRUCK, TO_DO


class Candidate(NamedTuple):
    """A fact on its way in: `body[start:end]` of its record carries it."""

    record_id: int
    kind: Kind
    statement: str
    start: int
    end: int
    confidence: float
    valid_from: str | None = None
    valid_until: str | None = None


class Changes(NamedTuple):
    """What a batch did to the facts of its records."""

    added: int
    replaced: int
    unchanged: int


def begin_batch(brain: Brain) -> None:
    """Make the temporary tables a batch is put together in, empty, and the functions its SQL calls."""
    db = brain.db
    run_script(db, "facts.facts_temp")
    for table in ("due", "told", "candidates", "arriving"):
        db.execute(f"delete from temp.{table}")  # noqa: S608  one of four names
    brain.define(handle_of=handle, fingerprint_of=fingerprint, parts_of=parts, plain=plain, title_end=title_end)
    _define_excerpts(brain)


def _define_excerpts(brain: Brain) -> None:
    """Let SQL call `excerpt_of(record, start, end)`: `substr` would read all of a long body for each of its facts."""

    @lru_cache(maxsize=1)
    def body(record: int) -> str:
        (text,) = brain.db.execute("select body from records where id = ?", (record,)).fetchone()
        return str(text)

    brain.define(excerpt_of=lambda record, start, end: body(record)[start:end])


_PUT: Final = (
    "insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)"
    " values (?, ?, ?, ?, ?, ?, ?, ?)"
)


def add_candidates(brain: Brain, candidates: Iterable[Candidate]) -> None:
    """Put *candidates* to the batch."""
    brain.db.executemany(_PUT, candidates)


def drop_undue(brain: Brain) -> None:
    """Take out of the batch the candidates of records that are not due."""
    brain.db.execute("delete from temp.candidates where record_id not in (select id from temp.due)")


def settle_batch(brain: Brain, *, path: str, run_id: int, now: datetime) -> Changes:
    """Let the batch replace the facts of the records that are due. Call it inside a transaction.

    Returns:
        Facts added, removed because they did not arrive again, and left as they were or touched up.
    """
    db = brain.db
    run(brain, "facts.arriving_facts")
    (arriving,) = db.execute("select count(*) from temp.arriving").fetchone()
    run(brain, "facts.archive_stale_facts", run_id=run_id, now=timestamp(now), path=path)
    removed = run(brain, "facts.delete_stale_facts", path=path).rowcount
    before = _count(db)
    run(brain, "facts.rebase_confidence")
    run(brain, "facts.put_facts", path=path)
    added = _count(db) - before
    return Changes(added, removed, arriving - added)


def facts_to_ask(brain: Brain, kinds: Sequence[str], *, sources: Sequence[int], limit: int) -> list[dict[str, Any]]:
    """Facts of these kinds that a question can be made of, the weightiest first, by column."""
    return rows(brain, "facts.facts_to_ask", kinds=kinds, sources=sources, limit=limit)


def count_facts(brain: Brain, source_ids: Iterable[int] | None = None) -> int:
    """How many facts stand, of some sources or of all."""
    if source_ids is None:
        return int(brain.db.execute("select count(*) from facts").fetchone()[0])
    return int(run(brain, "facts.count_facts", sources=source_ids).fetchone()[0])


def stands(brain: Brain, handle: str) -> bool:
    """Whether there is a fact of this handle."""
    return brain.db.execute("select 1 from facts where handle = ?", (handle,)).fetchone() is not None


def end_facts(brain: Brain, *, source_id: int) -> None:
    """Let what documents say of decisions end on the day of what replaced these. Call it inside a transaction."""
    run(brain, "facts.end_facts", source_id=source_id)


def _count(db: sqlite3.Connection) -> int:
    (rows,) = db.execute("select count(*) from temp.due cross join facts f on f.record_id = due.id").fetchone()
    return int(rows)


# Whatever a text repeats, no place is looked at from all others: a search would wait for it.
_BULLET = regex(rf"^[^\S\n]*{ITEM}\s+", re.M)
_ROLE = regex(
    r"(?<![\w`])(?::[a-zA-Z][\w:.+-]{0,60}:|\{[a-zA-Z][\w:.+-]{0,60}\})"
    r"`(?:([^`<]{1,300}?)\s{0,9}<[^>`]{0,500}>|[~!]{0,2}([^`]{1,500}))`"
)
_TARGET = regex(r"(?<![`\w])`(?:([^`<]{1,300}?)\s{0,9}<[^>`]{0,500}>`(?:__?(?!\w))?|([^`<]{1,300})`__?(?!\w))")
_TO = r"(?:\((?:[^()\n]|\([^()\n]{0,300}\)){0,500}\)|\[[^\]\n]{0,300}\])"
IMAGE = regex(rf"\[\s{{0,9}}!\[[^\]\n]{{0,300}}\]{_TO}\s{{0,9}}\]{_TO}?|!\[[^\]\n]{{0,300}}\]{_TO}")
"""What is seen and says nothing: a picture, or a badge with a link."""
_MACRO = regex(  # of AsciiDoc
    r"(?:link|xref):[^\s\[\]]{0,300}\[([^\]\n]{1,300})\]|<<[^<>,\n]{1,200},\s{0,9}([^<>\n]{1,300})>>"
)
_TASK = regex(r"^[^\S\n]*+\[([ xX])\](?=\s+\S)", re.M)
_LINK = regex(r"!?\[([^\]\n]{0,200})\]\(((?:[^()\s]|\([^()\s]{0,500}\))*)(?:\s{1,9}\"[^\"]{0,500}\")?\)")
_ADDRESS = regex(r"[/#:]|\.(?:md|rst|txt|html?)\b")
_MARKS = regex(r"^\s{0,3}#{1,6}\s+|^\s{0,3}>(?!=|[^\S\n]?\d++(?![.)]\s))\s?|<!--(?:(?!<!--).)*?-->", re.M | re.S)
_ROW = regex(r"^[^\S\n]*\|(.*)\|[^\S\n]*$", re.M)
_RULE = regex(r"[\s:|-]+")
_HEADING = regex(r"^[ \t]{0,3}#{1,6}[^\S\n]++([^#\n][^\n]*)$", re.M)
_ENDS = (".", "!", "?", ":", "…", "—")
_UNDERLINE = regex(r"(?<=\n)[ \t]*(?:={3,}|-{3,})[ \t\r]*$", re.M)
_AROUND = 200  # characters beside a heading within which text is looked for

# Emphasis as CommonMark has it, but of no power (2**32), path (src/**/gen), pointer (char **argv) or name (__init__).
_LETTER = r"[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"  # what is written without blanks has no words to mark
_BLANK_LINE = r"\n[^\S\n]*\n"
_STRONG = regex(
    rf"(?<!{_LETTER})(?<![*\\/.])\*\*(?=\*?[^\s*/,.;:!?)\]}}])"
    rf"(?:([A-Z]+[a-z]*)\*\*(?=[^\W\d_])"  # of a word: **F**ast, **PR**s
    rf"|((?:(?!\*\*|{_BLANK_LINE}).|(?<={_LETTER})\*\*(?={_LETTER}))*?[^\s\\/])\*\*(?!{_LETTER}|/))",
    re.S,
)
_UNDERSCORED = regex(rf"(?<![\w\\/.])__(?=[^\s_])((?:(?!__|{_BLANK_LINE}).)*[^\s\\])__(?!\w)", re.S)
_NAME = regex(r"(?![A-Z][a-z]+\Z)\w+")

_FENCED = regex(
    r"^[^\S\n]*+(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})[^\n]*+"
    r"(?:\n(?![^\S\n]*+(?P=fence))[^\n]*+)*+(?:\n[^\S\n]*+(?P=fence)[`~]*+)?",
    re.M,
)
_CODE = regex(  # a blank line, an item and the like end it
    r"(?P<ticks>`(?<![`\\]`)`*+)(?:[^`\n]|\n(?!\s*+(?:[-*+•>|#]|\d{1,3}[.)]\s|\n|\Z))|(?!(?P=ticks)(?!`))`++)++"
    r"(?P=ticks)(?!`)"
)
_MARKED = regex(
    r"(?<!`)`([^`]+)`(?!`)|(?<![\w*_])(?P<mark>[*_])(?=[^\s*_])([^*_`]+)(?<=\S)(?P=mark)(?![\w*_])|\\([!-/:-@\[-`{-~])"
)
_HIDING = {ord(mark): 0xF0000 + ord(mark) for mark in "-*_~[]()#|<>=+•!.\n"}
_SHOWING = {hidden: shown for shown, hidden in _HIDING.items()}
_PRIVATE = regex(r"[\U000F0000-\U000FFFFD]")


@lru_cache(256)
def plain(markdown: str) -> str:
    r"""*markdown* as one line of prose: bullets, emphasis, images, link targets and the lines of tables left off.

    What is struck out is no part of it, a task begins with '☐' or '☑', and a heading stands apart. Code is as it is;
    roles and links of reStructuredText and AsciiDoc read as their words.

    >>> plain("We ship\n## Not yet\n- [ ] Windows ~~and DOS~~ of **2**32 `__bytes__`")
    'We ship — Not yet: ☐ Windows of **2**32 `__bytes__`'
    """
    if "![" in markdown:
        markdown = IMAGE.sub("", markdown)
    if "link:" in markdown or "xref:" in markdown or "<<" in markdown:
        markdown = _MACRO.sub(lambda found: found[1] or found[2], markdown)
    if "`" in markdown and ("`_" in markdown or ":`" in markdown or "}`" in markdown or ">`" in markdown):
        markdown = patterns("references", "references")["numbered"].sub(r"#\1", markdown)
        markdown = _TARGET.sub(_words_of, _ROLE.sub(_words_of, markdown))
    if ("`" in markdown or "~~~" in markdown) and _is_marked(markdown) and not _PRIVATE.search(markdown):
        return " ".join(_read(_CODE.sub(_hide, _FENCED.sub(_hide, markdown))).translate(_SHOWING).split())
    return " ".join(_read(markdown).split())


def as_words(markup: str) -> str:
    """*markup* as it reads, like `plain`, its code and what it stresses as words too.

    >>> as_words("The `--db` *flag* of `ask`")
    'The --db flag of ask'
    """
    return _MARKED.sub(lambda found: found[1] or found[3] or found[4], plain(markup))


def _words_of(found: re.Match[str]) -> str:
    """The words of a role or a link; what names code is code."""
    return found[1] or (f"`{found[2]}`" if found.re.pattern == _ROLE.pattern else found[2])


def _is_marked(text: str) -> bool:
    """Whether code of *text* may have what would be read as a mark; ten times as fast as a pattern of them."""
    return "__" in text or "**" in text or "```" in text or "](" in text or "~~" in text or "<!--" in text


def _hide(code: re.Match[str]) -> str:
    return code[0].translate(_HIDING)


def _read(markdown: str) -> str:
    text = _without_bullets(markdown)
    if "[" in text:
        text = _LINK.sub(_named, _TASK.sub(_checked, text))
    if "~~" in text:
        text = STRUCK.sub("", text)
    if "===" in text or "---" in text:
        text = _UNDERLINE.sub("", text)
    if "#" in text:
        text = _HEADING.sub(_apart, text)
    if "|" in text:
        text = _ROW.sub(_cells, text)
    if "**" in text:
        text = _STRONG.sub(r"\1\2", text)
    if "__" in text:
        text = _UNDERSCORED.sub(_underscored, text)
    if "#" in text or ">" in text:
        text = _MARKS.sub("", text)
    return text


def _without_bullets(text: str) -> str:
    if "\n" in text:
        return _BULLET.sub("", text)
    found = None if text[:1].isalpha() else _BULLET.match(text)
    return text[found.end() :] if found else text


def addressed(markdown: str) -> str:
    """*markdown* with where its links lead after their text.

    >>> addressed("Report it [here](https://a.example/new).")
    'Report it here (https://a.example/new).'
    """
    return _LINK.sub(r"\1 (\2)", markdown) if "](" in markdown else markdown


def _named(link: re.Match[str]) -> str:
    """The text of a link; `handlers[i](x)` is none."""
    before = link.string[link.start() - 1 : link.start()]
    return link[0] if (before.isalnum() or before in tuple("_)]")) and not _ADDRESS.search(link[2]) else link[1]


def _underscored(strong: re.Match[str]) -> str:
    return strong[0] if _NAME.fullmatch(strong[1]) else strong[1]


def _checked(task: re.Match[str]) -> str:
    return TO_DO if task[1] == " " else DONE


def _apart(heading: re.Match[str]) -> str:
    told, text = heading[1].strip().rstrip("#").rstrip(), heading.string
    before = text[max(0, heading.start() - _AROUND) : heading.start()].rstrip()
    follows = not told.endswith(_ENDS) and text[heading.end() : heading.end() + _AROUND].strip()
    goes_on = before and not before.endswith(_ENDS) and not _HEADING.match(before.rpartition("\n")[2])
    return f"{'— ' if goes_on else ''}{told}{':' if follows else ''}"


def _cells(row: re.Match[str]) -> str:
    """A table's row as its cells, separated by '·' and ended by ';'."""
    if _RULE.fullmatch(row[1]):
        return ""
    return " · ".join(cell for cell in map(str.strip, row[1].split("|")) if cell) + ";"


def title_end(title: str, body: str) -> int:
    """Where the title a body begins with ends; the first line's end in a body that does not."""
    if body[: len(title)].replace("\n", " ") == title:
        return len(title)
    return len(body.partition("\n")[0])
