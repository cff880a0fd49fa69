# SPDX-License-Identifier: MIT
"""Many runs of one model: sweeps, solutions; and linearizations."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any, Iterator, Mapping, NamedTuple, Sequence

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ._model import Model

_SEEK_ROOT, _SEEK_ALL, _SEEK_MINIMUM, _SEEK_BOUNDARY = range(4)
_FOUND = ("root", "jump", "minimum", "boundary")


# ----------------------------------------------------------------------------
# Observations
# ----------------------------------------------------------------------------


def _outside(text: str) -> Iterator[tuple[int, str, int]]:
    """(place, character, open brackets, it included) of all characters that are not quoted."""
    depth, quote = 0, ""
    for i, c in enumerate(text):
        if quote:
            quote = "" if c == quote else quote
        elif c in "\"'":
            quote = c
        else:
            depth += (c in "([{") - (c in ")]}")
            yield i, c, depth


def _parts(text: str) -> list[str]:
    """Arguments at the commas that are in no bracket and no quotes."""
    commas = [i for i, c, depth in _outside(text) if c == "," and depth == 0]
    return [text[a + 1 : b] for a, b in zip([-1] + commas, commas + [len(text)])]


def _closing(text: str, start: int) -> int:
    """Where the bracket that is open at `start` closes; -1: nowhere."""
    return next((start + i for i, _, depth in _outside(text[start:]) if depth < 0), -1)


_CALL = re.compile(r"(?<![\w.])(max|min|event_time)\s*\(")


def observation(text: str) -> str:
    """As Saltus writes it: max(x) of one argument is over the whole run, event_time is time_of."""
    found = _CALL.search(text)
    if not found:
        return text
    end = _closing(text, found.end())
    if end < 0:
        return text
    inner = text[found.end() : end]
    rest = observation(text[end + 1 :])
    parts = _parts(inner)
    before = text[: found.start()]
    if found[1] == "event_time":
        condition = parts[0].strip()
        if len(condition) >= 2 and condition[0] == condition[-1] and condition[0] in "'\"":
            condition = condition[1:-1]
        more = "".join("," + p for p in parts[1:])
        quoted = condition.replace("\\", "\\\\").replace('"', '\\"')
        return f'{before}time_of(event("{quoted}"){more}){rest}'
    name = {"max": "maximum", "min": "minimum"}[found[1]] if len(parts) == 1 else found[1]
    return f"{before}{name}({observation(inner)}){rest}"


_NAMED = re.compile(r"\s*([A-Za-z_]\w*)\s*=(?!=)\s*(.*)", re.DOTALL)


def _names_of(observe: Sequence[str] | Mapping[str, str] | str) -> tuple[list[str], list[str]]:
    """Names of the columns, and the expressions."""
    if isinstance(observe, str):
        observe = [observe]
    if isinstance(observe, Mapping):
        return list(observe), [observation(text) for text in observe.values()]
    names, texts = [], []
    for text in observe:
        named = _NAMED.fullmatch(text)
        names.append(named[1] if named else text)
        texts.append(observation(named[2] if named else text))
    return names, texts


# ----------------------------------------------------------------------------
# Sweeps
# ----------------------------------------------------------------------------


class Sweep(Mapping[str, NDArray[np.float64]]):
    """The results of a sweep: ``sweep["max(h)"]`` is an array in the shape of the grid.

    Parameters that were varied are there by their names, in the same shape.
    """

    def __init__(
        self,
        shape: tuple[int, ...],
        parameters: dict[str, NDArray[np.float64]],
        results: dict[str, NDArray[np.float64]],
        statuses: NDArray[np.int64],
        messages: NDArray[np.object_],
    ) -> None:
        #: The shape of the grid: one dimension for each parameter that is varied.
        self.shape = shape
        #: The values of these, over the grid.
        self.parameters = parameters
        #: What was observed. An observation with several values has them in a last dimension.
        self.results = results
        #: Below zero: the run failed; above: it stopped early.
        self.statuses = statuses
        #: Why; also why a value is missing.
        self.messages = messages

    @property
    def failed(self) -> NDArray[np.bool_]:
        """Where runs failed."""
        return self.statuses < 0

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        if name in self.results:
            return self.results[name]
        return self.parameters[name]

    def __iter__(self) -> Iterator[str]:
        return itertools.chain(self.parameters, self.results)

    def __len__(self) -> int:
        return len(self.parameters) + len(self.results)

    def to_dataframe(self):
        """A pandas DataFrame: a row for each point, "status" and "message" at the end."""
        import pandas  # type: ignore[import,unused-ignore]

        columns: dict[str, Any] = {n: v.ravel() for n, v in self.parameters.items()}
        for name, values in self.results.items():
            if values.ndim == len(self.shape):
                columns[name] = values.ravel()
            else:
                for i in range(values.shape[-1]):
                    columns[f"{name}[{i + 1}]"] = values[..., i].ravel()
        columns["status"] = self.statuses.ravel()
        columns["message"] = self.messages.ravel()
        return pandas.DataFrame(columns)

    def __repr__(self) -> str:
        count, failed = self.statuses.size, int(self.failed.sum())
        return (
            f"<Sweep: {' x '.join(map(str, self.shape)) or '1'} point{'' if count == 1 else 's'}, "
            f"{failed} failed; {', '.join(self.results)}>"
        )


def _points(
    parameters: Mapping[str, Any], together: bool
) -> tuple[dict[str, Any], list[str], NDArray[np.float64], tuple[int, ...]]:
    """Fixed parameters, the names of the varied ones, a row for each point, the shape."""
    varied = {}
    fixed = {}
    for name, value in parameters.items():
        if not isinstance(value, str) and np.ndim(value) > 0:
            varied[name] = np.asarray(value, dtype=np.float64)
            if varied[name].ndim != 1 or not varied[name].size:
                raise ValueError(f"{name}: a list of values is needed")
        else:
            fixed[name] = value
    if together:
        lengths = {v.size for v in varied.values()} or {1}
        if len(lengths) > 1:
            raise ValueError("with zip=True all lists are equally long")
        table = np.column_stack(list(varied.values())) if varied else np.zeros((1, 0))
        return fixed, list(varied), table, (lengths.pop(),) if varied else ()
    grid = np.meshgrid(*varied.values(), indexing="ij") if varied else []
    shape = tuple(v.size for v in varied.values())
    table = np.column_stack([g.ravel() for g in grid]) if varied else np.zeros((1, 0))
    return fixed, list(varied), table, shape


def sweep(
    model: Model,
    options: tuple[Any, ...],
    stop: float,
    observe: Sequence[str] | Mapping[str, str] | str,
    parameters: Mapping[str, Any],
    together: bool,
    jobs: int,
) -> Sweep:
    fixed, names, table, shape = _points(parameters, together)
    columns, texts = _names_of(observe)
    if not texts:
        raise ValueError('what is to be observed? observe=["maximum(h)"] says it')
    # Start values are varied by a model that was translated for that.
    first = {n: float(table[0, i]) for i, n in enumerate(names)}
    core = model._shape_for({**fixed, **first})[0].core
    numbers = [(n, float(v)) for n, v in fixed.items() if not isinstance(v, str)]
    values, statuses, messages, lengths = core.sweep(
        numbers, options, stop, names, np.ascontiguousarray(table), len(table), texts, int(jobs)
    )
    rows = np.frombuffer(values, dtype=np.float64).reshape(len(table), sum(lengths))
    results, k = {}, 0
    for column, length in zip(columns, lengths):
        part = rows[:, k : k + length]
        results[column] = (
            part[:, 0].reshape(shape) if length == 1 else part.reshape(*shape, length)
        )
        k += length
    given = {n: table[:, i].reshape(shape) for i, n in enumerate(names)}
    return Sweep(
        shape,
        given,
        results,
        np.array(statuses, dtype=np.int64).reshape(shape),
        np.array(messages, dtype=object).reshape(shape),
    )


# ----------------------------------------------------------------------------
# Solutions
# ----------------------------------------------------------------------------


class Solution(Mapping[str, float]):
    """Values of the unknowns: ``solution["c"]``."""

    def __init__(
        self,
        unknowns: dict[str, float],
        kind: str,
        miss: float,
        left: float,
        right: float,
        width: float,
        note: str,
        observed: dict[str, Any],
    ) -> None:
        self.unknowns = unknowns
        #: "root", "minimum", "boundary", or "jump": the target jumps over the value, no solution.
        self.kind = kind
        #: What is left of the target; of a minimum its value.
        self.miss = miss
        #: Of jumps and boundaries: the target just below and just above.
        self.left, self.right = left, right
        #: The width of the bracket.
        self.width = width
        #: What changes there, in words.
        self.note = note
        #: The further observations.
        self.observed = observed

    def __getitem__(self, name: str) -> float:
        return self.unknowns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.unknowns)

    def __len__(self) -> int:
        return len(self.unknowns)

    def __repr__(self) -> str:
        values = ", ".join(f"{n} = {v:.10g}" for n, v in self.unknowns.items())
        note = f"; {self.note}" if self.note else ""
        return f"<{self.kind}: {values}{note}>"


class Solutions(Sequence[Solution]):
    """What `Model.solve` found: a sequence of `Solution`, ascending, without mere jumps.

    ``solutions["c"]`` is the unknown of the first of them.
    """

    def __init__(self, items: Sequence[Solution], jumps: Sequence[Solution], runs: int, message: str):
        self._items = tuple(items)
        #: Where the target only jumps over the wanted value.
        self.jumps = tuple(jumps)
        #: How many runs it took.
        self.runs = runs
        #: Why nothing, or not all, was found.
        self.message = message

    def __getitem__(self, index):
        if isinstance(index, str):
            if not self._items:
                raise LookupError(self.message or "there is no solution")
            return self._items[0][index]
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        head = f"{len(self)} solution{'' if len(self) == 1 else 's'}, {self.runs} runs"
        lines = [head + (f": {self.message}" if self.message else "")]
        lines += [f"  {item!r}" for item in (*self._items, *self.jumps)]
        return "\n".join(lines)


def solve(
    model: Model,
    options: tuple[Any, ...],
    stop: float,
    unknowns: Mapping[str, tuple[float, ...]],
    targets: Mapping[str, float] | None,
    minimize: str | None,
    boundary: str | bool | None,
    is_all: bool,
    observe: Sequence[str],
    logarithmic: Sequence[str],
    points: int,
    jobs: int,
    parameters: Mapping[str, Any],
) -> Solutions:
    if bool(targets) + (minimize is not None) + bool(boundary) != 1:
        raise ValueError("one of targets, minimize and boundary says what is wanted")
    texts = [f"({observation(t)}) - ({float(v)!r})" for t, v in (targets or {}).items()]
    if minimize is not None:
        texts = [observation(minimize)]
    if isinstance(boundary, str):
        texts = [observation(boundary)]
    target_count = len(texts)
    columns, more = _names_of(observe)
    texts += more
    if not texts:
        texts = ["count(event())"]
    seek = (
        _SEEK_BOUNDARY
        if boundary
        else _SEEK_MINIMUM
        if minimize is not None
        else _SEEK_ALL
        if is_all
        else _SEEK_ROOT
    )
    table = []
    for name, interval in unknowns.items():
        if not 2 <= len(interval) <= 3:
            raise ValueError(f"{name} is sought in an interval: (lower, upper)")
        guess = float(interval[2]) if len(interval) == 3 else float("nan")
        table.append((name, float(interval[0]), float(interval[1]), guess, name in logarithmic))
    middle = {name: 0.5 * (lower + upper) for name, lower, upper, _, _ in table}
    core = model._shape_for({**parameters, **middle})[0].core
    numbers = [(n, float(v)) for n, v in parameters.items() if not isinstance(v, str)]
    items, runs, message = core.solve(
        numbers, options, stop, texts, target_count, seek, table, int(points), int(jobs)
    )
    found = [_solution(item, list(unknowns), columns, target_count) for item in items]
    return Solutions(
        [s for s in found if s.kind != "jump"], [s for s in found if s.kind == "jump"], runs, message
    )


def _solution(
    item: tuple[Any, ...], names: list[str], columns: list[str], target_count: int
) -> Solution:
    kind, values, value, left, right, width, note, results = item
    observed = dict(zip(columns, results[target_count:]))
    return Solution(
        dict(zip(names, values)), _FOUND[kind], value, left, right, width, note, observed
    )


# ----------------------------------------------------------------------------
# Linearizations
# ----------------------------------------------------------------------------


class Linearization(NamedTuple):
    """dx/dt = A x + B u, y = C x + D u around a point: the first four are the matrices.

    ``scipy.signal.StateSpace(*lin[:4])`` and ``control.ss(*lin[:4])`` take them as they are.
    """

    A: NDArray[np.float64]
    B: NDArray[np.float64]
    C: NDArray[np.float64]
    D: NDArray[np.float64]
    #: The names of the states, inputs and outputs.
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    #: The point: states, their derivatives, inputs, outputs.
    x: NDArray[np.float64]
    dx: NDArray[np.float64]
    u: NDArray[np.float64]
    y: NDArray[np.float64]
    #: Of A.
    eigenvalues: NDArray[np.complex128]
    time: float
    mode: str
    #: The estimated error of the elements.
    error: float

    @classmethod
    def _of(cls, found: dict[str, Any]) -> Linearization:
        n, m, k = len(found["states"]), len(found["inputs"]), len(found["outputs"])

        def array(name: str, *shape: int) -> NDArray[np.float64]:
            return np.frombuffer(found[name], dtype=np.float64).reshape(shape).copy()

        return cls(
            array("A", n, n),
            array("B", n, m),
            array("C", k, n),
            array("D", k, m),
            tuple(found["states"]),
            tuple(found["inputs"]),
            tuple(found["outputs"]),
            array("x", n),
            array("dx", n),
            array("u", m),
            array("y", k),
            np.array(found["eigenvalues"], dtype=np.complex128),
            found["time"],
            found["mode"],
            found["error"],
        )
