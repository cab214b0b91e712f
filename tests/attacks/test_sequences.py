"""Undoing what a sequence compacted leaves what a fresh index of its last input would; bench/sequences.py runs 500."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

from tests.attacks.sequences import Sequences

TestSequences = Sequences.TestCase
TestSequences.settings = settings(
    max_examples=4, stateful_step_count=20, deadline=None, suppress_health_check=[*HealthCheck]
)
