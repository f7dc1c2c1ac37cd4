"""Worker processes and the garbage collector of a process."""
