"""The Merkle tree over the log, its signed checkpoints and their time stamps."""
