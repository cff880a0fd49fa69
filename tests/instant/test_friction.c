// SPDX-License-Identifier: MIT
//
// Coulomb friction by a parameter along its characteristic (M. Otter, H. Elmqvist, S. E. Mattsson:
// Hybrid modeling in Modelica based on the synchronous data flow principle, CACSD 1999): an
// automaton with forward, stuck and backward, whose start of sliding, the acceleration and the
// torque depend on each other. Closed forms.

#include "instant/example.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// F slides, F0 holds; s is the torque while it is stuck, and moves with the acceleration elsewhere.
#define FRICTION                                                                                   \
    "  model Friction\n"                                                                           \
    "    parameter Real F, F0; input Real w, a; Real s, f;\n"                                      \
    "    Boolean forward(start = false, fixed = true), backward(start = false, fixed = true);\n"   \
    "    Boolean locked; Integer mode(start = 3, fixed = true);\n"                                 \
    "  equation\n"                                                                                 \
    "    forward = pre(mode) == 0 and (s > F0 or pre(forward) and s > F) or initial() and w > "    \
    "0;\n"                                                                                         \
    "    backward = pre(mode) == 0 and (s < -F0 or pre(backward) and s < -F) or initial() and w "  \
    "< 0;\n"                                                                                       \
    "    locked = not (pre(mode) == 1 or forward or pre(mode) == -1 or backward);\n"               \
    "    a = if locked then 0 else if forward or pre(mode) == 1 then s - F0\n"                     \
    "      else if backward or pre(mode) == -1 then s + F0 else s - sign(w)*F0;\n"                 \
    "    f = if locked then s else if forward or pre(mode) == 1 then F\n"                          \
    "      else if backward or pre(mode) == -1 then -F else sign(w)*F;\n"                          \
    "    mode = if (pre(mode) == 1 or forward) and w > 0 then 1\n"                                 \
    "      else if (pre(mode) == -1 or backward) and w < 0 then -1 else 0;\n"                      \
    "  end Friction;\n"

// Mesh losses and bearing friction of a gear: the torque that is lost depends on which side drives.
// As an if-equation, whether it is locked is a mode; inside of another expression it is not.
#define GEAR GEAR_THAT("if locked then 0 else s - loss")
#define SWITCHED_GEAR GEAR_THAT("1.0*(if locked then 0 else s - loss)")
#define GEAR_THAT(moves)                                                                           \
    "  model Gear\n"                                                                               \
    "    parameter Real eta, b1, b2; input Real w, a; Real p, q, s, loss;\n"                       \
    "    Boolean forward, backward, locked, drives; Integer mode(start = 3, fixed = true);\n"      \
    "    Real most, least, most_at_rest, least_at_rest;\n"                                         \
    "  equation\n"                                                                                 \
    "    q = p - loss; drives = p >= 0;\n"                                                         \
    "    most = if drives then (1 - eta)*p + b1 else (1 - 1/eta)*p + b2;\n"                        \
    "    least = if drives then (1 - 1/eta)*p - b2 else (1 - eta)*p - b1;\n"                       \
    "    most_at_rest = if noEvent(p > 0) then (1 - eta)*p + b1 else (1 - 1/eta)*p + b2;\n"        \
    "    least_at_rest = if noEvent(p > 0) then (1 - 1/eta)*p - b2 else (1 - eta)*p - b1;\n"       \
    "    forward = pre(mode) == 0 and s > most_at_rest or initial() and w > 0;\n"                  \
    "    backward = pre(mode) == 0 and s < least_at_rest or initial() and w < 0;\n"                \
    "    locked = not (pre(mode) == 1 or forward or pre(mode) == -1 or backward);\n"               \
    "    loss = if locked then s else if forward or pre(mode) == 1 then most else least;\n"        \
    "    a = " moves ";\n"                                                                         \
    "    mode = if (pre(mode) == 1 or forward) and w > 0 then 1\n"                                 \
    "      else if (pre(mode) == -1 or backward) and w < 0 then -1 else 0;\n"                      \
    "  end Gear;\n"

#define ON_ONE_SHAFT                                                                               \
    "  Real w(start = 0, fixed = true); Friction b(w = w, a = der(w), F = 0.5, F0 = 0.5);\n"       \
    "  Gear g(w = w, a = der(w), eta = 0.5, b1 = 0, b2 = 0);\n"                                    \
    "equation der(w) = 12*sin(2*3.141592653589793*time) - b.f - g.p;\n"                            \
    "  0.75*der(w) = 2*g.q - 10;\nend M;\n"

static const Example examples[] = {
    // -1 + (2 t^2 + 4 t)/0.01 until it stops; 4 t is 4.4 at 1.1; then (2 (t^2 - 1.21) -
    // 4 (t - 1.1))/0.01. Where it stops, forward asks for backward and backward for forward; that
    // it is stuck is another mode.
    {.name = "brake that stops and lets go",
     .text = "model M\n" FRICTION "  Real w(start = -1, fixed = true), phi(start = 0, fixed = "
             "true); Friction b(w = w, a = der(w), F = 4, F0 = 4.4);\n"
             "equation der(phi) = w; 0.01*der(w) = 4*time - b.f;\nend M;\n",
     .stop_time = 2.0,
     .values = {{"w", 198.0}, {"b.mode", 1.0}}},
    {.name = "brake that has stopped",
     .text = "model M\n" FRICTION "  Real w(start = -1, fixed = true), phi(start = 0, fixed = "
             "true); Friction b(w = w, a = der(w), F = 4, F0 = 4.4);\n"
             "equation der(phi) = w; 0.01*der(w) = 4*time - b.f;\nend M;\n",
     .stop_time = 1.0,
     .values = {{"w", 0.0}, {"b.f", 4.0}, {"b.locked", 1.0}}},
    // The clutch slips with 2 until 0.01, the brake holds; all is at rest until 4 t = 2; then
    // (2 (t^2 - 0.25) - 2 (t - 0.5))/0.01.
    {.name = "clutch and brake",
     .text =
         "model M\n" FRICTION "  Real w1(start = 0, fixed = true), w2(start = 2, fixed = true);\n"
         "  Friction b(w = w1, a = der(w1), F = 4, F0 = 4.4);\n"
         "  Friction c(w = w2 - w1, a = der(w2) - der(w1), F = 2, F0 = 2);\n"
         "equation 0.01*der(w1) = c.f - b.f;\n"
         "  0.01*der(w2) = (if time > 0.1 then 4*time else 0) - c.f;\nend M;\n",
     .stop_time = 1.0,
     .values = {{"w1", 0.0}, {"w2", 50.0}, {"b.locked", 1.0}, {"c.mode", 1.0}}},
    // -500 until 0.02, then stuck: (1 - eta) M + b1 is exceeded from M = 2.5 on, at 0.75; then
    // 2000 (t - 0.75).
    {.name = "gear with losses",
     .text =
         "model M\n" GEAR
         "  Real w(start = 10, fixed = true); Gear g(w = w, a = der(w), eta = 0.25, b1 = 0.625, "
         "b2 = 2.5);\n"
         "equation 0.001*der(w) = (if time > 0.5 then 10*(time - 0.5) else 0) - g.p; "
         "0.001*der(w) = g.q;\nend M;\n",
     .stop_time = 1.0,
     .values = {{"w", 62.5}, {"g.mode", 1.0}}},
    {.name = "gear with losses, stuck",
     .text =
         "model M\n" GEAR
         "  Real w(start = 10, fixed = true); Gear g(w = w, a = der(w), eta = 0.25, b1 = 0.625, "
         "b2 = 2.5);\n"
         "equation 0.001*der(w) = (if time > 0.5 then 10*(time - 0.5) else 0) - g.p; "
         "0.001*der(w) = g.q;\nend M;\n",
     .stop_time = 0.6,
     .values = {{"w", 0.0}, {"g.p", 1.0}, {"g.q", 0.0}, {"g.locked", 1.0}}},
    // It lets go at 1.1 and then has less than what it was let go by: only pre(forward) knows.
    // ((t^2 - 1.21)/2 - (t - 1.1))/2.
    {.name = "one way, let go by more than what follows",
     .text = "model M Real w(start = 0, fixed = true), s, f, k; Boolean forward(start = false, "
             "fixed = true), locked, stuck(start = true, fixed = true);\n"
             "equation forward = pre(stuck) and (s > 1.1 or pre(forward) and s > 1);\n"
             "  locked = pre(stuck) and not forward; k = if locked then 0 else 1;\n"
             "  der(w) = k*(s - 1); f = k + (1 - k)*s; stuck = locked or w <= 0;\n"
             "  2*der(w) = time - f; end M;\n",
     .stop_time = 2.0,
     .values = {{"w", 0.2475}, {"stuck", 0.0}}},
    {.name = "one way, let go by more than what follows, in a mode",
     .text = "model M Real w(start = 0, fixed = true), s, f; Boolean forward(start = false, fixed "
             "= true), locked, stuck(start = true, fixed = true);\n"
             "equation forward = pre(stuck) and (s > 1.1 or pre(forward) and s > 1);\n"
             "  locked = pre(stuck) and not forward; der(w) = if locked then 0 else s - 1;\n"
             "  f = if locked then s else 1; stuck = locked or w <= 0;\n"
             "  2*der(w) = time - f; end M;\n",
     .stop_time = 2.0,
     .values = {{"w", 0.2475}, {"stuck", 0.0}}},
    // Stuck until 2 t = 4, whatever each of them holds; then (t - 2)^2/0.01.
    {.name = "two brakes on one body",
     .text =
         "model M\n" FRICTION "  Real w(start = -1, fixed = true);\n"
         "  Friction b(w = w, a = der(w), F = 1, F0 = 1), c(w = w, a = der(w), F = 3, F0 = 3);\n"
         "equation 0.01*der(w) = 2*time - b.f - c.f;\nend M;\n",
     .stop_time = 3.0,
     .values = {{"w", 100.0}}},
    {.name = "two brakes on one body, stuck",
     .text =
         "model M\n" FRICTION "  Real w(start = -1, fixed = true);\n"
         "  Friction b(w = w, a = der(w), F = 1, F0 = 1), c(w = w, a = der(w), F = 3, F0 = 3);\n"
         "equation 0.01*der(w) = 2*time - b.f - c.f;\nend M;\n",
     .stop_time = 1.9,
     .values = {{"w", 0.0}}},
    // A drive of 12 sin(2 pi t) and a load of 10 behind a ratio of 2. Both elements can hold the
    // shaft, and when both do, how they share the torque is open; what moves is not: it is held
    // while the drive is between 0.5 10/2 - 0.5 and 10/(2 0.5) + 0.5. It moves backward with an
    // inertia of 1 + 0.5 1.5/4 until 0.05356, forward with 1 + 1.5/(4 0.5) from 0.16957 until
    // 0.41303, backward from 0.47335 on; integrals of the drive less these bounds.
    {.name = "gear and bearing on one shaft, forward",
     .text = "model M\n" FRICTION SWITCHED_GEAR ON_ONE_SHAFT,
     .stop_time = 0.2,
     .values = {{"w", 0.008517792035956801}}},
    {.name = "gear and bearing on one shaft, stuck",
     .text = "model M\n" FRICTION SWITCHED_GEAR ON_ONE_SHAFT,
     .stop_time = 0.45,
     .values = {{"w", 0.0}}},
    {.name = "gear and bearing on one shaft, backward",
     .text = "model M\n" FRICTION SWITCHED_GEAR ON_ONE_SHAFT,
     .stop_time = 2.0,
     .values = {{"w", -5.765310634571386}, {"b.mode", -1.0}, {"g.mode", -1.0}}},
    {.name = "gear and bearing on one shaft, in modes",
     .text = "model M\n" FRICTION GEAR ON_ONE_SHAFT,
     .stop_time = 2.0,
     .values = {{"w", -5.765310634571386}, {"b.mode", -1.0}, {"g.mode", -1.0}}},
    // Both stop at 0.35; the spring, with 0.5, does not move them any more.
    {.name = "impact of two bodies with a spring, a damper and friction",
     .text = "model M\n" FRICTION
             "  Real s(start = 0.2, fixed = true), v(start = 3, fixed = true), sr, vr, s3, v3, f, "
             "fd, sa, sb;\n"
             "  Friction b(w = v, a = der(v), F = 1, F0 = 1.1);\n"
             "equation v = der(s); vr = der(sr); sr = 0.5 - sb; sb = s + 0.05; sa = s - 0.05;\n"
             "  v3 = der(s3); s3 + 0.05 = sa; der(v) = fd + f - b.f; der(v3) = -f;\n"
             "  fd = 5*sr + vr;\n"
             "  when s >= 0.35 then reinit(v, 0); end when;\nend M;\n",
     .stop_time = 0.2,
     .values = {{"s", 0.35}, {"v3", 0.0}, {"b.f", 0.5}, {"b.locked", 1.0}}},
    // The model says that the relative motion is a state: it goes on with -4, by section 8.3.6 of
    // the specification.
    {.name = "reinit of one state of several",
     .text = "model M\n" FRICTION
             "  Real s(start = 0.2, fixed = true, stateSelect = StateSelect.always);\n"
             "  Real v(start = 3, fixed = true, stateSelect = StateSelect.always);\n"
             "  Real sr(start = 0.3, fixed = true, stateSelect = StateSelect.prefer);\n"
             "  Real vr(start = -4, fixed = true, stateSelect = StateSelect.prefer);\n"
             "  Real s3, v3; Friction b(w = v, a = der(v), F = 0, F0 = 0.1);\n"
             "equation v = der(s); vr = der(sr); sr = s3 - s; v3 = der(s3); der(v3) = 0;\n"
             "  der(v) = -b.f; when s >= 0.35 then reinit(v, 0); end when;\nend M;\n",
     .stop_time = 0.1,
     .values = {{"s3", 0.25}, {"v3", -4.0}, {"vr", -4.0}}},
    // If it does not, nothing but the body that is stopped is stopped.
    {.name = "reinit of one body of several",
     .text =
         "model M\n" FRICTION "  Real s(start = 0.2, fixed = true), v(start = 3, fixed = true);\n"
         "  Real sr(start = 0.3, fixed = true), vr(start = -4, fixed = true);\n"
         "  Real s3, v3; Friction b(w = v, a = der(v), F = 0, F0 = 0.1);\n"
         "equation v = der(s); vr = der(sr); sr = s3 - s; v3 = der(s3); der(v3) = 0;\n"
         "  der(v) = -b.f; when s >= 0.35 then reinit(v, 0); end when;\nend M;\n",
     .stop_time = 0.1,
     .values = {{"s3", 0.4}, {"v3", -1.0}, {"vr", -1.0}}},
};

static void test_friction(void **state)
{
    (void)state;
    EXAMPLE_CHECK_ALL(examples);
}

// Nothing depends on the unit of time.
static void test_scales(void **state)
{
    static const double scales[] = {1e-9, 1e6};
    (void)state;
    for (int i = 0; i < 2; i++)
        EXAMPLE_CHECK_SCALED(examples, scales[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_friction),
        cmocka_unit_test(test_scales),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
