# SPDX-License-Identifier: MIT
"""Inputs as functions of time: from arrays and from Python functions.

A signal is a list of polynomials of third degree, one after the other: from ``times[i]`` on the
value and its first three derivatives are ``values[i]``. That is what the engine follows, so
thresholds are found and derivatives are known inside a step; where one polynomial ends and the next
begins there is an event.
"""

from __future__ import annotations

import math
from typing import Any, Callable, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray


class Signal:
    """An input as a function of time: made by `held`, `linear` or `smooth`."""

    times: NDArray[np.float64]
    values: NDArray[np.float64]

    def __init__(self, times: NDArray[np.float64], values: NDArray[np.float64]) -> None:
        self.times = np.ascontiguousarray(times, dtype=np.float64)
        self.values = np.ascontiguousarray(values, dtype=np.float64)
        if self.times.ndim != 1 or self.values.shape != (len(self.times), 4) or not len(self.times):
            raise ValueError("a signal needs times, and four numbers for each")
        if not np.all(np.isfinite(self.times)) or not np.all(np.isfinite(self.values)):
            raise ValueError("times and values of a signal must be finite numbers")
        if np.any(np.diff(self.times) < 0):
            raise ValueError("the times of a signal must not fall")

    def reach(self, time: float) -> None:
        """Sees to it that the signal is known up to a time."""

    def at(self, time: float) -> tuple[float, float, float, float]:
        """Value and derivatives at a time, from the right; before the first time as there."""
        i = int(np.searchsorted(self.times, time, side="right")) - 1
        if i < 0:
            return (float(self.values[0, 0]), 0.0, 0.0, 0.0)
        s = time - float(self.times[i])
        v, a, b, c = (float(x) for x in self.values[i])
        return (
            v + s * (a + s * (b / 2 + s * c / 6)),
            a + s * (b + s * c / 2),
            b + s * c,
            c,
        )

    def __repr__(self) -> str:
        return f"<Signal: {len(self.times)} pieces from t = {self.times[0]:g}>"


def _arrays(times: ArrayLike, values: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    t = np.atleast_1d(np.asarray(times, dtype=np.float64))
    v = np.atleast_1d(np.asarray(values, dtype=np.float64))
    if t.ndim != 1 or t.shape != v.shape or not len(t):
        raise ValueError(f"as many values as times are needed, not {v.shape} and {t.shape}")
    return t, v


def held(times: ArrayLike, values: ArrayLike) -> Signal:
    """Steps: from times[i] on the value is values[i]."""
    t, v = _arrays(times, values)
    return Signal(t, np.column_stack([v, np.zeros((len(t), 3))]))


def linear(times: ArrayLike, values: ArrayLike) -> Signal:
    """Straight lines between the points; two points at one time are a jump. Held at both ends."""
    t, v = _arrays(times, values)
    table = np.zeros((len(t), 4))
    table[:, 0] = v
    width = np.diff(t)
    rising = width > 0
    table[:-1, 1][rising] = np.diff(v)[rising] / width[rising]
    return Signal(t, table)


def smooth(times: ArrayLike, values: ArrayLike) -> Signal:
    """A curve without corners through the points, which does not overshoot where they are monotonic.

    Cubic, with the slopes of F. N. Fritsch and J. Butland: A method for constructing local monotone
    piecewise cubic interpolants, SIAM Journal on Scientific and Statistical Computing 5, 1984.
    """
    t, v = _arrays(times, values)
    if len(t) < 3:
        return linear(t, v)
    h = np.diff(t)
    if np.any(h <= 0):
        raise ValueError("a smooth curve has no jumps: its times must rise")
    d = np.diff(v) / h
    slopes = np.zeros(len(t))
    same = d[:-1] * d[1:] > 0
    w1, w2 = 2 * h[1:] + h[:-1], h[1:] + 2 * h[:-1]
    inner = np.zeros(len(t) - 2)
    inner[same] = (w1 + w2)[same] / (w1[same] / d[:-1][same] + w2[same] / d[1:][same])
    slopes[1:-1] = inner
    slopes[0] = _end_slope(h[0], h[1], d[0], d[1])
    slopes[-1] = _end_slope(h[-1], h[-2], d[-1], d[-2])
    table = np.zeros((len(t), 4))
    table[:, 0] = v
    table[:-1] = _hermite(v[:-1], v[1:], slopes[:-1], slopes[1:], h)
    return Signal(t, table)


def _end_slope(h0: float, h1: float, d0: float, d1: float) -> float:
    slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1)
    if slope * d0 <= 0:
        return 0.0
    if d0 * d1 <= 0 and abs(slope) > 3 * abs(d0):
        return 3 * d0
    return slope


def _hermite(v0: Any, v1: Any, a0: Any, a1: Any, h: Any) -> NDArray[np.float64]:
    """Value and derivatives at the left ends of cubics with these values and slopes."""
    d = (v1 - v0) / h
    return np.column_stack([v0, a0, (6 * d - 4 * a0 - 2 * a1) / h, (6 * (a0 + a1) - 12 * d) / h**2])


# ----------------------------------------------------------------------------
# Functions
# ----------------------------------------------------------------------------

_MOST_PIECES = 10_000  # of a 32nd of the experiment


class Traced(Signal):
    """A function of time as a signal, to a part of its largest value; jumps become jumps.

    Intervals are halved until cubics through four points agree with the function, and it is looked
    at as far as runs go.
    """

    def __init__(
        self, f: Callable[[float], float], start: float, stop: float, tolerance: float
    ) -> None:
        self._f = f
        self._tolerance = tolerance
        self._width = (stop - start) / 32 if stop > start else 1.0
        self._least = max(abs(start), abs(stop), stop - start) * 2.0**-44
        self._end = start
        self._size = 0.0
        self._pieces: list[tuple[float, tuple[float, float, float, float]]] = []
        for i in range(33):
            self._value(start + self._width * i if stop > start else start)  # for the size
        super().__init__(np.array([start]), np.array([[self._value(start), 0.0, 0.0, 0.0]]))
        self.reach(stop)

    def reach(self, time: float) -> None:
        if not time > self._end:
            return
        while self._end < time:
            end = self._end + self._width
            self._trace(self._end, end)
            self._end = end
        self.times = np.array([t for t, _ in self._pieces])
        self.values = np.array([p for _, p in self._pieces])

    def at(self, time: float) -> tuple[float, float, float, float]:
        self.reach(math.nextafter(time, math.inf))
        return super().at(time)

    def _value(self, t: float) -> float:
        v = float(self._f(t))
        if not math.isfinite(v):
            raise ValueError(f"the input is {v} at t = {t:g}")
        self._size = max(self._size, abs(v))
        return v

    def _fits(self, a: float, h: float, p: tuple[float, float, float, float], part: float) -> bool:
        s = part * h
        found = p[0] + s * (p[1] + s * (p[2] / 2 + s * p[3] / 6))
        return abs(self._value(a + s) - found) <= self._tolerance * max(self._size, 1e-300)

    def _cubic(self, a: float, h: float) -> tuple[float, float, float, float]:
        """Through the values at 0, 1/3, 2/3 and 1 of the interval."""
        y0, y1, y2, y3 = (self._value(a + h * part) for part in (0.0, 1 / 3, 2 / 3, 1.0))
        return (
            y0,
            (-11 * y0 + 18 * y1 - 9 * y2 + 2 * y3) / (2 * h),
            9 * (2 * y0 - 5 * y1 + 4 * y2 - y3) / h**2,
            27 * (-y0 + 3 * y1 - 3 * y2 + y3) / h**3,
        )

    def _trace(self, a: float, b: float) -> None:
        # The parts at which it is looked are none of those that make the cubic, and irregular, so
        # that a periodic function does not hide between them.
        todo = [(a, b)]
        most = len(self._pieces) + _MOST_PIECES
        while todo:
            a, b = todo.pop()
            h = b - a
            if h <= self._least:  # a jump
                self._pieces.append((a, (self._value(b), 0.0, 0.0, 0.0)))
                continue
            p = self._cubic(a, h)
            if all(self._fits(a, h, p, part) for part in (0.152, 0.483, 0.531, 0.879)):
                self._pieces.append((a, p))
            else:
                todo.append((a + h / 2, b))
                todo.append((a, a + h / 2))
            if len(self._pieces) + len(todo) > most:
                raise ValueError(
                    f"the input changes too fast around t = {a:g}: more than {_MOST_PIECES} pieces;"
                    " give an array, held(times, values) or linear(times, values)"
                )


SignalLike = Union[Signal, Callable[[float], float], float, tuple, ArrayLike]


def signal_of(value: Any, start: float, stop: float, tolerance: float) -> Signal:
    """What people give for an input: a Signal, a function, (times, values), a number."""
    if isinstance(value, Signal):
        return value
    if callable(value):
        return Traced(value, start, stop, tolerance)
    if isinstance(value, (tuple, list)) and len(value) == 2:
        return linear(value[0], value[1])
    array = np.asarray(value, dtype=np.float64)
    if array.ndim == 0:
        return held([start], [float(array)])
    if array.ndim == 2 and array.shape[1] == 2:
        return linear(array[:, 0], array[:, 1])
    raise ValueError(
        "an input is a number, a function of time, (times, values), an array with two columns,"
        " held(times, values), linear(times, values) or smooth(times, values)"
    )
