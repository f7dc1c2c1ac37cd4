"""JSON documents that commands write, and their published schemas."""
