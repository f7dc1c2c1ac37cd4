"""Sentences for people, one module per subject. Each function returns whole sentences and takes named fields.

A breach has three: `saw` is a headline without a full stop ("Seat 6 acted out of turn on the flop; seat 2 was next"),
`should` completes "Should be:" ("button in seat 4"), `because` is whole sentences with full stops.
`tests/wording` renders every function with sample values, so that all sentences can be read in one place.
"""
