// SPDX-License-Identifier: MIT
//
// Starts: parameters and pre-values that initial equations determine, start values that choose
// among solutions, pivots that are zero, constraints with nothing fixed. Closed forms.

#include "instant/attempt.h"
#include "instant/example.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

// A three-phase bridge behind inductances, into a capacitor that stays empty, from no current at
// all: each phase is short-circuited, L*i is the integral of its voltage, up to r*t/L.
#define BRIDGE_FROM_NOTHING(l, resistance)                                                         \
    "model M parameter Real L = " l ", r = " resistance ", pi = 3.14159265358979323846;\n"         \
    "Real v[3] = {325*sin(2*pi*50*time - (k - 1)*2*pi/3) for k in 1:3};\n"                         \
    "Real i[3](start = {0, 0, 0}, fixed = {true, true, false}), q[3] = L*i, u[3];\n"               \
    "Real sp[3], sn[3], ip[3], im[3], dp, dn, c(start = 0, fixed = true); Boolean p[3], n[3];\n"   \
    "equation for k in 1:3 loop L*der(i[k]) = v[k] - u[k]; p[k] = sp[k] < 0; n[k] = sn[k] < 0;\n"  \
    "u[k] - dp = sp[k]*(if p[k] then 1 else r); ip[k] = sp[k]*(if p[k] then r else 1);\n"          \
    "dn - u[k] = sn[k]*(if n[k] then 1 else r); im[k] = sn[k]*(if n[k] then r else 1);\n"          \
    "i[k] = ip[k] - im[k]; end for;\n"                                                             \
    "sum(ip) = sum(im); c = dp - dn; 1e9*der(c) = sum(ip); end M;\n"

static const Example starts[] = {
    {.name = "parameters by an initial equation",
     .text = "model M parameter Real a = 2, c = d + 7, d(fixed = false); Real v = c, w = d;\n"
             "initial equation d = a + 5; end M;\n",
     .values = {{"v", 14.0}, {"w", 7.0}}},
    {.name = "start values choose the branch",
     .text = "model M Real w(start = 5), u(start = 5), q(start = 5), s(start = 5);\n"
             "equation abs(w) = 2 + time; (if u > 0 then u else -u) = 2 + time;\n"
             "(if u > 0 then q else -q) = 2 + time; sqrt(s^2) = 2 + time; end M;\n",
     .values = {{"w", 3.0}, {"u", 3.0}, {"q", 3.0}, {"s", 3.0}}},
    {.name = "negative start values choose the other one",
     .text = "model M Real w(start = -5), s(start = -5); equation abs(w) = 2 + time; sqrt(s^2) = 2 "
             "+ time; end M;\n",
     .values = {{"w", -3.0}, {"s", -3.0}}},
    {.name = "parameter that is zero as pivot",
     .text = "model M parameter Real a = 0, b = 0; Real x, y, z;\n"
             "equation a*x + y + b*z = 1; x + a*y + z = 4; x + y + b*z = 4; end M;\n",
     .values = {{"x", 3.0}, {"y", 1.0}, {"z", 1.0}}},
    {.name = "matrix with a zero on its diagonal",
     .text = "model M final parameter Real A[3, 3] = [0, 1, 0; 1, 0, 0; 0, 0, 2]; Real w[3];\n"
             "equation A*w = {1, 2, 3}; end M;\n",
     .values = {{"w[1]", 2.0}, {"w[2]", 1.0}, {"w[3]", 1.5}}},
    // steady in the turning frame: the power stays what the initial equation says
    {.name = "three phases in a steady state",
     .text = "model M constant Real pi = 3.14159265358979; parameter Real shift(fixed = false, "
             "start = -3);\n"
             "Real i[3], j[3], power, th = 2*pi*time, P[3, 3], u[3], w[3];\n"
             "initial equation der(j) = {0, 0, 0}; power = -0.12865;\n"
             "equation\n"
             "for k in 1:3 loop\n"
             "u[k] = -sin(th + (k - 1)*2*pi/3); w[k] = sin(th + (k - 1)*2*pi/3 + shift);\n"
             "der(i[k]) + 0.5*i[k] = -u[k] - w[k];\n"
             "P[1, k] = sqrt(2/3)*sin(th + (k - 1)*2*pi/3); P[2, k] = sqrt(2/3)*cos(th + (k - "
             "1)*2*pi/3);\n"
             "P[3, k] = sqrt(1/3);\n"
             "end for;\n"
             "j = P*i; power = (P*u)*j; end M;\n",
     .values = {{"power", -0.12865}}},
    // sin s + sin(1 + s) is at most 2 cos(1/2) = 1.755
    {.name = "initial equations without a solution",
     .text = "model M parameter Real shift(fixed = false, start = 0); Real x, y;\n"
             "initial equation der(x) = 0; der(y) = 0; x + y = 1.8;\n"
             "equation der(x) = -x + sin(shift); der(y) = -y + sin(1 + shift); end M;\n",
     .refusal = "does not converge for"},
    {.name = "initial equations with a solution",
     .text = "model M parameter Real shift(fixed = false, start = 0); Real x, y, sum = x + y;\n"
             "initial equation der(x) = 0; der(y) = 0; x + y = 1.7;\n"
             "equation der(x) = -x + sin(shift); der(y) = -y + sin(1 + shift); end M;\n",
     .values = {{"sum", 1.7}}},
    {.name = "pre-value by an initial equation",
     .text = "model M Boolean active, newActive; Real x(start = 0, fixed = true);\n"
             "initial equation active = true;\n"
             "equation active = pre(newActive); newActive = active and time < 0.5;\n"
             "der(x) = if active then 1 else 0; end M;\n",
     .values = {{"x", 0.5}, {"active", 0.0}}},
    {.name = "contradicting fixed starts",
     .text = "model M Real x(start = 1, fixed = true), y(start = 2, fixed = true); equation der(x) "
             "= -x; y = x; end M;\n",
     .refusal = "contradicts the others by 1"},
    // exp(-t)
    {.name = "derivative given by an annotation",
     .text = "model M\n"
             "function st input Real u[2]; input Real d; output Real s; algorithm s := u[1];\n"
             "annotation(derivative(noDerivative = u) = st1, InlineAfterIndexReduction = true); "
             "end st;\n"
             "function st1 input Real u[2]; input Real d; input Real dd; output Real r; algorithm "
             "r := u[2]; end st1;\n"
             "Real x(start = 1, fixed = true), v, y, w;\n"
             "equation der(x) = v; y = st({x, v}, time); der(y) = w; w = -x; end M;\n",
     .values = {{"x", 0.36787944117144233}, {"v", -0.36787944117144233}}},
    // the same by an oscillator in two halves, each of which sees the other by functions alone: the
    // one has position, speed and acceleration of the other as signals; x = cos(t/sqrt(2))
    {.name = "two derivatives given by annotations",
     .text = "model M\n"
             "function p input Real u[3]; input Real d; output Real s; algorithm s := u[1];\n"
             "annotation(derivative(noDerivative = u) = p1, InlineAfterIndexReduction = true); "
             "end p;\n"
             "function p1 input Real u[3]; input Real d; input Real dd; output Real r; algorithm "
             "r := u[2];\n"
             "annotation(derivative(noDerivative = u, order = 2) = p2, "
             "InlineAfterIndexReduction = true); end p1;\n"
             "function p2 input Real u[3]; input Real d; input Real dd; input Real ddd; output "
             "Real r; algorithm r := u[3]; end p2;\n"
             "Real x(start = 1, fixed = true), v(start = 0, fixed = true), a, f, y, w, b;\n"
             "equation der(x) = v; der(v) = a; a = f - x; y = p({x, v, a}, time);\n"
             "der(y) = w; der(w) = b; b = -f; end M;\n",
     .values = {{"x", 0.7602445970756301}, {"y", 0.7602445970756301}, {"b", -0.38012229853781506}}},
    // Without the capacitances there is no state but x: f(v) = v^3 + v = x, at x = 2 v = 1.
    {.name = "capacitances that are zero by their factors",
     .text = "model M parameter Real C = 0, tau = 0; Real x(start = 0, fixed = true), v, c, d, i, "
             "q;\n"
             "function f input Real v; output Real y; algorithm y := exp(v); end f;\n"
             "equation der(x) = 2; d = C*f(v); c = tau/q*f(2*v) + d; q = 2 + v^2; "
             "i = v^3 + v + c*der(v); i = x; end M;\n",
     .values = {{"v", 1.0}, {"c", 0.0}, {"d", 0.0}, {"q", 3.0}}},
    // no start value is needed, nor would 0 be a good one
    {.name = "quotient solved for its denominator",
     .text = "model M Real r, g; equation r = 1/g; r = 4 + time; end M;\n",
     .values = {{"g", 0.2}}},
    // its energy: - g l cos(phi) (1 + 2 + 3 + 4)
    {.name = "straight chain with nothing fixed",
     .text =
         "model M constant Integer n = 4; constant Real g = 9.81, l = 0.4, phi = 1.2;\n"
         "Real x[n](start = {l*i*sin(phi) for i in 1:n}), y[n](start = {-l*i*cos(phi) for i in "
         "1:n});\n"
         "Real u[n](each start = 0), v[n](each start = 0), lam[n + 1];\n"
         "Real dx[n](each start = l*sin(phi)), dy[n](each start = -l*cos(phi));\n"
         "Real E = sum((u[i]^2 + v[i]^2)/2 + g*y[i] for i in 1:n);\n"
         "equation lam[n + 1] = 0;\n"
         "for i in 1:n loop\n"
         "dx[i] = x[i] - (if i > 1 then x[max(i - 1, 1)] else 0);\n"
         "dy[i] = y[i] - (if i > 1 then y[max(i - 1, 1)] else 0);\n"
         "der(x[i]) = u[i]; der(y[i]) = v[i]; dx[i]^2 + dy[i]^2 = l^2;\n"
         "der(u[i]) = -lam[i]*dx[i] + (if i < n then lam[i + 1]*dx[min(i + 1, n)] else 0);\n"
         "der(v[i]) = -g - lam[i]*dy[i] + (if i < n then lam[i + 1]*dy[min(i + 1, n)] else 0);\n"
         "end for; end M;\n",
     .stop_time = 0.5,
     .values = {{"E", -14.218918285664675}}},
    {.name = "pendulum begun in a horizontal position",
     .text = "model M Real x(start = 1), y(start = 0), u(start = 0), v(start = 0), f, E = (u^2 + "
             "v^2)/2 + 9.81*y;\n"
             "equation der(x) = u; der(y) = v; der(u) = -f*x; der(v) = -f*y - 9.81; x^2 + y^2 = 1; "
             "end M;\n",
     .values = {{"E", 0.0}}},
    // the diode that conducts at first would need an empty capacitor: it is off
    {.name = "diode between a closed switch and a charged capacitor",
     .text = "model M Real i(start = 0, fixed = true), v(start = 5, fixed = true), vd, id, vs, is, "
             "s; Boolean off, gate;\n"
             "equation der(i) = 1 - vs; i = is + id; der(v) = id - v; vd = vs - v; gate = time < "
             "2;\n"
             "off = s < 0; vd = if off then s else 0; id = if off then 0 else s;\n"
             "if gate then vs = 0; else is = 0; end if; end M;\n",
     .values = {{"i", 1.0}, {"v", 1.8393972058572117}, {"off", 1.0}}},
    {.name = "bridge without current, a small inductance",
     .text = BRIDGE_FROM_NOTHING("1e-4", "1e-9"),
     .stop_time = 0.005,
     .values = {{"q[1]", 1.0345071300973194},
                {"q[2]", -1.4131630201090717},
                {"q[3]", 0.378655890011752}}},
    {.name = "bridge without current, a large inductance",
     .text = BRIDGE_FROM_NOTHING("1e-2", "1e-5"),
     .stop_time = 0.005,
     .bound = 5e-6,
     .values = {{"q[1]", 1.0345071300973194},
                {"q[2]", -1.4131630201090717},
                {"q[3]", 0.378655890011752}}},
};

static void test_starts(void **state)
{
    (void)state;
    EXAMPLE_CHECK_ALL(starts);
}

// A ladder of ideal diodes and capacitors without charge; its source is what the text says.
#define LADDER(source)                                                                             \
    "model Ladder parameter Integer n = 60; Real u[n](each start = 0, each fixed = true);\n"       \
    "Real d[n], i[n + 1]; Boolean on[n](each start = false, each fixed = true);\n"                 \
    "equation i[n + 1] = 0; for k in 1:n loop\n"                                                   \
    "(if k == 1 then " source " else u[max(k - 1, 1)]) - u[k] = d[k] + i[k];\n"                    \
    "0.02*der(u[k]) = i[k] - i[k + 1] - u[k]/50;\n"                                                \
    "on[k] = if pre(on[k]) then i[k] > 0 else d[k] > 0;\n"                                         \
    "if on[k] then d[k] = 0; else i[k] = 0; end if; end for; end Ladder;\n"

// Seconds of processor time for a run that is nearly nothing but its start; the least of some.
static double time_of_start(const char *text, double voltage)
{
    enum { RUNS = 3 };
    double least = INFINITY;
    Attempt *a = attempt_begin(text);
    for (int k = 0; k < RUNS; k++) {
        const clock_t begin = clock();
        const bool is_fine = attempt_run(
            a, &(AttemptDef){.solver = SALTUS_SOLVER_DOPRI5, .stop_time = 1e-9, .tolerance = 1e-9});
        least = fmin(least, (double)(clock() - begin) / (double)CLOCKS_PER_SEC);
        if (!is_fine)
            fail_msg("%s", attempt_message(a));
    }
    assert_true(fabs(attempt_last(a, "d[1]") - voltage) < 1e-6);
    attempt_end(a);
    return least;
}

// All diodes of the ladder begin to conduct where the source leaves zero, and each of their
// conditions is zero before. That their combinations are not tried one by one is seen from the time
// that the start takes: 100 times that of a ladder which stays blocked, and 4,500 times it if 4,095
// of the combinations are tried.
static void many_zeros_at_once(void **state)
{
    (void)state;
    const double blocked = time_of_start(LADDER("-1"), -1.0);
    const double zeros = time_of_start(LADDER("10*sin(6*time)"), 0.0);
    printf("start of a ladder: %.2f ms blocked, %.2f ms from zeros\n", 1e3 * blocked, 1e3 * zeros);
    // A clock may count milliseconds only: less than 50 us were not measured.
    assert_true(zeros < 700.0 * fmax(blocked, 5e-5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_starts),
        cmocka_unit_test(many_zeros_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
