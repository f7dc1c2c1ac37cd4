"""Documents and texts of hands, findings and blinds due, for commands, pages and programs."""
