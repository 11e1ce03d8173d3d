"""A Sheet and Observations come in, an Attempt goes out: a Verdict for each case, and the points. It runs no
student's code."""
