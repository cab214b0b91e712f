"""Whether an answer is right, by substrings and citations alone: no judge, no model.

Two rubrics. A YAML case is right when every `must` stands in the answer, no `must_not` does, and at least one of
`cites` is cited. A question file is scored as its readers see an answer: the first six citations count, 400 characters
of each excerpt and 1,200 of the answer, and a `must` may stand in any of them. In both, the only right answer to a
question without one is the refusal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Final, Literal

from pydantic import Field

from cortex.evals.cases import Case, Suite
from cortex.substrate.model import Answer, Citation, Value

Verdict = Literal["right", "wrong", "refused", "invented"]

CITATIONS: Final = 6
EXCERPT: Final = 400
ANSWER: Final = 1200  # what a person reads of an answer: citations, and characters
_MARK: Final = re.compile(r"\[CITATION:([^\]]+)\]")
_ELSEWHERE: Final = re.compile(r"([^#\s]+/[^#\s]+)#")


class Judged(Value):
    """What an answer is: 'refused' is an answerable question refused, 'invented' an unanswerable one answered."""

    verdict: Verdict
    problems: tuple[str, ...] = Field((), description="why it is not right, as clauses")


class Rate(Value):
    """How many of a category are right."""

    right: int
    total: int

    @property
    def share(self) -> float:
        """0 to 1; of nothing, 1."""
        return self.right / self.total if self.total else 1.0


def judge(suite: Suite, case: Case, answer: Answer | None) -> Judged:
    """*answer* against *case* by the rubric of its *suite*; no answer is a refusal."""
    if answer is None or answer.refused:
        if not case.answerable:
            return Judged(verdict="right")
        return Judged(verdict="refused", problems=("refused, though the brain holds an answer",))
    if not case.answerable:
        return Judged(verdict="invented", problems=("answered, though nothing in the brain does",))
    problems = _of_question(case, answer) if suite.rubric == "questions" else _of_case(case, answer)
    return Judged(verdict="wrong" if problems else "right", problems=tuple(problems))


def squash(text: str) -> str:
    r"""*text* in lower case, each stretch of white space as one blank.

    >>> squash("Top-6\n  FACTS")
    'top-6 facts'
    """
    return re.sub(r"\s+", " ", text).lower()


def _of_case(case: Case, answer: Answer) -> list[str]:
    said = squash(_MARK.sub("", answer.answer))
    claimed = squash(_MARK.sub("", _not_outranked(case, answer)))
    problems = [f"does not say {text!r}" for text in case.must if squash(text) not in said]
    problems += [f"says {text!r}" for text in case.must_not if squash(text) in claimed]
    if not any(_is_expected(case, one) for one in answer.citations):
        problems.append(f"cites none of {', '.join(case.cites)}")
    return problems


def _is_expected(case: Case, citation: Citation) -> bool:
    ref = citation.record.ref
    return not {citation.handle, ref, f"{citation.source} {ref}"}.isdisjoint(case.cites)


def _not_outranked(case: Case, answer: Answer) -> str:
    """The lines of *answer* but those that quote a lower authority after an expected citation.

    An honest answer may name the row it overrules, so what stands there is not what it claims.
    """
    cited = {one.handle: one for one in answer.citations}
    kept, authority = [], 0.0
    for line in answer.answer.splitlines():
        rows = [cited[handle] for handle in _MARK.findall(line) if handle in cited]
        if not rows or max(one.authority for one in rows) >= authority:
            kept.append(line)
        authority = max([authority, *(one.authority for one in rows if _is_expected(case, one))])
    return "\n".join(kept)


def _of_question(case: Case, answer: Answer) -> list[str]:
    cited = answer.citations[:CITATIONS]
    if not any(is_gold(one.record.ref, case.cites, one.source) for one in cited):
        return [f"cites none of {', '.join(case.cites)}"]
    said = [answer.answer[:ANSWER], *(one.excerpt[:EXCERPT] for one in cited)]
    if case.meta:
        said += [json.dumps(one.record.model_dump(mode="json"), ensure_ascii=False) for one in cited]
    seen = squash(" \n ".join(said))
    return [f"does not say {text!r}" for text in case.must if squash(text) not in seen]


def plain(ref: str) -> str:
    """*ref* as question files write it.

    >>> [plain(ref) for ref in ("pull:9", "comment:9#77", "doc:a.md#top", "comment:o/n#9#77", "pr:9")]
    ['pr:9', 'comment:77', 'doc:a.md', 'comment:o/n#77', 'pr:9']
    """
    kind, _, rest = ref.partition(":")
    if kind == "comment":
        owner = _ELSEWHERE.match(rest)
        rest = (f"{owner[1]}#" if owner else "") + rest.rpartition("#")[2]
    elif kind == "doc":
        rest = rest.partition("#")[0]
    return f"{'pr' if kind == 'pull' else kind}:{rest}"


def is_gold(ref: str, gold: Iterable[str], source: str) -> bool:
    """Whether *gold* names the record *ref* of *source*, alone ('issue:7') or with it ('issue:owner/name#7')."""
    return bool(named(ref, source) & set(gold))


def named(ref: str, source: str) -> set[str]:
    """Both ways in which a question file may name the record *ref* of *source*."""
    kind, _, rest = plain(ref).partition(":")
    return {f"{kind}:{rest}", f"{kind}:{source}#{rest}"}


def counted(right: Iterable[tuple[str, bool]]) -> dict[str, Rate]:
    """How many of each category are right, in the order in which categories first come."""
    found: dict[str, list[bool]] = {}
    for category, one in right:
        found.setdefault(category, []).append(one)
    return {category: Rate(right=sum(each), total=len(each)) for category, each in found.items()}


def percentile(values: Iterable[float], share: float) -> float | None:
    """The value that *share* of *values* lie below; None of none.

    >>> percentile([4, 1, 3, 2], 0.5)
    3
    """
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else None


class Measured(Value):
    """A question file's numbers; shares are of the answerable questions unless the name says otherwise."""

    questions: int
    missing: int = Field(description="questions without an answer in what was given")
    right: float | None
    cited_first: float | None = Field(description="the first citation is gold")
    cited_any: float | None = Field(description="one of the first six is")
    wrong: float | None
    refused_answerable: float | None
    refused_unanswerable: float | None = Field(description="of the unanswerable")
    score: float = Field(description="right answers and right refusals, of all questions")
    by_category: Mapping[str, str] = Field(description="'7/10' by category, in alphabetical order")
    ms_p50: float | None
    ms_p95: float | None


def measure(suite: Suite, answers: Mapping[str, Answer]) -> Measured:
    """The numbers of a question file, given the answer to each id; a question without one counts as refused."""
    judged = [(case, judge(suite, case, answers.get(case.id)).verdict) for case in suite.cases]
    can = [case for case, _ in judged if case.answerable]
    verdicts = [verdict for case, verdict in judged if case.answerable]
    refusals = [verdict == "right" for case, verdict in judged if not case.answerable]
    shown = [
        (case, answers[case.id].citations[:CITATIONS])
        for case in can
        if case.id in answers and not answers[case.id].refused
    ]
    gold = [[is_gold(one.record.ref, case.cites, one.source) for one in cited] for case, cited in shown]
    by_category = counted((case.category, verdict == "right") for case, verdict in judged)
    times = [ms for answer in answers.values() if (ms := answer.timings_ms.get("total")) is not None]
    return Measured(
        questions=len(judged),
        missing=sum(case.id not in answers for case in suite.cases),
        right=_share(verdicts.count("right"), len(can)),
        cited_first=_share(sum(hits[:1] == [True] for hits in gold), len(can)),
        cited_any=_share(sum(map(any, gold)), len(can)),
        wrong=_share(verdicts.count("wrong"), len(can)),
        refused_answerable=_share(verdicts.count("refused"), len(can)),
        refused_unanswerable=_share(sum(refusals), len(refusals)),
        score=_share(verdicts.count("right") + sum(refusals), len(judged)) or 0.0,
        by_category={name: f"{rate.right}/{rate.total}" for name, rate in sorted(by_category.items())},
        ms_p50=_rounded(percentile(times, 0.5)),
        ms_p95=_rounded(percentile(times, 0.95)),
    )


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)
