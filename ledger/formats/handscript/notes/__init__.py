"""Free notes of a night: each line becomes canonical handscript or a question.

`reader` takes a file that the strict grammar refuses; `night` parts it into hands and remembers who sits where; `tokenizer` and
`phrases` make statements of a line; `interpreter` plays the statements of a hand and writes the canonical lines.
"""
