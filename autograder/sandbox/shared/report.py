"""What the keeper of a job tells the grader, as JSON, when all its processes are dead."""

import json
from typing import NamedTuple

NO_SETUP = "no setup"


class Report(NamedTuple):
    """Why the job ended: "exit", "stopped", "time" or "memory"; NO_SETUP and an error, if it never began."""

    why: str
    error: str = ""

    def __str__(self):
        return ": ".join(filter(None, self))

    def as_bytes(self):
        return json.dumps(self._asdict()).encode()

    @classmethod
    def from_bytes(cls, data):
        return cls(**json.loads(data))
