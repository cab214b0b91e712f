"""The hooks of a repository, as a person reads them."""

from __future__ import annotations

from cortex.surfaces.background import Ran
from cortex.surfaces.hooking import Hooks
from cortex.surfaces.render import dim, line, table


def installed(done: Hooks) -> str:
    """What was put where."""
    names = ", ".join(hook.name for hook in done.hooks)
    return f"Installed in {line(done.folder)}: {names}.\nIndexed behind them: {line(done.root)}"


def standing(found: Hooks, last: Ran | None) -> str:
    """Which hooks are in, and what the last run behind one did."""
    rows = [(hook.name, hook.state, "beside another hook" if hook.beside else "") for hook in found.hooks]
    return "\n".join([f"{line(found.folder)}", table(rows, last=dim), _last(last)])


def _last(last: Ran | None) -> str:
    if last is None:
        return "no hook has run yet"
    said = (
        f"failed: {line(last.error)}" if last.error else "changed the brain" if last.changed else "nothing had changed"
    )
    return f"last run {last.at:%Y-%m-%d %H:%M} UTC: {said}"
