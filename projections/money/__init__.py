"""The money around the table: boxes, trays, funds, entries and prizes, against what the hands say."""
