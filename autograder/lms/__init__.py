"""Zips, folders and rosters of an LMS -> submitted/; the gradebook -> the files that an LMS takes."""
