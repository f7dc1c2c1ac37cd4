"""Who may connect, with which key and role, and how much they may send."""
