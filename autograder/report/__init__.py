"""Results as people read them: tables, pages, spreadsheets."""
