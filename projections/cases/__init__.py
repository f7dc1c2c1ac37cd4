"""Cases about disputed hands: read the claim, add statements, evidence and rulings, and show the case."""
