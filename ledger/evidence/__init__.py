"""Evidence: one hand, or one case, in a small file that a stranger can check offline."""
