"""The answer path: understand, retrieve, rank, resolve, judge, answer."""
