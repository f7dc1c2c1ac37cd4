"""Detectors: one module for each subject, one function for each kind of breach.

Rulebooks cite a detector by module and function (`straddle.too_many`), so these names never change. Each is
named after the breach that it finds, and its docstring states that breach.
"""
