"""Tables made from the log: what hands came to, hand by hand and seat by seat, and what was found in them."""
