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
from course_utils.model.sheet import ANSWERS, Sheet, Wanted, load_sheet

from . import forms
from .forms import TOLERANCE
from .program import LEFT_ALONE

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
        """{"": {parameter: its default or None}}, and of a class "forward" as well."""
        node = ast.parse(self.stub).body[0]
        if isinstance(node, ast.FunctionDef):
            return {"": parameters_of(node)}
        methods = {
            method.name: parameters_of(method)
            for method in ast.walk(node)
            if isinstance(method, ast.FunctionDef)
        }
        return {"": methods["__init__"], "forward": methods["forward"]}

    @property
    def is_class(self):
        return "forward" in self.signatures

    @property
    def parameters(self):
        """{name: default or None} of the function, or of the constructor."""
        return self.signatures[""]

    @property
    def required(self):
        """The names that every call has to give a value."""
        pairs = [pair for listed in self.signatures.values() for pair in listed.items()]
        return {name for name, default in pairs if default is None}

    @cached_property
    def sheets(self):
        """Its Sheets, whose calls have values for all of the stub's names."""
        names = [name for name in (self.own, self.also) if name]
        sheets = [sheet_of(name, "interview") for name in names] or [sheet_of(self.exercise)]
        return [self.in_own_words(self.cut(sheet)) for sheet in sheets]

    def cut(self, sheet):
        """A sheet with only the calls and results that count, in an interview's dtype."""
        calls = [self.calls(case) for case in sheet.cases]
        numbers = [number for number, rows in enumerate(calls) if rows]
        sheet, calls = only(numbers, sheet), [calls[number] for number in numbers]
        results = self.results or [*sheet.contract.returns]

        def facts_of(values, rows):
            """Those of the facts that count, with the numbers that their calls have here."""
            places = {number: place for place, number in enumerate(rows)}
            own = {
                fact: value for fact, value in values.items() if fact.call in places and fact.name in results
            }
            own = {fact._replace(call=places[fact.call]): value for fact, value in own.items()}
            return own | {fact: value for fact, value in values.items() if fact == RAISED}

        container = "one" if len(results) == 1 else sheet.contract.container
        returns = {name: sheet.contract.returns[name] for name in results}
        contract = replace(sheet.contract, returns=returns, container=container, probes=False)
        cases, wanted = [], []
        for case, own, rows in zip(sheet.cases, sheet.wanted, calls, strict=True):
            tolerance = max(case.tolerance or 0, TOLERANCE)
            cases.append(replace(case, calls=[*map(Call, rows.values())], tolerance=tolerance, **PLAIN))
            wanted.append(Wanted(facts_of(own.values, rows), None, {}))
        mistakes = [replace(m, sketches=[*map(facts_of, m.sketches, calls)]) for m in sheet.mistakes]
        return Sheet(contract, sheet.points, cases, wanted, [m for m in mistakes if any(m.sketches)])

    def calls(self, case):
        """{number: values by name} of a case's calls: of an exercise's, those that this form expresses."""
        if self.own:
            return {number: call.args for number, call in enumerate(case.calls)}
        if case.name not in (self.cases or CASES[self.exercise]) or case.device or case.dtype in NARROW:
            return {}
        rows = getattr(forms, self.rows)(case)
        return {number: row for number, row in rows.items() if self.required <= row.keys()}

    def in_own_words(self, sheet):
        """The sheet with sentences and cases that call things as the stub does, and speak of a cache only if
        there is one."""
        apart = {} if self.rows == "in_steps" else WITHOUT_A_CACHE
        titles, impossible = apart.get("cases", {}), apart.get("mistakes", ())
        names = {name for listed in self.signatures.values() for name in listed}
        words = {word: own for word, own in forms.OF_EXERCISES.items() if own in names}

        def sentence_of(mistake):
            sentence = SENTENCES.get(mistake.name, mistake.sentence)
            return re.sub(r"\w+", lambda word: words.get(word[0], word[0]), sentence)

        mistakes = [replace(m, sentence=sentence_of(m)) for m in sheet.mistakes if m.name not in impossible]
        cases = [case.but(name=titles.get(case.name, case.name)) for case in sheet.cases]
        return replace(sheet, cases=cases, mistakes=mistakes)

    @cached_property
    def used(self):
        """The names that some call gives a value."""
        calls = [call for sheet in self.sheets for case in sheet.cases for call in case.calls]
        return {name for call in calls for name in call.args}

    def sheets_for(self, program):
        """Its Sheets with the program's own name and names of layers."""
        kind = "module" if self.is_class else "object" if self.wrap == "keeps_cache" else "function"
        heads = {method: head_of(listed) for method, listed in self.signatures.items()}
        signatures = {method: f"{method or program.name}({head})" for method, head in heads.items()}
        own = {"name": program.name, "kind": kind, "signatures": signatures}
        own |= {"library": "numpy"} if program.is_numpy else {}
        lacks, sheets = {*LEFT_ALONE} & self.parameters.keys() - program.parameters.keys(), []
        for sheet in self.sheets:
            numbers = [n for n, case in enumerate(sheet.cases) if lacks.isdisjoint(case.calls[0].args)]
            contract, sheet = replace(sheet.contract, **own), only(numbers, sheet)
            cases = [self.case_for(program, case) for case in sheet.cases]
            sheets.append(replace(sheet, contract=contract, cases=cases))
        return sheets

    def case_for(self, program, case):
        """A case with only the values that a call passes, and the weights by the program's own layers."""
        row, names = case.calls[0].args, self.signatures["forward" if self.is_class else ""]
        calls = [Call({name: call.args[name] for name in names if name in call.args}) for call in case.calls]
        build = program.build(self, row) if self.is_class else {}
        return case.but(build=build, weights=program.weights(self, row), calls=calls)


def only(numbers, sheet):
    """The sheet with only its cases of these numbers."""
    cases, wanted = ([listed[n] for n in numbers] for listed in (sheet.cases, sheet.wanted))
    mistakes = [replace(m, sketches=[m.sketches[n] for n in numbers]) for m in sheet.mistakes]
    return replace(sheet, cases=cases, wanted=wanted, mistakes=[m for m in mistakes if any(m.sketches)])


def head_of(listed):
    """{name: its default or None} as in a signature: "x, dim=-1"."""
    return ", ".join(name if default is None else f"{name}={default}" for name, default in listed.items())


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


@cache
def sheet_of(name, folder="topics"):
    """The Sheet of an exercise, in a notebook that works alone the part that topics use; in "interview", that
    of a form with cases of its own (autograder/forms)."""
    file = ANSWERS / folder / f"{name}.json"
    return Sheet.from_json(file.read_text(encoding="utf-8")) if file.is_file() else load_sheet(name)
