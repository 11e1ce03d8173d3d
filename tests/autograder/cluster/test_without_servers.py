"""The client's own checks: addresses, missing packages, absent workers, and a rejected submission."""

import importlib.util
import socket
from types import SimpleNamespace

import pytest

from autograder.cluster.client import Cluster, check_address
from autograder.gradebook import command
from autograder.refused import Refused


@pytest.mark.parametrize("address", ["", "host", "host:8786", "http://host:8786", "tcp://host", "tcp://h:no"])
def test_a_bad_scheduler_address_is_refused_in_one_sentence(address):
    with pytest.raises(Refused, match="is not the address of a scheduler, such as tcp://HOST:8786"):
        check_address(address)


def test_an_absent_scheduler_is_refused_and_a_listening_one_accepted():
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        check_address(address)
    with pytest.raises(Refused, match=rf"^No scheduler answers at {address} \(Connection refused\)"):
        check_address(address)


def test_a_cluster_needs_sandboxes_and_dask(course, capsys, monkeypatch):
    real, scheduler = importlib.util.find_spec, "tcp://127.0.0.1:1"
    assert command.run(course, scheduler=scheduler, no_sandbox=True) == 1
    sentence = "--scheduler grades in sandboxes only: leave out --no-sandbox.\n"
    assert capsys.readouterr() == ("", sentence)
    find_spec_without_dask = lambda name, *more: None if name == "distributed" else real(name, *more)  # noqa: E731
    monkeypatch.setattr(importlib.util, "find_spec", find_spec_without_dask)
    assert command.run(course, scheduler=scheduler) == 1
    (sentence_about_dask,) = capsys.readouterr().err.splitlines()
    assert sentence_about_dask.startswith("--scheduler needs Dask, which is not installed here: ")


def test_a_submission_that_kills_its_workers_waits_for_a_person(hand_in, grade, ran):
    hand_in("ada", "cleo")
    hand_in("ben", words="dies")
    first = grade()
    assert ran == ["ada", "ben", "cleo", "ben"], "once more when all others are done"
    assert first["ben"].notes[0].text.startswith("3 cluster workers in a row died")
    assert first["ben"].memory["status"] == "rejected"
    assert first["ben"].score.needs_manual_grade
    assert first["ada"].score.final == first["cleo"].score.final > 0
    assert {outcome.state for outcome in grade().values()} == {"unchanged"}


def test_a_scheduler_without_workers_or_without_an_answer_is_refused():
    client = SimpleNamespace(status="running", nthreads=dict)
    with pytest.raises(Refused, match="^The scheduler tcp://host:1 has had no workers"):
        Cluster("tcp://host:1", client, patience=0).processes()
    client.status = "closed"
    with pytest.raises(Refused, match="^The scheduler tcp://host:1 has not answered for"):
        Cluster("tcp://host:1", client).processes()
