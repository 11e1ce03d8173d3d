"""A Sheet and Observations come in, a Verdict for each case goes out, and the points. It runs no student's
code."""
