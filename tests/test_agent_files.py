"""What agents read of this repository says what the program says."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

from cortex.surfaces.operations import every
from tests.sources import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def held(name: str) -> Any:  # noqa: ANN401  whatever the file holds
    return json.loads((ROOT / name).read_text("utf-8"))


def test_the_registry_is_told_of_this_package_in_this_version() -> None:
    server = held("server.json")
    (package,) = server["packages"]
    assert {server["version"], package["version"]} == {PROJECT["version"]}
    assert package["identifier"] == PROJECT["name"]
    assert package["identifier"] in PROJECT["scripts"]  # what `uvx` runs
    assert [argument["value"] for argument in package["packageArguments"]] == ["mcp"]
    assert len(server["description"]) <= 100


def test_the_registry_finds_its_name_in_the_readme_and_the_publisher_is_told_what_to_fill_in() -> None:
    name = held("server.json")["name"]
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", name)  # what the registry's schema takes
    assert f"<!-- mcp-name: {name} -->" in (ROOT / "README.md").read_text("utf-8")
    namespace, _, _ = name.partition("/")
    assert f"sed -i s/{namespace}/" in (ROOT / "docs" / "agents.md").read_text("utf-8")


def test_a_client_in_this_repository_starts_this_cortex() -> None:
    assert held(".mcp.json")["mcpServers"]["cortex"]["args"] == ["mcp"]


def test_agents_are_led_to_a_short_page() -> None:
    assert (ROOT / "CLAUDE.md").read_text("utf-8").strip() == "@AGENTS.md"
    assert len((ROOT / "AGENTS.md").read_text("utf-8").splitlines()) <= 30


def test_llms_txt_leads_to_pages_that_exist() -> None:
    lines = (ROOT / "llms.txt").read_text("utf-8").splitlines()
    pages = [line.partition("](")[2].partition(")")[0] for line in lines if line.startswith("- [")]
    assert len(pages) > 10
    assert [page for page in pages if not (ROOT / page).is_file()] == []
    assert "- []" not in "\n".join(lines)


def test_every_operation_has_its_section() -> None:
    page = (ROOT / "docs" / "reference" / "operations.md").read_text("utf-8")
    sections = page.split("\n## ")[1:]
    assert [section.partition("\n")[0] for section in sections] == [one.name for one in every()]
    for one, section in zip(every(), sections, strict=True):
        assert one.summary in section
        assert (f"`POST /v1/{one.name}`" in section) is not one.local
        assert [name for name in one.parameters.model_fields if f"| `{name}` |" not in section] == []
