"""The address of a scheduler: is it one, and does anything listen there?"""

import socket
from urllib.parse import urlsplit

from autograder.refused import Refused

ANSWER_SECONDS = 10
NO_ADDRESS = "{} is no address of a scheduler: it looks like tcp://HOST:8786, or tls://HOST:8786."
NO_ANSWER = "No scheduler answers at {} ({}): start one there (docs/scale.md), or look at the address."


def must_answer(address):
    """Refused at once when nothing listens there: Dask itself would try for minutes."""
    try:
        parts = urlsplit(address)
        place = parts.hostname, parts.port
    except ValueError:
        raise Refused(NO_ADDRESS.format(address)) from None
    if parts.scheme not in ("tcp", "tls") or not all(place):
        raise Refused(NO_ADDRESS.format(address))
    try:
        socket.create_connection(place, ANSWER_SECONDS).close()
    except OSError as error:
        raise Refused(NO_ANSWER.format(address, error.strerror or error)) from None
