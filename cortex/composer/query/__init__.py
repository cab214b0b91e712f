"""Part of the answer path."""
