"""Softmax in one pass: inputs and ways to call, a reference with its slips, and whether it is one pass."""
