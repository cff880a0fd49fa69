# SPDX-License-Identifier: MIT
"""Saltus: simulation of hybrid and structural-dynamic systems.

    import saltus

    ball = saltus.load("models/examples/BouncingBall.mo")
    run = ball.simulate(stop=2, e=0.8)
    run.time, run["h"]                      # NumPy arrays that share the run's memory
    run.events                              # what happened, when
    run.plot("h")

The manual is docs/python.md.
"""

from ._core import solvers as _solvers
from ._core import version as _version
from ._errors import Diagnostic, ModelError, SaltusError, SaltusWarning, SimulationError
from ._model import Model, load, loads
from ._run import Event, Events, Phase, Run
from ._signals import Signal, held, linear, smooth
from ._studies import Linearization, Solution, Solutions, Sweep

__version__ = _version()
#: Names of the solvers and what they are.
SOLVERS = dict(_solvers())

__all__ = [
    "Diagnostic",
    "Event",
    "Events",
    "Linearization",
    "Model",
    "ModelError",
    "Phase",
    "Run",
    "SOLVERS",
    "SaltusError",
    "Signal",
    "SaltusWarning",
    "SimulationError",
    "Solution",
    "Solutions",
    "Sweep",
    "held",
    "linear",
    "load",
    "loads",
    "smooth",
]
