"""The notebooks in submitted/ in; out comes a page of pairs of answers that are nearly the same.

It is for a person to read. Nothing is run, and no grade and no feedback knows of it.
"""
