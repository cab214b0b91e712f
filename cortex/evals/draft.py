"""Drafting cases from a brain and from good answers; a person corrects them before they hold anything to anything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic import Field

from cortex.composer.answer.extract import words
from cortex.composer.pipeline import ask
from cortex.errors import BadInput
from cortex.evals.cases import Case, Suite, dump_case, load_suite
from cortex.evals.scoring import judge, squash
from cortex.substrate.atomic_files import write_file
from cortex.substrate.brain import Brain
from cortex.substrate.facts import facts_to_ask
from cortex.substrate.model import Answer, Scope, Value
from cortex.substrate.quoting import inert
from cortex.substrate.sources import readable


class _Category(NamedTuple):
    """What questions of a category are drafted from, and how they are worded.

    Attributes:
        preferred: the types of records that make the best ones, best first; others come after.
    """

    kinds: tuple[str, ...]
    preferred: tuple[str, ...]
    question: str


CATEGORIES: Final = {
    "ownership": _Category(("ownership",), ("ownership", "doc", "issue"), "Who is responsible for {}?"),
    "decisions": _Category(
        ("decision", "change"), ("directive", "pull", "doc", "outcome"), "What did we decide on {}?"
    ),
    "processes": _Category(("process", "directive"), ("directive", "doc"), "What is the rule on {}?"),
    "incidents": _Category(("incident",), ("doc", "issue", "pull", "outcome"), "What was done about {}?"),
    "specs": _Category(("spec",), ("doc", "directive", "pull"), "What is specified for {}?"),
    "cross-repo": _Category(("cross_repo",), ("pull", "issue"), "What does {} refer to in another repository?"),
}

CANDIDATES: Final = 40
_LOOKED_AT: Final = 400
_PREFIX: Final = re.compile(r"^(?:\w+(?:\([^)]*\))?!?:\s+|\d+\.\s+|Incident:?\s+)")
_TELLING: Final = re.compile(
    r"`([^`\n]{2,40})`|“([^”\n]{3,40})”|\"([^\"\n]{3,40})\"|([\w.-]+/[\w.-]+#\d+)|(\d[\d.,]*(?:\s?%|\s[a-z]{2,})?)|(#\d+)"
    r"|(\b[\w]+(?:[_./-][\w]+)+\b)"
)
_VAGUE: Final = 8  # characters: "Always", "Limits", "Fix" say too little to ask about
_VERSION: Final = re.compile(r"\d+\.\d+")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_HEAD: Final = "# Questions about this project, and what a right answer holds: docs/evals.md of Cortex says how.\n"


class Drafted(Value):
    """A drafted case and whether the brain answers it as drafted now."""

    case: Case
    right: bool
    answer: str = Field(description="what the brain says now, its first statement")


def draft_smoke(brain: Brain, *, scope: Scope) -> list[Drafted]:
    """A question a category, from the facts that weigh most, preferably one that the brain answers as expected.

    Returns:
        One for each category the brain has facts of, in the usual order; what is expected comes from the fact, not
        from the answer.
    """
    drafted = []
    for category in CATEGORIES:
        best: Drafted | None = None
        for case in _candidates(brain, category, scope):
            tried = _tried(case, ask(brain, case.question, scope=scope))
            best = tried if best is None or tried.right else best
            if best.right:
                break
        drafted += [best] if best else []
    return drafted


def case_of_answer(answer: Answer, *, id_: str, category: str, must: tuple[str, ...] = ()) -> Case:
    """A case that holds later answers to *answer*: what its first statement cites, and *must* or its telling words."""
    if answer.refused:
        return Case(id=id_, category=category, question=answer.question, answerable=False)
    first = answer.statements[0]
    cited = [one for one in answer.citations if one.handle in first.citations] or list(answer.citations[:1])
    texts = must or tuple(telling("\n".join(one.excerpt for one in cited), answer.question, said=words(first)))[:1]
    refs = dict.fromkeys(one.record.ref for one in cited)
    return Case(id=id_, category=category, question=answer.question, must=texts, cites=tuple(refs))


def append(path: Path, case: Case) -> None:
    """Add *case* at the end of the file of cases at *path*, made when there is none; what is there stays as it is."""
    text = path.read_text("utf-8") if path.is_file() else _HEAD
    if path.is_file() and any(known.id == case.id for known in load_suite(path).cases):
        raise BadInput(path, f"has a case {case.id!r} already", hint="name another with --id")
    write_file(path, f"{text.rstrip()}\n\n{dump_case(case)}")


def write_smoke(path: Path, drafted: list[Drafted]) -> None:
    """Write the draft to *path*."""
    if path.exists():
        raise BadInput(path, "is there already", hint="name another file with -o, or move that one away")
    states = {True: "The brain answers this as drafted", False: "The brain does NOT answer this as drafted"}
    parts = [dump_case(one.case, remark=f"{states[one.right]}: {one.answer}") for one in drafted]
    head = _HEAD + "# Drafted by `cortex smoke init`: correct each question and what its answer must hold.\n"
    write_file(path, "\n".join([head, *parts]))


def next_id(path: Path, category: str) -> str:
    """An id that no case in *path* has: 'specs-3'."""
    known = {case.id for case in load_suite(path).cases} if path.is_file() else set()
    return next(name for n in range(1, len(known) + 2) if (name := f"{category}-{n}") not in known)


def telling(text: str, question: str, *, said: str = "") -> Iterator[str]:
    """Pieces of *text* that tell one answer from another: code, names, numbers; none that the *question* says.

    Args:
        said: only what stands in it too; '' lets everything through.

    >>> list(telling("The gate is 70 % per category since PR #667.", "What is the gate?"))
    ['70 %', '#667']
    """
    for found in _TELLING.finditer(text):
        piece = next(group for group in found.groups() if group).strip(" .,")
        known = squash(piece) in squash(question) or (said and squash(piece) not in squash(said))
        if len(piece) > 1 and not known and not _YEAR.fullmatch(piece):
            yield piece


def _tried(case: Case, answer: Answer) -> Drafted:
    suite = Suite(name="draft", rubric="cases", cases=(case,))
    first = inert(words(answer.statements[0])) if answer.statements else answer.answer
    return Drafted(case=case, right=judge(suite, case, answer).verdict == "right", answer=first[:300])


def _candidates(brain: Brain, category: str, scope: Scope) -> Iterator[Case]:
    kinds, order, _ = CATEGORIES[category]
    facts = facts_to_ask(brain, kinds, sources=[*readable(brain, scope)], limit=_LOOKED_AT)
    facts.sort(key=lambda fact: order.index(fact["type"]) if fact["type"] in order else len(order))
    for fact in facts[:CANDIDATES]:
        question, must = _asked(category, fact)
        if question and must:
            yield Case(id=f"smoke-{category}", category=category, question=question, must=(must,), cites=(fact["ref"],))


def _asked(category: str, fact: dict[str, Any]) -> tuple[str, str]:
    if fact["type"] == "ownership":
        path, *owners = fact["excerpt"].split()
        return (f"Who owns {path}?", owners[0].lstrip("@")) if owners and path != "*" else ("", "")
    subject = _subject(fact["title"])
    question = CATEGORIES[category].question.format(subject)
    text = fact["statement"] if category == "cross-repo" else f"{fact['excerpt']}\n{fact['body']}"
    elsewhere = [piece for piece in telling(text, question) if "#" in piece and "/" in piece]
    pieces = elsewhere if category == "cross-repo" else [*telling(text, question)]
    return (question, pieces[0]) if subject and pieces else ("", "")


def _subject(title: str) -> str:
    *above, last = title.split(" › ")
    name = _PREFIX.sub("", last).strip(" .?!")
    if len(name) < _VAGUE or _VERSION.search(name):
        return ""
    return f"“{name}” in “{_PREFIX.sub('', above[0])}”" if above else f"“{name}”"
