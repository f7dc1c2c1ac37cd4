"""Charts as geometry: templates draw them as SVG, with the numbers as a table beside them."""
