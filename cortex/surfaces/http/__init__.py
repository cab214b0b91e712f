"""Cortex over HTTP: a route for every operation a remote client may have, a webhook, MCP and the page."""
