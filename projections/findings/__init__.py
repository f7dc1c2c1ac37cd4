"""Breaches and findings, the doubts that lower their certainty, and the source lines that they cite."""
