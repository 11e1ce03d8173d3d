"""GradedSubmission -> nbgrader's gradebook and pages: by `make grade`, nbgrader and formgrader."""

import sys

# jsonschema would build a grammar of addresses with this package: a second at every start
sys.modules.setdefault("rfc3987_syntax", None)
