"""Coverage-guided fuzzing of every door for strangers' bytes: `make fuzz`, `python -m tests.fuzz --target phh`."""
