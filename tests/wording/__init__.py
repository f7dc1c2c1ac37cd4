"""Every sentence for people, rendered with sample values: one file per module of `projections/sentences`."""
