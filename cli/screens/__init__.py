"""Screens that a person works at: replay, record, watch and answer."""
