"""Weights of tiny trained models, and the letters that these read."""
