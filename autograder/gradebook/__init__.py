"""Writes GradedSubmissions to nbgrader's gradebook and pages, for `make grade`, nbgrader and formgrader."""

import sys

# with this package, jsonschema would build a grammar of URIs, which takes a second at every start
sys.modules.setdefault("rfc3987_syntax", None)
