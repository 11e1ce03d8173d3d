"""Families of topics: how to lay out a program's arguments and how to read its results (ways.py)."""
