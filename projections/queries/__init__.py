"""The query language that selects hands: `table:T7 pot>=200 player:"Old Tom" -position:BTN`."""
