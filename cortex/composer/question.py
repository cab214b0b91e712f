"""A question taken apart: its class, the type of its answer, its terms and what each weighs."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from importlib.resources import files
from itertools import chain, takewhile
from typing import Final, Literal, NamedTuple

from cortex.composer.defining import term
from cortex.composer.places import where
from cortex.composer.spelling import spelled
from cortex.composer.synonyms import groups_of, other_forms, variant_of
from cortex.composer.times import MONTHS
from cortex.substrate.brain import Brain
from cortex.substrate.model import QuestionClass
from cortex.substrate.search import STOP_WORDS, query_terms
from cortex.substrate.statements import sql
from cortex.substrate.stems import Stemmer, split
from cortex.substrate.tokens import parts

AnswerType = Literal["person", "date", "number", "name", "yes/no", "reason", "procedure", "list", "link", "text"]


class _Type(NamedTuple):
    name: AnswerType
    asked: re.Pattern[str]
    given: re.Pattern[str]
    headings: frozenset[str]


_TYPES: Final = tuple(
    _Type(
        type_["name"],
        re.compile(type_["pattern"], re.I),
        re.compile(type_["given"]),
        frozenset(type_.get("headings", "").split()),
    )
    for type_ in tomllib.loads((files("cortex.composer") / "answer_types.toml").read_text("utf-8"))["type"]
)
_GIVEN: Final = {type_.name: type_.given for type_ in _TYPES}
HEADINGS: Final = {type_.name: type_.headings for type_ in _TYPES}
"""By the type of what is asked, words that alone head the part of a document which tells it: 'Why', 'Root cause'."""

COMMON: Final = 0.35
"""What a word of everyday English weighs at most, of the most a word can weigh: in a small brain all words are rare."""


def _by_beginning(words: Iterable[str]) -> dict[str, list[str]]:
    """*words* by their first two letters."""
    found: dict[str, list[str]] = {}
    for word in words:
        found.setdefault(word[:2], []).append(word)
    return found


_COMMON: Final = _by_beginning(
    word
    for line in (files("cortex.composer") / "common_words.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
    for word in line.split()
)
_STOP: Final = _by_beginning(STOP_WORDS)
MOST_VERSIONS: Final = 8
"""Versions a question asks about; whoever pastes a page of them asks about none."""

SAME: Final = 0.5
"""What a word is worth that says the same as the question's, beside the question's own."""

_NAMED_DAY: Final = r"(?:(?P<{}>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?(?: of)?,? +)?"
DATE: Final = re.compile(
    rf"\b(?:{_NAMED_DAY.format('before')}(?P<name>{'|'.join(MONTHS)})(?: of)?,? +{_NAMED_DAY.format('after')})?"
    r"(?P<year>(?:19|20)\d\d)(?:-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>0[1-9]|[12]\d|3[01]))?)?\b",
    re.I,
)
LATEST: Final = re.compile(
    r"\b(still|now|nowadays|current|currently|today|these days|any ?more|any longer|at present|presently|latest"
    r"|at (?:the|this) moment|at this point|as of today|to date)\b",
    re.I,
)
_IDIOM: Final = re.compile(
    r"\b(?:in the first place|to (?:begin|start) with|at all|after all|on earth|for that matter|as a matter of fact"
    r"|out of curiosity|by the way|in a nutshell|when it comes to)\b",
    re.I,
)
"""Words that say nothing of what is asked."""

_NUMBER: Final = re.compile(r"(?:(?<![\w&])#|\b(?:issue|pr|mr|pull(?: request)?)s?\s+#?)(\d{1,7})\b", re.I)
_ABOUT_THREADS: Final = (
    "issue pull request pr mr merged open opened closed written wrote author authored reported reporter assigned "
    "assignee labelled labels fixed state status still about landed date day commit sha revision "
    "made created happened title titled rejected declined abandoned"
)
_TOLD_BY_THREADS: Final = (
    "change discuss decide decision say said conclude conclusion propose proposal do add remove tell become became "
    "mean dead alive stand summary summarize describe explain news progress update status revert "
    "reverted reapply supersede superseded replace replaced"
)
_DECISION: Final = re.compile(r"\b(?:decision(?: record)?|adr|rfc)s?[ #-]{0,2}(\d{1,5})\b(?!\.\d)", re.I)
_ABOUT_DECISIONS: Final = "decision record adr rfc accepted proposed superseded"
_PATH: Final = re.compile(
    r"(?<![\w/])/?(?:[\w.-]{1,200}+/)++[\w.-]*(?<![.])|(?<![\w./-])\.?[\w-]+(?:\.[\w-]+)*\.[a-z]{1,4}\b"
)
_PARTICLE: Final = re.compile(
    r"\b(?:(?:is|are|was|were|be|been|go|goes|went|gone|stay|stays|stayed)\s+(?:\w[\w-]*\s+){0,4}?"
    r"|(?:turn|turns|turned|switch|switched)\s+)(down|off|on)\b(?=\W*$|\s+(?:for|by|during|in|again|since)\b)",
    re.I,
)
"""Words that are everywhere and tell here what something was: 'was the checkout down?'."""

_HASH: Final = re.compile(r"\b(?=[a-f]*\d)[0-9a-f]{7,40}\b")
_VERSION: Final = re.compile(r"\bv?\d+(?:\.\d+)+\b", re.I)
_NAME: Final = re.compile(
    r"(?<![.?!:] )(?<!^)(?<![\"'“‘(])\b"  # not where a sentence begins, which has a capital anyway
    r"(?:[A-Z][\w-]*\w|[a-z]\w*[A-Z]\w*|\w+_\w+|[^\W\d]\w*\d\w*|\d+[^\W\d]\w*|v?\d+(?:\.\d+)+)",
)
_SHOUTED: Final = 0.5
"""Share of a text's words that are written as names from which its capitals tell nothing."""

_QUESTION: Final = re.compile(r"\?[\s\"'”’`)*_]*$")
_BETWEEN_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+")
_COUNTING: Final = re.compile(r"\bhow (?:many|much)\s+([^?.,;:]*)", re.I)
_ASKING: Final = re.compile(
    r"\bhow (?:many|much|often|long|large|big|far|old|soon)\b"
    r"|\bwhat (?:is|are|was|were) the (?:motivations?|rationale)\b",
    re.I,
)
_REASONING: Final = re.compile(
    r"\b(why|how come|rationale|motivation|reason|compare|difference|versus|trade-?offs?|history|explain"
    r"|and (?:what|why|how|which|who|when))\b",
    re.I,
)


@dataclass(frozen=True)
class Question:
    """What is asked, as the retrievers and the judge need it.

    Attributes:
        weights: idf of each stem, in nats; a stem the brain never saw has the highest.
        unseen: stems no row holds.
        rows: how many passages the brain has.
        numbers: of the issues and pull requests it names.
        places: of those that it gives a repository the sources, by id; none where the brain has no such repository.
        decisions: numbers of the decision records it names.
        paths: of files and folders it names, as it writes them.
        hashes: of commits it may name, or the beginnings of them.
        rest: stems that ask for more than where such a thread stands.
        of_thread: stems that name a thread, or ask for what is known of it.
        told: whatever is known of the thread it names tells what it asks.
        content: stems that are neither everyday English nor single letters or digits: what it is about.
        counted: the stem of what 'how many' or 'how much' asks to count; '' where it does not.
        named: stems of what it calls by a name: capitals inside a sentence, identifiers.
        names: those as they are written, and its versions.
        versions: that it names, which texts hold only with their identifiers taken apart: '0.5.1'.
        forms: stems that are a question's stem in another form, 'held' of 'hold', each with that.
        related: for a stem, those of words that people use for the same thing.
        variant: words that say the same as its content, the heaviest stem's first.
        days: beginnings of the dates it names, as '2024-07'.
        dates: the stems that name them.
        as_of: what was known then is asked for, ISO 8601; '' for what is known now.
        today: the day that 'last month' counts from; None where it is not known.
        latest: it asks how things are now.
    """

    text: str
    class_: QuestionClass
    type: AnswerType
    terms: tuple[str, ...]
    weights: Mapping[str, float]
    unseen: frozenset[str]
    rows: int
    numbers: tuple[int, ...] = ()
    places: Mapping[int, frozenset[int]] = field(default_factory=dict)
    decisions: tuple[int, ...] = ()
    paths: tuple[str, ...] = ()
    hashes: tuple[str, ...] = ()
    rest: frozenset[str] = frozenset()
    of_thread: frozenset[str] = frozenset()
    told: bool = False
    content: frozenset[str] = frozenset()
    counted: str = ""
    named: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    forms: Mapping[str, str] = field(default_factory=dict)
    related: Mapping[str, frozenset[str]] = field(default_factory=dict)
    variant: tuple[str, ...] = ()
    days: tuple[str, ...] = ()
    dates: frozenset[str] = frozenset()
    as_of: str = ""
    today: date | None = None
    latest: bool = False

    @cached_property
    def term(self) -> str:
        """What it asks for the meaning of; '' where it asks something else."""
        return term(self.text)

    @cached_property
    def stems(self) -> frozenset[str]:
        """What weighs something."""
        return frozenset(self.weights)

    @cached_property
    def near(self) -> frozenset[str]:
        """Its stems, in every form, and those that say the same."""
        return self.stems.union(self.forms, *self.related.values())

    @cached_property
    def about(self) -> frozenset[str]:
        """Its content, and what says the same as that."""
        return self.content.union(*(self.related.get(stem, ()) for stem in self.content))

    @cached_property
    def words(self) -> list[str]:
        """Of its text in order, lower case."""
        return split(self.text)

    @cached_property
    def likenesses(self) -> dict[frozenset[str], float]:
        """What `likeness` found of each set of stems: a few dozen of several hundred differ."""
        return {}

    @cached_property
    def held(self) -> dict[str, frozenset[str]]:
        """What `stands_in_each` found in each text: titles, passages and sentences are looked at more than once."""
        return {}

    @cached_property
    def weight(self) -> float:
        """Of all its stems together; never nothing."""
        return sum(self.weights.values()) or 1.0


def understand(brain: Brain, text: str, stemmer: Stemmer, *, as_of: str = "", now: datetime | None = None) -> Question:
    """Take *text*, as the brain spells it, apart; any text will do, and one without words has no terms.

    Args:
        as_of: what was known then is asked for, ISO 8601.
        now: the moment at which it is asked, which 'last month' counts from where there is no *as_of*.
    """
    text, beside = spelled(brain, text, stemmer)
    telling = [word.lower() for word in _PARTICLE.findall(text)]
    plain = _IDIOM.sub(" ", text)
    plain = plain if split(plain) else text
    terms = [*dict.fromkeys([*query_terms(plain), *telling])][:64]
    versions = _versions(text)
    stems = list(dict.fromkeys(stemmer.sequence(_searched_for(plain, terms, versions))))
    wanted = json.dumps(["", *stems], ensure_ascii=False)
    found = dict(brain.db.execute(sql("term_weights"), {"index_name": "records_fts", "terms": wanted}))
    rows = found.pop("", 0)
    common = _stems_near(_COMMON, stems, stemmer)
    stop = _stems_near(_STOP, stems, stemmer).difference(telling)
    numbers = tuple(dict.fromkeys(int(number) for number in _NUMBER.findall(text)))
    places, said = where(brain, text, numbers)
    numbers = tuple(dict.fromkeys((*numbers, *places)))
    hashes = tuple(dict.fromkeys(_HASH.findall(text)))
    type_ = _type(text)
    decided = _DECISION.findall(text)
    about_threads = {*stemmer.sequence(" ".join([_ABOUT_THREADS, *hashes, *decided, said])), *map(str, numbers)}
    about_threads |= {*stemmer.sequence(_ABOUT_DECISIONS)} if decided else set()
    weights = {stem: _weight(stem, found.get(stem, 0), rows, common) for stem in stems}
    content = frozenset(stem for stem in stems if stem not in common | stop and len(stem) > 1)
    groups = groups_of(stems, stemmer)
    elsewhere = stemmer.stem({*beside, *beside.values()})
    forms = {elsewhere[other]: elsewhere[word] for word, other in beside.items() if elsewhere[word] in weights}
    dates = frozenset(stemmer.sequence(" ".join(match[0] for match in DATE.finditer(text))))
    names = _names(text)
    named = frozenset(stemmer.sequence(" ".join(names))) - dates - about_threads - stop
    return Question(
        text=text,
        class_="B" if _REASONING.search(text) else "A",
        type=type_,
        terms=tuple(terms),
        weights=weights,
        unseen=frozenset(stem for stem in stems if not found.get(stem)),
        rows=rows,
        numbers=numbers,
        places=places,
        decisions=tuple(dict.fromkeys(map(int, decided))),
        paths=tuple(dict.fromkeys(_PATH.findall(text))),
        hashes=hashes,
        rest=frozenset(stems) - about_threads,
        of_thread=frozenset(stems) & about_threads,
        told=type_ != "reason" and frozenset(stems) - about_threads <= frozenset(stemmer.sequence(_TOLD_BY_THREADS)),
        content=content,
        counted=_counted(text, stemmer),
        named=named & content,
        names=(*versions, *(one for one in names if not named.isdisjoint(stemmer.sequence(one)))),
        versions=versions,
        forms=forms | other_forms(terms, stems, stemmer),
        related={stem: frozenset(words.values()) - {stem} for stem, words in groups.items()},
        variant=(*beside.values(), *variant_of(groups, sorted(content, key=lambda stem: -weights[stem]))),
        days=tuple(date_of(match) for match in DATE.finditer(text)),
        dates=dates,
        as_of=as_of,
        today=date.fromisoformat(as_of[:10]) if as_of else now and now.date(),
        latest=bool(LATEST.search(text)),
    )


def _versions(text: str) -> tuple[str, ...]:
    """What *text* names of them: one name each, not numbers that stand anywhere."""
    return tuple(dict.fromkeys(version.lower().lstrip("v") for version in _VERSION.findall(text)))[:MOST_VERSIONS]


def _searched_for(text: str, terms: Collection[str], versions: Iterable[str]) -> str:
    """Those of *terms* that tell what is asked about, as often as *text* has them, and its versions, a word each."""
    asked = LATEST.sub(" ", _ASKING.sub(" ", _VERSION.sub(" ", text)))
    return " ".join([*(word for word in split(asked) if word in terms), *map(parts, versions)])


def _type(text: str) -> AnswerType:
    """What is asked for first, in the last sentence that asks."""
    sentences = _BETWEEN_SENTENCES.split(text.strip())
    asking = next((sentence for sentence in reversed(sentences) if sentence.endswith("?")), text)
    asked = [(match.start(), place) for place, type_ in enumerate(_TYPES) if (match := type_.asked.search(asking))]
    return _TYPES[min(asked)[1]].name if asked else "text"


def _counted(text: str, stemmer: Stemmer) -> str:
    match = _COUNTING.search(text)
    noun = [*takewhile(lambda word: word not in STOP_WORDS, split(match[1]))] if match else []
    return next(iter(stemmer.sequence(noun[-1])), "") if noun else ""


def _names(text: str) -> list[str]:
    """What *text* calls by a name, as it is written."""
    names = _NAME.findall(text)
    return [] if len(names) > _SHOUTED * len(text.split()) else [one for one in names if one.lower() not in MONTHS]


def _stems_near(words: Mapping[str, Iterable[str]], stems: Iterable[str], stemmer: Stemmer) -> frozenset[str]:
    """The stems of those of *words*, by beginning, that begin like one of *stems*; the others cannot be among them."""
    near = (words.get(beginning, ()) for beginning in {stem[:2] for stem in stems})
    return frozenset(stemmer.stem(chain.from_iterable(near)).values())


def date_of(match: re.Match[str]) -> str:
    """What every time of the date begins with that `DATE` found: '2024', '2024-07', '2024-07-31'."""
    name, day = match["name"], match["before"] or match["after"] or match["day"]
    month = f"{MONTHS.index(name.lower()) + 1:02}" if name else match["month"]
    return "-".join(filter(None, (match["year"], month, day and f"{int(day):02}")))


def _weight(stem: str, documents: int, rows: int, common: frozenset[str]) -> float:
    weight = idf(documents, rows)
    return min(weight, COMMON * idf(0, rows)) if stem in common else weight


def covered_by_each(question: Question, texts: Iterable[str], stemmer: Stemmer) -> list[float]:
    """The share of the question's weight whose terms stand in each of *texts*, 0 to 1."""
    weights, wanted = question.weights, question.stems.union(question.forms)
    held = stemmer.among_each(wanted, _searched(question, texts))
    own = [_own(question, stems) for stems in held]
    return [sum([weight for stem, weight in weights.items() if stem in stems]) / question.weight for stems in own]


def stands_in(question: Question, text: str, stemmer: Stemmer) -> frozenset[str]:
    """Those of the question's stems, and of what says the same, that stand in *text*."""
    return stands_in_each(question, [text], stemmer)[0]


def stands_in_each(question: Question, texts: Iterable[str], stemmer: Stemmer) -> list[frozenset[str]]:
    """`stands_in` for each of *texts*, which costs less."""
    texts, held = [*texts], question.held
    new = [text for text in dict.fromkeys(texts) if text not in held]
    found = stemmer.among_each(question.near, _searched(question, new)) if new else []
    held.update(zip(new, (_own(question, stems) for stems in found), strict=True))
    return [held[text] for text in texts]


def _own(question: Question, stems: frozenset[str]) -> frozenset[str]:
    """*stems* with those that are a stem of the question in another form as that."""
    return frozenset(question.forms.get(stem, stem) for stem in stems) if question.forms else stems


def _searched(question: Question, texts: Iterable[str]) -> Iterable[str]:
    """*texts*, those with a version that is asked for with their identifiers taken apart, and each date as it is asked.

    'Outage 2024-02-10' is of February 2024.
    """
    if not question.versions and not question.days:
        return texts
    return [f"{text}{_versions_in(question, text)}{_dates_in(question, text)}" for text in texts]


def _versions_in(question: Question, text: str) -> str:
    return f" {parts(text)}" if any(one in text for one in question.versions) else ""


def _dates_in(question: Question, text: str) -> str:
    """What the question calls the dates of *text*."""
    if all(day[:4] not in text for day in question.days):
        return ""
    told = [date_of(match) for match in DATE.finditer(text)]
    asked = ((date_of(match), match[0]) for match in DATE.finditer(question.text))
    return "".join(f" {said}" for day, said in asked if any(one.startswith(day) for one in told))


def likeness(question: Question, stems: Collection[str]) -> float:
    """The share of the question's weight that *stems* hold, 0 to 1; a word that says the same counts `SAME` of it."""
    known, these = question.likenesses, frozenset(stems)
    if these not in known:
        said = sum(weight for stem, weight in question.weights.items() if stem in these)
        same = sum(
            question.weights.get(stem, 0.0)
            for stem, others in question.related.items()
            if stem not in these and not others.isdisjoint(these)
        )
        known[these] = (said + SAME * same) / question.weight
    return known[these]


def coverage(weights: Mapping[str, float], stems: Collection[str]) -> float:
    """The share of *weights* whose terms are among *stems*, 0 to 1; 0 when nothing weighs anything."""
    total = sum(weights.values())
    return sum(weight for term, weight in weights.items() if term in stems) / total if total else 0.0


def gives(type_: AnswerType, sentence: str) -> bool:
    """Whether *sentence* holds what a question of this type asks for: a name, a number, a reason, …"""
    given = _GIVEN.get(type_)
    return given is not None and given.search(sentence) is not None


def asks(sentence: str) -> bool:
    """Whether *sentence* asks: who asks the same has not answered."""
    return "?" in sentence and _QUESTION.search(sentence) is not None


def idf(documents: int, rows: int) -> float:
    """How much a term tells, in nats: ln(1 + (N - n + .5) / (n + .5)), never negative.

    Source: Robertson and Zaragoza 2009, doi:10.1561/1500000019, in the form of Lucene's BM25Similarity.
    """
    return math.log(1 + max(0.0, rows - documents + 0.5) / (documents + 0.5))
