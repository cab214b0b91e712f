"""Composers: rows become an answer."""
