"""Traces and metrics by OpenTelemetry, sent by its SDK to a collector on loopback."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from cortex.surfaces.http.telemetry import telemetry
from tests.surfaces.http_sites import serving

TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = "b7ad6b7169203331"


@contextmanager
def collector() -> Iterator[tuple[str, dict[str, list[bytes]]]]:
    """A collector of OTLP over HTTP, and what it was sent, by path."""
    sent: dict[str, list[bytes]] = {}

    class Taking(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            sent.setdefault(self.path, []).append(body)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Taking)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", sent
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_request_is_a_span_of_the_callers_trace(brain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with collector() as (address, sent):
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
        monkeypatch.setenv("OTEL_SERVICE_NAME", "our memory")
        with serving(brain) as site:
            site.send("GET", "/healthz", None, {"traceparent": f"00-{TRACE}-{PARENT}-01"})
            site.call("ask", question="Who owns the secret eval harness?")
            site.send("GET", "/made/up/path")
    spans = [
        span
        for body in sent["/v1/traces"]
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]
    told = {span.name: span for span in spans}
    assert {*told} == {"GET health", "POST ask", "GET none"}
    assert (told["GET health"].trace_id.hex(), told["GET health"].parent_span_id.hex()) == (TRACE, PARENT)
    assert told["POST ask"].parent_span_id == b""
    assert 0 < told["POST ask"].end_time_unix_nano - told["POST ask"].start_time_unix_nano < 60e9
    (metrics,) = (ExportMetricsServiceRequest.FromString(body) for body in sent["/v1/metrics"][-1:])
    (duration,) = metrics.resource_metrics[0].scope_metrics[0].metrics
    assert (duration.name, sum(point.count for point in duration.histogram.data_points)) == (
        "http.server.request.duration", 3,
    )  # fmt: skip
    assert b"our memory" in sent["/v1/traces"][0]
    assert not any(word in body for bodies in sent.values() for body in bodies for word in (b"secret", b"made"))


def test_nothing_is_sent_where_no_collector_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("", "TRACES_", "METRICS_"):
        monkeypatch.delenv(f"OTEL_EXPORTER_OTLP_{name}ENDPOINT", raising=False)
    assert telemetry() is None
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    assert telemetry() is None


def test_a_collector_that_is_away_costs_no_answer(brain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
    with serving(brain) as site:
        assert site.call("ask", question="Who owns the eval harness?").status == 200
