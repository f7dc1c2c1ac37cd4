"""What a detector finds, what makes it doubtful, and the lines of the source that show it."""
