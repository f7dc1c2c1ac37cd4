"""What a person types: one file for each command, only arguments and printing inside."""
