"""What people ask of a ledger: corrections, cases, holds, erasure, rulebook files, the key, and its hands one by one."""
