"""The worst imaginable class: submissions that cheat, do harm or are broken, and good work in odd files."""
