"""Free notes of a night: each line becomes canonical handscript or a question.

`reader` takes a file that the strict grammar rejects. `night` splits it into hands and tracks the roster. `tokenizer` and
`line_parser` turn a line into statements. `hand_reader` plays a hand's statements and writes the canonical lines.
"""
