#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Numbers of the C21 report, computed once more without Saltus.

    benchmarks/c21/independent.py c21-report/results.csv

The equations of the definition are written down here a second time and solved by SciPy (DOP853,
relative tolerance 1e-13), which also locates the events. Every number that the report has compared
with another solver of its own, in the tasks below, must agree: B7 and B9 (ball with dynamic
contact), R2 and R3 (circuit), P2, P4 and P5 (pendulum). Exit status 1: one does not.
"""
import csv
import math
import sys

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import lambertw


def phase(f, t, x, end, events, scale, step):
    """Integrates until one of the events, (function, direction); its number, time and state. The
    first step is as small as a start on a zero demands."""
    def terminal(g, direction):
        h = lambda t, x: g(t, x)
        h.terminal, h.direction = True, direction
        return h
    run = solve_ivp(f, (t, end), x, "DOP853", rtol=1e-13, atol=1e-15 * np.asarray(scale),
                    events=[terminal(*e) for e in events], max_step=step, first_step=step * 1e-3)
    which = next((i for i, times in enumerate(run.t_events) if len(times)), None)
    return which, run.t[-1], run.y[:, -1]


def ball(g, beta, k=1e6, d=500.0, end=30.0, most=12):
    """Times of C and F, heights of flights and largest deformations."""
    flight = lambda t, s: [s[1], -g - beta * s[1] * abs(s[1]), -k / d * s[2]]
    contact = lambda t, s: [s[1], -k * s[0] - d * s[1] - g, -s[1]]
    c, f, heights, deformations = [], [], [], []
    t, s = 0.0, np.array([10.0, 0.0, 0.0])
    while t < end and len(c) < most:
        # The bottom leaves the floor tangentially: the flight is watched from its top on.
        if s[1] > 0:
            _, t, s = phase(flight, t, s, end, [(lambda t, s: s[1], -1)], [10, 10, 1e-3], 0.02)
            heights.append(s[0])
        which, t, s = phase(flight, t, s, end, [(lambda t, s: s[0] + s[2], -1)], [10, 10, 1e-3], 0.02)
        if which is None:
            break
        c.append(t)
        _, t, s = phase(contact, t, s, end, [(lambda t, s: s[1], 1)], [1e-2, 10, 1e-2], 1e-4)
        deformations.append(s[2])
        which, t, s = phase(contact, t, s, t + 0.05, [(lambda t, s: -k * s[0] - d * s[1], -1)],
                            [1e-2, 10, 1e-2], 1e-4)
        if which is None:
            break
        f.append(t)
    return c, f, heights, deformations


def circuit(is_shockley, is_up, r1, count=10, end=40e-6):
    """Times at which the diode switches, and the largest voltage and current of the diode."""
    r2, inductance, capacitance, frequency, i_s, u_t = 20.0, 25.3e-6, 100e-9, 0.15e6, 1e-8, 26e-3
    s = -1.0 if is_up else 1.0
    decides = lambda x: s * (r2 * x[0] + x[1])

    def diode(x):
        """Current, from h = u + R2 I_S (exp(u/U_T) - 1): Lambert's W."""
        h = decides(x)
        if not is_shockley:
            return h / r2
        w = lambertw(r2 * i_s / u_t * math.exp((h + r2 * i_s) / u_t)).real
        return u_t / r2 * w - i_s

    def rates(i_d):
        def f(t, x):
            j = i_d(x)
            return [(-math.sin(2 * math.pi * frequency * t) - r1 * x[0] - r2 * (x[0] - s * j) - x[1])
                    / inductance, (x[0] - s * j) / capacitance]
        return f
    t, x, times, conducts = 0.0, np.zeros(2), [], is_up
    while len(times) < count:
        f = rates(diode if conducts else lambda x: 0.0)
        # Beyond the first nanosecond, h has left the zero at which the phase begins.
        run = solve_ivp(f, (t, t + 1e-9), x, "DOP853", rtol=1e-13, atol=[1e-18, 1e-16], max_step=1e-10)
        which, t, x = phase(f, run.t[-1], run.y[:, -1], end,
                            [(lambda t, x: decides(x), -1 if conducts else 1)], [1e-3, 1e-1], 2e-8)
        if which is None:
            break
        times.append(t)
        conducts = not conducts
    return times


def largest_of_diode(r1):
    """u_D and i_D at their largest over two periods, orientation up."""
    r2, inductance, capacitance, frequency, i_s, u_t = 20.0, 25.3e-6, 100e-9, 0.15e6, 1e-8, 26e-3

    def diode(x):
        h = -(r2 * x[0] + x[1])
        if h <= 0:
            return 0.0
        return u_t / r2 * lambertw(r2 * i_s / u_t * math.exp((h + r2 * i_s) / u_t)).real - i_s

    def f(t, x):
        j = diode(x)
        return [(-math.sin(2 * math.pi * frequency * t) - r1 * x[0] - r2 * (x[0] + j) - x[1])
                / inductance, (x[0] + j) / capacitance]
    run = solve_ivp(f, (0, 2 / frequency), [0, 0], "DOP853", rtol=1e-12, atol=[1e-17, 1e-15],
                    max_step=5e-9, dense_output=True)
    t = np.linspace(0, 2 / frequency, 40001)
    h = lambda t: -(r2 * run.sol(t)[0] + run.sol(t)[1])
    at = t[np.argmax(h(t))]
    fine = np.linspace(at - 1e-9, at + 1e-9, 4001)
    x = run.sol(fine[np.argmax(h(fine))])
    j = diode(x)
    return -(r2 * x[0] + x[1]) - r2 * j, j


def pendulum(k2=None, end=10.0):
    """Changes of the phase and of the region with their times, omega after the fall, turning."""
    m, k, l, g, half = 1.5, 0.9, 1.0, 9.81, math.pi / 7

    def swing(c):
        return lambda t, s: [s[1], -c / m * s[1] + g / l * math.sin(s[0])]
    fall = lambda t, s: [s[2], s[3], -k / m * s[2], -g - k / m * s[3]]
    force = lambda t, s: l * s[1] ** 2 - g * math.cos(s[0])
    inside = lambda t, s: -math.cos(half) - math.cos(s[0])
    found, t, s, is_in = [], 0.0, np.array([math.pi / 4, 15.0]), False
    omega_after = turning = kick = None
    while t < end:
        events = [(force, -1), (lambda t, s: s[1], 0)]
        if k2:
            events.append((inside, -1 if is_in else 1))
        if turning:
            events[1] = (lambda t, s: s[0] - math.pi, 0)
        which, t, s = phase(swing(k2 if is_in else k), t, s, end, events, [1, 1], 0.01)
        if which is None:
            break
        if which == 1 and turning:
            kick = t
            break
        if which == 1:
            turning = t if abs(s[0] - math.pi) < math.pi / 10 else None
            _, t, s = phase(swing(k2 if is_in else k), t, s, t + 1e-3, [(force, -1)], [1, 1], 1e-4)
            continue
        if which == 2:
            is_in = not is_in
            found.append(("region", t))
            continue
        found.append(("fall", t))
        x = [l * math.sin(s[0]), l * math.cos(s[0]), l * math.cos(s[0]) * s[1], -l * math.sin(s[0]) * s[1]]
        # x^2 + y^2 - l^2 has a triple zero at the start of the fall: looked for a little later.
        run = solve_ivp(fall, (t, t + 0.05), x, "DOP853", rtol=1e-13, atol=1e-15)
        _, t, x = phase(fall, t + 0.05, run.y[:, -1], end,
                        [(lambda t, s: s[0] ** 2 + s[1] ** 2 - l * l, 1)], [1] * 4, 0.01)
        s = np.array([math.atan2(x[0], x[1]) % (2 * math.pi), (x[1] * x[2] - x[0] * x[3]) / l ** 2])
        found.append(("taut", t))
        omega_after = s[1]
        is_in = bool(k2) and inside(t, s) > 0
    return found, omega_after, turning, kick


def numbers():
    """key, value, bound"""
    c, f, heights, deformations = ball(9.81, 0.002)
    for name, values, bound in (("t_C", c, 1e-10), ("t_F", f, 1e-9), ("h_max", heights, 1e-10),
                                ("w_max", deformations, 1e-10)):
        for i, value in enumerate(values):
            yield f"B7.{name}[{i + 1}]", value, bound
    for i, value in enumerate(ball(3.69, 2.3e-4)[0]):
        yield f"B9.mars.t_C[{i + 1}]", value, 1e-10
    for name, r1 in (("", 1e3), ("R10.", 10.0)):
        for side in ("up", "down"):
            for law in ("shortcut", "shockley"):
                for i, value in enumerate(circuit(law == "shockley", side == "up", r1)):
                    yield f"R2.{name}{side}.{law}.t[{i + 1}]", value, 1e-15
        u, i = largest_of_diode(r1)
        yield "R3.u_D_max" + (".R10" if name else ""), u, 1e-9
        yield "R3.i_D_max" + (".R10" if name else ""), i, 1e-9 * i
    found, omega, turning, kick = pendulum()
    yield "P2.t_fall", found[0][1], 1e-10
    yield "P2.t_taut", found[1][1], 1e-10
    yield "P2.omega_after", omega, 1e-9
    yield "P2.t_end.turning", turning, 1e-9
    yield "P4.t_kick", kick, 1e-9
    for name, k2 in (("k12_8", 12.8), ("k12_9", 12.9)):
        for i, (_, t) in enumerate(pendulum(k2, 3.0)[0]):
            yield f"P5.{name}.t[{i + 1}]", t, 1e-9


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], newline="") as file:
        report = {row["key"]: float(row["value"]) for row in csv.DictReader(file)}
    compared, wrong, worst = 0, 0, 0.0
    for key, value, bound in numbers():
        if key not in report:
            continue
        deviation = abs(report[key] - value)
        compared += 1
        worst = max(worst, deviation / bound)
        if not deviation <= bound:
            wrong += 1
            print(f"{key}: the report has {report[key]:.17g}, SciPy {value:.17g}")
    print(f"{compared} numbers compared, {wrong} differ; the largest deviation is {worst:.2g} of its bound")
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
