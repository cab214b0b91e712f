"""Retrievers: each finds rows in its own way; none knows of the others."""
