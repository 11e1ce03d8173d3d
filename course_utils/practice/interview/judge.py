"""Judge a program: a topic, the index of a part and a program come in; an Outcome goes out. A program
with one of the part's forms is checked as in the lessons, on the form's cases. Any other is asked about."""

from dataclasses import dataclass, replace

import numpy as np

from course_utils.compare.faults import WHY
from course_utils.diagnose.finding import as_sentence
from course_utils.diagnose.visible import NO_END, WAITS, assess_visible, observe_and_assess
from course_utils.model.result import Result
from course_utils.model.sentences import say
from course_utils.observe.crash import crash_of
from course_utils.observe.limit import TimeUp, time_limit
from course_utils.observe.trial import in_words, quiet, seeded

from .blocked import blocked
from .form import head_of, sheet_of
from .program import LEFT_ALONE, WEIGHTS, Program, fit
from .texts import text

CHECK = "interview.check({})"
READY_MADE = ("scaled_dot_product_attention", "multi_head_attention_forward")


@dataclass(frozen=True)
class Outcome:
    """result: for the lessons' card. line: the line that adapts a program without a form, else ""."""

    result: Result
    line: str = ""


def check(topic, part, obj, layers=None, load=None):
    """The Outcome of a try at one part of a topic. It never raises for errors in the program."""
    step = topic.parts[part]
    try:
        forms = [own for own in step.all_forms if own.sheets]  # made before anything is blocked or timed
        blocking = blocked(step.ready_made or READY_MADE)
        with time_limit(), quiet() as out, seeded(0), np.errstate(all="ignore"), blocking as names:
            outcome = try_part(topic, step, forms, Program(obj, layers, load))
        if names and not outcome.result.passed:
            outcome = failed(topic, text("ready_made", min(names)), "ready_made")
        outcome.result.printed = outcome.result.printed or out.text
        return outcome
    except TimeUp as error:
        outcome = failed(topic, WAITS if error.waited else NO_END, "no_end", "error")
        outcome.result.crash = crash_of(error.first, {})
        return outcome
    except Exception as error:  # errors of the learner's code were caught before: this one is ours
        return failed(topic, text("broke", type(error).__name__, error), None, "broken")


def failed(topic, message, mistake, status="wrong", line=""):
    return Outcome(Result(topic.name, False, message, mistake, status=status), line)


def try_part(topic, step, forms, program):
    """The Outcome by the form that the program has; if it has none, with the line that gives it one."""
    if step.exercise:
        return Outcome(check_exercise(step.exercise, program))
    form = next((form for form in forms if program.has_form(form)), None)
    if form is None:
        sentence = why_no_form(forms, program)
        return failed(topic, sentence, "no_form", line=adapting_line(forms, program))
    trail = []
    for sheet in form.sheets_for(program):
        result = observed(sheet, program.as_object(form))
        trail += result.trail
        if not result.passed:
            return Outcome(replace(result, name=topic.name, trail=trail))
    result = replace(result, name=topic.name, trail=trail, message=text("all_right", len(trail)))
    if program.changed:
        what = " and ".join(f"`{name}`" for name in sorted(program.changed))
        message = as_sentence(say("values_right", fault=say("changes_input", what=what)))
        left = {"status": "one_left", "mistake": "changes_input", "left": 1, "why": WHY["changes_input"]}
        result = replace(result, message=message, **left)
    return Outcome(result)


def check_exercise(name, program):
    """The Result of a lesson's check, on values alone."""
    sheet = sheet_of(name)
    if sheet.contract.kind == "answer":
        return assess_visible(name, program.obj)
    library = "numpy" if program.is_numpy and sheet.contract.library == "torch" else sheet.contract.library
    contract = replace(sheet.contract, probes=False, library=library)
    return observed(replace(sheet, contract=contract), program.obj)


def observed(sheet, obj):
    """The Result of an object on a sheet. Right numbers are not enough where a tensor is too large."""
    result = observe_and_assess(sheet, obj)
    large = next((title for title, right in result.trail if not right), None)
    if not result.passed or large is None:
        return result
    wrong = {"passed": False, "status": "wrong", "mistake": "too_large"}
    return replace(result, **wrong, message=text("too_large", large))


# ---- a program that has none of a part's forms: what to say about it, and the line that adapts it


def why_no_form(forms, program):
    """What the program has in place of a form's names."""
    form, own = nearest(forms, program), ", ".join(program.parameters)
    if not form.is_class or program.layer(form) is None:
        if program.error and fit(program.parameters, form.parameters, form.used):
            return text("no_layer", program.name, own, ": ".join(in_words(program.error)))
        return text("no_form", program.name, own)
    forward, listed = program.forward(form), form.signatures["forward"]
    if len(forward) < len(listed.keys() & form.used):
        return text("few_arguments", f"{program.name}.forward", ", ".join(forward), ", ".join(listed))
    layers = ", ".join(program.linear_layers(form))
    words = text("with_layers", layers) if layers else text("without_layers")
    return text("no_form_class", program.name, own, ", ".join(forward), words)


def nearest(forms, program):
    """The first form of the program's kind that shares most names with it, those of forward first."""
    fits = any(form.is_class and fit(program.parameters, form.parameters, form.used) for form in forms)
    makes_layer = program.is_class or program.is_adapted or fits
    alike = [form for form in forms if form.is_class == makes_layer] or forms

    def shared(form):
        same = form.is_class and form.signatures["forward"].keys() == program.forward(form).keys()
        return same, len(program.parameters.keys() & form.parameters.keys())

    return max(alike, key=shared)


def adapting_line(forms, program):
    """The line that adapts a program, with dots where the names do not say what is meant."""
    form = nearest(forms, program)
    head = head_of({name: value for name, value in form.parameters.items() if name in form.used})
    call = f"{program.name}({arguments(program, form)})"
    if not form.is_class:
        return CHECK.format(f"lambda {head}: {call}{'(...)' * program.is_class}")
    whole = program.is_class and fit(program.parameters, form.parameters, form.used)
    makes = program.name if whole else f"lambda {head}: {call}"
    own = program.linear_layers(form)
    layers = ", ".join(f'"{weight}": "{layer_for(weight, forms, own)}"' for weight in WEIGHTS)
    return CHECK.format(f"{makes},\n    layers={{{layers}}}" if form.layers else makes)


def arguments(program, form):
    """The arguments of a call in the line, by name: a form's value where the names are equal, else dots."""
    words = []
    for name, parameter in program.parameters.items():
        if name in form.parameters and name in form.used:
            words.append(f"{name}={name}")
        elif parameter.default is parameter.empty or name not in (*LEFT_ALONE, *form.parameters):
            words.append(f"{name}=...")
    return ", ".join(words)


def layer_for(weight, forms, own):
    """The program's layer whose name a stub gives to this weight; dots if there is none."""
    return next((form.layers[weight] for form in forms if form.layers.get(weight) in own), "...")
