"""Presents results to people, as tables, pages and spreadsheets."""
