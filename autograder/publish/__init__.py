"""Lesson sources and exercises -> students' notebooks, answer sheets, the bundle; refuses whatever gives an answer away."""
