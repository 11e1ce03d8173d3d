"""Sheets for the interview's forms that have cases of their own: forms.toml in course_utils/practice/interview names
them under `own` and `also`. Each is declared like an exercise; its arguments are all that the form's stub names."""

from functools import cache

from . import attention, loops, online, rotary, sampling

MODULES = (attention, rotary, online, loops, sampling)


@cache
def sheets():
    """{name: Sheet}, computed once; nobody changes them."""
    return {name: form.sheet() for module in MODULES for name, form in module.FORMS.items()}
