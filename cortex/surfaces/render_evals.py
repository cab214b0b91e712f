"""What evals found, captured questions and how rows were used, as a person reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cortex.evals.cases import Case, dump_case
from cortex.evals.draft import CATEGORIES, Drafted
from cortex.evals.replay import Replay, Replayed, unmarked
from cortex.surfaces.render import alarm, amount, dim, heading, indented, joined, line, spaced, stacked, table, wrapped

if TYPE_CHECKING:
    from cortex.evals.asking import Evaluation, Result, Smoke
    from cortex.evals.capture import Captured, CaptureStatus, Usage
    from cortex.evals.gate import Shortfall
    from cortex.evals.history import SuiteHistory
    from cortex.evals.rankings import Ranked
    from cortex.evals.scoring import Measured
    from cortex.surfaces.operations.looking import Evals

_RETRIEVED = 5
_LABEL = 11
_LATEST = 12


def smoke(done: Smoke) -> str:
    """Each run's count, then what failed and why, then whether the gate is open."""
    rows = [
        (f"run {n}", _count(run), f"{sum(one.ms for one in run.results):.0f} ms") for n, run in enumerate(done.runs, 1)
    ]
    failed: dict[str, list[tuple[int, Result]]] = {}
    for run, result in done.failures:
        failed.setdefault(result.case.id, []).append((run, result))
    return spaced(
        table(rows, last=dim),
        *(failure(one[0][1], when=_when([run for run, _ in one], len(done.runs))) for one in failed.values()),
        verdict(passed=done.passed, told=f"{line(done.suite)}, {done.seconds:.1f} s"),
    )


def _count(run: Evaluation) -> str:
    can = [result.right for result in run.results if result.case.answerable]
    cannot = [result.right for result in run.results if not result.case.answerable]
    refused = f", {sum(cannot)}/{len(cannot)} refused" if cannot else ""
    return f"{sum(can)}/{len(can)} right{refused}"


def _when(runs: Sequence[int], of: int) -> str:
    return "every run" if len(runs) == of else f"run {' and '.join(map(str, runs))} of {of}"


def failure(result: Result, *, when: str = "") -> str:
    """A case that is not right: its question, what is wrong, what was answered and what was retrieved."""
    case = result.case
    expected = f"{', '.join(map(repr, case.must)) or 'an answer'} from {' or '.join(case.cites)}"
    told = {
        "question": [case.question],
        "problem": result.problems,
        "expected": [expected if case.answerable else "the refusal"],
        "answered": result.answer.answer.splitlines(),
        "retrieved": [f"{one.record}  {line(one.title)}" for one in result.retrieved[:_RETRIEVED]] or ["-"],
    }
    rows = [
        wrapped(text, first=f"  {dim(('' if n else label).ljust(_LABEL))}", rest=" " * (2 + _LABEL))
        for label, texts in told.items()
        for n, text in enumerate(texts)
    ]
    head = f"{alarm('✗')} {heading(line(case.id))}  {dim(joined(case.category, result.verdict, when))}"
    return "\n".join([head, *rows])


def verdict(*, passed: bool, told: str) -> str:
    """The last line: passed or failed, and of what."""
    return f"{click.style('passed', fg='green', bold=True) if passed else alarm('failed')}  {dim(told)}"


def evaluation(
    done: Evaluation, shortfalls: Sequence[Shortfall], released: Mapping[str, float], *, details: bool
) -> str:
    """The rate of each category beside its last released one, the failures, and whether the gate is open."""
    rows = [["category", "right", "rate", "released"]]
    for category, rate in done.categories.items():
        was = f"{released[category]:.0%}" if category in released else "·"
        rows.append([line(category), f"{rate.right}/{rate.total}", f"{rate.share:.0%}", was])
    wrong = [result for result in done.results if not result.right]
    names = ", ".join(f"{one.case.id} ({one.verdict})" for one in wrong)
    brief = f"{wrapped(f'not right: {names}', rest='  ')}\n{dim('  see each with --details')}" if wrong else ""
    times = f", {done.ms_p50:.0f} ms at p50, {done.ms_p95:.0f} at p95" if done.ms_p50 and done.ms_p95 else ""
    told = f"{line(done.suite)}: {done.right} of {amount(len(done.results), 'question')} right{times}"
    return spaced(
        table(rows, numbers=(1, 2), indent="", last=dim),
        *(map(failure, wrong) if details else [brief]),
        stacked(*(f"{alarm('✗')} {one}" for one in shortfalls)),
        verdict(passed=not shortfalls, told=told),
    )


def measured(found: Measured) -> str:
    """A question file's numbers, one a line."""
    shown = found.model_dump(exclude={"by_category"})
    rows = [(name.replace("_", " "), "·" if value is None else f"{value:g}", "") for name, value in shown.items()]
    rows += [(f"  {line(name)}", count, "") for name, count in found.by_category.items()]
    return table(rows, numbers=(1,))


def ranked(found: Ranked) -> str:
    """A gold file's numbers, one a line."""
    rows = [
        ("queries", f"{found.queries}", ""),
        *((f"recall@{k}", f"{of:.3f}", "of queries have a relevant record there") for k, of in found.recall.items()),
        *((f"found@{k}", f"{of:.3f}", "of relevant records are there") for k, of in found.found.items()),
        ("MRR", f"{found.mrr:.3f}", ""),
        ("nDCG@10", f"{found.ndcg:.3f}", ""),
    ]
    return table(rows, numbers=(1,), last=dim)


def drafted(cases: Sequence[Drafted], path: Path) -> str:
    """The drafted questions, and what to do with them."""
    missing = ", ".join(category for category in CATEGORIES if category not in {one.case.category for one in cases})
    rows = [("✓" if one.right else "✗", line(one.case.category), line(one.case.question)) for one in cases]
    return spaced(
        f"Drafted {amount(len(cases), 'question')} in {path}.",
        table(rows),
        wrapped(f"Nothing to ask about {missing}: the brain holds no such facts.") if missing else "",
        wrapped("Correct them, for they were drafted by rule; then hold your brain to them with: cortex smoke"),
    )


def added(case: Case, path: Path) -> str:
    """The case that was added, as the file has it."""
    return f"Added to {path}:\n\n{dump_case(case).rstrip()}"


def history(found: Evals) -> str:
    """The latest runs of each suite, one a line."""
    rows = [row for suite in found.suites for row in _runs(suite)]
    if not rows:
        return "No eval has run yet; run one with: cortex eval"
    return table([["suite", "at", "commit", "right", "gate", "▼ marks what fell"], *rows], indent="", last=dim)


def _runs(suite: SuiteHistory) -> Iterator[Sequence[str]]:
    fallen = {one.run for one in suite.regressions}
    for run in suite.runs[::-1][:_LATEST]:
        rates = "  ".join(f"{name} {rate.share:.0%}" for name, rate in run.categories.items())
        mark, state = "▼ " if run.run in fallen else "", "passed" if run.passed else "failed"
        count = f"{run.right}/{run.total}"
        yield suite.suite, f"{run.at:%Y-%m-%d %H:%M}", run.commit or "·", count, state, f"{mark}{rates}"


_COLOURS = {"now refused": "red", "failed": "red", "now answered": "green"}
_USEFUL = {True: "useful", False: "not useful", None: ""}


def capture(found: CaptureStatus) -> str:
    """Whether questions are captured and what is kept."""
    state = f"on since {found.since:%Y-%m-%d %H:%M} UTC" if found.since else "off"
    first = f"Capture is {heading(state)}; each question is kept for {amount(found.days, 'day')}."
    counts = [f"{amount(found.questions, 'question')} kept", f"{found.refused:,} refused"]
    counts += [f"{found.useful:,} found useful", f"{found.not_useful:,} not"]
    return f"{first}\n{dim('  ' + ', '.join(counts))}"


def captured(found: Sequence[Captured]) -> str:
    """The captured questions, one a line."""
    if not found:
        return "No question is kept; keep them with: cortex capture on"
    rows = [
        (str(one.id), f"{one.asked_at:%Y-%m-%d %H:%M}", "refused" if one.refused else "", _USEFUL[one.useful],
         line(one.question))
        for one in found
    ]  # fmt: skip
    return table(rows, numbers=(0,), indent="")


def forgotten(number: int) -> str:
    """How many questions were deleted."""
    return f"Forgot {amount(number, 'question')}." if number else "There was nothing to forget."


def replayed(done: Replay) -> str:
    """What changed, before above after; what stayed the same is only counted."""
    if not done.questions:
        return "No question is kept; keep them with: cortex capture on"
    changed = (_changed(one) for one in done.questions if one.change != "same")
    counted = ", ".join(f"{number:,} {change}" for change, number in done.changes.items())
    return spaced(*changed, f"{amount(len(done.questions), 'question')} replayed: {counted}")


def _changed(one: Replayed) -> str:
    name = click.style(one.change, fg=_COLOURS.get(one.change, "yellow"), bold=True)
    useful = f"  was {_USEFUL[one.useful]}" if one.useful is not None else ""
    answers = () if one.change == "citations" else (("before", one.before), ("after", one.after))
    moved = (("no longer cites", one.dropped), ("now cites", one.added))
    return stacked(
        heading(wrapped(line(one.question), first=f"{one.id}  ", rest="   ")),
        f"   {name}{dim(useful)}",
        *(wrapped(unmarked(text), first=f"  {when:7} ", rest=" " * 10) for when, text in answers),
        *(dim(indented(f"{how} {', '.join(refs)}", rest=4)) for how, refs in moved if refs),
    )


def usage(found: Usage) -> str:
    """The most cited records, and how many no question finds; '' while nothing was captured."""
    if not found.since and not found.most_cited:
        return ""
    cited = [(f"{one.cited:,}×", line(one.ref), line(one.source)) for one in found.most_cited]
    unused = ""
    if found.never_retrieved is not None:
        unused = f"  no question in 180 days found {found.never_retrieved:,} of {amount(found.records, 'record')}"
    elif found.since:
        unused = dim(f"  what is never found shows 180 days after capture began, {found.since:%Y-%m-%d}")
    return stacked(heading("use"), table(cited, last=dim) if cited else "", unused)
