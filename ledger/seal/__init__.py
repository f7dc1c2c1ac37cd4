"""Tamper evidence for the log: Merkle tree, signed checkpoints, proofs. Nothing here uses a store."""
