"""What a team's brain withstands: killed workers and servers, a cut network, fifty askers, and how fast it is indexed.

    python bench/teams.py FOLDER [FOLDER …] [--part kills load rates] [--kills 100] [--minutes 10] [--write]

A FOLDER is a clone of a repository; what is asked is the titles of its commits. Everything runs on a PostgreSQL server
of its own, which is made in a temporary folder and goes away afterwards, through the commands that a team runs: tasks
are added by `cortex queue add`, done by `cortex worker`, questions asked of `cortex serve`.

kills: workers are killed with SIGKILL, the server is stopped as a power cut does and started again, and the proxy
that workers reach it by drops all connections, at random over one run. Then the work may end. The brain has to hold
what one does that nothing disturbed.
load: fifty people ask, each pausing between two questions, while four workers index and one source is compacted.
rates: the same tasks done by `cortex index` in turn, by one, two and four processes of a worker, and by eight workers
with host names of their own.
"""

from __future__ import annotations

import argparse
import os
import pwd
import random
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import psycopg
from serving import Load, measure

ROOT: Final = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
from cortex.substrate.address import located  # noqa: E402
from cortex.substrate.brain import open_brain  # noqa: E402
from cortex.substrate.verify import verify  # noqa: E402
from tests.brains import content, indexes_agree  # noqa: E402

RESULTS: Final = Path(__file__).parent / "results" / "teams.md"
CORTEX: Final = (sys.executable, "-c", "from cortex.surfaces.cli import main; main()")
PROGRAMS: Final = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
LIBRARY_USER: Final = "postgres"
"""Who runs the server where root runs this: PostgreSQL does not run as root."""
ASKERS: Final = 50
WORKERS: Final = 4
HOSTS: Final = 8
COPIES: Final = 4  # of each folder, so that who is killed has work to do
PAUSE_S: Final = 10.0  # between an answer and the next question of the same person
BETWEEN_S: Final = (0.2, 8.0)  # two disturbances
AWAY_S: Final = 2.0  # how long a server or a network that was cut stays away
SHOWN: Final = 8  # rows that differ, of each table
LATEST_S: Final = 1800.0  # until which work has to end


def free_port() -> int:
    """A port of loopback that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Server:
    """A PostgreSQL server of its own in a folder."""

    def __init__(self, folder: Path) -> None:
        self.port, self._data = free_port(), folder / "data"
        self._as = ["runuser", "-u", LIBRARY_USER, "--"] if os.getuid() == 0 else []
        if self._as:
            owner = pwd.getpwnam(LIBRARY_USER)
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        self.user = LIBRARY_USER if self._as else pwd.getpwuid(os.getuid()).pw_name
        self._run("initdb", "-D", str(self._data), "-A", "trust", "-E", "UTF8", "--locale", "C.UTF-8")
        self._options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c max_connections=200 -k {folder}"
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        path = PROGRAMS[-1] / program if PROGRAMS else program
        subprocess.run([*self._as, str(path), *arguments], check=True, capture_output=True, cwd="/")

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._run("pg_ctl", "-D", str(self._data), "-l", str(self._data / "log"), "-o", self._options, "-w", "start")

    def stop(self, how: str = "fast") -> None:
        """Stop it; 'immediate' is as a power cut."""
        self._run("pg_ctl", "-D", str(self._data), "-m", how, "-w", "stop")

    def address(self, name: str, port: int = 0) -> str:
        """Where a database is, by way of *port*."""
        return f"postgresql://{self.user}@127.0.0.1:{port or self.port}/{name}"

    def make(self, name: str) -> str:
        """The address of a new database."""
        with psycopg.connect(self.address("postgres"), autocommit=True) as db:
            db.execute(f'create database "{name}"')
        return self.address(name)


@contextmanager
def serving() -> Iterator[Server]:
    """A server that goes away at the end."""
    with TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            yield server
        finally:
            with suppress(subprocess.CalledProcessError):
                server.stop("immediate")


class Proxy:
    """Passes connections on to a port, and cuts all of them when it is told to."""

    def __init__(self, port: int) -> None:
        self._to, self._open, self._cut = port, set[socket.socket](), threading.Event()
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.port = int(self._listening.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            ours, _ = self._listening.accept()
            if self._cut.is_set():
                ours.close()
                continue
            try:
                theirs = socket.create_connection(("127.0.0.1", self._to), timeout=5)
            except OSError:
                ours.close()
                continue
            theirs.settimeout(None)
            self._open |= {ours, theirs}
            for one, other in ((ours, theirs), (theirs, ours)):
                threading.Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while some := one.recv(65536):
                other.sendall(some)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
            self._open.discard(end)

    def cut(self, seconds: float) -> None:
        """Drop every connection, and take none for so long."""
        self._cut.set()
        for end in [*self._open]:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        time.sleep(seconds)
        self._cut.clear()


def cortex(address: str, *command: str, home: Path) -> str:
    """What `cortex` prints."""
    done = subprocess.run(
        [*CORTEX, "--db", address, *command],
        env=os.environ | {"HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"cortex {' '.join(command)}: {done.stderr or done.stdout}")
    return done.stdout


@contextmanager
def working(address: str, *options: str, home: Path, host: str = "") -> Iterator[subprocess.Popen[str]]:
    """`cortex worker`, with a host name of its own where one is given; stopped at the end."""
    command = [*CORTEX, "--db", address, "worker", *options]
    if host:
        command = ["unshare", "--uts", "sh", "-c", f'hostname {host} && exec "$@"', "sh", *command]
    process = subprocess.Popen(
        command, env=os.environ | {"HOME": str(home)}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        process_group=0,  # of this session, as its scheduling is the server's
    )  # fmt: skip
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def at_work(address: str, again: Callable[[], object]) -> int:
    """A process that has a task; where little is left to do, *again* finds more."""
    asked = "select lease_owner from tasks where state = 'leased' order by random() limit 1"
    while True:
        found = states(address)
        if found and sum(found[state] for state in ("pending", "leased", "failed")) < WORKERS:
            again()
        with suppress(psycopg.OperationalError), psycopg.connect(address, autocommit=True, connect_timeout=2) as db:
            process = int((db.execute(asked).fetchone() or (":0",))[0].rpartition(":")[2])
            if process and Path(f"/proc/{process}").exists():
                return process
        time.sleep(0.1)


def states(address: str) -> Counter[str]:
    """How many tasks are in each state; empty while the server is away."""
    with suppress(psycopg.OperationalError), psycopg.connect(address, autocommit=True, connect_timeout=2) as db:
        return Counter(dict(db.execute("select state, count(*) from tasks group by state").fetchall()))
    return Counter()


def ended(address: str) -> Counter[str]:
    """The states of the tasks once none of them waits or is worked on."""
    until = time.monotonic() + LATEST_S
    while time.monotonic() < until:
        found = states(address)
        if found and not {"pending", "leased", "failed"} & found.keys():
            return found
        time.sleep(0.5)
    raise SystemExit(f"after {LATEST_S:g} s tasks are still {dict(states(address))}")


def add(address: str, folders: Sequence[Path], *, home: Path, copies: int = 1) -> int:
    """Add a task for each folder and copy; how many there are."""
    for copy in range(copies):
        for folder in folders:
            cortex(address, "queue", "add", str(folder), "--source", f"{folder.name}-{copy}", home=home)
    return copies * len(folders)


def held(address: str) -> dict[str, Counter[str]]:
    """What a brain knows, in any order; how often each row."""
    with open_brain(located(address, Path(tempfile.gettempdir()))) as brain:
        found = {name: Counter(map(repr, rows)) for name, rows in content(brain).items()}
        report = verify(brain)
        if not (indexes_agree(brain) and report.holds):
            raise SystemExit(f"the brain does not verify: {report}")
    return found


class Disturbed(NamedTuple):
    """What was done to a run, and what came of it."""

    done: Counter[str]
    table: dict[str, tuple[int, bool]]
    tasks: Counter[str]
    seconds: float
    undisturbed_s: float


def disturb(server: Server, folders: Sequence[Path], kills: int, restarts: int, chance: random.Random) -> Disturbed:
    """Index *folders* with and without disturbances, and compare."""
    with TemporaryDirectory() as scratch:
        home, whole, began = Path(scratch), server.make("whole"), time.monotonic()
        add(whole, folders, home=home, copies=COPIES)
        with working(whole, "--concurrency", "2", "--drain", home=home) as process:
            process.communicate()
        undisturbed = time.monotonic() - began
        disturbed, proxy = server.make("disturbed"), Proxy(server.port)
        add(disturbed, folders, home=home, copies=COPIES)
        through, began, done = server.address("disturbed", proxy.port), time.monotonic(), Counter[str]()
        plan = ["kill"] * kills + ["restart"] * restarts + ["cut"] * restarts
        chance.shuffle(plan)
        with ExitStack() as stack:
            for _ in range(2):
                stack.enter_context(working(through, "--concurrency", "2", home=home))
            while plan:
                victim = at_work(disturbed, lambda: add(disturbed, folders, home=home))
                time.sleep(chance.uniform(*BETWEEN_S))
                if strike(plan[-1], victim, server, proxy, chance):
                    done[plan.pop()] += 1
                    print(f"{done.total():3} {dict(done)}: {dict(states(disturbed))}", file=sys.stderr)
            if dead := ended(disturbed)["dead"]:
                done["task resumed by hand"] = dead
                resume(disturbed, home=home)
            tasks = ended(disturbed)
        for address in (whole, disturbed):  # a night's compaction fell before, into or after the disturbances
            cortex(address, "compact", home=home)
        return Disturbed(done, compared(whole, disturbed), tasks, time.monotonic() - began, undisturbed)


def strike(what: str, victim: int, server: Server, proxy: Proxy, chance: random.Random) -> bool:
    """Disturb once; False where the victim had ended by itself."""
    match what:
        case "kill":
            try:
                os.kill(victim, signal.SIGKILL)
            except ProcessLookupError:
                return False
        case "restart":
            server.stop("immediate")
            time.sleep(chance.uniform(0, AWAY_S))
            server.start()
        case _:
            proxy.cut(chance.uniform(0, AWAY_S))
    return True


def resume(address: str, *, home: Path) -> None:
    """Make due what is dead, as a person does who saw `cortex queue`."""
    with psycopg.connect(address) as db:
        dead = [str(number) for (number,) in db.execute("select id from tasks where state = 'dead'")]
    cortex(address, "queue", "resume", *dead, home=home)


def compared(whole: str, other: str) -> dict[str, tuple[int, bool]]:
    """Rows of each table, and whether they are the same; what differs is printed."""
    ours, theirs = held(whole), held(other)
    for name, rows in ours.items():
        for row, count in [*(rows - theirs[name]).items(), *(theirs[name] - rows).items()][:SHOWN]:
            print(f"{name} differ: {count} × {row}", file=sys.stderr)
    return {name: (rows.total(), rows == theirs[name]) for name, rows in ours.items()}


def told(run: Disturbed) -> str:
    """The table of a run that was disturbed."""
    what = ", ".join(f"{count} × {name}" for name, count in sorted(run.done.items()))
    lines = [
        "## Disturbed",
        "",
        f"{what} over {run.seconds:.0f} s of two workers of two processes; undisturbed {run.undisturbed_s:.0f} s.",
        f"Tasks in the end: {', '.join(f'{count} {state}' for state, count in run.tasks.items())}. Indexes agree with",
        "their tables, excerpts with their records.",
        "",
        "| table | rows | as without a disturbance |",
        "|---|---:|---|",
        *(f"| {name} | {rows:,} | {'yes' if same else '**no**'} |" for name, (rows, same) in run.table.items()),
    ]
    return "\n".join(lines)


def titles(folders: Sequence[Path]) -> list[str]:
    """The titles of commits that have a word."""
    logs = (
        subprocess.run(
            ["git", "-C", str(one), "log", "--format=%s", "-500"], capture_output=True, text=True, check=True
        )
        for one in folders
    )
    return [line for log in logs for line in log.stdout.splitlines() if re.search(r"[^\W_]{3}", line)]


def load(server: Server, folders: Sequence[Path], minutes: float) -> str:
    """Fifty askers with workers and a compaction beside them, after one asker alone."""
    questions, seconds = titles(folders), 60 * minutes
    with TemporaryDirectory() as scratch, ExitStack() as stack:
        home, address = Path(scratch), server.make("asked")
        add(address, folders, home=home)
        with working(address, "--concurrency", "2", "--drain", home=home) as process:
            process.communicate()
        base = counts(address)
        command = [*CORTEX, "--db", address, "--json", "-q", "serve", "--port", "0", "--processes", str(os.cpu_count())]
        served = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        stack.callback(served.wait)
        stack.callback(served.terminate)
        assert served.stdout
        port = int(re.findall(r":(\d+)\"", served.stdout.readline())[0])
        measure(port, questions, Load(1, 0), 5)  # until every process has begun
        rows = [("one asker", measure(port, questions, Load(1, 0), min(60, seconds)))]
        rows.append(("fifty, nothing beside", measure(port, questions, Load(ASKERS, PAUSE_S), min(60, seconds))))
        stop, added = threading.Event(), [0]
        feeding = threading.Thread(target=feed, args=(address, folders, home, stop, added))
        with working(address, "--concurrency", str(WORKERS), home=home):
            feeding.start()
            rows.append(
                (f"fifty, {WORKERS} workers and compactions", measure(port, questions, Load(ASKERS, PAUSE_S), seconds))
            )
            stop.set()
            feeding.join()
            tasks = ended(address)
        rows.append(("one asker, afterwards", measure(port, questions, Load(1, 0), min(60, seconds))))
        lost = [name for name, found in counts(address).items() if found != base[re.sub(r"-\d+$", "-0", name)]]
        with open_brain(located(address, Path(tempfile.gettempdir()))) as brain:
            holds = verify(brain).holds
    before, after = (rows[place][1].share(0.95) for place in (0, -1))
    lines = [
        f"## {ASKERS} askers",
        "",
        f"Each pauses {PAUSE_S:g} s between an answer and the next question. {added[0]} sources were indexed beside",
        f"them; with other numbers of facts and records than the first of its folder: {len(lost)}. Tasks:",
        f"{', '.join(f'{count} {state}' for state, count in tasks.items())}. `verify` holds: {holds}.",
        "",
        "| | answers | p50 ms | p95 ms | p95 beside one asker's before / afterwards | errors |",
        "|---|---:|---:|---:|---:|---:|",
        *(
            f"| {name} | {len(done.milliseconds)} | {done.share(0.5):.0f} | {done.share(0.95):.0f}"
            f" | {done.share(0.95) / before:.1f}× / {done.share(0.95) / after:.1f}× | {done.errors} |"
            for name, done in rows
        ),
    ]
    return "\n".join(lines)


def feed(address: str, folders: Sequence[Path], home: Path, stop: threading.Event, added: list[int]) -> None:
    """Keep tasks for the workers waiting: each folder under new names, and compactions of the first."""
    copy = 1
    while not stop.wait(1):
        if states(address)["pending"] >= WORKERS:
            continue
        for folder in folders:
            cortex(address, "queue", "add", str(folder), "--source", f"{folder.name}-{copy}", home=home)
            added[0] += 1
        cortex(address, "queue", "add", "--task", "compact", "--source", f"{folders[0].name}-0", home=home)
        copy += 1


def counts(address: str) -> dict[str, Any]:
    """Facts and records by source."""
    asked = """
        select s.name, (select count(*) from facts f where f.source_id = s.id),
            (select count(*) from records r where r.source_id = s.id)
        from sources s
    """
    with psycopg.connect(address) as db:
        return {name: numbers for name, *numbers in db.execute(asked)}


def rates(server: Server, folders: Sequence[Path]) -> str:
    """How long the same work takes one process after another, and workers."""
    found: list[tuple[str, float, float]] = []
    with TemporaryDirectory() as scratch:
        home = Path(scratch)
        address = server.make("in_turn")
        cortex(address, "index", str(folders[0]), "--source", "first", home=home)  # which makes the brain
        found.append(timed("`cortex index` in turn", lambda: in_turn(address, folders, home)))
        runs = [(f"{number} of one worker", number, 1) for number in (1, 2, WORKERS)]
        for place, (name, processes, workers) in enumerate([*runs, (f"{HOSTS} hosts", 1, HOSTS)]):
            address = server.make(f"rate_{place}")
            cortex(address, "index", str(folders[0]), "--source", "first", home=home)
            add(address, folders, home=home)
            found.append(timed(name, lambda: drained(address, processes, workers, home)))  # noqa: B023  called at once
    records = sum(one[1] for name, one in counts(address).items() if name != "first")
    first = found[0]
    lines = [
        "## Rates",
        "",
        f"{len(folders)} folders of {records:,} records, {os.cpu_count()} cores, the server on them. Processor time",
        "is that of the clients, without the server's.",
        "",
        "| | s | records a second | times in turn | processor s | beside in turn |",
        "|---|---:|---:|---:|---:|---:|",
        *(
            f"| {name} | {took:.1f} | {records / took:.0f} | {first[1] / took:.2f} | {busy:.1f}"
            f" | {busy / first[2]:.2f} |"
            for name, took, busy in found
        ),
    ]
    return "\n".join(lines)


def timed(name: str, work: Callable[[], None]) -> tuple[str, float, float]:
    """Seconds on the clock, and of the processor by what this process started."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    work()
    took, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{name}: {took:.1f} s", file=sys.stderr)
    return name, took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def in_turn(address: str, folders: Sequence[Path], home: Path) -> None:
    for folder in folders:
        cortex(address, "index", str(folder), "--source", f"{folder.name}-0", "--workers", "1", "-q", home=home)


def drained(address: str, processes: int, workers: int, home: Path) -> None:
    """Have *workers* do all tasks; those of several have a host name each."""
    with ExitStack() as stack:
        options = ("--concurrency", str(processes), "--drain")
        hosts = [f"host{place}" if workers > 1 else "" for place in range(workers)]
        for one in [stack.enter_context(working(address, *options, home=home, host=host)) for host in hosts]:
            if one.wait():
                raise SystemExit(one.stderr.read() if one.stderr else "a worker failed")
        ended(address)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--part", nargs="+", choices=["kills", "load", "rates"], default=["kills", "load", "rates"])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--restarts", type=int, default=10, help="of the server, and as many cuts of the network")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true", help=f"keep the tables in {RESULTS.name}")
    given = parser.parse_args()
    if not PROGRAMS and not shutil.which("initdb"):
        raise SystemExit("no PostgreSQL server is installed: looked in /usr/lib/postgresql and on the path for initdb")
    folders, chance, parts = [one.resolve() for one in given.folders], random.Random(given.seed), []  # noqa: S311
    with serving() as server:
        if "kills" in given.part:
            parts.append(told(disturb(server, folders, given.kills, given.restarts, chance)))
        if "load" in given.part:
            parts.append(load(server, folders, given.minutes))
        if "rates" in given.part:
            parts.append(rates(server, folders))
    text = "\n\n".join(["# A team's brain", f"`python bench/teams.py FOLDER … --part {' '.join(given.part)}`", *parts])
    print(text)
    if given.write:
        RESULTS.write_text(f"{text}\n", "utf-8")


if __name__ == "__main__":
    main()
