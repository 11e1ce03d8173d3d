"""Experiments behind what lessons state without showing it; each writes a JSON file next to its script.

minutes.json: four readers' estimates for each section of 00 to 04, before some became optional, and a
fifth's for the core of 00 to 05.
"""
