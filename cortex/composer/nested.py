"""Documents of a project that stands inside another, a fixture, an example, a copy: they speak of that alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final

from cortex.composer.candidates import Looked
from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.rows import Row
from cortex.language.stems import Stemmer, split
from cortex.language.words import STOP_WORDS
from cortex.substrate.authority import AUTHORITY
from cortex.substrate.brain import Brain
from cortex.substrate.rule_files import kept_of
from cortex.substrate.statements import sql

_HELD: Final = ("doc", "directive")

_BEGIN: Final = tuple(
    f"{kind}:%s{inside}{name}"
    for inside in ("", "docs/", "doc/")
    for kind, name in (
        ("doc", "README"), ("doc", "readme"), ("doc", "Readme"), ("directive", "AGENTS"), ("directive", "CLAUDE"),
    )
)  # fmt: skip
"""What the refs begin with of that which a project has of its own; a folder stands for '%s'."""

_APART: Final = re.compile(
    r"(?:^|[/._-])(?:tests?|testdata|fixtures?|e2e|bench(?:marks?)?|examples?|samples?|demos?|seeds?|vendor(?:ed)?|external"
    r"|third[._-]?party)(?=[/._-])",
    re.I,
)
"""A folder of what is no part of the project; that one has a README tells only that there is something to say of it."""

_NAME_END: Final = re.compile(r" › |[:(|–—]| - ")


def mark_nested(brain: Brain, question: Question, looked: Sequence[Looked], stemmer: Stemmer) -> list[Looked]:
    """*looked*, with the documents marked that are of a project inside the one they were found in.

    What a question names, by its folder or its title, is not marked; a marked rule is no directive of the whole.
    """
    folders = {(one.fused.row.source_id, folder) for one in looked for folder in _folders(one.fused.row)}
    if not folders:
        return list(looked)
    titles = _titles(brain, folders)
    named = {at for at, title in titles.items() if _is_named(question, at[1], title, stemmer)}
    marked = []
    for one in looked:
        row = one.fused.row
        own = {(row.source_id, folder) for folder in _folders(row)} & titles.keys()
        is_nested = own and (row.source_id, "") in titles and own.isdisjoint(named)
        marked.append(one._replace(fused=_of_itself(one.fused)) if is_nested else one)
    return marked


def _of_itself(fused: Fused) -> Fused:
    passage, fact = (row and _marked(row) for row in (fused.passage, fused.fact))
    return fused._replace(passage=passage, fact=fact)


def _marked(row: Row) -> Row:
    return row._replace(nested=True, type="doc", authority=min(row.authority, AUTHORITY["doc"]))


def _folders(row: Row) -> Iterator[str]:
    """The folders a document stands in that may be projects, the outermost first: those of folders that are apart."""
    path = row.ref.partition(":")[2].partition("#")[0] if row.type in _HELD else ""
    above = accumulate(filter(None, kept_of(path).split("/")), lambda above, part: f"{above}/{part}")
    return (folder for folder in above if _APART.search(f"{folder}/"))


def _titles(brain: Brain, folders: set[tuple[int, str]]) -> Mapping[tuple[int, str], str]:
    """Those of *folders*, and of the roots of their sources, that are projects, and what each is called."""
    every = folders | {(source, "") for source, _ in folders}
    wanted = [(source, at, begin % (f"{at}/" if at else "")) for source, at in sorted(every) for begin in _BEGIN]
    found: dict[tuple[int, str], str] = {}
    for source, folder, title in brain.db.execute(sql("nested_projects"), {"wanted": json.dumps(wanted)}):
        found.setdefault((source, folder), title)
    return found


def _is_named(question: Question, folder: str, title: str, stemmer: Stemmer) -> bool:
    names = (folder.rpartition("/")[2], _NAME_END.split(title, maxsplit=1)[0])
    words = ([word for word in split(name) if word not in STOP_WORDS] for name in names)
    stems = ({*stemmer.stem(found).values()} for found in words)
    return any(found and found <= question.stems for found in stems)
