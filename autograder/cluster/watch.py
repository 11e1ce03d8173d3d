"""Watch: how many submissions the cluster takes now; Refused when its scheduler or its workers stay away."""

import time
from concurrent.futures import CancelledError

from autograder.refused import Refused

from . import QUEUED_PER_WORKER

PATIENCE = 120  # seconds for the scheduler to come back, and for a first worker
EVERY = 2
NO_SCHEDULER = (
    "The scheduler {} has not answered for {:.0f} s. What was graded is kept: start it and its workers, then "
    "run this again."
)
NO_WORKERS = (
    "The scheduler {} has had no workers for {:.0f} s. What was graded is kept: start workers as "
    "docs/scale.md says, then run this again."
)


class Watch:
    """Asks the scheduler every two seconds."""

    def __init__(self, client, address, patience=PATIENCE):
        self.client, self.address, self.patience = client, address, patience
        self.threads, self.seen, self.asked = 0, time.monotonic(), None

    def room(self):
        """How many submissions may be on their way; workers that join later are counted too."""
        self.look()
        return max(1, QUEUED_PER_WORKER * self.threads)

    def look(self):
        now = time.monotonic()
        if self.asked is not None and now - self.asked < EVERY:
            return
        self.asked, self.threads = now, self.threads_now()
        if self.threads:
            self.seen = now
        elif now - self.seen > self.patience or self.client.status == "closed":
            reason = NO_WORKERS if self.client.status == "running" else NO_SCHEDULER
            raise Refused(reason.format(self.address, now - self.seen))

    def threads_now(self):
        try:
            return sum(self.client.nthreads().values()) if self.client.status == "running" else 0
        except (OSError, CancelledError, TimeoutError):  # it goes away at this moment
            return 0

    def wait_for_scheduler(self):
        while self.client.status != "running":
            self.look()
            time.sleep(0.1)

    def wait_for_workers(self):
        while not self.threads:
            self.look()
            time.sleep(0.1)
