"""Build the course's website, readable offline, from the README, docs/ and the students' notebooks."""
