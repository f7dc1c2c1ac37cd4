"""Names and texts of people: their vault, their ids, and how a forgotten name is blacked out."""
