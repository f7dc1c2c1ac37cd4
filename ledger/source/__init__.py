"""Sources whose bytes readers get in another form; places point at the original bytes."""
