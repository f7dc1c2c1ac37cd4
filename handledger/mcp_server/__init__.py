"""The server for assistants that speak the Model Context Protocol: it reads, and never writes."""
