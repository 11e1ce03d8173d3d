"""Attention in all its forms: inputs, an independent reference with its known slips, the ways to call it, and
the ways to understand the weights that an object holds."""
