# SPDX-License-Identifier: MIT
"""Pictures of runs: by matplotlib, if it is there, or by Saltus itself."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from . import _core

if TYPE_CHECKING:
    from ._run import Run

_numbers = itertools.count(1)
_MOST_SHOWN = 4


class Picture:
    """SVG text that Jupyter shows."""

    def __init__(self, text: str) -> None:
        self.text = text

    def _repr_svg_(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.text

    def save(self, path: str) -> None:
        """Writes it to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)

    def __repr__(self) -> str:
        return f"<Picture: {len(self.text)} bytes of SVG>"


def _shown(run: Run, names: Sequence[str]) -> list[str]:
    """What is drawn if nothing is said: the first variables that change, each once."""
    if names:
        return list(names)
    varying: list[str] = []
    for name in run.variables:
        values = run[name]
        if not np.all(values == values[:1]) and not any(
            np.array_equal(values, run[other]) for other in varying
        ):
            varying.append(name)
        if len(varying) == _MOST_SHOWN:
            break
    return varying or list(run.variables[:1])


def _units(run: Run) -> dict[str, str]:
    return run.model.units if run.model is not None else {}


def _has_phases(run: Run, phases: bool | None) -> bool:
    return len(run.mode_names) > 1 if phases is None else phases


def svg(run: Run, names: Sequence[str], phases: bool | None) -> str:
    units = _units(run)
    time = np.ascontiguousarray(run.time)
    panels = []
    for request in _shown(run, names):
        group = [request] if request in run else [n.strip() for n in request.split(",")]
        curves = [(n, time, np.ascontiguousarray(run[n])) for n in group]
        common = {units.get(n) for n in group}
        unit = common.pop() if len(common) == 1 else None
        panels.append(("time", "s", group[0] if len(group) == 1 else None, unit, curves, True))
    bands = [tuple(p) for p in run.phases] if _has_phases(run, phases) else []
    return _core.plot(None, f"saltus{next(_numbers)}", panels, bands)


def html(run: Run) -> str:
    from html import escape

    if len(run.time) < 2 or not run.variables:
        return f"<p>{escape(repr(run))}</p>"
    return f"<p>{escape(repr(run))}</p>{svg(run, (), None)}"


def plot(run: Run, names: Sequence[str], phases: bool | None, ax: Any) -> Any:
    try:
        from matplotlib import pyplot  # type: ignore[import,unused-ignore]
    except ImportError:
        if ax is not None:
            raise
        return Picture(svg(run, names, phases))
    if ax is None:
        _, ax = pyplot.subplots()
    units = _units(run)
    shown = [n for r in _shown(run, names) for n in ([r] if r in run else r.split(","))]
    for name in (n.strip() for n in shown):
        unit = f" [{units[name]}]" if name in units else ""
        ax.plot(run.time, run[name], label=name + unit)
    if _has_phases(run, phases):
        _shade(run, ax)
    ax.set_xlabel("time [s]")
    ax.legend()
    return ax


def _shade(run: Run, ax: Any) -> None:
    colours: dict[str, str] = {}
    for phase in run.phases:
        is_new = phase.mode not in colours
        colour = colours.setdefault(phase.mode, f"C{len(colours) % 10}")
        label = phase.mode if is_new else None
        ax.axvspan(phase.start, phase.stop, color=colour, alpha=0.12, label=label)
