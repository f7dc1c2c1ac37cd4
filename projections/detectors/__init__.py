"""Detectors: one module for each subject, one function for each kind of wrong."""
