"""A Form: a signature that a part of an interview accepts, from forms.toml. A Program (program.py) that has
it comes in, and the Sheets (answer keys) by which it is judged go out: an exercise's, cut to some calls, or
the form's own.

An interview compares values alone, no dtypes, devices or gradients. Its calls are in float32.
"""

import ast
import re
import tomllib
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path

from course_utils.model.case import RAISED, Call
from course_utils.model.sheet import ANSWERS, Mistake, Sheet, Wanted, load_sheet

from . import forms
from .forms import TOLERANCE

TABLES = tomllib.loads(Path(__file__).with_name("forms.toml").read_text(encoding="utf-8"))
CASES, SENTENCES, WITHOUT_A_CACHE = (TABLES.pop(key) for key in ("cases", "sentences", "without_a_cache"))
NARROW = ("bfloat16", "float16")
PLAIN = {"weights": {}, "build": None, "only": None, "strided": False, "evaluating": True, "dtype": "float32"}


@dataclass(frozen=True)
class Form:
    """One entry of forms.toml, which explains the fields."""

    name: str
    stub: str
    exercise: str = ""
    rows: str = ""
    cases: tuple = ()
    results: tuple = ()
    own: str = ""
    also: str = ""
    wrap: str = ""
    layers: dict = field(default_factory=dict)

    @cached_property
    def signatures(self):
        """{"": (name, {parameter: its default or None})}, and of a class "forward" as well."""
        node = ast.parse(self.stub).body[0]
        if isinstance(node, ast.FunctionDef):
            return {"": (node.name, parameters_of(node))}
        methods = {method.name: parameters_of(method) for method in node.body}
        return {"": (node.name, methods["__init__"]), "forward": ("forward", methods["forward"])}

    @property
    def is_class(self):
        return "forward" in self.signatures

    @property
    def parameters(self):
        """The names of the function's parameters, or of the constructor's."""
        return self.signatures[""][1]

    @property
    def required(self):
        """The names that every call has to give a value."""
        return {
            name
            for _, names in self.signatures.values()
            for name, default in names.items()
            if default is None
        }

    @cached_property
    def sheets(self):
        """Its Sheets, whose calls have values for all of the stub's names."""
        if self.own:
            main = own_sheet(self.own)
        else:
            sheet = sheet_of(self.exercise)
            main = cut(
                sheet, [self.calls(case) for case in sheet.cases], self.results or [*sheet.contract.returns]
            )
        return [self.in_own_words(sheet) for sheet in ([main, own_sheet(self.also)] if self.also else [main])]

    def in_own_words(self, sheet):
        """The sheet with sentences and cases that call things as the stub does, and speak of a cache only if
        there is one."""
        apart = {} if self.rows == "in_steps" else WITHOUT_A_CACHE
        titles, impossible = apart.get("cases", {}), apart.get("mistakes", ())
        names = {name for _, listed in self.signatures.values() for name in listed}
        words = {word: own for word, own in forms.OF_EXERCISES.items() if own in names}

        def sentence_of(mistake):
            sentence = SENTENCES.get(mistake.name, mistake.sentence)
            return re.sub(r"\w+", lambda word: words.get(word[0], word[0]), sentence)

        mistakes = [replace(m, sentence=sentence_of(m)) for m in sheet.mistakes if m.name not in impossible]
        cases = [case.but(name=titles.get(case.name, case.name)) for case in sheet.cases]
        return replace(sheet, cases=cases, mistakes=mistakes)

    def calls(self, case):
        """{number: values by name} of an exercise's calls that this form expresses."""
        if case.name not in (self.cases or CASES[self.exercise]) or case.device or case.dtype in NARROW:
            return {}
        rows = getattr(forms, self.rows)(case)
        return {number: row for number, row in rows.items() if self.required <= row.keys()}

    @cached_property
    def used(self):
        """The names that some call gives a value."""
        calls = [call for sheet in self.sheets for case in sheet.cases for call in case.calls]
        return {name for call in calls for name in call.args}

    def sheets_for(self, program):
        """Its Sheets with the program's own order of parameters and names of layers."""
        return [self.sheet_for(program, sheet) for sheet in self.sheets]

    def sheet_for(self, program, sheet):
        kind = "module" if self.is_class else "object" if self.wrap == "keeps_cache" else "function"
        signatures = {
            method: f"{method or program.name}({as_head(listed, program.order(method, listed))})"
            for method, (_, listed) in self.signatures.items()
        }
        contract = replace(sheet.contract, name=program.name, kind=kind, signatures=signatures, probes=False)
        return replace(sheet, contract=contract, cases=[self.case_for(program, case) for case in sheet.cases])

    def case_for(self, program, case):
        rows, method = [call.args for call in case.calls], "forward" if self.is_class else ""
        order = program.order(method, self.signatures[method][1])
        calls = [Call({name: row[name] for name in order if name in row}) for row in rows]
        build = program.build(self, rows[0]) if self.is_class else {}
        return case.but(build=build, weights=program.weights(self, rows[0]), calls=calls)


def as_head(listed, order):
    """{name: its default or None} as in a signature: "x, dim=-1"."""
    return ", ".join(name if listed[name] is None else f"{name}={listed[name]}" for name in order)


def parameters_of(function):
    """{name: its default as text, or None} of a syntax tree's function, without self."""
    names = [argument.arg for argument in function.args.args]
    defaults = [ast.unparse(default) for default in function.args.defaults]
    listed = dict(zip(names, [None] * (len(names) - len(defaults)) + defaults, strict=True))
    listed.pop("self", None)
    return listed


@cache
def form(name):
    """The Form of this name."""
    table = TABLES[name]
    lists = {key: tuple(value) for key, value in table.items() if isinstance(value, list)}
    return Form(name, **table | lists | {"stub": table["stub"].strip() + "\n"})


# ---- sheets


@cache
def sheet_of(name, folder="topics"):
    """The Sheet of an exercise, in a notebook that works alone the part that topics use; in "interview", that
    of a form with cases of its own (autograder/forms)."""
    file = ANSWERS / folder / f"{name}.json"
    return Sheet.from_json(file.read_text(encoding="utf-8")) if file.is_file() else load_sheet(name)


def own_sheet(name):
    sheet = sheet_of(name, "interview")
    return cut(
        sheet,
        [dict(enumerate(call.args for call in case.calls)) for case in sheet.cases],
        sheet.contract.returns,
    )


def cut(sheet, calls, results):
    """The sheet with only some calls and results, in an interview's dtype. calls: for each case, {number of a
    call: its new arguments}; a case without calls is left out."""
    numbers = [number for number, rows in enumerate(calls) if rows]

    def facts_of(values, case):
        places = {call: place for place, call in enumerate(calls[case])}
        own = {f._replace(call=places[f.call]): v for f, v in values.items() if counts(f, places, results)}
        return own | {fact: value for fact, value in values.items() if fact == RAISED}

    contract = replace(sheet.contract, returns={name: sheet.contract.returns[name] for name in results})
    container = "one" if len(results) == 1 else sheet.contract.container
    cases = [replace(sheet.cases[n], calls=[*map(Call, calls[n].values())], **PLAIN) for n in numbers]
    cases = [case.but(tolerance=max(case.tolerance or 0, TOLERANCE)) for case in cases]
    mistakes = [
        Mistake(m.name, m.sentence, [facts_of(m.sketches[n], n) for n in numbers]) for m in sheet.mistakes
    ]
    return Sheet(
        replace(contract, container=container),
        sheet.points,
        cases,
        [Wanted(facts_of(sheet.wanted[n].values, n), None, {}) for n in numbers],
        [mistake for mistake in mistakes if any(mistake.sketches)],
    )


def counts(fact, calls, results):
    return fact != RAISED and fact.call in calls and fact.name in results
