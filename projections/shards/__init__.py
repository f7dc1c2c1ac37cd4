"""Lakes judged: one function for a shard, which processes of this machine or a cluster's run alike."""
