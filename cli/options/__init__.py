"""Options that commands share: what they accept, complete and open."""
