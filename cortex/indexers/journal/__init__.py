"""The journal of a source: what people and agents told Cortex, in plain files that stand before any brain knows of it.

    notes/WORDS-ID.md   a note or a directive each
    outcomes.jsonl      what became of pieces of work; of one slug the latest row counts
    reviews.jsonl       what is not to be told any more, and what is again; of one name the latest row counts

What trusted writers say of a repository stands in its `.cortex/`, which git shares; everything else beside the brain.
Nobody writes into a repository what no person of the project took up, and nothing there is read or written through a
link. Who stands behind a file there is who committed it: on a branch that the project's own does not have nobody does
yet, unless it was written on this machine.
"""
