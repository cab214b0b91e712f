"""A table of cases walked in one test: each of its own would cost a home, a report and a word to another process."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from itertools import islice
from typing import Any

from _pytest.mark import ParameterSet  # what `pytest.param` gives

Test = Callable[..., None]


def walk(
    names: str | Iterable[str], rows: Iterable[Any], ids: Iterable[str] | Callable[[Any], object] | None = None
) -> Callable[[Test], Test]:
    """As `pytest.mark.parametrize`, in one test: every case is tried, and the error tells each that failed.

    For tests that leave nothing behind; what they are given beside the case is the same for all.
    """
    called = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
    rows = [*rows]
    cases = [row.values if isinstance(row, ParameterSet) else row if len(called) > 1 else (row,) for row in rows]
    told = (str(getattr(row, "id", None) or repr(row))[:200] for row in rows)
    listed = [*islice(told if ids is None or callable(ids) else ids, len(cases))]

    def decorate(test: Test) -> Test:
        taken = inspect.signature(test)
        others = [parameter for name, parameter in taken.parameters.items() if name not in called]

        @wraps(test)
        def walked(**given: object) -> None:
            failed = []
            for case, name in zip(cases, listed, strict=True):
                try:
                    test(**dict(zip(called, case, strict=True)), **given)
                except Exception as error:  # noqa: BLE001  whatever goes wrong is told below
                    error.add_note(f"case: {name}")
                    failed.append(error)
            if failed:
                raise ExceptionGroup(f"{len(failed)} of {len(cases)} cases failed", failed)

        walked.__signature__ = taken.replace(parameters=others)  # type: ignore[attr-defined]
        return walked

    return decorate
