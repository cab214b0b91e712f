"""A brain of the demo project, and commands on it, as the tests of the surfaces have them."""

from __future__ import annotations

from tests.surfaces.conftest import brain, cortex, process

__all__ = ["brain", "cortex", "process"]
