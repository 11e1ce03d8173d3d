"""Lesson sources and exercises in; students' notebooks, published sheets and the bundle out."""
