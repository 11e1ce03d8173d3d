"""Changes to grades during the term: late penalties, a lesson's points, points of written answers.

Each command previews the change, asks for confirmation, and backs up the gradebook first.
"""
