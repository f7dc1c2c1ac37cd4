"""Verification of a ledger from its raw rows. Shares no code with the modules that write."""
