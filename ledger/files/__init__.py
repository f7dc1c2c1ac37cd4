"""Files on the disk: those a person names, key files, and findings spooled to the disk."""
