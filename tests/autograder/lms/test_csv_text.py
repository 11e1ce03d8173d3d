"""A CSV file is read as Python's csv reads it; of what is written back only the filled cells differ."""

import csv
import io
import random

import pytest

from autograder.gradebook.database import Refused
from autograder.lms.csv_text import Table

FILES = [
    b"a,b\r\n1,2\r\n",
    b"a,b\n1,2",
    b"\xef\xbb\xbfa;b\n1;2\n\n",
    'a\tb\r\n"ü ""x""\r\ny"\t\r\n'.encode("utf-16"),
    "a;b\nü;2\n".encode("cp1252"),
    b'a,"b, c"\n"","x"\n,\n',
    b'a,b\n1"2,3\n',
    b"a,b\r1,2\r",
]


@pytest.mark.parametrize("data", FILES)
def test_nothing_filled_changes_no_byte(data):
    assert Table(data, "x.csv").filled({}) == data


def test_a_filled_cell_changes_alone():
    data = b'\xef\xbb\xbfname;"grade";x\r\n"M\xc3\xbcller, ""J""";"";1,5\r\nB;;\r\n'
    table = Table(data, "x.csv")
    assert table.filled({(1, 1): "2,5", (2, 1): "3"}) == data.replace(b'"";1,5', b'"2,5";1,5').replace(
        b"B;;", b"B;3;"
    )
    assert table.filled({(2, 2): 'a;"b"'}) == data.replace(b"B;;", b'B;;"a;""b"""')


def test_random_tables_are_read_as_csv_reads_them():
    draw = random.Random(7)
    for _ in range(300):
        separator = draw.choice(",;\t")
        letters = ["a", "1", " ", '"', "\n", "\r\n", ",", ";", "\t", "ü", ""]
        rows = [["h", "g", "k"], *(["".join(draw.choices(letters, k=4)) for _ in range(3)] for _ in range(4))]
        text = io.StringIO()
        quoting = draw.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
        csv.writer(text, delimiter=separator, quoting=quoting).writerows(rows)
        table = Table(text.getvalue().encode(), "x.csv")
        assert table.texts() == rows
        rows[2][1] = "9"
        changed = Table(table.filled({(2, 1): "9"}), "x.csv")
        assert changed.texts() == rows


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\0\0", b'a,b\n"1,2\n', b'a,b\n"1" ,2\n'])
def test_what_is_no_table_is_refused(data):
    with pytest.raises(Refused):
        Table(data, "x.csv")
