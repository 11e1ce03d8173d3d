"""Families of exercises: how arguments are laid out for what somebody wrote, and how results are read."""
