"""The append API, through which devices and programs record tables over HTTP, each with its own key."""
