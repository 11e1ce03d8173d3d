"""The README, docs/ and the students' notebooks in; a folder of pages out, which opens without a network."""
