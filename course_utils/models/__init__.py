"""Weights of trained models."""
