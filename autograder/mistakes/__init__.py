"""Attention written wrongly, a switch at a time: what exercises declare as mistakes."""
