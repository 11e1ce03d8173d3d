"""Builds a report on the class from the gradebook and the graded pages. No submission is run again."""
