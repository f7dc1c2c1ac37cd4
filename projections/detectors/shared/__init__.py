"""What several detectors ask of a hand."""
