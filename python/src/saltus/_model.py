# SPDX-License-Identifier: MIT
"""Models: loading them, and what can be done with them."""

from __future__ import annotations

import math
import os
import warnings
from typing import Any, Mapping, Sequence, Union

import numpy as np

from . import _core
from ._errors import Diagnostic, ModelError, SimulationError, read_diagnostics
from ._run import Run, _unknown
from ._signals import held, signal_of, Signal
from ._studies import Linearization, Solutions, Sweep, solve, sweep

PathLike = Union[str, "os.PathLike[str]"]

_RECORDS = ("steps", "intervals", "events", "nothing")
_ZENO = ("stop", "error", "continue")
_BACKENDS = ("interpret", "c", "auto", "whole")
_PARTS = (".value", ".rate", ".rate2", ".rate3", ".since")


def load(
    *files: PathLike,
    model: str | None = None,
    library_path: str | None = None,
    backend: str = "interpret",
    **settings: Any,
) -> Model:
    """Reads, checks and translates a Modelica model.

    ``files`` are .mo files and folders of packages; ``model`` is the dotted name of the model, by
    default the last one of the files. ``library_path``: folders with libraries, separated by ":";
    by default MODELICAPATH. ``backend`` says how equations are evaluated: "interpret"; "c", compiled
    by the C compiler of the machine; "auto", compiled in the background once a run takes long;
    "whole", steps and events as one compiled function. Further keywords are parameters and start values that hold for all
    runs. Errors raise `ModelError`, with file, line, column and the line with its mark.
    """
    return Model([os.fspath(f) for f in files], None, model, library_path, settings, backend)


def loads(
    text: str,
    *files: PathLike,
    model: str | None = None,
    library_path: str | None = None,
    backend: str = "interpret",
    **settings: Any,
) -> Model:
    """The same from a text, which is read after the files."""
    return Model([os.fspath(f) for f in files], text, model, library_path, settings, backend)


class Shape:
    """A model as it was translated once, and where its names are."""

    def __init__(self, core: _core.Model) -> None:
        self.core = core
        self.variables: tuple[str, ...] = tuple(core.variables())
        self.inputs: tuple[str, ...] = tuple(core.inputs())
        names = core.parameters()
        known = set(names)
        hidden = {name + part for name in self.inputs for part in _PARTS}
        self.places = {name: i for i, name in enumerate(self.variables)}
        self.input_places = {name: i for i, name in enumerate(self.inputs)}
        #: Inputs that change between events, too.
        self.continuous = {n for n in self.inputs if n + ".rate" in known}
        self.parameter_places = {n: i for i, n in enumerate(names) if n not in hidden}
        self._others: dict[tuple[str, ...], bool] = {}

    def has_other(self, numbers: list[tuple[str, float]]) -> bool:
        """Whether runs with these parameters have another shape: which they are decides."""
        names = tuple(name for name, _ in numbers)
        if names not in self._others:
            try:
                self._others[names] = self.core.has_other_shape(numbers)
            except ValueError as error:
                raise _argument(error) from None
        return self._others[names]


class Model:
    """A Modelica model, translated. It does not change, and may be used by many threads."""

    def __init__(
        self,
        files: Sequence[str],
        text: str | None,
        model: str | None,
        library_path: str | None,
        settings: Mapping[str, Any],
        backend: str = "interpret",
    ) -> None:
        if backend not in _BACKENDS:
            raise ValueError(f"backend={backend!r} is none of {', '.join(_BACKENDS)}")
        if not files and text is None and model is None:
            raise TypeError("a model needs a file, a text, or a name to be found in libraries")
        self._source = (list(files), text, model, library_path)
        self._backend = _BACKENDS.index(backend)
        self._given = dict(settings)
        self._shapes: dict[Any, Shape] = {}
        self._core, messages = self._open(self._given)
        self._shape = Shape(self._core)
        #: Warnings and notes about the model.
        self.diagnostics: list[Diagnostic] = read_diagnostics(messages)
        self.name: str = self._core.name()
        #: The names of its variables.
        self.variables: tuple[str, ...] = self._shape.variables
        #: The names of its inputs.
        self.inputs: tuple[str, ...] = self._shape.inputs
        experiment = self._core.experiment()
        #: What the experiment annotation says: when a run begins and ends, the tolerance.
        self.start_time, self.stop, self.rtol = experiment[0], experiment[1], experiment[2]
        self._interval = experiment[4]

    # ------------------------------------------------------------------ opening

    def _open(self, settings: Mapping[str, Any]) -> tuple[_core.Model, str]:
        """With parameters and start values that are given to all runs."""
        files, text, name, path = self._source
        numbers, texts = _divide(settings)
        modification = "(" + ", ".join(f"{n} = {t}" for n, t in texts) + ")" if texts else None
        core, messages = _core.load(
            files, text, name, modification, numbers, True, path, self._backend
        )
        if core is None:
            raise ModelError(messages)
        return core, messages

    def _shape_for(self, parameters: Mapping[str, Any]) -> tuple[Shape, list[tuple[str, float]]]:
        """The translated model that these parameters need, and those that are given to its runs.

        Start values, and values that are no numbers, are translated with the model; each combination
        of them once, as long as no more than eight are in use.
        """
        numbers, texts = _divide(parameters)
        starts = tuple(sorted(n for n, _ in numbers if n.endswith(".start")))
        if not texts and all(n in self._shape.parameter_places for n in starts):
            return self._shape, numbers
        key = (starts, tuple(texts))
        if key not in self._shapes:
            if len(self._shapes) >= 8:
                del self._shapes[next(iter(self._shapes))]
            changed = {n: v for n, v in parameters.items() if n in starts or n in dict(texts)}
            self._shapes[key] = Shape(self._open({**self._given, **changed})[0])
        return self._shapes[key], numbers

    # ------------------------------------------------------------------ questions

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters and their values."""
        values = self._core.values([])
        return {name: values[i] for name, i in self._shape.parameter_places.items()}

    @property
    def units(self) -> dict[str, str]:
        """The units of the variables that have one."""
        return {n: u for n, u in zip(self.variables, self._core.units()) if u}

    def __repr__(self) -> str:
        inputs = f", {len(self.inputs)} inputs" if self.inputs else ""
        return (
            f"<Model {self.name}: {len(self.variables)} variables, "
            f"{len(self._shape.parameter_places)} parameters{inputs}>"
        )

    def __reduce__(self):
        files, text, name, path = self._source
        files = [os.path.abspath(f) for f in files]
        return (Model, (files, text, name, path, self._given, _BACKENDS[self._backend]))

    # ------------------------------------------------------------------ runs

    def _options(
        self,
        start: float | None,
        stop: float | None,
        rtol: float | None,
        atol: float | None,
        solver: str,
        step: float,
        max_step: float | None,
        interval: float | None,
        record: str | None,
        zeno: str,
        locate: str,
        max_steps: int,
        max_events: int,
    ) -> tuple[tuple[Any, ...], float, float]:
        begin = self.start_time if start is None else float(start)
        end = begin + (self.stop - self.start_time) if stop is None else float(stop)
        if stop is None and start is None:
            end = self.stop
        if not (math.isfinite(begin) and math.isfinite(end) and end >= begin):
            raise ValueError(f"a run from {begin:g} to {end:g} is not possible")
        rtol = self.rtol if rtol is None else float(rtol)
        atol = 1e-3 * rtol if atol is None else float(atol)
        width = self._interval if interval is None else float(interval)
        if record is None:
            record = "intervals" if width > 0 else "steps"
        if record not in _RECORDS:
            raise ValueError(f"record is one of {', '.join(_RECORDS)}, not {record!r}")
        if zeno not in _ZENO:
            raise ValueError(f"zeno is one of {', '.join(_ZENO)}, not {zeno!r}")
        if max_step is None:
            max_step = (end - begin) / 50
        options = (
            begin,
            solver,
            locate,
            rtol,
            atol,
            float(step),
            float(max_step),
            0.0,
            record,
            width,
            zeno,
            int(max_steps),
            int(max_events),
        )
        return options, begin, end

    def _begin(
        self,
        options: tuple[Any, ...],
        begin: float,
        end: float,
        inputs: Mapping[str, Any] | None,
        parameters: Mapping[str, Any],
        derived: Sequence[str] = (),
    ) -> Run:
        shape, numbers = self._shape_for(parameters)
        if self.inputs and numbers and shape.has_other(numbers):
            # Which inputs there are may depend on it: they are asked from a model of this shape.
            shape, numbers = self._shape_for(
                {n: v if n in self.inputs or n.endswith(".start") else _literal(v)
                 for n, v in parameters.items()}
            )  # fmt: skip
        for name in parameters:
            if name.endswith(_PARTS) and name.rpartition(".")[0] in shape.input_places:
                raise ValueError(_unknown("parameter", name, tuple(shape.parameter_places)))
        signals = {}
        for name, value in (inputs or {}).items():
            if name in parameters:
                raise ValueError(f"{name} is given twice")
            signal = input_signal(shape, name, value, begin, end, options[3])
            signals[name] = (shape.input_places[name], signal)
            initial = signal.at(begin)
            numbers.append((name, initial[0]))
            if name in shape.continuous:
                numbers += [(name + part, v) for part, v in zip(_PARTS[1:], (*initial[1:], begin))]
        try:
            if derived:
                places = []
                for index, signal in signals.values():
                    signal.reach(float(end))
                    places.append((index, signal.times, signal.values))
                return self._derive(shape, numbers, options, end, list(derived), places)
            run = Run(self, shape, shape.core.begin(numbers, options), dict(numbers))
        except ValueError as error:
            raise _argument(error) from None
        except RuntimeError as error:
            raise _failure(self.name, error) from None
        run._signals = signals
        run._tolerance = options[3]
        return run

    def _derive(
        self,
        shape: Shape,
        numbers: list[tuple[str, float]],
        options: tuple[Any, ...],
        end: float,
        names: list[str],
        signals: list[tuple[int, Any, Any]],
    ) -> Run:
        core, status, message, loss, time = shape.core.derive(
            numbers, options, end, names, signals
        )
        run = Run(self, shape, core, dict(numbers))
        run._derived = tuple(names)
        if loss:
            warnings.warn(f"no sensitivities from t = {time:.10g} on: {loss}", stacklevel=4)
        run._settle(status, message)
        return run

    def simulate(
        self,
        stop: float | None = None,
        *,
        start: float | None = None,
        rtol: float | None = None,
        atol: float | None = None,
        solver: str = "auto",
        step: float = 0.0,
        max_step: float | None = None,
        interval: float | None = None,
        record: str | None = None,
        inputs: Mapping[str, Any] | None = None,
        zeno: str = "stop",
        locate: str = "brent",
        max_steps: int = 0,
        max_events: int = 0,
        parameters: Mapping[str, Any] | None = None,
        sensitivities: Sequence[str] = (),
        **more: Any,
    ) -> Run:
        """Runs the model up to ``stop`` and returns the `Run`.

        Parameters are keywords: ``ball.simulate(stop=5, e=0.8)``; those whose names are no Python
        names, or names of arguments, go into ``parameters={"body.m": 2}``; where x begins is
        "x.start". Times and tolerances are those of the experiment annotation unless they are
        given (``atol``: a thousandth of ``rtol``). ``solver``: see `saltus.SOLVERS`; ``step`` is the
        step of those with a fixed one.

        ``inputs``: for each input a number, (times, values), a function of time,
        `held`, `linear` or `smooth` of times and values.

        ``record``: "steps", "intervals" (of ``interval`` seconds), "events", "nothing".

        ``sensitivities``: parameters by which all variables are differentiated, through events;
        ``run["d(h)/d(e)"]`` is a column like others. Where there are none they are NaN, and a
        warning says why. By where x begins, give its value, too:
        ``simulate(sensitivities=["x.start"], parameters={"x.start": 1})``.

        A run that stops early (terminate, accumulating events) has a status and a message; one that
        fails raises `SimulationError`. Ctrl-C ends it with KeyboardInterrupt. Warnings are Python's
        (`SaltusWarning`), and in ``run.warnings``; what the model prints goes to standard output.
        """
        options, begin, end = self._options(
            start, stop, rtol, atol, solver, step, max_step, interval, record, zeno, locate,
            max_steps, max_events,
        )  # fmt: skip
        names = [sensitivities] if isinstance(sensitivities, str) else list(sensitivities)
        run = self._begin(options, begin, end, inputs, {**(parameters or {}), **more}, names)
        if not names:
            run.advance(end)
            if run.status == 0:
                run._settle(*run._live().finish())
        run._tell()
        return run

    def start(
        self,
        *,
        start: float | None = None,
        rtol: float | None = None,
        atol: float | None = None,
        solver: str = "auto",
        step: float = 0.0,
        max_step: float | None = None,
        interval: float | None = None,
        record: str | None = None,
        inputs: Mapping[str, Any] | None = None,
        zeno: str = "stop",
        locate: str = "brent",
        max_steps: int = 0,
        max_events: int = 0,
        parameters: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> Run:
        """A run at its beginning, to go on step by step: `Run.advance`, `Run.read`, `Run.set`.

        The arguments are those of `simulate`. ``record="nothing"`` keeps no rows, for runs that go
        on for very long.
        """
        options, begin, end = self._options(
            start, None, rtol, atol, solver, step, max_step, interval, record, zeno, locate,
            max_steps, max_events,
        )  # fmt: skip
        return self._begin(options, begin, end, inputs, {**(parameters or {}), **more})

    def linearize(
        self,
        time: float | None = None,
        *,
        inputs: Sequence[str] | None = None,
        outputs: Sequence[str] | None = None,
        parameters: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> Linearization:
        """Linearizes the model at its start, or at a time of a run.

        The result has A, B, C, D as arrays, ready for ``scipy.signal.StateSpace(*result)``. Inputs
        are those of the model, or any of its inputs and parameters by name; outputs are those that
        are declared `output`, or any variables.
        """
        run = self.start(parameters=parameters, record="nothing", **more)
        if time is not None:
            run.advance(time)
        try:
            return run.linearize(inputs, outputs)
        except ValueError as error:
            raise _argument(error) from None

    # ------------------------------------------------------------------ studies

    def sweep(
        self,
        observe: Sequence[str] | Mapping[str, str] | str,
        *,
        stop: float | None = None,
        start: float | None = None,
        rtol: float | None = None,
        atol: float | None = None,
        solver: str = "auto",
        step: float = 0.0,
        max_step: float | None = None,
        zeno: str = "stop",
        locate: str = "brent",
        max_steps: int = 0,
        max_events: int = 0,
        zip: bool = False,
        jobs: int = 0,
        parameters: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> Sweep:
        """Runs the model for many values of its parameters, on all cores.

        Each parameter is a number or an array; arrays make a grid, the last one the fastest, or with
        ``zip=True`` go together. ``observe`` are expressions over whole runs, such as "maximum(h)",
        "time_of(h <= 0, 3)", "final = h" (docs/observations.md has the list); max(h) and
        event_time('h <= 0', 3) are understood, too. The result has an array for each of them, in
        the shape of the grid, with NaN where a run failed or it did not happen.
        """
        options, _, end = self._options(
            start, stop, rtol, atol, solver, step, max_step, 0.0, "nothing", zeno, locate,
            max_steps, max_events,
        )  # fmt: skip
        try:
            return sweep(self, options, end, observe, {**(parameters or {}), **more}, zip, jobs)
        except ValueError as error:
            raise _argument(error) from None

    def solve(
        self,
        unknowns: Mapping[str, tuple[float, ...]],
        targets: Mapping[str, float] | None = None,
        *,
        minimize: str | None = None,
        boundary: str | bool | None = None,
        all: bool = False,
        observe: Sequence[str] = (),
        stop: float | None = None,
        start: float | None = None,
        rtol: float | None = None,
        atol: float | None = None,
        solver: str = "auto",
        step: float = 0.0,
        max_step: float | None = None,
        zeno: str = "stop",
        locate: str = "brent",
        logarithmic: Sequence[str] = (),
        points: int = 64,
        jobs: int = 0,
        parameters: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> Solutions:
        """Finds values of parameters for which a run does what is wanted.

        ``unknowns``: {"c": (0.5, 0.9)}, or (lower, upper, guess). ``targets``: {observation: value}:
        as many as unknowns, or more (then the squares of the differences are smallest in sum).
        ``all``: all solutions in the interval of one unknown that a search over ``points``
        intervals sees. Instead of targets ``minimize`` is an observation that shall be smallest,
        ``boundary`` one whose value changes (True: the sequence of events).

        A place where the target only jumps over the value is no solution, and is reported as such.
        """
        options, _, end = self._options(
            start, stop, rtol, atol, solver, step, max_step, 0.0, "nothing", zeno, locate, 0, 0,
        )  # fmt: skip
        try:
            return solve(
                self, options, end, unknowns, targets, minimize, boundary, all, observe,
                logarithmic, points, jobs, {**(parameters or {}), **more},
            )  # fmt: skip
        except ValueError as error:
            raise _argument(error) from None
        except RuntimeError as error:
            raise _failure(self.name, error) from None


def input_signal(
    shape: Shape, name: str, value: Any, start: float, stop: float, rtol: float
) -> Signal:
    """What an input is to follow; those that change at events only are held between points."""
    if name not in shape.input_places:
        raise KeyError(_unknown("input", name, shape.inputs))
    if name not in shape.continuous and isinstance(value, (tuple, list)) and len(value) == 2:
        return held(*value)
    return signal_of(value, start, stop, 0.1 * rtol)


def _argument(error: ValueError) -> ValueError:
    """What the library found wrong, as one text."""
    parts = error.args
    is_core = len(parts) == 3 and isinstance(parts[0], int)
    return ValueError(str(parts[2]).rstrip("\n")) if is_core else error


def _failure(name: str, error: RuntimeError) -> Exception:
    parts = error.args
    if len(parts) == 3 and isinstance(parts[0], int):
        return SimulationError(f"{name}: {parts[2]}")
    return error


def _divide(
    settings: Mapping[str, Any],
) -> tuple[list[tuple[str, float]], list[tuple[str, str]]]:
    """Numbers, and what has to be written as Modelica."""
    numbers: list[tuple[str, float]] = []
    texts: list[tuple[str, str]] = []
    for name, value in settings.items():
        if isinstance(value, (float, int)):
            numbers.append((name, float(value)))
        elif isinstance(value, str):
            texts.append((name, value))
        elif isinstance(value, Mapping):
            kind = type(value).__name__
            raise TypeError(f"{name} must be a number, a text or an array, not a {kind}")
        elif np.ndim(value) == 0:
            numbers.append((name, float(value)))
        else:
            texts.append((name, _literal(value)))
    return numbers, texts


def _literal(value: Any) -> str:
    """An array as Modelica writes it."""
    if isinstance(value, str):
        return value
    if np.ndim(value) > 0:
        return "{" + ", ".join(_literal(v) for v in value) + "}"
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    return repr(float(value))
