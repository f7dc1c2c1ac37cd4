"""Walk a table's stored hands in order, each with the table's history; save walks; find lines that couldn't be read."""
