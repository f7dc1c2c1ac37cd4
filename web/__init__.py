"""Pages: documents built from hands and judgements, and the HTML that shows them. No command, no server."""
