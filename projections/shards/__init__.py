"""Import into lakes and audit them, shard by shard. Processes of this machine or of a cluster can run the work."""
