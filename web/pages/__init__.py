"""Page documents: built from hands and judgements, and drawn as HTML or PDF."""
