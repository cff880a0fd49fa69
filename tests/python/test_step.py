# SPDX-License-Identifier: MIT
"""Step by step, inputs, threads, Ctrl-C. Compared with closed forms; bounds from the tolerance."""

import math
import os
import signal
import threading
import time

from support import main, numpy as np, unittest

import saltus

LAG = """model Lag
  input Real u(unit = "V"); input Boolean on(start = true); parameter Real T = 1;
  Real x(start = 0, fixed = true, unit = "V"); output Real y = 2 * x;
equation
  der(x) = (if on then u - x else -x) / T;
end Lag;"""

# A thousand million steps.
ENDLESS = """model Endless Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation der(x) = y; der(y) = -x; end Endless;"""


class Steps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lag = saltus.loads(LAG)

    def test_inputs(self):
        self.assertEqual(self.lag.inputs, ("u", "on"))
        self.assertEqual(self.lag.parameters, {"T": 1.0})
        self.assertEqual(self.lag.units["x"], "V")

    def test_step_by_step(self):
        run = self.lag.start(rtol=1e-10, u=2)
        run.advance(1)
        first = 2 * (1 - math.exp(-1))
        self.assertAlmostEqual(run.read("x"), first, places=8)
        self.assertAlmostEqual(run.read("y"), 2 * first, places=8)
        run.set(u=-1).advance(3)
        second = -1 + (first + 1) * math.exp(-2)
        self.assertAlmostEqual(run.read("x"), second, places=8)
        run.set(T=0.5, x=1.0, u=0).advance(3.5)
        self.assertAlmostEqual(run.read("x"), math.exp(-1), places=8)
        self.assertEqual(run.now, 3.5)
        self.assertEqual(run.parameters["T"], 0.5)
        # All of it is recorded, and the log says what was set.
        self.assertAlmostEqual(run.at("x", 1.0), first, places=8)
        self.assertEqual([e.occasion for e in run.events], ["request", "request"])
        self.assertEqual(run.events[0].changes["u"], (2.0, -1.0))
        self.assertEqual(run.events[0].classes, "SE-I")
        self.assertEqual(run.events[1].changes["x"][1], 1.0)

    def test_arrays_stay_while_it_goes_on(self):
        run = self.lag.start(u=1)
        run.advance(0.5)
        early = run["x"]
        kept = early.copy()
        for i in range(200):
            run.advance(0.5 + 0.1 * (i + 1))
        np.testing.assert_array_equal(early, kept)
        np.testing.assert_array_equal(run["x"][: len(kept)], kept)
        self.assertGreater(len(run.time), len(kept))

    def test_rates(self):
        run = self.lag.start(rtol=1e-10)
        run.set(u=(1, 2)).advance(1)  # x' = 1 + 2 t - x
        self.assertAlmostEqual(run.read("u"), 3.0, places=12)
        self.assertAlmostEqual(run.read("x"), 2 - 1 + math.exp(-1), places=8)

    def test_what_cannot_be_set(self):
        run = self.lag.start()
        for values in ({"y": 1}, {"u": math.nan}, {"on": 0.5}, {"T": (1, 2)}, {"u": (1, 2, 3, 4, 5)}):
            with self.assertRaises(ValueError):
                run.set(values)
        with self.assertRaisesRegex(KeyError, "did you mean 'on'"):
            run.set(onn=1)
        run.set(on=False, u=3).advance(1)  # it goes on
        self.assertEqual(run.read("x"), 0.0)

    def test_checkpoint(self):
        run = self.lag.start(rtol=1e-10, u=1).advance(1)
        other = run.copy()
        other.set(u=5).advance(2)
        run.advance(2)
        first = 1 - math.exp(-1)
        self.assertAlmostEqual(run.read("x"), 1 + (first - 1) * math.exp(-1), places=8)
        self.assertAlmostEqual(other.read("x"), 5 + (first - 5) * math.exp(-1), places=8)
        self.assertEqual(len(run.events), 0)
        self.assertEqual(len(other.events), 1)

    def test_controller(self):
        # A controller in Python that switches a heater: a hysteresis between 0.4 and 0.6.
        run = self.lag.start(rtol=1e-9, u=1)
        on, t = True, 0.0
        while t < 10:
            t += 0.01
            run.advance(t)
            x = run.read("x")
            if on != (x < 0.6 if on else x < 0.4):
                on = not on
                run.set(on=on)
        x = run["x"][run.time > 2]
        self.assertGreater(x.min(), 0.4 - 0.02)
        self.assertLess(x.max(), 0.6 + 0.02)
        self.assertGreater(len(run.events), 5)


class Signals(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lag = saltus.loads(LAG)

    def test_function(self):
        run = self.lag.simulate(stop=5, rtol=1e-9, inputs={"u": math.sin})
        t = run.time
        exact = (np.sin(t) - np.cos(t) + np.exp(-t)) / 2
        np.testing.assert_allclose(run["x"], exact, atol=1e-7)
        np.testing.assert_allclose(run["u"], np.sin(t), atol=1e-8)

    def test_function_that_jumps(self):
        run = self.lag.simulate(stop=2, rtol=1e-9, inputs={"u": lambda t: 1.0 if t >= 0.7 else 0.0})
        self.assertAlmostEqual(run.final("x"), 1 - math.exp(-1.3), places=7)
        self.assertEqual(float(np.max(run["x"][run.time < 0.7 - 1e-9])), 0.0)

    def test_arrays(self):
        t = np.linspace(0, 5, 11)
        run = self.lag.simulate(stop=5, rtol=1e-9, inputs={"u": (t, 2 * t)})
        self.assertAlmostEqual(run.final("x"), 2 * (5 - 1 + math.exp(-5)), places=7)
        steps = self.lag.simulate(
            stop=2, rtol=1e-9, inputs={"u": saltus.held([0, 1], [1, 3]), "on": ([0, 1.5], [1, 0])}
        )
        x = 1 - math.exp(-1)
        x = 3 + (x - 3) * math.exp(-0.5)
        self.assertAlmostEqual(steps.final("x"), x * math.exp(-0.5), places=7)
        self.assertEqual(steps.events.times.tolist(), [1.0, 1.5])

    def test_jump_in_linear_data(self):
        run = self.lag.simulate(stop=2, rtol=1e-9, inputs={"u": ([0, 1, 1, 2], [0, 1, 5, 5])})
        x = 1 - 1 + math.exp(-1)
        self.assertAlmostEqual(run.at("x", 1.0), x, places=7)
        self.assertAlmostEqual(run.final("x"), 5 + (x - 5) * math.exp(-1), places=7)

    def test_smooth(self):
        t = np.linspace(0, 3, 31)
        signal_ = saltus.smooth(t, np.sin(t))
        worst = max(abs(signal_.at(s)[0] - math.sin(s)) for s in np.linspace(0, 3, 200))
        self.assertLess(worst, 1e-3)
        rising = saltus.smooth([0, 1, 2, 3], [0, 0, 1, 1])
        values = [rising.at(s)[0] for s in np.linspace(0, 3, 301)]
        self.assertTrue(all(b >= a - 1e-12 for a, b in zip(values[:-1], values[1:])))
        run = self.lag.simulate(stop=3, rtol=1e-9, inputs={"u": signal_})
        self.assertAlmostEqual(
            run.final("x"), (math.sin(3) - math.cos(3) + math.exp(-3)) / 2, delta=1e-3
        )

    def test_threshold_inside_a_piece(self):
        model = saltus.loads(
            "model M input Real u; discrete Real at(start = -1, fixed = true);"
            " equation when u > 0.5 then at = time; end when; end M;"
        )
        run = model.simulate(stop=2, inputs={"u": ([0, 2], [0, 2])})
        self.assertAlmostEqual(run.final("at"), 0.5, places=12)
        run = model.simulate(stop=2, rtol=1e-9, inputs={"u": math.sin})
        self.assertAlmostEqual(run.final("at"), math.asin(0.5), places=8)

    def test_derivative_of_an_input(self):
        model = saltus.loads(
            "model M input Real s; Real v = der(s); Real w(start = 0, fixed = true);"
            " equation der(w) = v * v; end M;"
        )
        run = model.simulate(stop=2, rtol=1e-9, inputs={"s": math.sin})
        self.assertAlmostEqual(run.final("w"), 1 + math.sin(4) / 4, places=6)

    def test_function_beyond_the_experiment(self):
        run = self.lag.start(rtol=1e-9, inputs={"u": math.sin})  # the experiment ends at 1
        for k in range(100):
            run.advance(0.1 * (k + 1))
        self.assertAlmostEqual(run.read("u"), math.sin(10), places=8)
        exact = (math.sin(10) - math.cos(10) + math.exp(-10)) / 2
        self.assertAlmostEqual(run.read("x"), exact, places=7)
        run.follow(u=lambda t: 2.0 if t > 50 else 1.0).advance(60)
        self.assertAlmostEqual(run.read("x"), 2 - math.exp(-10), delta=1e-6)

    def test_follow(self):
        run = self.lag.start(rtol=1e-9, u=0)
        run.advance(1).follow(u=([1, 2], [0, 1]))
        run.advance(1.5).advance(2)
        self.assertAlmostEqual(run.read("x"), math.exp(-1), places=7)
        run.set(u=0).advance(3)
        self.assertAlmostEqual(run.read("x"), math.exp(-2), places=7)

    def test_inputs_of_another_shape(self):
        model = saltus.loads(
            "model M parameter Integer n = 1; parameter Real k = 1; input Real u[n];"
            " Real x[n](each start = 0, each fixed = true); equation der(x) = k * u; end M;"
        )
        self.assertEqual(model.inputs, ("u[1]",))
        run = model.simulate(stop=1, n=3, k=2, inputs={"u[3]": lambda t: t, "u[1]": 5})
        self.assertAlmostEqual(run.final("x[3]"), 1.0, places=6)
        self.assertAlmostEqual(run.final("x[1]"), 10.0, places=6)
        self.assertEqual(run.final("x[2]"), 0.0)
        live = model.start(n=2).advance(1).set({"u[2]": 3, "x[1]": 7}).advance(2)
        self.assertAlmostEqual(live.read("x[2]"), 3.0, places=6)
        self.assertEqual(live.read("x[1]"), 7.0)
        self.assertEqual(live.parameters["n"], 2)
        with self.assertRaises(KeyError):
            model.simulate(n=2, inputs={"u[3]": 1})

    def test_mistakes(self):
        with self.assertRaisesRegex(KeyError, "there is no input 'uu'; did you mean 'u'"):
            self.lag.simulate(inputs={"uu": 1})
        for wrong in (([0, 1], [1]), ([1, 0], [1, 2]), ([0, math.nan], [1, 2]), "text", [1, 2, 3]):
            with self.assertRaises(ValueError):
                self.lag.simulate(inputs={"u": wrong})
        with self.assertRaises(ValueError):
            self.lag.simulate(inputs={"u": lambda t: math.nan})
        with self.assertRaises(ZeroDivisionError):
            self.lag.simulate(inputs={"u": lambda t: 1 / 0})
        with self.assertRaises(ValueError):
            self.lag.simulate(u=1, inputs={"u": 1})
        with self.assertRaisesRegex(ValueError, "changes too fast"):
            self.lag.simulate(stop=1, inputs={"u": lambda t: hash(str(t)) % 1000})


class Threads(unittest.TestCase):
    def test_two_runs(self):
        model = saltus.loads(ENDLESS)
        results = {}

        def work(i):
            results[i] = model.simulate(stop=200 + i, rtol=1e-10, record="events").final("x")

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        for i in range(4):
            self.assertAlmostEqual(results[i], math.cos(200 + i), places=5)

    def test_others_run_meanwhile(self):
        # With the interpreter locked there would be no tick within a run. On a busy machine there
        # may be none by chance: then it is tried again.
        model = saltus.loads(ENDLESS)
        most = 0
        for _ in range(20):
            ticks, done = [], threading.Event()

            def work():
                model.simulate(stop=50000, rtol=1e-8, record="nothing", solver="dopri5")
                done.set()

            thread = threading.Thread(target=work)
            thread.start()
            while not done.is_set():
                ticks.append(time.perf_counter())
                time.sleep(0.001)
            thread.join()
            most = max(most, len(ticks))
            if most > 3:
                break
        self.assertGreater(most, 3)

    def test_one_run_in_two_threads(self):
        run = saltus.loads(ENDLESS).start(rtol=1e-10, record="nothing", solver="dopri5")
        thread = threading.Thread(target=lambda: run.advance(20000))
        thread.start()
        refused = False
        while thread.is_alive() and not refused:
            try:
                run.read("x")
            except RuntimeError as error:
                refused = "another thread" in str(error)
        thread.join()
        self.assertTrue(refused)
        self.assertEqual(run.now, 20000)


class Interrupts(unittest.TestCase):
    def interrupted(self, call):
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        began = time.perf_counter()
        with self.assertRaises(KeyboardInterrupt):
            call()
        timer.join()
        # 0.05 s until it is looked for, room for a busy machine; to its end it would take hours.
        self.assertLess(time.perf_counter() - began, 30.0)

    def test_run(self):
        model = saltus.loads(ENDLESS)
        self.interrupted(lambda: model.simulate(stop=1e9, record="nothing", max_step=0, solver="dopri5"))
        self.assertAlmostEqual(model.simulate(stop=1).final("x"), math.cos(1), delta=1e-5)

    def test_run_goes_on(self):
        run = saltus.loads(ENDLESS).start(record="nothing", max_step=0, solver="dopri5")
        self.interrupted(lambda: run.advance(1e9))
        run.advance(run.now + 1)

    def test_sweep(self):
        model = saltus.loads(ENDLESS.replace("Real x", "parameter Real k = 1; Real x", 1))
        self.interrupted(lambda: model.sweep("x", k=np.linspace(0, 1, 10), stop=1e9, max_step=0))
        self.interrupted(lambda: model.solve({"k": (0, 1)}, {"x": 0}, stop=1e9, max_step=0))


if __name__ == "__main__":
    main()
