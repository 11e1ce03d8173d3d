"""A class of the worst kind: submissions that cheat, harm, break and, among them, plain good work in odd files."""
