"""Where student code runs: cells in, observations out. Nothing here knows a wanted value."""
