"""The report as one HTML page that holds all it needs: styles, pictures and texts; nothing is loaded from anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Final

from cortex.evals.history import Kept
from cortex.evals.report import CaseHistory, Regression, Report, SuiteHistory
from cortex.evals.report_charts import cost_chart, grid, latency_chart, rate_chart
from cortex.packaged import files

_MARK: Final = re.compile(r"\s*\[CITATION:([^\]]+)\]")
_REGRESSIONS: Final = 8
_LEGEND: Final = (
    ("right", "right"),
    ("wrong", "wrong"),
    ("refused", "refused, though there is an answer"),
    ("invented", "answered, though there is none"),
)


def page(report: Report) -> str:
    """*report* as HTML."""
    style = (files("cortex.evals") / "report.css").read_text("utf-8")
    body = "".join(_suite(one) for one in report.suites) or "<p>No eval has run yet. Run one with: cortex eval</p>"
    links = "".join(f'<a href="#{_anchor(one.suite)}">{escape(one.suite)}</a>' for one in report.suites)
    nav = f'<nav aria-label="Suites">{links}</nav>' if len(report.suites) > 1 else ""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>Evals</title><style>{style}</style></head><body><header><h1>Evals</h1>"
        f"<p>Written {report.at:%Y-%m-%d %H:%M} UTC by <code>cortex eval report</code></p>{nav}</header>"
        f"<main>{body}</main></body></html>\n"
    )


def _suite(history: SuiteHistory) -> str:
    return (
        f'<section id="{_anchor(history.suite)}"><h2>{escape(history.suite)}</h2>{_summary(history)}'
        f"<h3>Rates by category</h3>{_rates(history)}"
        f"<h3>Regressions</h3>{_regressions(history)}"
        f"<h3>Every case in every run</h3>{_grid(history)}"
        f"<h3>Time and cost</h3>{_time_and_cost(history)}"
        f"<h3>Cases</h3>{_cases(history)}</section>"
    )


def _summary(history: SuiteHistory) -> str:
    run = history.runs[-1]
    state = '<strong class="good">passed</strong>' if run.passed else '<strong class="bad">failed</strong>'
    at = f" at commit <code>{escape(run.commit)}</code>" if run.commit else ""
    times = f"{run.ms_p50:.0f} / {run.ms_p95:.0f} ms" if run.ms_p50 is not None and run.ms_p95 is not None else "·"
    tiles = (
        ("right", f"{run.right} of {run.total}"),
        ("p50 / p95", times),
        ("cost", f"${run.cost_usd:.2f}"),
        ("brain", f"{run.size.records:,} records"),
        ("facts", f"{run.size.facts:,}"),
        ("runs", f"{len(history.runs):,}"),
    )
    shown = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in tiles)
    return f'<p>The latest run, {run.at:%Y-%m-%d %H:%M} UTC{at}, {state}.</p><dl class="tiles">{shown}</dl>'


def _rates(history: SuiteHistory) -> str:
    latest = history.runs[-1].categories
    figures = []
    for category in history.categories:
        rate = latest.get(category)
        low = rate is not None and rate.share < history.floor
        now = f"{rate.right}/{rate.total}" if rate else "no longer asked"
        note = '<span class="bad">below the gate</span> ' if low else ""
        figures.append(
            f"<figure><figcaption><b>{escape(category)}</b><span>{note}{now}</span></figcaption>"
            f"{rate_chart(history, category)}</figure>"
        )
    return f'<div class="charts">{"".join(figures)}</div>'


def _regressions(history: SuiteHistory) -> str:
    found = history.regressions
    if not found:
        return "<p>No category has ever been lower than in the run before.</p>"
    latest, earlier = found[:_REGRESSIONS], found[_REGRESSIONS:]
    if not earlier:
        return _regression_table(latest, "Regressions")
    summary = f"<summary>{len(earlier)} earlier</summary>"
    more = f'<details class="more">{summary}{_regression_table(earlier, "Earlier regressions")}</details>'
    return _regression_table(latest, "Regressions") + more


def _regression_table(found: Iterable[Regression], name: str) -> str:
    head = "".join(
        f'<th scope="col">{title}</th>' for title in ("when", "commit", "category", "rate", "no longer right")
    )
    rows = "".join(map(_regression, found))
    return _scrolled(f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>", name)


def _regression(one: Regression) -> str:
    cells = (
        f"{one.at:%Y-%m-%d %H:%M}",
        f"<code>{escape(one.commit) or '·'}</code>",
        escape(one.category),
        f"{one.before:.0%} → {one.after:.0%}",
        ", ".join(f'<a href="#{_anchor(name)}">{escape(name)}</a>' for name in one.cases) or "·",
    )
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _grid(history: SuiteHistory) -> str:
    legend = "".join(f'<li><i class="key {name}"></i>{told}</li>' for name, told in _LEGEND)
    fallen = '<li><i class="key fall">▼</i>a category fell</li>' if history.regressions else ""
    return f'<ul class="legend">{legend}{fallen}</ul>{_scrolled(grid(history), "Every case in every run")}'


def _time_and_cost(history: SuiteHistory) -> str:
    key = '<span><i class="line s0"></i> p50 <i class="line s1"></i> p95</span>'
    charts = [(f"<b>Time an answer took</b>{key}", latency_chart(history))]
    if any(run.cost_usd for run in history.runs):
        charts.append(("<b>Model calls, dollars a run</b>", cost_chart(history)))
    figures = "".join(f"<figure><figcaption>{name}</figcaption>{chart}</figure>" for name, chart in charts)
    free = "" if len(charts) > 1 else "<p>No run made a model call: $0.00.</p>"
    return f'<div class="charts">{figures}</div>{free}'


def _cases(history: SuiteHistory) -> str:
    return "".join(_case(one) for one in history.cases)


def _case(one: CaseHistory) -> str:
    verdict, case = one.latest.verdict, one.case
    problems = "".join(f"<li>{escape(problem)}</li>" for problem in one.latest.problems)
    rows = [
        ("question", escape(case.question)),
        ("expected", _expected(one)),
        ("problem", f"<ul>{problems}</ul>" if problems else ""),
        ("answered", _answer(one.answer)),
        ("citations", _citations(one.answer)),
        ("history", f"right in {one.right} of {one.asked} runs; {one.latest.ms:.0f} ms in the latest"),
        *((f"until run {run}", _answer(kept)) for run, kept in one.earlier),
    ]
    told = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in rows if value)
    return (
        f'<details id="{_anchor(case.id)}"><summary><i class="key {verdict}"></i><b>{escape(case.id)}</b>'
        f'<span class="category">{escape(case.category)}</span><span class="asked">{escape(case.question)}</span>'
        f'<span class="verdict">{verdict}</span></summary><dl class="case">{told}</dl></details>'
    )


def _expected(one: CaseHistory) -> str:
    case = one.case
    if not case.answerable:
        return "the refusal"
    parts = [f"says {_quoted(case.must)}"] if case.must else []
    parts += [f"does not say {_quoted(case.must_not)}"] if case.must_not else []
    parts.append("cites " + " or ".join(f"<code>{escape(ref)}</code>" for ref in case.cites))
    return "; ".join(parts)


def _quoted(texts: Iterable[str]) -> str:
    return ", ".join(f"<q>{escape(text)}</q>" for text in texts)


def _answer(kept: Kept) -> str:
    numbers = {str(one["handle"]): n for n, one in enumerate(kept.citations, 1)}
    return "".join(f"<p>{_numbered(line, numbers)}</p>" for line in kept.answer.splitlines())


def _numbered(line: str, numbers: Mapping[str, int]) -> str:
    """*line* with a number for each citation."""
    words_and_handles = _MARK.split(line)
    return "".join(
        f" <sup>{numbers.get(part, '·')}</sup>" if n % 2 else escape(part) for n, part in enumerate(words_and_handles)
    )


def _citations(kept: Kept) -> str:
    items = "".join(_citation(one) for one in kept.citations)
    return f"<ol>{items}</ol>" if items else ""


def _citation(one: Mapping[str, str]) -> str:
    name = f"<code>{escape(one['ref'])}</code>"
    linked = f'<a href="{escape(one["url"])}">{name}</a>' if one["url"].startswith("https://") else name
    return f"<li>{linked} {escape(one['title'])}<blockquote>{escape(one['excerpt'])}</blockquote></li>"


def _scrolled(content: str, name: str) -> str:
    return f'<div class="scrolled" role="region" tabindex="0" aria-label="{escape(name)}">{content}</div>'


def _anchor(name: str) -> str:
    return escape(re.sub(r"[^\w.-]+", "-", name))


def text(report: Report, *, limit: int = 12) -> Sequence[Sequence[str]]:
    """The latest *limit* runs of each suite as rows: suite, when, commit, right, gate, each category's rate."""
    rows: list[Sequence[str]] = []
    for history in report.suites:
        fallen = {one.run for one in history.regressions}
        for run in history.runs[::-1][:limit]:
            rates = "  ".join(f"{name} {rate.share:.0%}" for name, rate in run.categories.items())
            mark = "▼ " if run.id in fallen else ""
            state = "passed" if run.passed else "failed"
            count = f"{run.right}/{run.total}"
            rows.append((history.suite, f"{run.at:%Y-%m-%d %H:%M}", run.commit or "·", count, state, f"{mark}{rates}"))
    return rows
