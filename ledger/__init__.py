"""What happened at the tables, how it is kept, how it comes in and goes out."""

__version__ = "0.1.0"
