"""Results -> nbgrader: its converter, its database and its pages, with the course's grader in place of a kernel."""

import sys

sys.modules.setdefault(
    "rfc3987_syntax", None
)  # jsonschema would build a grammar of addresses with it: a second at every start
