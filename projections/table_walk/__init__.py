"""Read stored hands table by table, each with its table's history, and find the lines that couldn't be read."""
