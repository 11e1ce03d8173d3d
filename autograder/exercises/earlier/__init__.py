"""Exercises that no lesson has any more; they grade submissions made from releases that had them."""
