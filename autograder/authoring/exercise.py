"""Exercise holds what an author declares in one file (reference, cases, mistakes, hints) and makes the
exercise's Sheet from it."""

import hashlib
import inspect
import json
import re
from typing import NamedTuple

import numpy as np
import torch

from autograder.refused import AuthorError
from course_utils.compare.tolerance import is_close, sketch_of, tolerance_of
from course_utils.model.case import RAISED, Contract, Fact
from course_utils.model.codec import encode
from course_utils.model.sheet import CORE, PROBES, Mistake, Sheet, Wanted, numbers
from course_utils.observe.probe import observe

from . import shared_mistakes
from .seeds import OF_FINGERPRINT, VISIBLE
from .slips import check_case, check_known, check_mistake, check_table, slip_in

CORE_SHARE = CORE  # change it here for the whole course, or use core= in one exercise; then `make notebooks`


class KnownMistake(NamedTuple):
    """A mistake: its name, the sentence the student reads, and wrong implementations that make it."""

    name: str
    sentence: str
    implementations: tuple


class Exercise:
    """An exercise as its author declares it. Name, signature and methods are taken from the reference.

    returns: {result name: its axes}, in order. points: the maximum. hints: one text, from a question to
    nearly the answer, with an empty line between hints; indented lines are code. uses: earlier exercises that
    an answer may call; if one of them is wrong, the card mentions it.
    core: the share of the points that the core cases pay together, CORE_SHARE when None. weights:
    {edge case, or "probes": number}, how much each counts in the rest of the points; 1 by default.

    How an answer is called, and what it returns:
    kind: "answer" for a value that answers a question; the other kinds (function, module, object) are
        inferred from the reference.
    container: the type that holds the results: "one" (a single bare result), "tuple", "sequence" (a tuple, or
        one tensor with the results along its first axis), "dict", or "none" (nothing is returned).
    library: "torch", "numpy" (arguments and results are arrays) or "int" (results are whole numbers).
    floors: {result name: number}; entries at or below it count as -inf (any low enough mask fill is right).
    by_hand: names of torch's functions, such as "softmax": an answer that calls one earns nothing.
    views: True when every call must return views of the same memory.
    copies: True when no result may share memory with an argument.

    What is graded besides the values:
    probes: False if only values are graded: no second call, and none of the next three.
    gradients: False where gradients at arguments and weights do not count. gradient_results: the results
        whose gradients count (None: all).
    devices: False where an answer may make a CPU tensor although its arguments are on another device. To
        check devices, an exercise without tensor arguments needs an edge case with device="meta".
    narrow: the dtypes that are tried besides float64; () for none.
    """

    def __init__(self, returns, *, points=2, hints="", uses=(), core=None, weights=(), **contract):
        self.returns, self.settings = returns, contract
        self.core, self.weights = CORE_SHARE if core is None else core, dict(weights)
        self.points, self.hints, self.uses = float(points), split_hints(hints), list(uses)
        self.name, self.draws, self.mistakes = "", [], []

    def reference(self, implementation):
        """Decorator for the independent oracle: a function or class with the student's name and signature."""
        self.implementation, self.name = implementation, implementation.__name__
        self.file = inspect.getfile(implementation)
        self.contract = Contract(
            self.name,
            self.settings.pop("kind", infer_kind(implementation)),
            signatures_of(implementation),
            self.returns,
            **self.settings,
        )
        return implementation

    def complete(self, name="an exercise"):
        """Return this exercise; AuthorError when it has no reference, or its core or weights are invalid."""
        if not self.name:
            text = f"{name} has no reference: decorate the right function or class with @ex.reference"
            raise AuthorError(text)
        if all(edge for _, _, edge in self.draws):
            text = f"{name} has no core case, so any answer would earn its core points: add one with @ex.case"
            raise AuthorError(text)
        edges = [name for name, _, edge in self.draws if edge] + [PROBES]
        for edge in self.weights.keys() - edges:
            text = f"names {edge}, which is not an edge case; the edge cases are {', '.join(edges)}"
            raise AuthorError(f"weights of {self.name} {text}")
        for edge, weight in self.weights.items():
            if type(weight) not in (int, float) or not 0 < weight < 1000:
                text = f"is {weight!r}: give a number above 0"
                raise AuthorError(f"the weight of {edge} in {self.name} {text}")
        if type(self.core) not in (int, float) or not 0 <= self.core <= 1:
            raise AuthorError(f"core of {self.name} is {self.core!r}: give a share from 0 to 1")
        return self

    def case(self, draw=None, /, **draws):
        """Declare core cases, functions of a NumPy Generator g: a decorator, or name=lambda g: ... ."""
        return self.add_cases(draw, draws, edge=False)

    def edge(self, draw=None, /, **draws):
        """Declare edge cases, in the same way; each pays its share only when all core cases are right."""
        return self.add_cases(draw, draws, edge=True)

    def add_cases(self, draw, draws, edge):
        functions = {draw.__name__: draw} if draw else draws
        self.draws += [(name, function, edge) for name, function in functions.items()]
        return draw

    def mistake(self, wrong):
        """Decorator for a wrong function or class: its name is the mistake's name, its docstring the sentence
        for students."""
        self.add_mistake(name_of(wrong), sentence_of(wrong), [wrong])
        return wrong

    def wrong(self, *table):
        """Declare mistakes as a table: "name: the sentence for the student", then its wrong implementations.

        A bare name adds implementations to a mistake declared above, or takes its sentence from
        shared_mistakes. One implementation is enough; add another only if it gives different wrong results.
        """
        for heading, wrong in shared_mistakes.by_heading(table):
            check_table(self, heading, wrong)
            name, colon, sentence = heading.partition(": ")
            self.add_mistake(name, sentence if colon else self.known_sentence(name), wrong)

    def shared(self, make, *names, without=()):
        """Declare mistakes by their names in shared_mistakes; make(**switches) returns an implementation."""
        for name in names:
            check_known(self, name, shared_mistakes.ALL)
        for name in names:
            for sentence, ways in shared_mistakes.ALL[name] if name not in without else ():
                self.add_mistake(name, sentence, [make(**switches) for switches in ways])

    def add_mistake(self, name, sentence, implementations):
        self.mistakes.append(KnownMistake(name, sentence, tuple(implementations)))

    def known_sentence(self, name):
        """The sentence of a mistake declared above, or in shared_mistakes."""
        sentences = {name: entries[0][0] for name, entries in shared_mistakes.ALL.items()}
        sentences |= {mistake.name: mistake.sentence for mistake in reversed(self.mistakes)}
        check_known(self, name, sentences)
        return sentences[name]

    def cases(self, seed):
        """Draw all cases for this seed."""
        cases = []
        for place, (name, draw, edge) in enumerate(self.complete().draws):
            try:
                case = draw(np.random.default_rng([seed, place]))
            except Exception as error:
                raise slip_in(self.file, error, f"the case {name} of {self.name}") from error
            cases.append(check_case(self, name, case).but(name=name, edge=edge))
        return cases

    def fingerprint_of_draws(self):
        """A hash of the cases that a few hidden seeds draw, exact on every CPU, as a sheet publishes it."""
        cases = [encode(case, numbers) for seed in OF_FINGERPRINT for case in self.cases(seed)]
        return hashlib.sha256(json.dumps(cases).encode()).hexdigest()[:12]

    def sheet(self, seed=VISIBLE, with_mistakes=True):
        """The Sheet for this seed: the cases, their expected results, and the results of each known mistake.

        An error in the exercise file raises AuthorError: one sentence that names the exercise and the case or
        mistake.
        """
        cases = self.cases(seed)
        wanted = [self.wanted(case) for case in cases]
        entries = self.mistakes if with_mistakes else ()
        mistakes = [mistake for entry in entries for mistake in self.sketch_mistake(entry, cases, wanted)]
        about = self.hints, self.uses, self.core, self.weights
        return Sheet(self.contract, self.points, cases, wanted, mistakes, *about)

    def sketch_mistake(self, entry, cases, wanted):
        """One Mistake for each implementation whose results differ from those of earlier implementations."""
        distinct = []
        for implementation in entry.implementations:
            differences = [self.difference(implementation, *pair) for pair in zip(cases, wanted, strict=True)]
            check_mistake(self, entry, implementation, cases, differences)
            if differences not in distinct:
                distinct.append(differences)
        return [Mistake(entry.name, entry.sentence, differences) for differences in distinct]

    def wanted(self, case):
        """The expected results of a case: values, gradients and devices, computed with the reference."""
        errors, about = [], f"the reference of {self.name} in its case {case.name}"
        observation = observe(self.implementation, case, self.contract, on_error=errors.append)
        if errors:
            raise slip_in(self.file, errors[0], about)
        if observation.problem or isinstance(observation.gradients, str):
            fault = observation.problem[1] if observation.problem else observation.gradients
            raise AuthorError(f"{about}: {fault}")
        values: dict[Fact, object] = {}
        values |= {fact: round_as_published(value) for fact, value in observation.values.items()}
        measured = (observation.gradients or {}).items()
        gradients = {fact: None if g is None else list(sketch_of(g)) for fact, g in measured}
        devices = {fact: device for fact, device in observation.where.items() if device != "cpu"}
        return Wanted(values, gradients or None, devices)

    def difference(self, implementation, case, right):
        """The wrong results of the implementation in this case, as sketches; {RAISED: ...} if it fails."""
        observation = observe(implementation, case, self.contract, probes=False)
        if observation.problem or observation.raised:
            return {RAISED: observation.problem or observation.raised}
        tolerance, values = tolerance_of(case, self.contract), right.values
        return {
            f: sketch_of(v)
            for f, v in observation.values.items()
            if not is_close(v, values.get(f), tolerance)
        }


def round_as_published(value):
    """Round to 8 decimals as in the published sheets, so that visible and hidden grading are equally
    precise."""
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        return (value.double() * 1e8).round() / 1e8
    return value


def split_hints(text):
    """Split a text into its paragraphs, one hint each; indented lines are code and keep their line breaks."""
    if not text:
        return []
    paragraphs = re.split(r"\n\s*\n", inspect.cleandoc(text))
    return [inspect.cleandoc("\n" + re.sub(r"\n(?! )", " ", paragraph)) for paragraph in paragraphs]


def infer_kind(reference):
    """The kind of an exercise inferred from its reference: function, module or object."""
    if not isinstance(reference, type):
        return "function"
    return "module" if issubclass(reference, torch.nn.Module) else "object"


def signatures_of(reference):
    """{"": signature of the function or constructor, method name: its signature}, as Contract needs them."""
    signatures = {"": reference.__name__ + str(inspect.signature(reference))}
    if isinstance(reference, type):
        methods = {
            name: m for name, m in vars(reference).items() if inspect.isfunction(m) and name[:2] != "__"
        }
        signatures |= {name: name + without_self(inspect.signature(m)) for name, m in methods.items()}
    return signatures


def without_self(signature):
    return str(signature.replace(parameters=list(signature.parameters.values())[1:]))


def sentence_of(wrong):
    if not wrong.__doc__:
        text = f"the mistake {wrong.__name__} has no docstring: it is the sentence that students read"
        raise AuthorError(text)
    return " ".join(wrong.__doc__.split())


def name_of(wrong):
    """The mistake's name: a function's own, and kept_before_split for a class KeptBeforeSplit."""
    name = wrong.__name__
    return re.sub(r"(?<=.)(?=[A-Z])", "_", name).lower() if isinstance(wrong, type) else name
