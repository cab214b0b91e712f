"""English, and only here: words, identifiers, Markdown, sentences, dates, quantities, modality and stated changes."""
