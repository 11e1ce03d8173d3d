"""Finds answers in submitted/ that are nearly the same, and writes a page of such pairs.

The page is for a person to read. Nothing is run, and neither grades nor feedback use the result.
"""
