"""Weights of tiny trained models, and their alphabet."""
