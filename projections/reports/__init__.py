"""Reports: each renders findings one way."""
