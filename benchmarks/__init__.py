"""How fast, on this machine, now: each prints what it measured."""
