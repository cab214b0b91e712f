"""What came of a thread that a question names: what was decided there, what replaced it, what took it back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal

from cortex.composer.answer_types import asks
from cortex.composer.changed import undoes
from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.retrieve.doing import tells_decision
from cortex.composer.retrieve.graph import Related, find_related
from cortex.composer.retrieve.listing import told_by
from cortex.composer.retrieve.reasons import FEWEST, Said, said_in
from cortex.composer.rows import Row, load_firsts
from cortex.composer.trust import OF_PROJECT, PASSING
from cortex.language.stems import Stemmer, split
from cortex.language.words import STOP_WORDS
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql
from cortex.substrate.voice import own_words

Asked = Literal["", "decided", "came", "replaced", "reverted", "doubled", "doubles"]

MOST: Final = 2
"""Comments of a thread that tell what was decided."""

_ASKING: Final[Mapping[Asked, str]] = MappingProxyType(
    {
        "decided": "decide decision agree agreement agreed conclude conclusion settle consensus verdict",
        "came": "outcome result resolve resolution come came end turn lead led upshot",
        "replaced": "replace supersede",
        "reverted": "revert",
        "doubled": "duplicate double",
    }
)
_BEFALLS: Final = ("replaced", "reverted", "doubled")
_BESIDE: Final = "discuss discussion thread final finally take taken made reach eventually ultimately"
_CAUSES: Final[Mapping[Asked, tuple[str, ...]]] = MappingProxyType(
    {
        "decided": (
            "reverted by",
            "reverted in part by",
            "brought back by",
            "superseded by",
            "fixed by",
            "duplicate of",
        ),
        "came": ("reverted by", "reverted in part by", "brought back by", "superseded by", "fixed by", "duplicate of"),
        "replaced": ("superseded by", "duplicate of"),
        "reverted": ("reverted by", "reverted in part by", "brought back by"),
        "doubled": ("duplicate of",),
    }
)
BY_IT: Final = re.compile(
    r"\b(?:do|does|did)\b[^?]{0,40}\d\W+(?:replace|supersede|revert)\b"
    r"|\b(?:replaced|superseded|reverted)\s+(?:by|in|with)\s+(?:[a-z]+\s+){0,3}#?\d"
    r"|\b(?:duplicates?|doubles?)\b(?:\s+[a-z]+){0,3}\s+#?\d",
    re.I,
)
"""What asks for what a thread itself replaced, took back, or is doubled by."""

_OPEN: Final = re.compile(
    r"\bundecided\b|(?:\bnot|\bnever|n['’]t)(?: yet| been| fully)* (?:decided|agreed|settled|resolved)\b"
    r"|\bno (?:\w+ )?(?:decision|consensus|agreement|conclusion)\b",
    re.I,
)
"""What says that nothing was decided."""

_WHOLE: Final = re.compile(r"\b(?:reverted|brought back) by\b")
"""What the fact of a pull request says that was taken back as a whole."""

_OTHERWISE: Final = re.compile(r"^\W*(?:actually|on second thoughts?)\b|\b(?:after all|instead)\b", re.I)
_WORD: Final = re.compile(r"[^\W_]+")


def asked_outcome(question: Question, stemmer: Stemmer) -> Asked:
    """What it asks of the threads it names, and nothing else; '' where it asks more, or whether, or why."""
    return "" if question.type == "yes/no" else _asked(question, stemmer)


def _asked(question: Question, stemmer: Stemmer) -> Asked:
    if not question.numbers or not question.rest or question.type in ("reason", "number"):
        return ""
    beside = {*stemmer.sequence(_BESIDE)}
    for asked, words in _ASKING.items():
        stems = {*stemmer.sequence(words)}
        if stems.isdisjoint(question.rest) or not question.rest <= stems | beside:
            continue
        if asked == "came" and question.type == "person":
            return ""
        if asked in _BEFALLS and BY_IT.search(question.text):
            return "doubles" if asked == "doubled" else ""
        return asked
    return ""


def find_outcome(brain: Brain, question: Question, named: Sequence[Fused]) -> list[Fused]:
    """What tells what came of the threads among *named*, best first; nothing where nothing did.

    Of an open thread it is what somebody says was decided, or that nothing was; of one that ended, also what its
    people said last.
    """
    asked = _asked(question, brain.stemmer)
    heads = [one for one in named if one.row.type in ("issue", "pull")] if asked else []
    if question.type == "yes/no":
        return [*heads, *_found_so(brain, question, asked, heads)] if asked in _BEFALLS else []
    return [one for head in heads for one in _found(brain, question, asked, head)]


def _found_so(brain: Brain, question: Question, asked: Asked, heads: Sequence[Fused]) -> list[Fused]:
    """What took the threads back, replaced or doubles them, as so related to them."""
    related = find_related(brain, [(one.row.source_id, one.row.ref) for one in heads])
    causes = {link.record_id: wanted for wanted in _CAUSES[asked] for link in related if link.relation == wanted}
    known = {one.row.record_id for one in heads}
    found = told_by(brain, (one for one in causes if one not in known), as_of=question.as_of)
    found.sort(key=lambda one: one.row.type == "commit")
    return [one._replace(relation=causes[one.row.record_id]) for one in found]


def _found(brain: Brain, question: Question, asked: Asked, head: Fused) -> list[Fused]:
    thread = head.row
    if asked == "doubles":
        rows = brain.db.execute(sql("doubles"), {"source_id": thread.source_id, "ref": thread.ref})
        return told_by(brain, (record for (record,) in rows), as_of=question.as_of)
    related = find_related(brain, [(thread.source_id, thread.ref)])
    causes = [link.record_id for wanted in _CAUSES[asked] for link in related if link.relation == wanted]
    said = _deciding(brain, question, thread, related) if asked in ("decided", "came") else []
    found = told_by(brain, [*said, *causes], as_of=question.as_of)
    found.sort(key=lambda one: one.row.type == "commit")  # whose pull request says more
    own = [head._replace(relation="listed")]
    if asked in ("replaced", "doubled"):
        return found
    if asked == "reverted":
        return [*own, *found] if found else []
    if asked == "came" and question.type == "date":
        return [*own, *found] if thread.state != "open" else []
    return [*found, *own] if asked == "came" or thread.state != "open" else found


def _deciding(brain: Brain, question: Question, thread: Row, related: Iterable[Related]) -> list[int]:
    """Ids of the comments that tell what was decided, or that it was not, the last first.

    What is said against it after that is told before it; of one that ended without, it is the closest to its end. Of
    one that ended also what somebody of the project said last.
    """
    said = [one for one in said_in(brain, question, thread) if not one.of_stranger]
    leaving_open = [one for one in said if _OPEN.search(one.body)]
    said = [one for one in said if _tells(one.body, thread.title)]
    telling = [place for place, one in enumerate(said) if tells_decision(one.body)]
    if telling:
        since = said[: telling[0]]
        against = [one for one in since if _turns(one.body)]
        told = [*against[:1], *(said[place] for place in telling)][:MOST]
        return [one.record_id for one in (*told, *_last(since, thread))]
    noted = [one.record_id for one in related if one.relation == "decided in"]
    rows = load_firsts(brain, noted, as_of=question.as_of)
    undated = [record for record, row in rows.items() if tells_decision(row.text) and not _is_passing(row, thread)]
    if undated or thread.state == "merged":
        return undated[:MOST]
    if thread.state == "open":
        return [one.record_id for one in leaving_open][:1]
    ending = sorted((one for one in said if one.worth > 1), key=lambda one: -one.worth)
    since = said[: said.index(ending[0])] if ending else said
    return [one.record_id for one in (*ending[:1], *_last(since, thread))]


def _last(since: Sequence[Said], thread: Row) -> list[Said]:
    """What somebody of the project says last of a thread that ended, where they do not ask."""
    ended = thread.state not in ("open", "merged")
    return [one for one in since if one.of_project and not asks(one.body)][:1] if ended else []


def _is_passing(row: Row, thread: Row) -> bool:
    return row.association in PASSING and row.author != thread.author


def _tells(text: str, title: str) -> bool:
    """Whether *text* says anything of its own but that somebody agrees: 'Works for me.' and '+1' do not.

    'Wood then.' does, below a title that names wood.
    """
    own = own_words(text, "comment")
    said = [word for word in split(own) if word not in STOP_WORDS]
    return not {*said}.isdisjoint(split(title)) or (len(_WORD.findall(own)) >= FEWEST and len(said) > 1)


def _turns(text: str) -> bool:
    """Whether *text* says that it is otherwise than was said before."""
    return undoes(text) or _OTHERWISE.search(text) is not None


def is_untold(asked: Asked, fused: Iterable[Fused]) -> bool:
    """Whether what came of a thread is asked, and nothing tells it."""
    return bool(asked) and all(one.relation != "listed" for one in fused)


def is_unsure(asked: Asked, fused: Iterable[Fused]) -> bool:
    """Whether what was decided in a thread is asked, and nobody says so who tells it: it ended, and that is all.

    Or what took it back is, and that took back but a part of it.
    """
    fused = [one for one in fused if one.relation == "listed"]
    if asked == "reverted":
        return not any(one.fact and _WHOLE.search(one.fact.text) for one in fused)
    if asked not in ("decided", "came"):
        return False
    listed = [one.row for one in fused]
    said = [row for row in listed if row.type == "comment"]
    if said:
        decides = all(tells_decision(row.text) for row in said if row.day >= said[0].day)
        return not (decides and said[0].association in OF_PROJECT and not _OPEN.search(said[0].text))
    return not any(tells_decision(row.text) and not _OPEN.search(row.text) for row in listed)
