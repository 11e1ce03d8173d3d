"""Programs that maintainers run by hand."""
