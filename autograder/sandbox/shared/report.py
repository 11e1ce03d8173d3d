"""What the keeper of a job tells the grader, as JSON, when all its processes are dead."""

import json
from typing import NamedTuple

NO_SETUP = "no setup"
# what may be wrong with a message, of which a WireError tells
OUT_OF_TIME, CLOSED = "out of time", "closed"
TOO_LARGE, NO_MESSAGE = "the message is too large", "not a message"


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
