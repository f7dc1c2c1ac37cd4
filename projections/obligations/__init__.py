"""What a table's next hand is due: positions, posts, who is dealt in, and the reasons for each."""
