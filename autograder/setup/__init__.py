"""Install the course, open JupyterLab for learners and instructors, and make the sample class of the demo."""
