"""Cases: what is said of them, what can be done to them, and how they are told."""
