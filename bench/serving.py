"""How long `cortex serve` takes to answer: one asker, then fifty at once, over HTTP on loopback.

    python bench/serving.py DATA [SECONDS]

DATA is a folder of exported GitHub data. What is asked is its `questions.jsonl` and the titles of its issues and pull
requests, so that hardly two of fifty ask the same at once. The askers are processes of their own; each asks at random
and waits for the answer before it asks again. With a pause they are fifty people or agents who read what they get.
Without one they want all that can be had: each waits 50 / (answers a second), whatever the server does, and only more
cores, cheaper answers or askers who share a question make it less.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from math import ceil
from pathlib import Path
from typing import NamedTuple

RESULTS = Path(__file__).parent / "results" / "serving.md"
ASKERS = 50
FEW = 7  # questions that everybody asks
KEPT_S = 5  # how long the server keeps a connection on which nothing is asked
CLIENTS = 2  # processes the askers are spread over
BUSY = """: others worked here too, now more, now less,
so that the rows are not of the same machine."""
CORTEX = (sys.executable, "-c", "from cortex.surfaces.cli import main; main()")


class Load(NamedTuple):
    """So many askers, who pause so long between an answer and the next question."""

    askers: int
    pause_s: float
    questions: int = 0  # different ones; 0 is all of them


class Measured(NamedTuple):
    load: Load
    milliseconds: list[float]
    errors: int
    seconds: float

    def share(self, share: float) -> float:
        return sorted(self.milliseconds)[int(share * (len(self.milliseconds) - 1))]


def ask_for(port: int, questions: Sequence[str], seed: int, pause_s: float, seconds: float) -> tuple[list[float], int]:
    """Milliseconds of each answer one asker gets in *seconds*, and how many of its questions failed."""
    order = random.Random(seed)  # noqa: S311  a load, no secret
    took: list[float] = []
    errors = 0
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    time.sleep(order.random() * pause_s)  # people do not begin together
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        body = json.dumps({"question": order.choice(questions)})
        started = time.perf_counter()
        try:
            connection.request("POST", "/v1/ask", body, {"content-type": "application/json"})
            response = connection.getresponse()
            response.read()
            errors += response.status != 200
        except (OSError, http.client.HTTPException):
            errors += 1
            connection.close()
        took.append((time.perf_counter() - started) * 1000)
        if pause_s >= KEPT_S:
            connection.close()  # which the server does meanwhile
        time.sleep(pause_s)
    connection.close()
    return took, errors


def askers(
    port: int, questions: Sequence[str], seeds: Sequence[int], pause_s: float, seconds: float
) -> tuple[list[float], int]:
    """What several askers get, each in a thread of this process."""
    with ThreadPoolExecutor(len(seeds)) as pool:
        done = list(pool.map(lambda seed: ask_for(port, questions, seed, pause_s, seconds), seeds))
    return [one for took, _ in done for one in took], sum(errors for _, errors in done)


def measure(port: int, questions: Sequence[str], load: Load, seconds: float) -> Measured:
    parts = [list(range(load.askers))[place::CLIENTS] for place in range(min(CLIENTS, load.askers))]
    started = time.perf_counter()
    with ProcessPoolExecutor(len(parts)) as pool:
        waiting = [pool.submit(askers, port, questions, part, load.pause_s, seconds) for part in parts]
        done = [one.result() for one in waiting]
    spent = time.perf_counter() - started
    return Measured(load, [one for took, _ in done for one in took], sum(errors for _, errors in done), spent)


def asked_in(data: Path) -> list[str]:
    """Every question of *data*, and every title that has a word."""
    fields = {"questions": "question", "issues": "title", "pulls": "title"}
    files = ((data / f"{name}.jsonl", field) for name, field in fields.items())
    lines = [(line, field) for path, field in files if path.exists() for line in path.open(encoding="utf-8")]
    found = dict.fromkeys(json.loads(line)[field] for line, field in lines)
    return [text for text in found if re.search(r"[^\W_]", text)]


def main(data: Path, seconds: float) -> None:
    questions = asked_in(data)
    cores = os.cpu_count() or 1
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        brain = str(Path(folder) / "brain.db")
        subprocess.run(
            [*CORTEX, "--db", brain, "-q", "index", "--github-export", str(data)], check=True, stdout=subprocess.DEVNULL
        )
        command = [*CORTEX, "--db", brain, "--json", "-q", "serve", "--port", "0", "--processes", str(cores)]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            assert server.stdout
            port = int(re.findall(r":(\d+)\"", server.stdout.readline())[0])
            measure(port, questions, Load(1, 0), 3)  # until every process has begun
            loads = [Load(1, 0), Load(ASKERS, 2), Load(ASKERS, 1), Load(ASKERS, 0)]
            done = [measure(port, questions, load, seconds) for load in loads]
            done.append(measure(port, questions[:FEW], Load(ASKERS, 0, FEW), seconds))
        finally:
            server.terminate()
            server.wait()
    text = report(done, seconds, cores, before, len(questions))
    print(text)
    RESULTS.write_text(text, "utf-8")


def needed(done: Sequence[Measured], cores: int) -> int:
    """Cores on which fifty askers without a pause would wait four times as long as one asker, waiting being shared."""
    busy = next(row for row in done if row.load == Load(ASKERS, 0))
    return ceil(cores * busy.share(0.95) / (4 * done[0].share(0.95)))


def report(done: Sequence[Measured], seconds: float, cores: int, busy: float, asked: int) -> str:
    one = done[0]
    lines = [
        "| askers | questions | pause | answers a second | p50 ms | p95 ms | p95 beside one asker's | errors |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in done:
        rate = len(row.milliseconds) / row.seconds
        p50, p95 = row.share(0.5), row.share(0.95)
        lines.append(
            f"| {row.load.askers} | {row.load.questions or asked} | {row.load.pause_s:g} s | {rate:.1f} | {p50:.0f}"
            f" | {p95:.0f} | {p95 / one.share(0.95):.1f}× | {row.errors} |"
        )
    table = "\n".join(lines)
    return f"""# Serving

`python bench/serving.py DATA {seconds:g}`: {seconds:g} s each over HTTP on loopback, {cores} processes that answer on
{cores} cores shared with the askers; load average {busy:.1f} when it began{BUSY if busy > 1 else "."}

{table}

Fifty askers without a pause keep every core at work: each waits for what the others take, {ASKERS / cores:.1f}
answers one after the other on each of {cores} cores. While no two ask the same, only more cores or cheaper answers make
that less: four times one asker's p95 would take {needed(done, cores)} cores like these. Those who read an answer before
they ask again are the rows with a pause. Threads instead:
docs/decisions/0040-questions-are-answered-in-processes.md.
"""


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 60)
