"""A hand as detectors read it: its acts in order, its streets, its chips."""
