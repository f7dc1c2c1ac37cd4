"""Code that the readers of all formats share: lines, amounts, moments, and the builder of a hand."""
