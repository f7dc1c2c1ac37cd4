"""Bringing sources into the ledger: found, recognised, read, validated, stored, accounted for."""
