"""Tamper evidence over the log: Merkle tree, signed checkpoints, proofs. Nothing here knows a store."""
