"""`cortex doctor`: each thing is broken for real, named, and mended by the command that is printed, in a real shell."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cortex.substrate.address import argument, is_database, located
from cortex.substrate.brain import Brain
from cortex.substrate.search import count_terms
from cortex.substrate.tasks import enqueue, finish, lease
from cortex.surfaces.clients import clients
from cortex.surfaces.doctor.checks import WITH_BRAIN, WITHOUT_BRAIN
from cortex.surfaces.hooking import hooks
from cortex.surfaces.indexing import index
from cortex.surfaces.working import crew_here
from tests import warm
from tests.brains import copied, forget, image, open_new, place, retire
from tests.surfaces.conftest import Ran
from tests.surfaces.test_cli_errors import damage
from tests.trees import git, write

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the commands are for a shell")

PROGRAMS = {
    "cortex": 'exec "$WARM" "$@"',
    "crontab": '[ "$1" = -l ] && exec cat "$HOME/crontab"\nexec cat > "$HOME/crontab"',
    "systemctl": '[ "$2" = is-active ] && [ -e "$HOME/active" ]',
    "gh": 'case "$2" in token) exec cat "$HOME/token";; login) echo secret > "$HOME/token";; esac',
}
"""What stands on the PATH: our own command, and programs that do to this machine what the real ones would."""


class Machine(NamedTuple):
    """A project that is indexed, in a home of its own with nothing else in it.

    Attributes:
        doctor: its findings by check, of the brain at a path.
    """

    project: Path
    brain: Path
    cortex: Callable[..., Ran]

    def open(self) -> Brain:
        return open_new(self.brain)

    def doctor(self, db: Path | None = None) -> dict[str, dict[str, Any]]:
        ran = self.cortex("doctor", "--json", "-q", db=db or self.brain)
        findings = {one["check"]: one for one in ran.json["findings"]}
        assert ran.json["healthy"] is (ran.code == 0) is all(one["state"] != "wrong" for one in findings.values())
        return findings


@pytest.fixture(scope="session")
def indexed(shared_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a project and the brain that it was indexed into."""
    folder = tmp_path_factory.mktemp("indexed")
    project = folder / "project"
    write(project, {"README.md": "# Project\n\nThe runner must be started before the board.\n"})
    git(project, "init")
    git(project, "add", "-A")
    git(project, "commit", "-m", "Begin")
    with open_new(folder / "brain.db") as brain:
        index(brain, project, crew=crew_here(1, shared_cache), now=datetime.now(UTC))
    return folder


@pytest.fixture
def machine(indexed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cortex: Callable[..., Ran]) -> Machine:
    home, project, programs, brain = (tmp_path / name for name in ("home", "project", "bin", "brain.db"))
    brain = place(brain)
    home.mkdir()
    shutil.copytree(indexed / "project", project)
    copied(place(indexed / "brain.db"), brain)
    with open_new(brain) as opened:
        opened.db.execute("update sources set location = ?", (str(project),))
        count_terms(opened)
    write(programs, {name: f"#!/bin/sh\n{script}\n" for name, script in PROGRAMS.items()})
    for program in programs.iterdir():
        program.chmod(0o755)
    for name, value in {"HOME": home, "PATH": f"{programs}:/usr/bin:/bin", "WARM": warm.program()}.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.setenv("CORTEX_ANTHROPIC_SMALL", "")
    monkeypatch.delenv("GITHUB_TOKEN", raising=False)
    monkeypatch.chdir(project)
    assert cortex("schedule", "install", "--yes").code == 0
    return Machine(project, brain, cortex)


def missing(on: Machine) -> None:
    forget(on.brain)


def empty(on: Machine) -> None:
    on.brain.write_bytes(b"")


def no_brain(on: Machine) -> None:
    on.brain.write_text("these are notes, not a database; " * 9)


def too_new(on: Machine) -> None:
    with on.open() as brain:
        retire(on.brain)
        too_new = "update cortex_sql.version set number = 99" if is_database(on.brain) else "pragma user_version = 99"
        brain.db.execute(too_new)


def damaged(on: Machine) -> None:
    damage(on.brain)


def sql(statement: str) -> Callable[[Machine], None]:
    """What breaks a brain by a *statement*."""

    def spoil(on: Machine) -> None:
        with on.open() as brain:
            brain.db.execute(statement)

    return spoil


wrong_excerpt = sql("update facts set excerpt = 'nobody said this' where path = 'docs'")
wrong_index = sql("insert into records_fts (records_fts) values ('delete-all')")
not_compacted = sql("update runs set started_at = '2020-01-01T00:00:00Z'")
facts_due = sql("delete from facts where id = (select min(id) from facts)")
no_vectors = sql("delete from encoded")


def mode(bits: int) -> Callable[[Machine], None]:
    return lambda on: on.brain.chmod(bits)


def killed(on: Machine) -> None:
    """An index run that ends as a kill would end it, in the midst of its work."""
    write(on.project, {"b.md": "# B\n\nLogs must be kept for 30 days.\n"})
    script = (
        "import os, sys\nfrom datetime import UTC, datetime\nfrom pathlib import Path\n"
        "from cortex.substrate.brain import open_brain\nfrom cortex.surfaces.indexing import index\n"
        "def die(stage, *_):\n    if stage == 'promoting':\n        os._exit(9)\n"
        "with open_brain(sys.argv[1]) as brain:\n"
        "    index(brain, Path(), progress=die, now=datetime.now(UTC))\n"
    )
    assert subprocess.run([warm.program(), "-c", script, argument(on.brain)], check=False).returncode == 9


def a_job(on: Machine, assignment: str) -> None:
    with on.open() as brain:
        changed = brain.db.execute(f"update facts_queue set finished_at = null, {assignment}")  # noqa: S608
        assert changed.rowcount == 1


dead_job = partial(a_job, assignment="state = 'dead', attempts = 5, error = 'the reply was cut'")
old_job = partial(a_job, assignment="state = 'pending', enqueued_at = '2020-01-01T00:00:00Z'")


def dead_task(on: Machine) -> None:
    now = datetime.now(UTC)
    with on.open() as brain:
        enqueue(brain, "index", source_id=0, key="index", parameters={"path": str(on.project)}, now=now)
        held = lease(brain, owner="ada:1", lease_s=60, now=now)
        assert held is not None
        finish(brain, held, "dead", error="the disk was full", now=now)


def left_job(on: Machine) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    owner = f"{os.uname().nodename}:{gone.pid}"
    a_job(on, f"state = 'leased', lease_owner = '{owner}', lease_until = '2999-01-01T00:00:00Z'")


def behind(on: Machine) -> None:
    git(on.project, "commit", "--allow-empty", "-m", "Go on")


def wrong_record(on: Machine) -> None:
    with on.open() as brain:
        brain.db.execute("update records set body = replace(body, 'must', 'may never') where type = 'doc'")


def uncounted(on: Machine) -> None:
    with on.open() as brain:
        brain.db.execute("delete from term_frequencies")


def not_scheduled(on: Machine) -> None:
    assert on.cortex("schedule", "remove").code == 0


def switched_off(on: Machine) -> None:
    assert on.cortex("schedule", "remove").code == 0
    ran = on.cortex("schedule", "install", "--with", "systemd", "--yes", "--json")
    assert ran.json["failed"]


def other_scheduled(on: Machine) -> None:
    crontab = Path.home() / "crontab"
    crontab.write_text(crontab.read_text().replace(argument(on.brain), "/elsewhere/brain.db"))


def hook_gone(on: Machine) -> None:
    assert on.cortex("hook", "install").code == 0
    Path(hooks(on.project).hooks[0].path).unlink()


def hook_broken(on: Machine) -> None:
    assert on.cortex("hook", "install").code == 0
    for hook in hooks(on.project).hooks:
        text = Path(hook.path).read_text()
        start = text.index("exec ") + len("exec ")
        Path(hook.path).write_text(text[:start] + "/nowhere/cortex" + text[text.index(" ", start) :])


SETTINGS = Path(".claude/settings.json")


def agent_hook_gone(on: Machine) -> None:
    assert on.cortex("agent-hooks", "install", "--write").code == 0
    held = json.loads(SETTINGS.read_text())
    del held["hooks"]["PreToolUse"]
    SETTINGS.write_text(json.dumps(held))


def agent_hook_broken(on: Machine) -> None:
    assert on.cortex("agent-hooks", "install", "--write").code == 0
    SETTINGS.write_text(SETTINGS.read_text().replace('"cortex agent-hooks', '"/nowhere/cortex agent-hooks'))


def agent_hook_misplaced(on: Machine) -> None:
    assert on.cortex("agent-hooks", "install", "--write").code == 0
    SETTINGS.write_text(SETTINGS.read_text().replace("run before-edit", "run session-start"))


def agent_hook_lost(on: Machine) -> None:
    assert on.cortex("agent-hooks", "install", "--write", db=Path("/nowhere/brain.db")).code == 0


def client_broken(on: Machine, name: str = "claude-code") -> None:
    assert on.cortex("mcp", "install", "--client", name, "--write").code == 0
    path = clients()[name].file(Path(), Path.home())
    starts = re.compile(r'(command"?[:=] ?|command = )"[^"]*cortex"')
    broken, changed = starts.subn(r'\1"/nowhere/cortex"', path.read_text())
    assert changed == 1
    path.write_text(broken)


def codex_broken(on: Machine) -> None:
    client_broken(on, "codex")


def starts(ours: dict[str, Any]) -> None:
    write(Path(), {".mcp.json": json.dumps({"mcpServers": {"cortex": ours}})})


def client_lost(_: Machine) -> None:
    starts({"command": "cortex", "args": ["mcp", "--db", "/nowhere/brain.db", "--may", "read"]})


def client_lost_by_its_environment(_: Machine) -> None:
    starts({"command": "cortex", "args": ["mcp"], "env": {"CORTEX_DB": "nowhere.db"}})


def client_told_to_index(_: Machine) -> None:
    starts({"command": "cortex", "args": ["index", "/", "--", "mcp"]})


def model_without_key(_: Machine) -> None:
    os.environ["CORTEX_ANTHROPIC_SMALL"] = "claude-haiku-4-5"  # the fixture's monkeypatch takes it out again


BROKEN: dict[str, tuple[Callable[[Machine], None], str, str]] = {
    "no brain": (missing, "brain", "no brain at"),
    "empty": (empty, "brain", "no brain at"),
    "not a brain": (no_brain, "brain", "is not a brain"),
    "too new": (too_new, "brain", "has schema 99"),
    "damaged": (damaged, "brain", "is damaged"),
    "open to all": (mode(0o644), "permissions", "everybody on this machine"),
    "open to its group": (mode(0o660), "permissions", "whoever is in its group"),
    "read-only": (mode(0o400), "permissions", "may not be written to"),
    "killed": (killed, "runs", "it was stopped"),
    "dead job": (dead_job, "queue", "1 job of the queue died, the first on doc:README.md"),
    "dead task": (dead_task, "queue", "1 task of workers died, the first to index: the disk was full"),
    "left job": (left_job, "queue", "1 job of the queue waits for nobody"),
    "old job": (old_job, "queue", "since 2020-01-01"),
    "facts due": (facts_due, "queue", "wait for their facts"),
    "behind": (behind, "freshness", "1 commit ahead"),
    "wrong excerpt": (wrong_excerpt, "facts", "its excerpt is not what"),
    "wrong record": (wrong_record, "facts", "its excerpt is not what"),
    "wrong index": (wrong_index, "indexes", "records_fts does not hold"),
    "uncounted": (uncounted, "indexes", "are not counted"),
    "not compacted": (not_compacted, "compaction", "was never compacted"),
    "not scheduled": (not_scheduled, "schedule", "nothing compacts the brain"),
    "switched off": (switched_off, "schedule", "is written, and not switched on"),
    "other scheduled": (
        other_scheduled,
        "schedule",
        "cron runs every night compacts /elsewhere/brain.db, which this ends",
    ),
    "hook gone": (hook_gone, "git hooks", "not in post-commit"),
    "hook broken": (hook_broken, "git hooks", "/nowhere/cortex"),
    "agent hook gone": (agent_hook_gone, "agent hooks", "lacks a hook"),
    "agent hook broken": (agent_hook_broken, "agent hooks", "/nowhere/cortex"),
    "agent hook misplaced": (agent_hook_misplaced, "agent hooks", "lacks a hook: before-edit"),
    "agent hook lost": (agent_hook_lost, "agent hooks", "is told of /nowhere/brain.db, where there is no brain"),
    "client lost": (client_lost, "clients", "start cortex on /nowhere/brain.db, where there is no brain"),
    "client lost by its environment": (client_lost_by_its_environment, "clients", "on nowhere.db, where there is no"),
    "client told to index": (client_told_to_index, "clients", "what starts no server"),
    "client broken": (client_broken, "clients", "claude-code start /nowhere/cortex"),
    "codex broken": (codex_broken, "clients", "codex start /nowhere/cortex"),
    "model without key": (model_without_key, "models", "no key"),
    "no vectors": (no_vectors, "vectors", "have no vector yet"),
}
"""How each is broken, the check that notices, and part of what it says."""

OF_A_FILE = {
    **dict.fromkeys(("empty", "not a brain", "damaged"), "has other bytes"),
    **dict.fromkeys(("open to all", "open to its group", "read-only"), "the server knows who may"),
    **dict.fromkeys(("wrong index", "uncounted"), "FTS5 can be told to forget, and has frequencies counted"),
    "too new": "another can be made beside it",
}
"""What is not so with a database, and why."""


def test_there_are_at_most_fifteen_checks_and_each_is_broken_here() -> None:
    checks = {**WITHOUT_BRAIN, **WITH_BRAIN}
    assert len(checks) <= 15
    assert {check for _, check, _ in BROKEN.values()} == checks.keys()


def test_a_healthy_brain_is_said_to_be_and_looked_at_without_a_change(machine: Machine) -> None:
    before = image(machine.brain)
    findings = machine.doctor()
    assert [one for one in findings.values() if one["state"] != "healthy"] == []
    assert machine.cortex("doctor").out.startswith("Nothing is wrong\n")
    assert image(machine.brain) == before


@pytest.mark.parametrize(
    ("spoil", "check", "said"),
    [
        pytest.param(*one, id=name, marks=[pytest.mark.of_a_file(OF_A_FILE[name])] if name in OF_A_FILE else [])
        for name, one in BROKEN.items()
    ],
)
def test_what_is_wrong_is_named_and_the_command_mends_it(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[Machine], None], check: str, said: str
) -> None:
    spoil(machine)
    found = machine.doctor()[check]
    assert (found["state"], said in found["said"]) == ("wrong", True), found
    script = f"{{ {found['command']}\n}} >&2 || exit 3\necho $CORTEX_ANTHROPIC_SMALL"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    monkeypatch.setenv("CORTEX_ANTHROPIC_SMALL", done.stdout.strip())
    words = found["command"].split()
    named = located(words[words.index("--db") + 1], Path.home()) if "--db" in words else machine.brain
    after = machine.doctor(named)
    assert after[check]["state"] == "healthy", after[check]
    assert not after[check]["command"]


@pytest.mark.parametrize("text", ["", "{broken", '// "mine\n{"d": [1, ], // e\n}'], ids=["empty", "broken", "comments"])
def test_a_file_that_only_its_client_reads_is_not_looked_at(machine: Machine, text: str) -> None:
    path = clients()["vscode"].file(Path(), Path.home())
    path.parent.mkdir()
    path.write_text(text)
    assert machine.doctor()["clients"]["state"] == "healthy"


def nothing_here(on: Machine) -> None:
    forget(on.brain)
    (empty := on.project.parent / "empty").mkdir()
    os.chdir(empty)  # the fixture's monkeypatch goes back again


def too_new_to_mend(on: Machine) -> None:
    """Beside a file another can be made, which is a command."""
    if not is_database(on.brain):
        pytest.skip("a command mends it")
    too_new(on)


BY_HAND: dict[str, tuple[Callable[[Machine], None], str, str]] = {
    "nothing here": (nothing_here, "brain", "go to a project and run there: cortex index"),
    "too new": (too_new_to_mend, "brain", "has schema 99"),
}


@pytest.mark.parametrize(("spoil", "check", "said"), BY_HAND.values(), ids=BY_HAND.keys())
def test_where_no_command_can_mend_it_is_said_what_to_do(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[Machine], None], check: str, said: str
) -> None:
    monkeypatch.setenv("PATH", f"{machine.project.parent / 'bin'}:{machine.project.parent / 'only'}")
    (machine.project.parent / "only").mkdir()
    for program in ("sh", "cat", "git"):
        (machine.project.parent / "only" / program).symlink_to(shutil.which(program, path="/usr/bin:/bin") or "")
    spoil(machine)
    found = machine.doctor()[check]
    assert (found["state"], said in found["said"], found["command"]) == ("wrong", True, ""), found


def test_a_timer_that_is_switched_on_is_healthy_once_it_runs(machine: Machine) -> None:
    switched_off(machine)
    wanted = Path.home() / ".config/systemd/user/timers.target.wants/cortex-compact.timer"
    wanted.parent.mkdir()
    wanted.symlink_to("../cortex-compact.timer")
    assert machine.doctor()["schedule"]["state"] == "wrong"
    (Path.home() / "active").touch()
    assert machine.doctor()["schedule"]["state"] == "healthy"


@pytest.mark.parametrize("name", ["codex", "cursor"])
def test_a_client_that_starts_a_cortex_without_its_extra_is_told_what_installs_it(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    with monkeypatch.context() as lacking:
        lacking.setitem(sys.modules, "mcp", None)
        installed = machine.cortex("mcp", "install", "--client", name, "--write")
        found = machine.doctor()["clients"]
    assert (installed.code, f"needs the extra 'serve'; {found['command']}" in installed.err) == (0, True)
    assert (found["state"], "a Cortex without the extra 'serve'" in found["said"]) == ("wrong", True)
    program, *words, wanted = shlex.split(found["command"])
    assert (program, words[:3]) == (sys.executable, ["-m", "pip", "install"])
    assert wanted.endswith("[serve]")
    assert machine.doctor()["clients"]["state"] == "healthy"


def test_a_client_starts_what_its_project_has(machine: Machine) -> None:
    starts = '{"mcpServers": {"cortex": {"command": ".venv/bin/cortex", "args": ["mcp"]}}}'
    write(machine.project, {".mcp.json": starts})
    assert "start .venv/bin/cortex, which is not there" in machine.doctor()["clients"]["said"]
    write(machine.project, {".venv/bin/cortex": "#!/bin/sh\n"})
    (machine.project / ".venv/bin/cortex").chmod(0o755)
    os.chdir(machine.project.parent)  # the fixture's monkeypatch goes back again
    assert machine.doctor()["clients"]["state"] == "healthy"


def test_what_was_mended_says_again_what_its_document_says(machine: Machine) -> None:
    asked = ("search", "runner board", "--json")
    before = machine.cortex(*asked).json
    wrong_record(machine)
    for command in (["verify", "--mend"], ["index", ".", "--again"]):
        assert machine.cortex(*command, "-q").code == 0
    assert machine.cortex(*asked).json == before
    with machine.open() as brain:
        kept = brain.db.execute("select distinct job, reason from facts_archive").fetchall()
    assert kept == [("replaced", "verify found it wrong")]


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(one, id=one.__name__, marks=[pytest.mark.of_a_file("has other bytes")] if of_a_file else [])
        for one, of_a_file in ((missing, 0), (empty, 1), (no_brain, 1), (too_new, 0), (damaged, 1))
    ],
)
def test_a_brain_that_cannot_be_used_is_left_as_it_is(machine: Machine, spoil: Callable[[Machine], None]) -> None:
    spoil(machine)
    before = image(machine.brain)
    machine.doctor()
    assert image(machine.brain) == before


def test_of_a_brain_that_cannot_be_used_the_rest_is_still_checked(machine: Machine) -> None:
    client_broken(machine)
    missing(machine)
    findings = machine.doctor()
    assert {name for name, one in findings.items() if one["state"] == "wrong"} == {"brain", "clients"}
    assert {name for name, one in findings.items() if one["state"] == "unchecked"} == WITH_BRAIN.keys()


def test_several_things_are_counted_and_each_has_its_command(machine: Machine) -> None:
    for spoil in (behind, not_compacted, not_scheduled):
        spoil(machine)
    ran = machine.cortex("doctor", "-q")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.startswith("3 things wrong\n")
    commands = [one["command"] for one in machine.doctor().values() if one["state"] == "wrong"]
    assert [f"mend it with: {command}\n" in ran.out for command in commands] == [True] * 3
