#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""SciPy, Octave and ngspice on the jobs of bench-peers.

    others.py NOTES      what bench-peers wrote: Saltus' times, errors allowed, times of events

Each program is written as one would who knows it: events are terminal, directions are given, the
method is the fastest one for the job. It runs with the loosest tolerance with which its event
times are accurate enough, and counts only if it finds all events. Times are processor times, the
shortest of several runs; for Octave and ngspice those that they measure themselves.
"""

import math
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
from scipy.integrate import solve_ivp

HERE = os.path.dirname(os.path.abspath(__file__))


def terminal(function, direction):
    function.terminal = True
    function.direction = direction
    return function


def follow(phase, x, stop, rtol, atol, method, most=10000):
    """Event times of a run; phase(mode) is (f, h, direction, action, jacobian)."""
    t, mode, times = 0.0, 0, []
    while t < stop and len(times) < most:
        f, h, direction, action, jacobian = phase(mode)
        options = {"jac": jacobian} if jacobian is not None and method in ("Radau", "LSODA") else {}
        s = solve_ivp(f, (t, stop), x, method=method, rtol=rtol, atol=atol,
                      events=terminal(h, direction), **options)
        if s.status != 1:
            return times if s.status == 0 else []
        t, x = s.t[-1], s.y[:, -1]
        times.append(t)
        mode, x = action(mode, x)
    return times


def ball(rtol, method):
    def f(_, x):
        return [x[1], -9.81]

    def phase(_):
        return (f, lambda _, x: x[0], -1, lambda m, x: (m, [0.0, -0.9 * x[1]]), None)

    return follow(phase, [10.0, 0.0], 1e3, rtol, 1e-4 * rtol, method, 100)


def contact(rtol, method):
    g, beta, k, d = 9.81, 0.002, 1e6, 500.0
    stuck = np.array([[0, 1, 0], [-k, -d, 0], [0, -1, 0]])

    def flying(_, x):
        return [x[1], -g - beta * x[1] * abs(x[1]), -(k / d) * x[2]]

    def touching(_, x):
        return [x[1], -k * x[0] - d * x[1] - g, -x[1]]

    def phase(mode):
        if mode == 0:
            return (flying, lambda _, x: x[0] + x[2], -1, lambda _, x: (1, x),
                    lambda _, x: np.array([[0, 1, 0], [0, -2 * beta * abs(x[1]), 0],
                                           [0, 0, -k / d]]))
        return (touching, lambda _, x: -k * x[0] - d * x[1], -1,
                lambda _, x: (0, [x[0], x[1], -x[0]]), lambda _, x: stuck)

    return follow(phase, [10.0, 0.0, 0.0], 30.0, rtol, 1e-2 * rtol, method)


def circuit(r1):
    r2, inductance, capacitance, omega = 20.0, 25.3e-6, 100e-9, 2 * math.pi * 0.15e6

    def locked(t, x):
        return [(-math.sin(omega * t) - (r1 + r2) * x[0] - x[1]) / inductance, x[0] / capacitance]

    def open_(t, x):
        return [(-math.sin(omega * t) - r1 * x[0]) / inductance, -x[1] / (r2 * capacitance)]

    # It conducts from the beginning: u(0) = i(0) = 0, and i falls.
    def run(rtol, method):
        def phase(mode):
            def h(_, x):
                return -(r2 * x[0] + x[1])

            return (open_, h, -1, lambda _, x: (1, x), None) if mode == 0 else \
                (locked, h, 1, lambda _, x: (0, x), None)

        return follow(phase, [0.0, 0.0], 75 / 0.15e6, rtol, 1e-4 * rtol, method)

    return run


def pendulum(rtol, method):
    m, k, l, g = 1.5, 0.9, 1.0, 9.81

    def swinging(_, x):
        return [x[1], -k / m * x[1] + g / l * math.sin(x[0])]

    def falling(_, x):
        return [x[2], x[3], -k / m * x[2], -g - k / m * x[3]]

    def let_go(_, x):
        s, c = math.sin(x[0]), math.cos(x[0])
        return 1, [l * s, l * c, l * c * x[1], -l * s * x[1]]

    def caught(_, x):
        return 0, [math.atan2(x[0], x[1]), (x[1] * x[2] - x[0] * x[3]) / l ** 2]

    def phase(mode):
        if mode == 0:
            return (swinging, lambda _, x: -m * g * math.cos(x[0]) + m * l * x[1] ** 2, -1, let_go,
                    None)
        return (falling, lambda _, x: x[0] ** 2 + x[1] ** 2 - l ** 2, 1, caught, None)

    return follow(phase, [math.pi / 4, 15.0], 10.0, rtol, 1e-2 * rtol, method)


SCIPY = {"J1": (ball, "DOP853"), "J2": (contact, "LSODA"), "J3a": (circuit(1000.0), "LSODA"),
         "J3b": (circuit(10.0), "DOP853"), "J4": (pendulum, "DOP853")}


def error_of(times, reference):
    if len(times) != len(reference):
        return math.inf
    return max(abs(a - b) for a, b in zip(times, reference))


def show(job, who, seconds, saltus, error, remark):
    ratio = f"{seconds / saltus:8.0f}" if seconds < math.inf and saltus < math.inf else f"{'-':>8}"
    micros = f"{1e6 * seconds:12.0f}" if seconds < math.inf else f"{'-':>12}"
    print(f"{job:4} {who:22} {micros} {ratio} {error:10.1e}  {remark}", flush=True)


def by_scipy(job, saltus, allowed, reference):
    run, method = SCIPY[job]
    best = math.inf, ""
    for exponent in range(4, 14):
        begin = time.process_time()
        error = error_of(run(10.0 ** -exponent, method), reference)
        seconds = time.process_time() - begin
        best = min(best, (error, f"{method}, tolerance 1e-{exponent}"))
        if error <= allowed:
            for _ in range(3 if seconds < 1.0 else 1):
                begin = time.process_time()
                run(10.0 ** -exponent, method)
                seconds = min(seconds, time.process_time() - begin)
            show(job, "SciPy", seconds, saltus, error, best[1])
            return
    show(job, "SciPy", math.inf, saltus, best[0], "not accurate enough")


def by_octave(job, saltus, allowed, reference):
    """others.m prints seconds, then the times of the events."""
    best = math.inf
    for exponent in (6, 8, 10, 12):
        done = subprocess.run(["octave-cli", "--norc", "-q", os.path.join(HERE, "others.m"),
                               f"1e-{exponent}"], capture_output=True, text=True, check=False)
        numbers = [float(word) for word in done.stdout.split()]
        error = error_of(numbers[1:], reference) if done.returncode == 0 and numbers else math.inf
        best = min(best, error)
        if error <= allowed:
            show(job, "Octave", numbers[0], saltus, error, f"tolerance 1e-{exponent}")
            return
    show(job, "Octave", math.inf, saltus, best, "not accurate enough")


def by_ngspice(n, allowed):
    """J9: the voltages at t = 100 of some of n sections, against the sum over modes of decay."""
    def exact(i, t):
        angle = (2 * np.arange(1, n + 1) - 1) * math.pi / (2 * n + 1)
        root = 2 * np.sin(angle / 2)
        return 1 - np.sum(2 / (2 * n + 1) / np.tan(angle / 2) * np.sin(angle * (i + 1))
                          * np.exp(-root ** 2 * t))

    shown = [0, 3, 10, 30, 100]
    lines = ["J9", "vs n0 0 1"]
    for i in range(1, n + 1):
        lines += [f"r{i} n{i - 1} n{i} 1", f"c{i} n{i} 0 1 ic=0"]
    for reltol in ("1e-4", "1e-5", "1e-6", "1e-7"):
        text = lines + [f".options reltol={reltol} abstol=1e-12 vntol=1e-9", ".control",
                        "tran 0.5 100 uic"]
        text += [f"let at = n{i + 1}[length(n{i + 1}) - 1]\nprint at" for i in shown]
        text += ["quit", ".endc", ".end"]
        with tempfile.NamedTemporaryFile("w", suffix=".cir") as file:
            file.write("\n".join(text) + "\n")
            file.flush()
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run(["ngspice", "-b", file.name], capture_output=True, text=True,
                                  check=False)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        values = [float(v) for v in re.findall(r"at = (\S+)", done.stdout)]
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if len(values) != len(shown):
            continue
        error = max(abs(v - exact(i, 100.0)) for i, v in zip(shown, values))
        if error <= allowed:
            show("J9", f"ngspice, n = {n}", seconds, math.inf, error,
                 f"reltol {reltol}, the whole process")
            return
    show("J9", f"ngspice, n = {n}", math.inf, math.inf, math.inf, "not accurate enough")


def main():
    print("job  contestant                  us/run  x Saltus      error")
    with open(sys.argv[1], encoding="utf-8") as notes:
        jobs = [line.split() for line in notes]
    for name, saltus, allowed, *reference in jobs:
        arguments = name, float(saltus), float(allowed), [float(t) for t in reference]
        by_scipy(*arguments)
        if name == "J2":
            by_octave(*arguments)
    by_ngspice(1000, 1e-5)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
