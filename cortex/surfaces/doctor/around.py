"""What may be wrong around a brain: its schedule, git's hooks, the models, and GitHub's token."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from cortex.errors import BadInput, RepositoryElsewhere, UsageError
from cortex.llm.setup import SIZES, Standing, standings
from cortex.surfaces import hooking, scheduling
from cortex.surfaces.doctor.examined import Examined, Trouble, Unchecked
from cortex.surfaces.models import setup_of


def scheduled(found: Examined) -> Iterator[Trouble]:
    """The machine compacts this brain every night."""
    home, settings, path = Path.home(), found.call.settings, found.call.path
    try:
        here = scheduling.plan(None, path, settings, home).manager
    except UsageError as error:
        raise Unchecked(str(error)) from error
    left = scheduling.others(path, home)
    manager = next(iter(sorted(scheduling.installed(home), key=left.__contains__)), None)
    wanted = scheduling.plan(manager or here, path, settings, home)
    install = found.cortex("schedule", "install", "--with", wanted.manager, "--yes")
    if manager is None:
        yield Trouble("nothing compacts the brain every night", install)
    elif wanted.replaces:
        yield Trouble(f"what {manager} runs every night compacts {wanted.replaces}, which this ends", install)
    elif any(text != wanted.files[name] for name, text in scheduling.written(wanted).items()):
        yield Trouble(f"what {manager} runs every night is for another hour, setting or Cortex", install)
    elif not scheduling.switched_on(manager):
        anew = [found.cortex("schedule", "remove"), found.cortex("schedule", "install", "--with", here, "--yes")]
        yield Trouble(f"what {manager} is to run every night is written, and not switched on", " && ".join(anew))


def hooked(found: Examined) -> Iterator[Trouble]:
    """Where git indexes behind commits, all hooks are in and start a Cortex that is there."""
    for folder in found.folders:
        try:
            hooks = hooking.hooks(folder).hooks
        except (BadInput, RepositoryElsewhere):
            continue
        if not any(hook.state == "installed" for hook in hooks):
            continue
        mend = found.cortex("hook", "install", str(folder))
        missing = [hook.name for hook in hooks if hook.state == "missing"]
        gone = {program for hook in hooks if (program := hooking.program_of(Path(hook.path))) and not runs(program)}
        if missing:
            yield Trouble(f"{folder} has hooks of ours, but not in {', '.join(missing)}", mend)
        elif gone:
            yield Trouble(f"the hooks of {folder} start {', '.join(sorted(gone))}, which is not there", mend)


def ready(found: Examined) -> Iterator[Trouble]:
    """Every model that is named can be called."""
    for one in standings(setup_of(found.call.settings)):
        if one.model and not one.ready:
            yield Trouble(f"{one.model} of {one.tier} cannot be called: {one.why}", _mending_of(one))


def _mending_of(one: Standing) -> str:
    if "pip install" in one.why:
        return one.why[one.why.index("pip install") :]
    return f"unset CORTEX_{one.tier.upper()}_{SIZES[one.class_].upper()}"


def runs(program: str) -> bool:
    """Whether there is such a program."""
    return shutil.which(program) is not None
