"""A CSV file keeps its encoding, separator and line ends when cells are filled in."""

import pytest

from autograder.csv_file import CsvFile
from autograder.refused import Refused


def csv_file(tmp_path, data):
    (tmp_path / "x.csv").write_bytes(data)
    return CsvFile(tmp_path / "x.csv")


@pytest.mark.parametrize(
    ("data", "rows"),
    [
        (b"a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]),
        (b"sep=;\r\na;b,c,d\r\n1;2\r\n", [["a", "b,c,d"], ["1", "2"]]),
        (b"a|b\n1|2\n", [["a", "b"], ["1", "2"]]),
        (b"\xef\xbb\xbfa;b\n1,5;2\n", [["a", "b"], ["1,5", "2"]]),
        ('a\tb\r\n"ü ""x""\r\ny"\t\r\n'.encode("utf-16"), [["a", "b"], ['ü "x"\r\ny', ""]]),
        ("a;b\nø;2\n".encode("cp1252"), [["a", "b"], ["ø", "2"]]),
        (b'a,"b, c"\nd,x\n,\n', [["a", "b, c"], ["d", "x"], ["", ""]]),
    ],
)
def test_a_csv_file_is_read_and_written_back_byte_for_byte(tmp_path, data, rows):
    table = csv_file(tmp_path, data)
    assert table.rows == rows
    assert table.filled({}) == data


def test_filling_a_cell_changes_only_that_cell(tmp_path):
    data = '\ufeffname;grade;x\r\n"Müller; ""J""";;1,5\r\nB;;\r\n'.encode()
    result = csv_file(tmp_path, data).filled({(1, 1): "2,5", (2, 1): "3", (2, 2): 'a;"b"'})
    assert result == data.replace(b";;1,5", b";2,5;1,5").replace(b"B;;", b'B;3;"a;""b"""')


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\0\0", b'a,b\n"1,2\n', b'a,b\n"1" ,2\n'])
def test_a_file_that_is_not_a_table_is_refused(tmp_path, data):
    with pytest.raises(Refused):
        csv_file(tmp_path, data)
