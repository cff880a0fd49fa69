# SPDX-License-Identifier: MIT
"""Models, runs and their results. The bouncing ball has a closed form:

    t_1 = sqrt(2 h / g),  t_n+1 = t_n + 2 t_1 c^n
"""

import contextlib
import copy
import gc
import io
import math
import pickle
import sys
import warnings

from support import SOURCE, has, main, model_file, numpy as np, unittest

import saltus

BALL = model_file("BouncingBall.mo")


def bounces(count, c, g=9.81, h=1.0):
    first = math.sqrt(2 * h / g)
    times, flight = [first], 2 * first * c
    while len(times) < count:
        times.append(times[-1] + flight)
        flight *= c
    return times


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ball = saltus.load(BALL)

    def test_model(self):
        self.assertEqual(self.ball.name, "BouncingBall")
        self.assertEqual(self.ball.variables, ("h", "v", "bounces"))
        self.assertEqual(self.ball.parameters, {"g": 9.81, "e": 0.8})
        self.assertEqual((self.ball.start_time, self.ball.stop), (0.0, 2.0))
        self.assertIn("3 variables", repr(self.ball))

    def test_run(self):
        run = self.ball.simulate(stop=2, e=0.7, rtol=1e-9)
        expected = [t for t in bounces(10, 0.7) if t < 2]
        self.assertEqual(len(run.events), len(expected))
        # The fall is a parabola, which the method solves without an error.
        np.testing.assert_allclose(run.events.times, expected, rtol=0, atol=1e-13)
        self.assertEqual(run.status, 0)
        self.assertEqual(run.time[0], 0.0)
        self.assertEqual(run.time[-1], 2.0)
        self.assertEqual(len(run["h"]), len(run.time))
        self.assertEqual(run.final("bounces"), len(expected))
        self.assertEqual(run.parameters["e"], 0.7)
        event = run.events[0]
        self.assertIn("h <= 0", event.what)
        before, after = event.changes["v"]
        self.assertAlmostEqual(after, -0.7 * before, places=12)
        self.assertEqual(event.changes["bounces"], (0.0, 1.0))
        self.assertIn("SE-X", event.classes)

    def test_two_rows_at_an_event(self):
        run = self.ball.simulate(stop=1)
        i = int(np.flatnonzero(run.kinds == "before event")[0])
        self.assertEqual(run.kinds[i + 1], "after event")
        self.assertEqual(run.time[i], run.time[i + 1])
        self.assertLess(run["v"][i], 0)
        self.assertGreater(run["v"][i + 1], 0)

    def test_arrays_share_memory(self):
        run = self.ball.simulate(stop=2)
        h, again = run["h"], run["h"]
        self.assertFalse(h.flags.owndata)
        self.assertTrue(np.shares_memory(h, again))
        self.assertEqual(h.ctypes.data, again.ctypes.data)
        self.assertEqual(h.ctypes.data + 8, run["v"].ctypes.data)
        with self.assertRaises(ValueError):
            h[0] = 3.0
        kept = h.copy()
        del run, again
        gc.collect()
        np.testing.assert_array_equal(h, kept)  # the array keeps the memory

    def test_no_leak(self):
        for _ in range(3):
            self.ball.simulate(stop=0.1)["h"]
        gc.collect()
        before = sys.getrefcount(self.ball._core)
        for i in range(50):
            run = self.ball.simulate(stop=0.1, e=0.5 + 0.001 * i)
            run["h"], run.copy(), run.events
        del run
        gc.collect()
        self.assertEqual(sys.getrefcount(self.ball._core), before)

    def test_backends(self):
        ends = {}
        for backend in ("interpret", "c", "auto", "whole"):
            ball = saltus.load(BALL, backend=backend)
            run = ball.simulate(stop=1.5, e=0.8, rtol=1e-9)
            expected = [t for t in bounces(20, 0.8) if t < 1.5]
            np.testing.assert_allclose(run.events.times, expected, rtol=0, atol=1e-9)
            ends[backend] = run["h"][-1]
        self.assertEqual(ends["c"], ends["interpret"])
        self.assertAlmostEqual(ends["whole"], ends["interpret"], delta=1e-8)
        self.assertEqual(pickle.loads(pickle.dumps(ball))._backend, ball._backend)
        with self.assertRaisesRegex(ValueError, "gpu.*interpret, c, auto, whole"):
            saltus.load(BALL, backend="gpu")

    def test_modes_and_phases(self):
        cup = saltus.load(model_file("Parachute.mo"))
        run = cup.simulate()
        self.assertGreaterEqual(len(run.mode_names), 1)
        phases = run.phases
        self.assertEqual(phases[0].start, run.time[0])
        self.assertEqual(phases[-1].stop, run.time[-1])
        for a, b in zip(phases[:-1], phases[1:]):
            self.assertEqual(a.stop, b.start)

    def test_structural_change(self):
        text = """model Rope
            Real h(start = 1, fixed = true), v(start = 0, fixed = true); Real f;
            Boolean cut = time > 0.5;
          equation der(h) = v; der(v) = f - 10; if cut then f = 0; else v = 0; end if; end Rope;"""
        rope = saltus.loads(text)
        run = rope.simulate(stop=1, rtol=1e-9)
        self.assertAlmostEqual(run.final("h"), 1 - 10 * 0.25 / 2, places=8)
        self.assertEqual(len(run.phases), 2)
        self.assertAlmostEqual(run.phases[0].stop, 0.5, places=12)
        self.assertNotEqual(run.events[0].before, run.events[0].after)
        self.assertIn("SE-S", run.events[0].classes)

    def test_options(self):
        run = self.ball.simulate(stop=1, interval=0.25)
        self.assertTrue({0.25, 0.5, 0.75} <= set(run.time.tolist()))
        few = self.ball.simulate(stop=1, record="events")
        self.assertLess(len(few.time), 10)
        self.assertEqual(self.ball.simulate(stop=1, record="nothing").time.size, 0)
        self.assertEqual(self.ball.simulate(stop=1, solver="rk4", step=0.01).solver, "rk4")
        self.assertGreater(run.statistics["steps"], 0)
        late = self.ball.simulate(start=1, stop=2)
        self.assertEqual(late.time[0], 1.0)

    def test_start_values_and_shapes(self):
        run = self.ball.simulate(stop=0.1, parameters={"h.start": 4, "v.start": 1})
        self.assertEqual((run["h"][0], run["v"][0]), (4, 1))
        sizes = saltus.loads(
            "model Sizes parameter Integer n = 1; parameter Real k[2] = {1, 2};"
            " parameter String s = \"a\"; Real x[n](each start = 1, each fixed = true);"
            " Real y = k[1] + k[2]; Boolean is_b = s == \"b\";"
            " equation der(x) = -x; end Sizes;"
        )
        self.assertEqual(sizes.simulate(stop=0).variables, ("x[1]", "y", "is_b"))
        run = sizes.simulate(stop=0, n=3, parameters={"k": [10, 20], "s": '"b"'})
        self.assertEqual(run.variables, ("x[1]", "x[2]", "x[3]", "y", "is_b"))
        self.assertEqual((run["y"][0], run["is_b"][0]), (30, 1))
        self.assertEqual(len(sizes.simulate(stop=0, n=2).variables), 4)

    def test_mapping(self):
        run = self.ball.simulate(stop=1)
        self.assertEqual(list(run), ["h", "v", "bounces"])
        self.assertEqual(set(dict(run)), {"h", "v", "bounces"})
        self.assertIn("h", run)
        self.assertNotIn("x", run)
        self.assertAlmostEqual(run.at("h", 0.2), 1 - 9.81 * 0.02, delta=1e-2)

    def test_repr(self):
        run = self.ball.simulate()
        self.assertIn("3 events", repr(run))
        self.assertIn("h <= 0", repr(run.events))
        self.assertIn("<table>", run.events._repr_html_())
        self.assertEqual(len(run.events.where("h<=0")), 3)
        self.assertEqual(len(run.events[1:]), 2)


class Mistakes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ball = saltus.load(BALL)

    def test_model_error(self):
        with self.assertRaises(saltus.ModelError) as caught:
            saltus.loads("model Wrong\n  Real x = speeed;\n  Real speed = 1;\nend Wrong;\n")
        error = caught.exception
        self.assertEqual((error.line, error.column), (2, 12))
        self.assertIn("did you mean 'speed'?", error.message)
        self.assertIn("Real x = speeed;", error.caret)
        self.assertIn("^~~~~~", error.caret)
        self.assertIn("2:12: error:", str(error))
        self.assertEqual(error.diagnostics[0].severity, "error")
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual(again.line, 2)

    def test_missing_file(self):
        with self.assertRaisesRegex(saltus.ModelError, "nowhere.mo"):
            saltus.load("nowhere.mo")
        with self.assertRaises(TypeError):
            saltus.load()
        with self.assertRaisesRegex(ValueError, "zero"):
            saltus.load("nowhere\0.mo")
        with self.assertRaisesRegex(ValueError, "null"):
            saltus.loads("model M Real x = 1; end M;\0 model N end N;")

    def test_warnings_are_kept(self):
        model = saltus.loads("model M parameter Real k; Real x = k; end M;")
        self.assertEqual(model.diagnostics[0].severity, "warning")
        self.assertEqual(model.diagnostics[0].line, 1)

    def test_names(self):
        with self.assertRaisesRegex(ValueError, "there is no parameter 'ee'; did you mean 'e'?"):
            self.ball.simulate(ee=1)
        driven = saltus.loads(
            "model Driven input Real u; parameter Real k = 1; Real x = k*u; end Driven;"
        )
        with self.assertRaisesRegex(ValueError, "there is no parameter 'foo'; there are k, u$"):
            driven.simulate(stop=1, foo=1)
        with self.assertRaisesRegex(TypeError, "u must be a number, a text or an array, not a dict"):
            driven.simulate(stop=1, u={"a": 1})
        run = self.ball.simulate(stop=0.1)
        with self.assertRaisesRegex(KeyError, "there is no variable 'hh'; did you mean 'h'?"):
            run["hh"]
        with self.assertRaisesRegex(ValueError, "solver 'nosuch'"):
            self.ball.simulate(solver="nosuch")
        with self.assertRaises(ValueError):
            self.ball.simulate(record="everything")
        with self.assertRaises(ValueError):
            self.ball.simulate(stop=-1)
        with self.assertRaises(ValueError):
            self.ball.simulate(stop=math.inf)
        with self.assertRaises(ValueError):
            self.ball.simulate(stop=1, rtol=-1)
        with self.assertRaisesRegex(ValueError, "no value for e"):
            self.ball.simulate(e=math.nan)
        whole = saltus.loads("model M parameter Integer n = 1; Real x[n] = ones(n); end M;")
        with self.assertRaisesRegex(ValueError, "1.5 is no value for n"):
            whole.simulate(n=1.5)

    def test_run_fails(self):
        model = saltus.loads(
            "model M Real x(start = 1, fixed = true); equation der(x) = x ^ 2; end M;"
        )
        with self.assertRaises(saltus.SimulationError) as caught:
            model.simulate(stop=2, max_steps=100000)
        error = caught.exception  # x = 1 / (1 - t)
        self.assertAlmostEqual(error.time, 1.0, delta=0.01)
        self.assertGreater(error.run["x"][-1], 100)

    def test_run_that_stops(self):
        model = saltus.loads(
            'model M Real x(start = 0, fixed = true); equation der(x) = 1;'
            ' when x > 0.5 then terminate("enough"); end when; end M;'
        )
        run = model.simulate(stop=2)
        self.assertEqual(run.status, 1)
        self.assertIn("enough", run.message)
        self.assertAlmostEqual(run.now, 0.5, places=12)

    def test_accumulating_events_are_told(self):
        with self.assertWarnsRegex(saltus.SaltusWarning, "stopped: .*accumulate at t = 4.0637") as told:
            run = saltus.load(BALL).simulate(stop=5)
        self.assertEqual(told.filename, __file__)
        self.assertEqual(len(run.warnings), 1)
        self.assertEqual(pickle.loads(pickle.dumps(run)).warnings, run.warnings)

    def test_warnings_of_a_model_are_told_once(self):
        model = saltus.loads(
            'model M Real x(start = 0, fixed = true); equation der(x) = 1;'
            ' assert(x < 0.5, "rather far", AssertionLevel.warning); end M;'
        )
        with self.assertWarnsRegex(saltus.SaltusWarning, "from t = 0.5.* on: .*rather far"):
            run = model.simulate(stop=1)
        self.assertEqual(run.status, 0)
        steps = model.start()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            steps.advance(0.4).finish()  # nothing to tell
        with self.assertWarns(saltus.SaltusWarning):
            steps.advance(1).finish()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            steps.finish()

    def test_values_that_are_not_finite_are_told(self):
        model = saltus.loads(
            "model M Real x(start = 0, fixed = true), y = sqrt(0.5 - x); equation der(x) = 1; end M;"
        )
        with self.assertWarnsRegex(saltus.SaltusWarning, "from t = 0.625 on: y is not finite"):
            model.simulate(stop=1, interval=0.125, record="intervals")

    def test_a_stiff_model_is_told(self):
        model = saltus.loads(
            "model M Real x(start = 1, fixed = true); equation der(x) = -1e5 * (x - cos(time)); end M;"
        )
        with self.assertWarnsRegex(saltus.SaltusWarning, "the model is stiff: .* of dopri5"):
            model.simulate(stop=1, solver="dopri5")

    def test_what_a_model_prints_is_printed_once(self):
        model = saltus.loads(
            'model M impure function say input String text; input String file = "";'
            ' external "C" ModelicaInternal_print(text, file); end say;'
            ' Real x(start = 0, fixed = true); equation der(x) = 1;'
            ' when x > 0.5 then say("half"); end when; end M;'
        )
        for _ in range(2):
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                model.simulate(stop=1)
            self.assertEqual(out.getvalue(), "half\n")

    def test_assertion(self):
        model = saltus.loads(
            'model M Real x(start = 0, fixed = true); equation der(x) = 1;'
            ' assert(x < 0.5, "too far"); end M;'
        )
        with self.assertRaisesRegex(saltus.SimulationError, "too far"):
            model.simulate(stop=2)


class Keeping(unittest.TestCase):
    def test_pickle(self):
        run = saltus.load(BALL).simulate(stop=2)
        again = pickle.loads(pickle.dumps(run))
        for name in run:
            np.testing.assert_array_equal(again[name], run[name])
        np.testing.assert_array_equal(again.time, run.time)
        self.assertEqual(list(again.events), list(run.events))
        self.assertEqual(again.phases, run.phases)
        self.assertEqual(again.parameters, run.parameters)
        self.assertEqual(repr(again), repr(run))
        with self.assertRaises(RuntimeError):
            again.advance(3)
        pickle.loads(pickle.dumps(again))
        self.assertEqual(len(copy.deepcopy(again).time), len(run.time))

    def test_pickle_model(self):
        again = pickle.loads(pickle.dumps(saltus.load(BALL, e=0.5)))
        self.assertEqual(again.parameters["e"], 0.5)

    @unittest.skipUnless(has("pandas"), "there is no pandas")
    def test_pandas(self):
        run = saltus.load(BALL).simulate(stop=2)
        frame = run.to_dataframe()
        self.assertEqual(list(frame.columns), ["h", "v", "bounces"])
        self.assertEqual(frame.index.name, "time")
        np.testing.assert_array_equal(frame["h"], run["h"])
        self.assertEqual(len(run.events.to_dataframe()), 3)


class Pictures(unittest.TestCase):
    def test_svg(self):
        import xml.etree.ElementTree as tree

        run = saltus.load(BALL).simulate(stop=2)
        for text in (run.svg("h"), run.svg("h,v", phases=True), run.svg()):
            root = tree.fromstring(text)
            self.assertTrue(root.tag.endswith("svg"))
        self.assertIn("<svg", run._repr_html_())
        with self.assertRaises(KeyError):
            run.svg("nothing")

    @unittest.skipUnless(has("matplotlib"), "there is no matplotlib")
    def test_matplotlib(self):
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of matplotlib itself
            import matplotlib

            matplotlib.use("Agg")
            axes = saltus.load(BALL).simulate(stop=2).plot("h", phases=True)
        self.assertEqual(len(axes.lines), 1)

    def test_without_matplotlib(self):
        run = saltus.load(BALL).simulate(stop=2)
        kept = {k: v for k, v in sys.modules.items() if k.split(".")[0] == "matplotlib"}
        for name in kept:
            del sys.modules[name]
        sys.modules["matplotlib"] = None
        try:
            picture = run.plot("h")
        finally:
            del sys.modules["matplotlib"]
            sys.modules.update(kept)
        self.assertIn("<svg", picture._repr_svg_())



class Sensitivities(unittest.TestCase):
    """The ball's velocity after its first bounce is -e v, and it is thrown back at the same time."""

    def test_ball(self) -> None:
        ball = saltus.loads(
            """model Ball
              parameter Real e = 0.7, g = 9.81;
              Real h(start = 1, fixed = true), v(start = 0, fixed = true);
            equation
              der(h) = v;
              der(v) = -g;
              when h <= 0 then
                reinit(v, -e*pre(v));
              end when;
            end Ball;"""
        )
        plain = ball.simulate(stop=0.9, rtol=1e-9, g=10)
        run = ball.simulate(stop=0.9, rtol=1e-9, g=10, sensitivities=["e", "g"])
        self.assertEqual(run.status, 0)
        np.testing.assert_array_equal(run["h"], plain["h"])
        # v = e sqrt(2 g) - g (t - T) with T = sqrt(2 / g), h its integral from T on
        t, e, g = 0.9, 0.7, 10.0
        T = math.sqrt(2 / g)
        self.assertAlmostEqual(run.final("d(v)/d(e)"), math.sqrt(2 * g), places=8)
        self.assertAlmostEqual(run.final("d(h)/d(e)"), math.sqrt(2 * g) * (t - T), places=8)
        expected = e / math.sqrt(2 * g) * math.sqrt(1) - (t - T) - T / 2
        self.assertAlmostEqual(run.final("d(v)/d(g)"), expected, places=8)
        self.assertIn("d(h)/d(g)", run)
        self.assertEqual(len(run.events), 1)
        with self.assertRaises(RuntimeError):
            run.advance(2)
        with self.assertRaises(ValueError):
            ball.simulate(sensitivities=["nothing"])
        begun = ball.simulate(
            stop=0.2, sensitivities=["h.start"], parameters={"h.start": 2.0}
        )
        self.assertAlmostEqual(begun.final("d(h)/d(h.start)"), 1.0, places=9)

    def test_inputs(self) -> None:
        # k x' = u - x with u = sin t: x = (sin t - k cos t + k exp(-t/k)) / (1 + k^2)
        lag = saltus.loads(
            """model Lag
              input Real u;
              parameter Real k = 1;
              Real x(start = 0, fixed = true);
            equation
              k * der(x) = u - x;
            end Lag;"""
        )
        run = lag.simulate(
            stop=5, rtol=1e-9, k=0.8, inputs={"u": np.sin}, sensitivities=["k"]
        )

        def exact(k: float) -> float:
            return (math.sin(5) - k * math.cos(5) + k * math.exp(-5 / k)) / (1 + k * k)

        # The function is approximated to a tenth of the tolerance.
        self.assertAlmostEqual(run.final("x"), exact(0.8), places=7)
        by_k = (exact(0.8 + 1e-5) - exact(0.8 - 1e-5)) / 2e-5
        self.assertAlmostEqual(run.final("d(x)/d(k)"), by_k, places=6)

    def test_loss(self) -> None:
        twice = saltus.loads(
            """model Twice
              parameter Real a = 1;
              Real x(start = 1, fixed = true), y(start = 1, fixed = true);
              discrete Real u(start = 0, fixed = true);
            equation
              der(x) = -a;
              der(y) = -1;
              when x <= 0 then
                u = pre(u) + 1;
              elsewhen y <= 0 then
                u = pre(u) - 1;
              end when;
            end Twice;"""
        )
        with self.assertWarnsRegex(UserWarning, "two events at once"):
            run = twice.simulate(stop=2, sensitivities="a")
        self.assertTrue(math.isnan(run.final("d(x)/d(a)")))


if __name__ == "__main__":
    main()
