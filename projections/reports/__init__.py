"""Hands, findings and blinds due as JSON documents and as text, for commands and pages."""
