"""What may be wrong around a brain: its schedule, git's hooks, the models, and GitHub's token."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from urllib.parse import urlsplit

from cortex.errors import BadInput, RepositoryElsewhere, UsageError
from cortex.llm.setup import SIZES, Standing, standings
from cortex.surfaces import github, hooking, scheduling
from cortex.surfaces.doctor.examined import Examined, Trouble, Unchecked
from cortex.surfaces.models import setup_of


def scheduled(found: Examined) -> Iterator[Trouble]:
    """The machine compacts this brain every night."""
    home, settings, path = Path.home(), found.call.settings, found.call.path
    left = scheduling.others(path, home)
    for manager in sorted(scheduling.installed(home), key=left.__contains__):
        wanted = scheduling.plan(manager, path, settings, home)
        if wanted.replaces:
            said = f"what {manager} runs every night compacts {wanted.replaces}, which this ends"
            yield Trouble(said, found.cortex("schedule", "install", "--with", manager, "--yes"))
        elif any(text != wanted.files[name] for name, text in scheduling.written(wanted).items()):
            said = f"what {manager} runs every night is for another hour, setting or Cortex"
            yield Trouble(said, found.cortex("schedule", "install", "--with", manager, "--yes"))
        elif not scheduling.switched_on(manager):
            yield _switched_off(found, manager)
        return
    try:
        manager = scheduling.plan(None, path, settings, home).manager
    except UsageError as error:
        raise Unchecked(str(error)) from error
    yield _installing(found, "nothing compacts the brain every night", manager)


def _switched_off(found: Examined, manager: scheduling.Manager) -> Trouble:
    said = f"what {manager} is to run every night is written, and not switched on"
    here = scheduling.plan(None, found.call.path, found.call.settings, Path.home()).manager
    if here == manager:
        return _installing(found, said, manager)
    install = found.cortex("schedule", "install", "--with", here, "--yes")
    return Trouble(f"{said}; {here} works here", f"{found.cortex('schedule', 'remove')} && {install}")


def _installing(found: Examined, said: str, manager: scheduling.Manager) -> Trouble:
    install = found.cortex("schedule", "install", "--with", manager, "--yes")
    if manager != "systemd" or scheduling.has_session():
        return Trouble(said, install)
    keep = found.cortex("schedule")
    return Trouble(
        f"{said}; it takes a session of systemd: log in, and run there: {install}, or keep running: {keep}", ""
    )


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


def allowed(found: Examined) -> Iterator[Trouble]:
    """There is a token for every repository that was read from GitHub itself."""
    for source in found.sources:
        host = urlsplit(source.location).hostname
        if host and not github.has_token(host):
            said = f"there is no token to read {source.name} from {host} with: set GITHUB_TOKEN, or log in"
            yield Trouble(said, f"gh auth login --hostname {quote(host)}")


def runs(program: str) -> bool:
    """Whether there is such a program."""
    return shutil.which(program) is not None
