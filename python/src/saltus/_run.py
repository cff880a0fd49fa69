# SPDX-License-Identifier: MIT
"""Runs: their results, and how they go on step by step."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Iterator, Mapping, NamedTuple, Sequence, overload

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._errors import SaltusWarning, SimulationError

if TYPE_CHECKING:
    from ._model import Model, Shape
    from ._signals import Signal
    from ._studies import Linearization

_TIME, _MODE, _KIND, _HEAD = 0, 1, 2, 3
_INPUT, _PARAMETER, _STATE = 0, 1, 2
_ERROR_ARGUMENT = -1
_ZENO = 2
_KINDS = ("start", "step", "interval", "before event", "after event", "end")
_OCCASIONS = (
    "start",
    "crossing",
    "time",
    "step",
    "request",
    "arming",
    "entry",
    "iteration",
    "limit",
)


class Event(NamedTuple):
    """What happened at an instant."""

    #: When.
    time: float
    #: The conditions that changed, each with the direction in which what is compared (left minus
    #: right) crossed zero, and the time events: "h <= 0.0 falling; sample(0.0, 0.1)".
    what: str
    #: What it changed, by the classes of state events: "SE-X", "SE-S", ...
    classes: str
    #: The modes before and after it.
    before: str
    after: str
    #: Variables that jumped: their values before and after (NaN where there was none).
    changes: dict[str, tuple[float, float]]
    #: Why: "crossing", "time", "request", ..., joined by "+".
    occasion: str
    #: How well its time is known: the width of the bracket it was located in.
    bracket: float
    #: Iterations that it took.
    iterations: int


class Events(Sequence[Event]):
    """A table of events: a sequence of `Event`, with its columns as arrays."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = tuple(events)

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> Events: ...
    def __getitem__(self, index):
        if isinstance(index, slice):
            return Events(self._events[index])
        return self._events[index]

    def __len__(self) -> int:
        return len(self._events)

    @property
    def times(self) -> NDArray[np.float64]:
        """When they happened."""
        return np.array([e.time for e in self._events], dtype=np.float64)

    def where(self, text: str) -> Events:
        """Those in whose `what` the text occurs; blanks do not matter, and 0 is 0.0."""
        wanted = _plain(text)
        return Events([e for e in self._events if wanted in _plain(e.what)])

    def to_dataframe(self):
        """A pandas DataFrame, one row for each event."""
        import pandas  # type: ignore[import,unused-ignore]

        return pandas.DataFrame(list(self._events), columns=list(Event._fields))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Events) and self._events == other._events

    def __hash__(self) -> int:
        return hash(tuple((e.time, e.what) for e in self._events))

    def __repr__(self) -> str:
        lines = [f"{len(self)} event{'' if len(self) == 1 else 's'}"]
        shown = list(self._events) if len(self) <= 20 else list(self._events[:10])
        for e in shown:
            mode = f"  [{e.before} -> {e.after}]" if e.before != e.after else ""
            lines.append(f"{e.time:>16.9g}  {e.classes:<10} {e.what or e.occasion}{mode}")
        if len(shown) < len(self):
            lines.append(f"{'...':>16}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(
            f"<tr><td>{e.time:.9g}</td><td>{escape(e.what or e.occasion)}</td>"
            f"<td>{escape(e.classes)}</td><td>{escape(_mode_text(e))}</td></tr>"
            for e in self._events[:100]
        )
        more = f"<p>... {len(self) - 100} more</p>" if len(self) > 100 else ""
        head = "<tr><th>time</th><th>what</th><th>classes</th><th>mode</th></tr>"
        return f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>{more}"


def _mode_text(e: Event) -> str:
    return e.after if e.before == e.after else f"{e.before} → {e.after}"


def _plain(text: str) -> str:
    import re

    return re.sub(r"(?<=\d)\.0(?!\d)", "", text).replace(" ", "")


class Phase(NamedTuple):
    """A stretch of time in which one mode was active."""

    start: float
    stop: float
    mode: str


class Run(Mapping[str, NDArray[np.float64]]):
    """A run of a model: made by `Model.simulate`, or by `Model.start` to go on step by step.

    ``run["h"]`` is a variable as a NumPy array, over ``run.time``. At an event there are two rows
    with the same time, the values before and after it. The arrays share the memory of the run: they
    are made without a copy, and cannot be written.
    """

    def __init__(
        self, model: Model, shape: Shape, core: _core.Run, settings: dict[str, float]
    ) -> None:
        self.model: Model | None = model
        self._core: _core.Run | None = core
        self._settings = settings
        self._shape: Shape | None = shape
        self._signals: dict[str, tuple[int, Signal]] = {}
        self._tolerance = 1e-6
        self._variables: tuple[str, ...] | None = None
        self._index: dict[str, int] | None = None
        self._events: list[Event] = []
        self._frozen: dict[str, Any] | None = None
        self._derived: tuple[str, ...] = ()
        self._told: set[str] = set()
        #: 0: it came to its end; above: it was stopped, `message` says why.
        self.status: int = 0
        self.message: str = ""

    # ------------------------------------------------------------------ results

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._frozen["name"] if self._frozen else self.model.name  # type: ignore[union-attr]

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables."""
        if self._variables is None:
            self._variables = self._names()
        return self._variables

    def _names(self) -> tuple[str, ...]:
        assert self._shape is not None and self._core is not None
        names = self._shape.variables if self._core.is_base() else tuple(self._core.variables())
        if not self._derived:
            return names
        return names + tuple(f"d({v})/d({p})" for p in self._derived for v in names)

    def _places(self) -> dict[str, int]:
        if self._index is None:
            if self._shape is not None and self.variables is self._shape.variables:
                self._index = self._shape.places
            else:
                self._index = {name: i for i, name in enumerate(self.variables)}
        return self._index

    def _place(self, name: str) -> int:
        try:
            return self._places()[name]
        except KeyError:
            raise KeyError(_unknown("variable", name, self.variables)) from None

    def _column(self, cell: int) -> NDArray[Any]:
        if self._frozen:
            return self._frozen["columns"][cell]
        return np.asarray(self._core.column(cell))  # type: ignore[union-attr]

    @property
    def time(self) -> NDArray[np.float64]:
        """The times of the rows."""
        return self._column(_TIME)

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        if name == "time" and "time" not in self._places():
            return self.time
        return self._column(_HEAD + self._place(name))

    def __iter__(self) -> Iterator[str]:
        return iter(self.variables)

    def __len__(self) -> int:
        return len(self.variables)

    def __contains__(self, name: object) -> bool:
        return name in self._places()

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    @property
    def modes(self) -> NDArray[np.int64]:
        """The mode of each row, as a number; `mode_names` has their names."""
        return self._column(_MODE)

    @property
    def mode_names(self) -> dict[int, str]:
        """The names of the modes that the run was in, by their numbers."""
        if self._frozen:
            return dict(self._frozen["mode_names"])
        numbers = {int(n) for n in np.unique(self.modes)} | {self._core.mode()}  # type: ignore
        return {n: self._core.mode_name(n) for n in sorted(numbers)}  # type: ignore[union-attr]

    @property
    def phases(self) -> list[Phase]:
        """The stretches of time between changes of the mode."""
        time, modes, names = self.time, self.modes, self.mode_names
        if not len(time):
            return []
        edges = [0, *(np.flatnonzero(np.diff(modes)) + 1).tolist(), len(time)]
        phases = []
        for a, b in zip(edges[:-1], edges[1:]):
            stop = float(time[b]) if b < len(time) else float(time[-1])
            phases.append(Phase(float(time[a]), stop, names[int(modes[a])]))
        return phases

    @property
    def kinds(self) -> NDArray[np.str_]:
        """What each row is: start, step, interval, before event, after event, end."""
        return np.array(_KINDS)[self._column(_KIND)]

    @property
    def events(self) -> Events:
        """What happened, in order."""
        core = self._core
        if core is not None and core.event_count() > len(self._events):
            for item in core.events(len(self._events)):
                self._events.append(self._event(core, item))
        return Events(self._events)

    def _event(self, core: _core.Run, item: tuple[Any, ...]) -> Event:
        t, what, occasion, classes, before, after, changes, records, bracket, iterations = item
        inputs = self._shape.input_places if self._shape else {}
        table = {}
        for name, a, b in (*changes, *records):
            input_ = name.removesuffix(".value")
            table[input_ if input_ in inputs else name] = (a, b)
        words = [word for i, word in enumerate(_OCCASIONS) if occasion >> i & 1]
        return Event(
            t,
            what,
            classes,
            core.mode_name(before),
            core.mode_name(after),
            table,
            "+".join(words),
            bracket,
            iterations,
        )

    @property
    def statistics(self) -> dict[str, int]:
        """How much work it was: steps, evaluations, events, ..."""
        return dict(self._frozen["statistics"]) if self._frozen else self._core.statistics()  # type: ignore

    @property
    def solver(self) -> str:
        """The solver in use at the end."""
        return self._frozen["solver"] if self._frozen else self._core.solver()  # type: ignore

    @property
    def parameters(self) -> dict[str, float]:
        """The values of the parameters now."""
        if self._frozen:
            return dict(self._frozen["parameters"])
        assert self._shape is not None and self._core is not None
        values = self._core.parameters()
        if values is None:  # those of another shape are not known by name
            return dict(self._settings)
        return {name: values[i] for name, i in self._shape.parameter_places.items()}

    def final(self, name: str) -> float:
        """The last value of a variable."""
        return float(self[name][-1])

    def at(self, name: str, time: float) -> float:
        """The value at a time, linear between rows; at an event the value after it."""
        t, v = self.time, self[name]
        if not len(t) or not t[0] <= time <= t[-1]:
            raise ValueError(f"the run has no value at {time:g}")
        i = int(np.searchsorted(t, time, side="right")) - 1
        if i + 1 >= len(t) or t[i] == time:
            return float(v[i])
        part = (time - t[i]) / (t[i + 1] - t[i])
        return float(v[i] + part * (v[i + 1] - v[i]))

    def to_dataframe(self, variables: Sequence[str] | None = None):
        """A pandas DataFrame over time, with the column "mode" if there is more than one."""
        import pandas  # type: ignore[import,unused-ignore]

        names = list(self.variables if variables is None else variables)
        frame = pandas.DataFrame({name: self[name] for name in names}, index=self.time)
        frame.index.name = "time"
        modes = self.mode_names
        if len(modes) > 1 and variables is None:
            frame["mode"] = pandas.Categorical.from_codes(
                np.searchsorted(list(modes), self.modes), categories=list(modes.values())
            )
        return frame

    # ------------------------------------------------------------------ pictures

    def plot(self, *names: str, phases: bool | None = None, ax: Any = None):
        """Draws variables over time.

        With matplotlib it draws into ``ax`` (or new axes) and returns them; without, it returns a
        `saltus._plot.Picture`, which Jupyter shows. ``phases``: shade the phases; by default if
        there is more than one.
        """
        from . import _plot

        return _plot.plot(self, names, phases, ax)

    def svg(self, *names: str, phases: bool | None = None) -> str:
        """The same as SVG text, drawn by Saltus itself. Each argument is a panel: "x", "x,y"."""
        from . import _plot

        return _plot.svg(self, names, phases)

    def _repr_html_(self) -> str:
        from . import _plot

        return _plot.html(self)

    def __repr__(self) -> str:
        time = self.time
        span = f"t = {time[0]:g} ... {time[-1]:g}, {len(time)} rows" if len(time) else "no rows"
        what = f": {self.message}" if self.message else ""
        count = len(self.events)
        return (
            f"<Run of {self.name}: {span}, {count} event{'' if count == 1 else 's'}, "
            f"{len(self.mode_names)} mode{'' if len(self.mode_names) == 1 else 's'}{what}>"
        )

    # ------------------------------------------------------------------ step by step

    def _live(self) -> _core.Run:
        if self._core is None:
            raise RuntimeError("a run that was pickled cannot go on")
        return self._core

    @property
    def now(self) -> float:
        """The time that the run has reached."""
        return float(self._frozen["now"]) if self._frozen else self._live().time()

    @property
    def mode(self) -> str:
        """The active mode."""
        core = self._live()
        return core.mode_name(core.mode())

    @property
    def next_time_event(self) -> float:
        """When the next time event is scheduled; inf: there is none."""
        return self._live().next_time_event()

    def read(self, name: str) -> float:
        """The present value of a variable, also if nothing is recorded."""
        return self._live().read(self._place(name))

    def advance(self, time: float) -> Run:
        """Goes on to a time, with all events on the way. Returns the run itself.

        A run that is stopped on the way (terminate, accumulating events) is there earlier; `status`
        is not 0 then. A run that fails raises `SimulationError`.
        """
        core = self._live()
        signals = []
        for index, signal in self._signals.values():
            signal.reach(float(time))
            signals.append((index, signal.times, signal.values))
        self._settle(*core.advance(float(time), signals))
        return self

    def set(
        self,
        values: Mapping[str, Any] | None = None,
        /,
        **more: Any,
    ) -> Run:
        """Sets inputs, parameters and states now, all at once, as one event. Returns the run itself.

        A continuous input may be given as (value, rate) or (value, rate, rate2, rate3): it goes on
        with these derivatives until it is set again. Setting an input ends a signal that it follows.
        """
        core = self._live()
        assignments = []
        given = {**(values or {}), **more}
        for name, value in given.items():
            numbers = [float(v) for v in value] if isinstance(value, (tuple, list)) else [float(value)]
            if not 1 <= len(numbers) <= 4:
                raise ValueError(f"{name}: a value and at most three rates can be set")
            target, index = self._target(name)
            if target != _INPUT and len(numbers) > 1:
                raise ValueError(f"{name} is no input: it has no rates")
            value_, *rates = numbers
            rates += [0.0] * (3 - len(rates))
            assignments.append((target, index, value_, rates[0], rates[1], rates[2]))
        status, message = core.set(assignments)
        if status == _ERROR_ARGUMENT:
            raise ValueError(message)
        for name in given:
            self._signals.pop(name, None)
        self._settle(status, message)
        return self

    def _target(self, name: str) -> tuple[int, int]:
        shape = self._shape
        assert shape is not None
        if name in shape.input_places:
            return _INPUT, shape.input_places[name]
        if name in shape.parameter_places:
            return _PARAMETER, shape.parameter_places[name]
        if name in shape.places:
            return _STATE, shape.places[name]
        known = (*shape.inputs, *shape.parameter_places, *shape.variables)
        raise KeyError(_unknown("input, parameter or variable", name, known))

    def follow(self, **inputs: Any) -> Run:
        """Lets inputs follow signals from now on: arrays, functions, ... as in `Model.simulate`.

        """
        from ._model import input_signal

        assert self.model is not None and self._shape is not None
        stop = max(self.model.stop, self.now + (self.model.stop - self.model.start_time))
        for name, value in inputs.items():
            signal = input_signal(self._shape, name, value, self.now, stop, self._tolerance)
            now = signal.at(self.now)
            self.set({name: now if name in self._shape.continuous else now[0]})
            self._signals[name] = (self._shape.input_places[name], signal)
        return self

    def copy(self) -> Run:
        """A checkpoint: a run in the present state, with rows and events of its own from here on."""
        core = self._live().copy()
        other = Run(self.model, self._shape, core, self._settings)  # type: ignore[arg-type]
        other._signals = dict(self._signals)
        other._tolerance = self._tolerance
        return other

    def finish(self) -> Run:
        """The end: terminal() becomes true in the model."""
        self._settle(*self._live().finish())
        self._tell()
        return self

    @property
    def warnings(self) -> list[str]:
        """What is to be told about the run: assertions of level warning, singular equations, ..."""
        if self._frozen:
            return list(self._frozen["warnings"])
        found = [f"from t = {t:.10g} on: {text}" if t == t else text for t, text in self._live().warnings()]
        found += self._not_finite()
        return found + ([f"stopped: {self.message}"] if self.status == _ZENO else [])

    def _not_finite(self) -> list[str]:
        """The first variable in the rows that is not finite, if there is one."""
        if not len(self.time):
            return []
        wild = [
            (int(np.argmin(finite)), name)
            for i, name in enumerate(self.variables)
            if not (finite := np.isfinite(self._column(_HEAD + i))).all()
        ]
        return [f"from t = {self.time[row]:.10g} on: {name} is not finite" for row, name in sorted(wild)[:1]]

    def _tell(self) -> None:
        """Python's warnings for those of the run that were not told yet."""
        for text in self.warnings:
            if text not in self._told:
                self._told.add(text)
                warnings.warn(f"{self.name}: {text}", SaltusWarning, stacklevel=3)

    def linearize(
        self, inputs: Sequence[str] | None = None, outputs: Sequence[str] | None = None
    ) -> Linearization:
        """The linear system around the present state: see `Model.linearize`."""
        from ._studies import Linearization

        found = self._live().linearize(
            None if inputs is None else list(inputs), None if outputs is None else list(outputs)
        )
        return Linearization._of(found)

    def _settle(self, status: int, message: str) -> None:
        self.status = status
        self.message = message if status else ""
        for text, is_warning in self._live().printed():
            if is_warning:
                warnings.warn(f"{self.name}: {text}", SaltusWarning, stacklevel=3)
            else:
                print(text)
        if status < 0:
            time = self._live().time()
            raise SimulationError(f"{self.name}: t = {time:.9g}: {message}", time, self)

    # ------------------------------------------------------------------ pickling

    def __getstate__(self) -> dict[str, Any]:
        if self._frozen:
            frozen = self._frozen
        else:
            frozen = {
                "name": self.name,
                "variables": self.variables,
                "columns": [
                    np.ascontiguousarray(self._column(i)) for i in range(_HEAD + len(self.variables))
                ]
                if len(self.time)
                else [np.zeros(0)] * (_HEAD + len(self.variables)),
                "mode_names": self.mode_names,
                "statistics": self.statistics,
                "solver": self.solver,
                "parameters": self.parameters,
                "now": self.now,
                "warnings": self.warnings,
            }
        return {
            "frozen": frozen,
            "events": list(self.events),
            "settings": self._settings,
            "status": self.status,
            "message": self.message,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.model = None
        self._core = None
        self._shape = None
        self._signals = {}
        self._tolerance = 1e-6
        self._told = set()
        frozen: dict[str, Any] = state["frozen"]
        for column in frozen["columns"]:
            column.flags.writeable = False
        self._frozen = frozen
        self._variables = tuple(frozen["variables"])
        self._index = None
        self._events = state["events"]
        self._settings = state["settings"]
        self.status = state["status"]
        self.message = state["message"]


def _unknown(what: str, name: str, known: Sequence[str]) -> str:
    import difflib

    near = difflib.get_close_matches(name, list(known), 1)
    return f"there is no {what} '{name}'" + (f"; did you mean '{near[0]}'?" if near else "")


