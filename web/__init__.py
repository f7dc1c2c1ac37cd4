"""Build page documents from hands and judgements, and draw them as HTML. Commands and the server live elsewhere."""
