"""Briefs, decisions and owners: what to know before a task."""
