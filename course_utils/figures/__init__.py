"""Pictures: small functions that take data and Axes, and return the Axes."""
