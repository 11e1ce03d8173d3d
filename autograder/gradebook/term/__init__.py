"""The instructor's CSV files and decisions during a term -> grades that follow them.

In: extensions.csv, groups.csv, regrades.csv and schedule.csv of the course folder, and the commands that
change grades. Out: extensions, penalties, points and comments in nbgrader's gradebook, a dated copy of it
before any of them, and grades.csv.
"""
