"""Traces and metrics of requests by OpenTelemetry, where its standard variables name a collector.

`OTEL_EXPORTER_OTLP_ENDPOINT` switches it on; the others of the standard (service name, headers, sampler) hold.
A span tells the shape of a request as the log does, never what it says, and belongs to the trace that the caller began.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from time import time_ns
from typing import Final

from cortex.errors import MissingExtra

SWITCHES: Final = tuple(f"OTEL_EXPORTER_OTLP_{part}ENDPOINT" for part in ("", "TRACES_", "METRICS_"))


class Telemetry:
    """Sends the shapes of requests to the collector; it needs the extra `otel`."""

    def __init__(self) -> None:
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter  # noqa: PLC0415
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
        from opentelemetry.sdk.metrics import MeterProvider  # noqa: PLC0415
        from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader  # noqa: PLC0415
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

        resource = Resource.create({"service.name": os.environ.get("OTEL_SERVICE_NAME", "cortex")})
        self._traces = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._traces.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        readers = [PeriodicExportingMetricReader(OTLPMetricExporter())]
        self._metrics = MeterProvider(readers, resource=resource, shutdown_on_exit=False)
        self._tracer = self._traces.get_tracer("cortex")
        meter = self._metrics.get_meter("cortex")
        self._duration = meter.create_histogram("http.server.request.duration", unit="s")

    def note(self, method: str, route: str, status: int, seconds: float, headers: Mapping[str, str]) -> None:
        """Tell of a request that was answered just now; its *headers* may name the trace it belongs to."""
        from opentelemetry.trace import SpanKind, Status, StatusCode  # noqa: PLC0415
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator  # noqa: PLC0415

        end, begun = time_ns(), TraceContextTextMapPropagator().extract(headers)
        shape: dict[str, str | int] = {
            "http.request.method": method, "http.route": route, "http.response.status_code": status
        }  # fmt: skip
        start = end - round(seconds * 1e9)
        span = self._tracer.start_span(f"{method} {route}", begun, SpanKind.SERVER, shape, start_time=start)
        if status >= 500:
            span.set_status(Status(StatusCode.ERROR))
        span.end(end)
        self._duration.record(seconds, shape)

    def close(self) -> None:
        """Send what was not sent yet."""
        self._traces.shutdown()
        self._metrics.shutdown()


def telemetry() -> Telemetry | None:
    """What the environment asks for; None where it names no collector.

    Raises:
        MissingExtra: it does, and the extra `otel` is not installed.
    """
    if not any(os.environ.get(name) for name in SWITCHES) or os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return None
    try:
        return Telemetry()
    except ImportError as error:
        raise MissingExtra("otel", "sending traces to OTEL_EXPORTER_OTLP_ENDPOINT") from error
