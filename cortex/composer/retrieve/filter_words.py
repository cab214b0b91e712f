"""What the words of a question that asks for a list say: states, people, labels, dates, what turns and joins them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from cortex.language.stems import split

Known = Mapping[tuple[str, str], list[str]]
"""Words that are people or labels, each as the sources write it."""

CUT: Final = "\ue000"
"""Stands where a date was."""

OWN: Final = "\ue001"
"""Stands for the 's of whose something is."""

NAMED: Final = "\ue010-\ue02f"
"""Each stands for a label or a milestone whose name is not one word."""

MANY: Final = "issues|bugs|tickets|pull requests|pulls|prs"
ONE: Final = "issue|bug|ticket|pull request|pull|pr"
NOUNS: Final = frozenset((*split(MANY), *split(ONE))) - {"bug", "bugs"}
EVERY: Final = frozenset({"open", "closed", "merged"})
STATES: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {"open": frozenset({"open"}), "closed": frozenset({"closed", "merged"}), "merged": frozenset({"merged"})}
)
"""In which states a record may be that is called so; a question that says two means what is both."""

VERBS: Final[Mapping[str, str]] = MappingProxyType(
    {
        word: verb
        for verb, words in {
            "merged": "merge merged merging",
            "closed": "close closed closing",
            "assigned": "assigned assignee assignees",
            "labelled": "labelled labeled label labels",
            "created": "opened reported report created create filed file written write wrote authored author made "
            "submitted submit",
        }.items()
        for word in words.split()
    }
)
VERDICTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys("approve approved approving approval approvals".split(), "approved"),
        **dict.fromkeys("review reviewed reviewing reviews reviewer reviewers".split(), "reviewed"),
        "changes-requested": "changes_requested",
    }
)
FIXED: Final = "fixed-by-pull"
"""Stands for 'closed by a pull request'."""

ANY: Final = ("assigned", "labelled", "fixed", *dict.fromkeys(VERDICTS.values()))
_DONE: Final[Mapping[str, str]] = MappingProxyType({**VERBS, **VERDICTS, FIXED: "fixed"})
_FILLER: Final = frozenset(
    """which what list show any how many are is were was have has had the a an of in on by to from with there still yet
    ever that did do does repository repo project all me we us our currently now being been be one anyone anybody
    somebody someone who when most please it they so far year month people persons users""".split()
)
_UNTOLD: Final = frozenset(
    """than within longest shortest average median neither nor only except more less fewer fewest least draft drafts
    comment comments commented commenter milestone milestones own their its her his herself himself themselves same
    another both each every single alone day days week weeks months years hours one two three four five six seven eight
    nine ten eleven twelve""".split()
)
"""Words of what is known of records, or of how they compare, that no filter holds."""

_LACKING: Final = frozenset("need needs needing await awaits awaiting wait waits waiting pending lack for".split())
_BOUNDS: Final = frozenset("before after since until till through between during".split())
_PLAIN: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(NOUNS, ""),
        **dict.fromkeys("not never without no nobody none".split(), "negation"),
        **dict.fromkeys(("and", "or", "but"), "join"),
        CUT: "date",
        OWN: "",
        "reverted": "reverted",
    }
)


@dataclass
class Reading:
    """What the words so far have said."""

    states: list[frozenset[str]] = field(default_factory=list)
    reverted: bool | None = None
    people: dict[str, list[str]] = field(default_factory=dict)
    others: dict[str, list[str]] = field(default_factory=dict)
    labels: list[list[str]] = field(default_factory=list)
    unlabelled: list[str] = field(default_factory=list)
    has: dict[str, bool] = field(default_factory=dict)
    since: str = ""
    until: str = ""
    dated: set[str] = field(default_factory=set)
    unexplained: list[str] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)

    @property
    def says(self) -> bool:
        """Whether it says which records are wanted."""
        held = (self.states, self.people, self.others, self.labels, self.unlabelled, self.has)
        return any(held) or self.reverted is not None


def read(words: Sequence[str], known: Known, days: Iterable[str]) -> Reading:
    """What each word says: a negation turns the next that says something, 'or' joins two of a kind."""
    reading, coming = Reading(), iter(days)
    negated, joined, asked = False, "", ""
    last: tuple[str, bool] = ("", False)
    for at, word in enumerate(words):
        kind, value = _kind(words, at, known)
        if kind == "negation":
            reading.unclear += [word] * negated
            negated = True
            reading.has |= {asked: False} if asked else {}
        elif kind == "join":
            negated, asked, joined = negated and not asked, "", word
        elif kind == "any":
            reading.has[value], asked = not negated, value
        elif kind == "unclear":
            reading.unclear.append(word)
        elif kind == "unknown":
            reading.unexplained.append(word)
        elif kind:
            of_asked = (kind, asked) == ("label", "labelled") or kind == f"person {asked}"
            negated = negated and (not asked or of_asked)
            goes_on = bool(joined) and last[0] == kind
            turned = negated or (goes_on and joined == "or" and last[1])
            doubtful = (joined == "or" and not goes_on) or (joined == "and" and goes_on and last[1] and not negated)
            reading.unclear += [joined] * doubtful
            if of_asked:
                reading.has.pop(asked, None)
            day = next(coming) if kind == "date" else ""
            _add(reading, kind, known.get((kind.split()[0], word), [value]), joined * goes_on, turned=turned)
            if kind == "date":
                _bound(reading, words, at, day)
            negated, joined, asked, last = False, "", "", (kind, turned)
    reading.unclear += ["not"] * (negated and not asked)
    _settle(reading)
    return reading


def _kind(words: Sequence[str], at: int, known: Known) -> tuple[str, str]:
    """What sort of thing the word there is, and which; '' for one that says nothing."""
    word, before = words[at], words[at - 1] if at else ""
    does = "did" in words and NOUNS.isdisjoint(
        words[at + 1 : at + 2]
    )  # 'did ada open', not 'did ada close open issues'
    verb = _DONE.get(word, "open" if word == "open" and not does else "")
    is_person = ("person", word) in known
    if word in _PLAIN:
        return _PLAIN[word], word
    if ("label", word) in known and verb not in STATES and not (is_person and before in ("by", "to", "did")):
        return "label", word
    if is_person:
        role = _role(words, at, known)
        return (f"person {role}", word) if role else ("unclear", word)
    if verb in STATES or verb in ANY:
        return ("state", verb) if verb in STATES else ("any", verb)
    said = verb or word in _FILLER or word == "open" or (word in _BOUNDS and CUT in words[at + 1 : at + 4])
    if said:
        return "", ""
    beside = VERDICTS.keys() | _UNTOLD if word == "for" else VERDICTS.keys()
    untold = word in _UNTOLD or word.isdecimal() or (word in _LACKING and not beside.isdisjoint(words))
    return ("unclear" if untold and "about" not in words else "unknown"), word


def _role(words: Sequence[str], at: int, known: Known) -> str:
    """What somebody did: 'merged by ada', 'did ada merge', 'ada has merged'; 'created' where nothing says it.

    '' where it is more than one thing: 'opened and merged by ada'.
    """
    first = at
    while first and (words[first - 1] in ("and", "or", "not") or ("person", words[first - 1]) in known):
        first -= 1
    if words[first - 1 : first] in (["by"], ["to"]):
        verbs = []
        for word in reversed(words[: first - 1]):
            if word in NOUNS or ("person", word) in known:
                break
            verbs += [_DONE[word]] if word in _DONE else [word] if word in ("and", "or") else []
        verbs = [verb for verb in verbs if verb != "labelled"]
        if verbs[1:2] in (["and"], ["or"]) and len(verbs) > 2:
            return ""
        return verbs[0] if verbs and verbs[0] not in ("and", "or") else "created"
    after = (word for word in words[at + 1 :] if word not in ("not", "never", "has", "have", "had", "ever", "still"))
    return _DONE.get(next(after, ""), "created")


def _add(reading: Reading, kind: str, names: Sequence[str], joined: str, *, turned: bool) -> None:
    if kind == "state":
        states = EVERY - STATES[names[0]] if turned else STATES[names[0]]
        if joined == "or":
            before = reading.states.pop()
            states = before & states if turned else before | states
        reading.states.append(states)
    elif kind == "reverted":
        reading.reverted = not turned
    elif kind == "label" and turned:
        reading.unlabelled += names
    elif kind == "label" and joined == "or":
        reading.labels[-1] += names
    elif kind == "label":
        reading.labels.append([*names])
    elif kind.startswith("person "):
        role = kind.partition(" ")[2]
        doubtful = turned and role in (*STATES, *VERDICTS.values())  # by somebody else, or not at all?
        reading.unclear += ["not"] * doubtful
        (reading.others if turned else reading.people).setdefault(role, []).extend(names)
    elif turned:
        reading.unclear.append("not")


def _bound(reading: Reading, words: Sequence[str], at: int, day: str) -> None:
    """Take a date as the beginning, the end or the whole of the time that is asked for."""
    near = [word for word in words[:at] if word not in ("the", "year", "month", "of")]
    before, end = near[-1] if near else "", f"{day}~"  # '~' comes after every character of a time
    closes = before in ("until", "till", "through", "to", "by") or (before == "and" and "between" in words)
    since = {"before": "", "after": end}.get(before, "" if closes else day)
    until = {"before": day, "after": "", "since": "", "from": "", "between": ""}.get(before, end)
    if before == "from" and CUT not in words[at + 1 :]:
        until = end
    if (since and reading.since) or (until and reading.until):
        reading.unclear.append(day)
    reading.since, reading.until = since or reading.since, until or reading.until
    reading.unclear += ["and"] * _are_two([word for word in words[:at] if word in VERBS or word in ("and", "or")])
    reading.dated.add(last_verb(words[:at]) or last_verb(words) or "created")


def _are_two(verbs: Sequence[str]) -> bool:
    """Whether two things happened then: 'opened and closed in 2024'."""
    return len(verbs) > 2 and verbs[-2] in ("and", "or") and verbs[-3] in VERBS and VERBS[verbs[-3]] not in ANY


def _settle(reading: Reading) -> None:
    """Refuse what says two things: 'sipa did not merge' is not 'merged by sipa'."""
    for role in reading.people:
        states = STATES.get(role)
        if (states and any(states.isdisjoint(one) for one in reading.states)) or reading.has.get(role) is False:
            reading.unclear.append("not")
    if reading.labels or reading.unlabelled:
        reading.has.pop("labelled", None)
    if "assigned" in {*reading.people, *reading.others}:
        reading.has.pop("assigned", None)


def last_verb(words: Sequence[str]) -> str:
    """What is said last to have happened, 'created', 'merged', 'closed' or a 'verdict'; '' where nothing is."""
    verbs = ["verdict" if word in VERDICTS else "created" if word == "open" else VERBS.get(word, "") for word in words]
    return next((verb for verb in reversed(verbs) if verb and verb not in ANY), "")
