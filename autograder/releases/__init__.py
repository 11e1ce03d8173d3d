"""Load the current and earlier releases of lessons, by which submissions are read and graded."""
