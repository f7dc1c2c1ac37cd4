"""How events are kept: commit rows behind the eventsourcing library's interfaces."""
