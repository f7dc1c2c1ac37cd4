"""One language in which hands are asked for: `table:T7 pot>=200 player:"Old Tom" -position:BTN`."""
