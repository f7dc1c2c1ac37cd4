"""What commands print: answers, tables, errors and the next step."""
