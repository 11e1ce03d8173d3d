"""In: the gradebook and the graded pages. Out: a report on the class. No submission is run again."""
