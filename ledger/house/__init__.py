"""The house: its events, rulebooks, devices and users."""
