"""Distillers turn the text of a record into candidate facts."""
