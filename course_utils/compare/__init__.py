"""A Sheet and Observations come in, an Attempt goes out: a Verdict for each case, and the points. No student
code runs here."""
