"""A class of the worst kind: submissions that cheat, harm or break, and good work in odd files."""
