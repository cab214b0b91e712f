"""The report's pictures, as SVG by hand: they scale, print, take the page's colours and say in words what they show."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby
from typing import Final

from cortex.evals.report import Regression, SuiteHistory
from cortex.evals.scoring import Verdict

_WIDE: Final = 340
_HIGH: Final = 132
_LEFT, _RIGHT, _TOP, _BOTTOM = 42, 8, 12, 26
_APART: Final = 90
"""Commits are named in a chart, the latest first, so far apart; the table below it names them all."""

_ROW: Final = 17
_NAMES: Final = 128
_CELLS: Final = 900
_CELL: Final = (3.0, 26.0)
_BARS: Final = {"right": (1, 15), "wrong": (5, 11), "refused": (11, 5), "invented": (1, 5)}
"""Where the bar of a verdict begins in its row, and how high it is."""

Points = Sequence[tuple[int, float]]


def rate_chart(history: SuiteHistory, category: str) -> str:
    """A category's rate over the runs, the floor as a dashed line, a mark at each regression."""
    points = [(n, run.categories[category].share) for n, run in enumerate(history.runs) if category in run.categories]
    places = {run.id: n for n, run in enumerate(history.runs)}
    fallen = [one for one in history.regressions if one.category == category]
    floor = _y(history.floor)
    marks, named_at = [], float("inf")
    for one in fallen:
        x = _x(places[one.run], len(history.runs))
        named = named_at - x > _APART
        named_at = x if named else named_at
        marks.append(_fall(one, x, named=named))
    parts = [
        *(_rule(share, f"{share:.0%}") for share in (0.0, 1.0)),
        f'<line class="floor" x1="{_LEFT}" x2="{_WIDE - _RIGHT}" y1="{floor}" y2="{floor}"/>',
        _text("floor-name", _LEFT - 4, floor + 3, f"{history.floor:.0%}", anchor="end"),
        _line(points, len(history.runs), "rate"),
        *marks,
        _dates(history),
    ]
    lowest = min(share for _, share in points)
    told = f"{category}: {points[-1][1]:.0%} in its latest run, {lowest:.0%} at the lowest, {len(fallen)} regressions."
    return _svg(_WIDE, _HIGH, told, parts)


def latency_chart(history: SuiteHistory) -> str:
    """Milliseconds an answer took, at p50 and p95, over the runs."""
    half = [(n, run.ms_p50) for n, run in enumerate(history.runs) if run.ms_p50 is not None]
    most = [(n, run.ms_p95) for n, run in enumerate(history.runs) if run.ms_p95 is not None]
    return _amounts(history, [("p50", half), ("p95", most)], "ms")


def cost_chart(history: SuiteHistory) -> str:
    """Dollars a run cost, over the runs."""
    return _amounts(history, [("cost", [(n, run.cost_usd) for n, run in enumerate(history.runs)])], "$")


def _amounts(history: SuiteHistory, series: Sequence[tuple[str, Points]], unit: str) -> str:
    top = _round_up(max((value for _, points in series for _, value in points), default=1.0))
    parts = [_rule(share, _amount(share * top, unit)) for share in (0.0, 0.5, 1.0)]
    for n, (_, points) in enumerate(series):
        parts.append(_line([(at, value / top) for at, value in points], len(history.runs), f"series s{n}"))
    latest = ", ".join(f"{name} {_amount(points[-1][1], unit)}" for name, points in series if points)
    return _svg(_WIDE, _HIGH, f"Latest run: {latest}.", [*parts, _dates(history)])


def _amount(value: float, unit: str) -> str:
    return f"${value:.2f}" if unit == "$" else f"{value:g} {unit}" if value < 10 else f"{value:.0f} {unit}"


def _round_up(value: float) -> float:
    """The next of 1, 2, 5 times a power of ten, so that a scale reads well."""
    step = 1e-4
    while True:
        for times in (1, 2, 5):
            if value <= step * times:
                return step * times
        step *= 10


def grid(history: SuiteHistory) -> str:
    """Every case in every run: a full bar for right, less for what is not, so that it reads without colour too."""
    runs = history.runs
    wide = min(max(_CELLS / len(runs), _CELL[0]), _CELL[1])
    verdicts = [{one.case_id: one.verdict for one in run.outcomes} for run in runs]
    rows = []
    for place, one in enumerate(history.cases):
        y = 14 + place * _ROW
        rows.append(_text("case", _NAMES - 8, y + 12, _clipped(one.case.id), anchor="end"))
        rows.append(_row([found.get(one.case.id) for found in verdicts], y, wide))
    width, height = round(_NAMES + wide * len(runs) + 6), 14 + _ROW * len(history.cases) + 20
    places = {run.id: n for n, run in enumerate(runs)}
    falls = {places[one.run] for one in history.regressions}
    rows += [_triangle(_NAMES + (n + 0.5) * wide, 2, "fall") for n in sorted(falls)]
    right = sum(one.latest.verdict == "right" for one in history.cases)
    told = f"{len(history.cases)} cases in {len(runs)} runs; {right} right in the latest; told in words below."
    return _svg(width, height, told, [*rows, _ends(history, width, height)], fixed=True)


def _row(verdicts: Sequence[Verdict | None], y: float, wide: float) -> str:
    """The cells of a case, those of one verdict in a row drawn as one."""
    shapes, at = [], 0
    gap = 1.0 if wide > 5 else 0.0
    for verdict, same in groupby(verdicts):
        count = len(list(same))
        for first, length in [(at, count)] if not gap else [(at + n, 1) for n in range(count)]:
            x, width = _NAMES + first * wide, length * wide - gap
            if verdict is not None:
                top, high = _BARS[verdict]
                shapes.append(
                    f'<rect class="{verdict}" x="{x:.1f}" y="{y + top}" width="{width:.1f}" height="{high}"/>'
                )
        at += count
    return "".join(shapes)


def _ends(history: SuiteHistory, width: float, height: float) -> str:
    first, last = history.runs[0], history.runs[-1]
    words = f"{last.at:%Y-%m-%d}" if len(history.runs) > 1 else ""
    narrow = width - _NAMES < 150
    begin = "" if narrow else _text("axis", _NAMES, height - 5, f"{first.at:%Y-%m-%d}")
    anchor, x = ("start", _NAMES) if narrow else ("end", width - 6)
    return begin + _text("axis", x, height - 5, words, anchor=anchor)


def _clipped(name: str) -> str:
    return name if len(name) <= 18 else name[:17] + "…"


def _x(place: int, count: int) -> float:
    room = _WIDE - _LEFT - _RIGHT
    return _LEFT + (room * place / (count - 1) if count > 1 else room / 2)


def _y(share: float) -> float:
    return round(_TOP + (1 - share) * (_HIGH - _TOP - _BOTTOM), 1)


def _rule(share: float, name: str) -> str:
    y = _y(share)
    return f'<line class="rule" x1="{_LEFT}" x2="{_WIDE - _RIGHT}" y1="{y}" y2="{y}"/>' + _text(
        "axis", _LEFT - 4, y + 3, name, anchor="end"
    )


def _line(points: Points, count: int, name: str) -> str:
    drawn = " ".join(f"{_x(n, count):.1f},{_y(value)}" for n, value in points)
    dots = "".join(f'<circle class="{name}" cx="{_x(n, count):.1f}" cy="{_y(v)}" r="2.6"/>' for n, v in points)
    return f'<polyline class="{name}" points="{drawn}"/>' + (dots if count <= 40 else "")


def _fall(one: Regression, x: float, *, named: bool) -> str:
    y = _y(one.after)
    up = y > _HIGH - _BOTTOM - 16
    told = f"{one.commit or 'a run'}: {one.before:.0%} to {one.after:.0%}"
    mark = _triangle(x, y - 13 if up else y + 5, "fall", told)
    if not named or not one.commit:
        return mark
    anchor = "start" if x < _WIDE / 3 else "end" if x > _WIDE * 2 / 3 else "middle"
    return mark + _text("fall-name", x, y - 16 if up else y + 22, one.commit[:8], anchor=anchor)


def _triangle(x: float, y: float, name: str, told: str = "") -> str:
    title = f"<title>{escape(told)}</title>" if told else ""
    return f'<path class="{name}" d="M{x - 4:.1f} {y:.1f}h8l-4 7z">{title}</path>'


def _dates(history: SuiteHistory) -> str:
    first, last, y = history.runs[0].at, history.runs[-1].at, _HIGH - 8
    if len(history.runs) == 1:
        return _text("axis", (_LEFT + _WIDE - _RIGHT) / 2, y, f"{last:%Y-%m-%d}", anchor="middle")
    begin = _text("axis", _LEFT, y, f"{first:%Y-%m-%d}")
    return begin + _text("axis", _WIDE - _RIGHT, y, f"{last:%Y-%m-%d}", anchor="end")


def _text(name: str, x: float, y: float, words: str, *, anchor: str = "start") -> str:
    return f'<text class="{name}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _svg(width: float, height: float, told: str, parts: Sequence[str], *, fixed: bool = False) -> str:
    size = f' width="{width}" height="{height}"' if fixed else ""
    return (
        f'<svg role="img" viewBox="0 0 {width} {height}"{size} aria-label="{escape(told)}">' + "".join(parts) + "</svg>"
    )
