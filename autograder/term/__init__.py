"""What changes grades in mid-term: late penalties, a lesson's points, points of written answers.

Each command shows what it would do, asks, and makes a dated copy of the gradebook first.
"""
