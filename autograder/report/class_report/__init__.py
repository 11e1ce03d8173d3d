"""The report on a class: what the gradebook and the graded pages beside it say, nothing run again."""
