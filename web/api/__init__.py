"""The append API: devices and programs record tables over HTTP, each with a key of its own."""
