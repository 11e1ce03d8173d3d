"""Plotting functions: each draws its data on matplotlib Axes and returns the Axes."""
