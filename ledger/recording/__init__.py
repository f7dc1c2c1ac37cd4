"""Record a table during play: turn lines and acts into events, each durable by itself."""
