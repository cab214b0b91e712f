"""The journal of a source: notes, outcomes and reviews in plain files, of which the brain is an index.

    notes/WORDS-ID.md   one note or directive a file
    outcomes.jsonl      outcomes of work; the latest row of a slug counts
    reviews.jsonl       records and facts withdrawn or restored; the latest row of a name counts

Trusted writers' notes about a repository stand in its `.cortex/`, shared by git; all others stand beside the brain.
Untrusted text enters a repository only by approval, and symbolic links are never followed. A file in `.cortex/` is
trusted once the default branch of `origin` has it, or where this machine wrote it.
"""
