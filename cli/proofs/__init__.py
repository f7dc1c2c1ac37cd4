"""Evidence files and lakes: how they are made, and how they are checked."""
