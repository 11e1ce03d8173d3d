"""Installing, JupyterLab for learners and instructors, the demonstration class."""
