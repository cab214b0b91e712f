"""From a question to an answer with citations, or to the refusal."""
