"""What is due on a hand: positions, posts and who is dealt in, each with its reasons."""
