"""Taking a question apart: its class, the type of its answer, its terms and what each weighs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime
from itertools import islice, takewhile
from typing import Final

from cortex.composer.answer_types import type_of
from cortex.composer.dates import LATEST, dates_in
from cortex.composer.past import asked_of_past
from cortex.composer.places import where
from cortex.composer.question import Question
from cortex.composer.spelling import spelled
from cortex.composer.synonyms import groups_of, other_forms, variant_of
from cortex.composer.times import MONTHS
from cortex.composer.weighing import by_beginning, held, stems_near, weigh
from cortex.language.identifiers import parts
from cortex.language.stems import Stemmer, split
from cortex.language.words import STOP_WORDS
from cortex.substrate.brain import Brain
from cortex.substrate.search import query_terms
from cortex.substrate.sources import timestamp
from cortex.substrate.statements import sql

_STOP: Final = by_beginning(STOP_WORDS)
MOST_VERSIONS: Final = 8
"""Versions a question asks about; whoever pastes a page of them asks about none."""

MOST_TERMS: Final = 64
"""Words, and dates, that a question is searched for and read by."""

_IDIOM: Final = re.compile(
    r"\b(?:in the first place|to (?:begin|start) with|at all|after all|on earth|for that matter|as a matter of fact"
    r"|out of curiosity|by the way|in a nutshell|when it comes to)\b",
    re.I,
)
"""Words that say nothing of what is asked."""

_KIND: Final = re.compile(
    r"\b((?:which|what)\s+(?:(?:open|closed|merged)\s+)?)"
    r"(?:(?P<pull>pr|mr|pull(?:\s+request)?|merge\s+request)|(?P<issue>issue|ticket)|(?P<commit>commit)|change)s?\b"
    r"(?!\s*#?\d)",
    re.I,
)
"""The kind of record that is asked for, which no text has to say."""

_NUMBER: Final = re.compile(r"(?:(?<![\w&])#|\b(?:issue|pr|mr|pull(?: request)?)s?\s+#?)(\d{1,7})\b", re.I)
_WRITTEN: Final = re.compile(
    r"(?<![\w/.#-])(?:(?:GH-|(?P<path>pull|issues?)/)|(?P<kind>issue|pr|mr|pull(?:\s+request)?)(?:-|\s+(?:number|no\.?|nr\.?)\s*)#?)"
    r"(?P<number>\d{1,7})\b(?![\w/.-]*[\w/-])",
    re.I,
)
"""Other ways to write the number of a thread: 'GH-4', 'pull/4', 'issue no. 4', 'PR-4'."""

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

_CAPITALS: Final = re.compile(r"(?<![\w'’-])[A-Z]{2,}(?![\w'’])")
_STRESSED: Final = frozenset(
    "MUST SHALL SHOULD MAY MIGHT CAN WILL WOULD NOT NO NOR ONLY OR AND IF BUT EVER VERY EVERY THIS THAT".split()
)
"""Words that capitals give weight, and that are no acronyms."""

_HASH: Final = re.compile(r"\b(?=[a-f]*\d)[0-9a-f]{7,40}\b")
_VERSION: Final = re.compile(r"\bv?\d+(?:\.\d+)+\b", re.I)
_HYPHENATED: Final = re.compile(r"(?<![\w-])[^\W_]+(?:-[^\W_]+)+(?![\w-])")
_NAME: Final = re.compile(
    r"(?<![.?!:] )(?<!^)(?<![\"'“‘(])\b"  # not where a sentence begins, which has a capital anyway
    r"(?:[A-Z][a-z]+ \d{1,3}\b(?![.:,/-]\d)"  # 'Ward 12'
    r"|[A-Z][\w-]*\w|[a-z]\w*[A-Z]\w*|\w+_\w+|[^\W\d]\w*\d\w*|\d+[^\W\d]\w*|v?\d+(?:\.\d+)+"
    r"|(?<=[A-Z] )\d{2,}-\d+\b(?!-))",  # 'FIPS 140-3'
)
_SHOUTED: Final = 0.5
"""Share of a text's words that are written as names from which its capitals tell nothing."""

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


def understand(brain: Brain, text: str, stemmer: Stemmer, *, as_of: str = "", now: datetime | None = None) -> Question:
    """Take *text*, as the brain spells it, apart; any text will do, and one without words has no terms.

    Args:
        as_of: what was known then is asked for, ISO 8601.
        now: the moment at which it is asked, which 'last month' counts from where there is no *as_of*.
    """
    past = asked_of_past(text, now=as_of or (timestamp(now) if now else ""))
    text, as_of = (past.text, past.as_of) if past else (text, as_of)
    text, beside = spelled(brain, _WRITTEN.sub(_as_number, text), stemmer)
    acronyms = [word.lower() for word in _acronyms(brain, text)]
    own = stemmer.sequence(" ".join(acronyms))
    telling = [word.lower() for word in _PARTICLE.findall(text)]
    plain = _plain(text)
    terms = [*dict.fromkeys([*query_terms(plain), *telling, *acronyms])][:MOST_TERMS]
    versions, compounds = _versions(text), _compounds(brain, text, stemmer)
    stems = list(dict.fromkeys(stemmer.sequence(_searched_for(plain, terms, [*map(parts, versions), *compounds]))))
    groups = groups_of(stems, stemmer)
    forms = _other_spellings(beside, stems, stemmer) | other_forms(terms, stems, stemmer)
    related = {stem: frozenset(words.values()) - {stem} for stem, words in groups.items()}
    weights, common, unseen, rows = weigh(brain, stems, stemmer, forms=forms, related=related, acronyms=own)
    stop = stems_near(_STOP, stems, stemmer).difference(telling, own)
    numbers, places, said = _threads(brain, text)
    hashes = tuple(dict.fromkeys(_HASH.findall(text)))
    type_ = type_of(text)
    decided = _DECISION.findall(text)
    about_threads = _about_threads(stemmer, [*hashes, *decided, said], numbers, is_decision=bool(decided))
    days = _days(text)
    dates, names = frozenset(stemmer.sequence("".join(days.values()))), _names(text)
    named = frozenset(stemmer.sequence(" ".join(names))) - dates - about_threads - stop
    everyday = (common | stop).difference(named & {*stemmer.sequence(" ".join(filter(str.istitle, names)))})
    content = frozenset(stem for stem in stems if stem not in everyday and len(stem) > 1)
    return Question(
        text=text,
        class_="B" if _REASONING.search(text) else "A",
        type=type_,
        terms=tuple(terms),
        weights=weights,
        unseen=unseen,
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
        compounds=compounds,
        forms=forms,
        related=related,
        variant=(*beside.values(), *variant_of(groups, sorted(content, key=lambda stem: -weights[stem]))),
        kind=next((match.lastgroup or "" for match in _KIND.finditer(text)), ""),
        days=days,
        dates=dates,
        as_of=as_of,
        today=date.fromisoformat(as_of[:10]) if as_of else now and now.date(),
        latest=bool(LATEST.search(text)),
        past=past.date if past else "",
    )


def _acronyms(brain: Brain, text: str) -> list[str]:
    """What *text* writes in capitals that is spelled as a stop word, 'HIS', where *brain* writes it so amid others."""
    words = text.split()
    found = {one for one in _CAPITALS.findall(text) if one.lower() in STOP_WORDS and one not in _STRESSED}
    if not found or 2 * sum(map(str.isupper, words)) > len(words):
        return []
    asked = ((one, {"word": one, "term": f'"{one}"'}) for one in sorted(found)[:MOST_VERSIONS])
    return [one for one, values in asked if brain.db.execute(sql("in_capitals"), values).fetchone()]


def _about_threads(
    stemmer: Stemmer, named: Iterable[str], numbers: Iterable[int], *, is_decision: bool
) -> frozenset[str]:
    """The stems that name a thread, or ask for what is known of it or of a decision."""
    words = [_ABOUT_THREADS, *named, _ABOUT_DECISIONS if is_decision else ""]
    return frozenset(stemmer.sequence(" ".join(words))).union(map(str, numbers))


def _as_number(match: re.Match[str]) -> str:
    kind = match["path"] or match["kind"] or ""
    return f"{kind} #{match['number']}".lstrip()


def _plain(text: str) -> str:
    """*text* without the words that no row has to say."""
    plain = _KIND.sub(r"\1", _IDIOM.sub(" ", text))
    return plain if any(word not in STOP_WORDS for word in split(plain)) else text


def _threads(brain: Brain, text: str) -> tuple[tuple[int, ...], Mapping[int, frozenset[int]], str]:
    """The threads that *text* names, the sources of those it gives a repository, and how it says that."""
    numbers = tuple(dict.fromkeys(int(number) for number in _NUMBER.findall(text)))
    places, said = where(brain, text, numbers)
    return tuple(dict.fromkeys((*numbers, *places))), places, said


def _other_spellings(beside: Mapping[str, str], weights: Collection[str], stemmer: Stemmer) -> dict[str, str]:
    """The stems of words in another spelling, by *beside*, each with the question's own."""
    stem_of = stemmer.stem({*beside, *beside.values()})
    return {stem_of[other]: stem_of[word] for word, other in beside.items() if stem_of[word] in weights}


def _versions(text: str) -> tuple[str, ...]:
    """What *text* names of them: one name each, not numbers that stand anywhere."""
    return tuple(dict.fromkeys(version.lower().lstrip("v") for version in _VERSION.findall(text)))[:MOST_VERSIONS]


def _compounds(brain: Brain, text: str, stemmer: Stemmer) -> dict[str, re.Pattern[str]]:
    """What *text* calls by a hyphenated name with a stop word in it that *brain* has, in one word, and what writes it.

    'Not-before' of a certificate is one; the 'hex-only' of whoever asks is none.
    """
    pieces = [one.lower().split("-") for one in _HYPHENATED.findall(text)][:MOST_VERSIONS]
    named = {"".join(ones): ones for ones in pieces if not STOP_WORDS.isdisjoint(ones)}
    stem_of = stemmer.stem(named)
    found = held(brain, stem_of.values())
    return {
        word: re.compile(rf"\b{'[ _-]?'.join(ones)}\b", re.I)
        for word, ones in named.items()
        if stem_of.get(word) in found
    }


def _days(text: str) -> dict[str, str]:
    """The beginnings of the dates that *text* names, each with how it writes them."""
    days: dict[str, str] = {}
    for said, beginnings in islice(dict(dates_in(text)).items(), MOST_TERMS):
        for day in beginnings:
            days[day] = f"{days.get(day, '')} {said}"
    return days


def _searched_for(text: str, terms: Collection[str], named: Iterable[str]) -> str:
    """Those of *terms* that tell what is asked about, as often as *text* has them, and what is *named* in one word."""
    asked = LATEST.sub(" ", _ASKING.sub(" ", _VERSION.sub(" ", text)))
    return " ".join([*(word for word in split(asked) if word in terms), *named])


def _counted(text: str, stemmer: Stemmer) -> str:
    match = _COUNTING.search(text)
    noun = [*takewhile(lambda word: word not in STOP_WORDS, split(match[1]))] if match else []
    return next(iter(stemmer.sequence(noun[-1])), "") if noun else ""


def _names(text: str) -> list[str]:
    """What *text* calls by a name, as it is written."""
    names = _NAME.findall(text)
    return (
        []
        if len(names) > _SHOUTED * len(text.split())
        else [one for one in names if one.lower().split()[0] not in MONTHS]
    )
