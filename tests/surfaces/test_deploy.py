"""What `deploy/` starts: files that parse, commands that exist, an image that copies what the wheel is built from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import yaml

from cortex.surfaces.cli import cli
from tests.surfaces.http_sites import serving
from tests.tables import walk

ROOT = Path(__file__).parent.parent.parent
DEPLOY = ROOT / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
KUBERNETES = [*yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text("utf-8"))]
DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")


def containers(node: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401  any part of a manifest
    if isinstance(node, dict):
        yield from node.get("containers", ())
        for one in node.values():
            yield from containers(one)
    elif isinstance(node, list):
        for one in node:
            yield from containers(one)


COMMANDS = [
    *(one["command"] for one in COMPOSE["services"].values() if "command" in one),
    *(one["args"] for one in containers(KUBERNETES)),
    *(re.findall(r'"([^"]+)"', line) for line in DOCKERFILE.splitlines() if line.startswith("CMD")),
]


@walk("command", COMMANDS, ids=[" ".join(one[:2]) for one in COMMANDS])
def test_a_command_that_is_started_is_one_of_cortex(command: list[str]) -> None:
    group: click.Command = cli
    context = click.Context(group)
    words = [re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", one) for one in command]
    while isinstance(group, click.Group):
        name, found, words = group.resolve_command(context, words)
        assert found is not None
        assert name is not None
        group = found
        context = click.Context(group, parent=context, info_name=name)
    group.make_context(group.name, words, parent=context.parent)


def test_a_probe_asks_what_the_server_answers(brain: Path) -> None:
    probes = [
        one[probe]["httpGet"]["path"]
        for one in containers(KUBERNETES)
        for probe in ("startupProbe", "livenessProbe", "readinessProbe")
        if probe in one
    ]
    asked = re.findall(r"127\.0\.0\.1:8765(/\w+)", str(COMPOSE["services"]["server"]["healthcheck"]))
    with serving(brain) as site:
        assert {site.send("GET", path).status for path in {*probes, *asked}} == {200}
    assert len(probes) == 3


def test_the_image_has_every_folder_that_the_wheel_is_built_from() -> None:
    lines = re.findall(r"^COPY ([^-].*)", DOCKERFILE, re.MULTILINE)
    copied = {Path(one) for line in lines for one in line.split()[:-1]}
    packaged = re.findall(r'^"?([\w/.]+)"? = "cortex/', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    assert packaged
    for one in ("cortex", "README.md", "LICENSE", *packaged):
        assert any(Path(one).is_relative_to(place) for place in copied), one


def test_the_services_use_the_image_that_the_repository_builds() -> None:
    built = {name for name, one in COMPOSE["services"].items() if "build" in one}
    assert built == {"server", "worker"}
    assert (DEPLOY / COMPOSE["services"]["server"]["build"]["context"]).resolve() == ROOT
    assert (ROOT / COMPOSE["services"]["server"]["build"]["dockerfile"]).is_file()
    assert {one["image"] for one in containers(KUBERNETES)} == {"cortex:latest"}
