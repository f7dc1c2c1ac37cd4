"""What the readers of all formats share: lines, amounts, moments, and a hand while it is told."""
