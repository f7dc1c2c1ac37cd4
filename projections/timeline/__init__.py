"""A hand as detectors read it: its setup, acts, streets and chips, and a quick check for signs of violations."""
