# SPDX-License-Identifier: MIT
"""What calls cost: the table of docs/python.md.

    PYTHONPATH=build/python python3 benchmarks/python/overhead.py
"""

import itertools
import timeit

import numpy as np

import saltus
from saltus import _core

# A run of no length: nothing but the way there and back.
EMPTY = "model Empty parameter Real k = 1; input Real u; Real x(start = 1, fixed = true);" \
    " equation der(x) = -k * x + u; end Empty;"  # fmt: skip


def microseconds(call, count=300):
    """The best of several repetitions, which others on the machine disturb least."""
    call()
    return 1e6 * min(timeit.repeat(call, number=count, repeat=25)) / count


def core_run(core, options):
    run = core.begin([], options)
    run.advance(0.0, [])
    run.finish()


def main():
    model = saltus.loads(EMPTY)
    core = model._core
    options = model._options(None, 0.0, None, None, "auto", 0.0, None, None, None, "stop", "brent", 0, 0)[0]
    whole = inside = float("inf")
    for _ in range(10):  # in turn: whatever else the machine does disturbs both
        whole = min(whole, microseconds(lambda: model.simulate(stop=0)))
        inside = min(inside, microseconds(lambda: core_run(core, options)))
    values = itertools.count()
    varied = microseconds(lambda: model.simulate(stop=0, k=1 + 1e-9 * next(values)))
    run = model.simulate(stop=1)
    live = model.start(record="nothing", rtol=1e-6)

    def step():
        live.set(u=1.0)
        live.advance(live.now + 1e-6)
        return live.read("x")

    rows = [
        ("`simulate(stop=0)`, all of it", whole),
        ("of that: creating and ending the run in C", inside),
        ("**beyond the run**", whole - inside),
        ("with another value of a parameter each time: initial values are found anew", varied),
        ('`run["x"]`', microseconds(lambda: run["x"])),
        ("`run.time`", microseconds(lambda: run.time)),
        ("`np.asarray` of a column, no copy", microseconds(lambda: np.asarray(run._core.column(3)))),
        ("`set`, `advance`, `read`: one step of a loop, with its event", microseconds(step)),
    ]
    for name, value in rows:
        print(f"| {name} | {value:.1f} |")
    assert _core.version()
    return whole - inside


if __name__ == "__main__":
    main()
