"""Hands of a ledger on their way to judgement: table by table, each in its place, and what was not read of them."""
