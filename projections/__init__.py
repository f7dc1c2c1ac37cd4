"""What to make of it: rulebooks, detectors, findings, audits and reports."""
