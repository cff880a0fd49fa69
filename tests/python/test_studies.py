# SPDX-License-Identifier: MIT
"""Sweeps, solutions, linearizations. The bouncing ball and a spring have closed forms."""

import math

from support import has, main, model_file, numpy as np, unittest

import saltus
from saltus._studies import observation

SPRING = """model Spring
  parameter Real m = 1, k = 4, d = 0.4; input Real f;
  Real s(start = 1, fixed = true), v(start = 0, fixed = true); output Real a = der(v);
equation
  der(s) = v; m * der(v) = f - k * s - d * v;
end Spring;"""


def third_bounce(c, g=9.81):
    first = math.sqrt(2 / g)
    return first + 2 * first * (c + c * c)


class Sweeps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ball = saltus.load(model_file("BouncingBall.mo"))

    def test_line(self):
        c = np.linspace(0.5, 0.9, 20)
        found = self.ball.sweep(
            e=c, stop=2.5, rtol=1e-9, observe=["max(h)", "event_time('h <= 0', 3)", "last = h"]
        )
        self.assertEqual(found.shape, (20,))
        np.testing.assert_array_equal(found["e"], c)
        np.testing.assert_allclose(found["max(h)"], 1.0)
        third = [third_bounce(x) if third_bounce(x) < 2.5 else math.nan for x in c]
        np.testing.assert_allclose(found["event_time('h <= 0', 3)"], third, atol=1e-12)
        self.assertEqual(list(found), ["e", "max(h)", "event_time('h <= 0', 3)", "last"])
        self.assertFalse(found.failed.any())

    def test_grid_and_fixed(self):
        found = self.ball.sweep(
            {"first": "time_of(h <= 0, 1)", "two": "time_of(h <= 0, 1:2)"},
            g=[1.0, 9.81, 20.0], e=[0.5, 0.8], stop=6, parameters={"h.start": 2},
        )  # fmt: skip
        self.assertEqual(found.shape, (3, 2))
        self.assertEqual(found["two"].shape, (3, 2, 2))
        g = np.array([1.0, 9.81, 20.0])[:, None] * np.ones((1, 2))
        np.testing.assert_allclose(found["first"], np.sqrt(4 / g), atol=1e-6)
        self.assertEqual(found["g"][2, 0], 20.0)

    def test_start_values(self):
        heights = np.array([0.5, 1.0, 2.0])
        found = self.ball.sweep("t = time_of(h <= 0)", parameters={"h.start": heights})
        np.testing.assert_allclose(found["t"], np.sqrt(2 * heights / 9.81), atol=1e-6)

    def test_zip(self):
        found = self.ball.sweep("bounces", e=[0.5, 0.6], g=[9.81, 1.0], zip=True)
        self.assertEqual(found.shape, (2,))
        with self.assertRaises(ValueError):
            self.ball.sweep("bounces", e=[0.5, 0.6], g=[9.81], zip=True)

    def test_threads_do_not_matter(self):
        c = np.linspace(0.5, 0.9, 50)
        one = self.ball.sweep("integral(h)", e=c, jobs=1)["integral(h)"]
        many = self.ball.sweep("integral(h)", e=c, jobs=8)["integral(h)"]
        np.testing.assert_array_equal(one, many)

    def test_failures(self):
        model = saltus.loads(
            "model M parameter Real k = 1; Real x(start = 1, fixed = true);"
            " equation der(x) = k * x ^ 2; end M;"
        )
        found = model.sweep("x", k=[0.5, 2.0, -1.0], stop=1, max_steps=100000)
        self.assertEqual(found.failed.tolist(), [False, True, False])
        self.assertTrue(math.isnan(found["x"][1]))
        self.assertNotEqual(found.messages[1], "")
        self.assertAlmostEqual(found["x"][0], 2.0, places=4)

    def test_mistakes(self):
        with self.assertRaisesRegex(ValueError, "there is no variable 'hh'; did you mean 'h'"):
            self.ball.sweep("maximum(hh)", e=[0.5])
        with self.assertRaisesRegex(ValueError, "parameter 'cc'"):
            self.ball.sweep("h", cc=[0.5])
        with self.assertRaises(ValueError):
            self.ball.sweep([], e=[0.5])
        with self.assertRaises(ValueError):
            self.ball.sweep("h", e=[])
        with self.assertRaises(ValueError):
            self.ball.sweep("h", e=[0.5, math.nan])

    @unittest.skipUnless(has("pandas"), "there is no pandas")
    def test_pandas(self):
        frame = self.ball.sweep("n = bounces", e=[0.5, 0.6], g=[1, 2, 3]).to_dataframe()
        self.assertEqual(list(frame.columns), ["e", "g", "n", "status", "message"])
        self.assertEqual(len(frame), 6)

    def test_observation_texts(self):
        self.assertEqual(observation("max(h)"), "maximum(h)")
        self.assertEqual(observation("max(h, v)"), "max(h, v)")
        self.assertEqual(observation("2 * min(max(a, b)) + 1"), "2 * minimum(max(a, b)) + 1")
        self.assertEqual(observation("x.max(3)"), "x.max(3)")
        self.assertEqual(observation("event_time('h <= 0', 3)"), 'time_of(event("h <= 0"), 3)')


class Solving(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ball = saltus.load(model_file("BouncingBall.mo"))

    def test_root(self):
        found = self.ball.solve({"e": (0.5, 0.9)}, {"event_time('h <= 0', 3)": 1.6}, rtol=1e-9)
        self.assertEqual(len(found), 1)
        self.assertAlmostEqual(third_bounce(found["e"]), 1.6, places=10)
        self.assertEqual(found[0].kind, "root")
        self.assertGreater(found.runs, 1)

    def test_two_unknowns(self):
        spring = saltus.loads(SPRING)
        found = spring.solve(
            {"k": (2, 8), "d": (0.1, 1.0)},
            {"at(s, 1.0)": self.exact(1.0, 5.0, 0.5), "at(s, 2.0)": self.exact(2.0, 5.0, 0.5)},
            stop=2, rtol=1e-10, observe=["end = s"],
        )  # fmt: skip
        self.assertAlmostEqual(found["k"], 5.0, places=5)
        self.assertAlmostEqual(found["d"], 0.5, places=5)
        self.assertAlmostEqual(found[0].observed["end"], self.exact(2.0, 5.0, 0.5), places=6)

    @staticmethod
    def exact(t, k, d):
        w = math.sqrt(k - d * d / 4)
        return math.exp(-d * t / 2) * (math.cos(w * t) + d / (2 * w) * math.sin(w * t))

    def test_minimum_and_boundary(self):
        spring = saltus.loads(SPRING)
        found = spring.solve({"k": (2, 9)}, minimize="(at(s, 1.0) + 0.3) ^ 2", stop=1, rtol=1e-9)
        self.assertLess(found[0].miss, 1e-8)
        edges = self.ball.solve({"e": (0.5, 0.7)}, boundary="bounces", stop=1.5, points=8)
        # A third bounce before t = 1.5 ends where its time passes 1.5.
        wanted = -0.5 + math.sqrt(0.25 + (1.5 / math.sqrt(2 / 9.81) - 1) / 2)
        self.assertTrue(any(abs(e["e"] - wanted) < 1e-6 for e in edges))

    def test_mistakes(self):
        with self.assertRaises(ValueError):
            self.ball.solve({"e": (0.5, 0.9)})
        with self.assertRaises(ValueError):
            self.ball.solve({"e": (0.5,)}, {"h": 0.2})
        with self.assertRaises(ValueError):
            self.ball.solve({"e": (0.5, 0.9), "g": (1, 2)}, {"h": 0.2})
        none = self.ball.solve({"e": (0.5, 0.9)}, {"maximum(h)": 7.0})
        self.assertEqual(len(none), 0)
        self.assertNotEqual(none.message, "")
        with self.assertRaises(LookupError):
            none["e"]


class Linearizing(unittest.TestCase):
    def test_spring(self):
        spring = saltus.loads(SPRING)
        lin = spring.linearize(m=2)
        np.testing.assert_allclose(lin.A, [[0, 1], [-2, -0.2]], atol=1e-9)
        np.testing.assert_allclose(lin.B, [[0], [0.5]], atol=1e-9)
        np.testing.assert_allclose(lin.C, [[-2, -0.2]], atol=1e-9)
        np.testing.assert_allclose(lin.D, [[0.5]], atol=1e-9)
        self.assertEqual((lin.states, lin.inputs, lin.outputs), (("s", "v"), ("f",), ("a",)))
        roots = np.roots([1, 0.2, 2])
        np.testing.assert_allclose(sorted(lin.eigenvalues.imag), sorted(roots.imag), atol=1e-9)

    def test_by_name_and_time(self):
        spring = saltus.loads(SPRING)
        lin = spring.linearize(0.5, inputs=["k", "f"], outputs=["s", "v"], rtol=1e-10)
        s = Solving.exact(0.5, 4.0, 0.4)
        np.testing.assert_allclose(lin.B, [[0, 0], [-s, 1]], atol=1e-7)
        np.testing.assert_allclose(lin.C, np.eye(2), atol=1e-12)
        self.assertEqual(lin.time, 0.5)
        with self.assertRaisesRegex(ValueError, "no input or parameter"):
            spring.linearize(inputs=["q"])

    def test_dependent_parameters(self):
        model = saltus.loads(
            "model M parameter Real p = 2, q = p ^ 2; Real x(start = 1, fixed = true);"
            " equation der(x) = -q * x; end M;"
        )
        lin = model.linearize(inputs=["p"])
        np.testing.assert_allclose(lin.B, [[-4.0]], atol=1e-6)

    @unittest.skipUnless(has("scipy"), "there is no scipy")
    def test_scipy(self):
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from scipy import signal
        lin = saltus.loads(SPRING).linearize(outputs=["s"])
        system = signal.StateSpace(*lin[:4])
        t, y = signal.step(system, T=np.linspace(0, 5, 50))
        run = saltus.loads(SPRING).simulate(stop=5, rtol=1e-9, f=1, parameters={"s.start": 0})
        self.assertAlmostEqual(y[-1], run.final("s"), places=6)


if __name__ == "__main__":
    main()
