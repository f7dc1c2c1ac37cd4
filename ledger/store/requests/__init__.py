"""What people ask of a ledger: corrections, cases, holds, erasure, rulebook files, the key."""
