"""What Prometheus may count of a server: requests, their times and answers, by operation and never by content."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST as CONTENT_TYPE

__all__ = ["CONTENT_TYPE", "Metrics"]

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """The counts of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "cortex_requests", "Requests that were answered", ["route", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "cortex_request_seconds", "How long they took", ["route"], buckets=_BUCKETS, registry=self.registry
        )
        self.open = Gauge("cortex_requests_open", "Requests that are being answered", registry=self.registry)
        self.answers = Counter("cortex_answers", "Questions by what came of them", ["result"], registry=self.registry)
        self.deliveries = Counter(
            "cortex_deliveries", "Deliveries of webhooks by what came of them", ["result"], registry=self.registry
        )
        self.hung_up = Counter(
            "cortex_hung_up", "Connections that were closed on clients who kept us waiting", ["why"],
            registry=self.registry,
        )  # fmt: skip
        self.facts_due = Gauge(
            "cortex_facts_due", "Sources of which what was delivered waits for its facts", registry=self.registry
        )

    def text(self) -> bytes:
        """All of them as Prometheus reads them."""
        return generate_latest(self.registry)
