// SPDX-License-Identifier: MIT
//
// Brakes, with all solvers: dry friction that sticks and slides, and a machine that feeds a load
// through a rectifier whose diodes leak. In both the state after an event is zero up to rounding,
// and the way it leaves zero decides.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>
#include <stdio.h>

static const SaltusSolver solvers[] = {
    SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE,
    SALTUS_SOLVER_ADAMS,  SALTUS_SOLVER_IDA,    SALTUS_SOLVER_EXACT};
enum { SOLVERS = sizeof solvers / sizeof solvers[0], STIFF_ONES = 4 };

static Trial *run_with(const char *text, SaltusSolver solver, double stop_time)
{
    Trial *t = trial_text(text);
    assert_true(trial_is_model(t));
    trial_options(t)->method.solver = solver;
    trial_options(t)->method.relative_tolerance = 1e-8;
    trial_options(t)->method.absolute_tolerance = 1e-11;
    if (trial_run(t, stop_time) != SALTUS_OK)
        fail_msg("solver %d: %s", (int)solver, trial_error(t));
    return t;
}

// The wheel stops at 0.5, sticks while the torque rises to the peak of 6 at 2.5, slides forward,
// is stopped by a torque of the other sign at 4.625, and goes backward at once, for that is more
// than the peak: w = -8 (t - 4.625).
static void friction(void **state)
{
    (void)state;
    static const char text[] =
        "model Brake "
        "  model Friction "
        "    parameter Real n = 10, mu = 0.4, peak = 1.5; input Real w, a; Real sa, tau; "
        "    Boolean ahead(start = false, fixed = true), back(start = false, fixed = true), locked;"
        "    Integer mode(start = 3, fixed = true); "
        "  equation "
        "    ahead = pre(mode) == 0 and (sa > peak*mu*n or pre(ahead) and sa > mu*n) "
        "      or pre(mode) == -1 and w > 1e10 or initial() and w > 0; "
        "    back = pre(mode) == 0 and (sa < -peak*mu*n or pre(back) and sa < -mu*n) "
        "      or pre(mode) == 1 and w < -1e10 or initial() and w < 0; "
        "    locked = not (pre(mode) == 1 or ahead or pre(mode) == -1 or back); "
        "    a = if locked then 0 elseif ahead then sa - mu*n elseif back then sa + mu*n "
        "      elseif pre(mode) == 1 then sa - mu*n else sa + mu*n; "
        "    tau = if locked then sa elseif ahead or pre(mode) == 1 then mu*n else -mu*n; "
        "    mode = if (pre(mode) == 1 or ahead) and w > 0 then 1 "
        "      elseif (pre(mode) == -1 or back) and w < 0 then -1 else 0; "
        "  end Friction; "
        "  Real w(start = 4, fixed = true), phi(start = 0, fixed = true), drive = "
        "    if time < 1 then 0 elseif time < 4 then 4*(time - 1) else -8; "
        "  Friction f(w = w, a = der(w)); "
        "equation der(phi) = w; 0.5*der(w) = drive - f.tau; end Brake;";
    // Of a quadratic with a second derivative of 8, over 7 s: a hundred times the tolerance.
    static const double error = 1e-6;
    for (int i = 0; i < SOLVERS; i++) {
        Trial *t = run_with(text, solvers[i], 2.25);
        trial_assert_value(t, "w", 0.0, 1e-12);
        trial_assert_value(t, "f.tau", 5.0, 1e-12);
        trial_assert_value(t, "phi", 1.0, error);
        assert_int_equal(trial_run(t, 4.5), SALTUS_OK);
        trial_assert_value(t, "w", 3.0, error);
        assert_int_equal(trial_run(t, 10.0), SALTUS_OK);
        trial_assert_value(t, "w", -43.0, error);
        trial_assert_value(t, "phi", -100.875, error);
        trial_end(t);
    }
}

// Two axes of a machine's currents, d and q, whose three phases meet six diodes of 1e-5 ohm or
// 1e5 ohm. Currents that a diode blocks decay within 1e-8 s: its voltage is the error of the
// solver, times 1e5. (Explicit solvers need millions of steps.) The energy that is left and the
// losses are what it began with.
static void rectifier(void **state)
{
    (void)state;
    static const char text[] =
        "model Machine "
        "  parameter Real L = 1e-3, Ri = 0.03, E = 150, Rl = 1, J = 0.29, g = 1e-5, r = 1e-5, "
        "    pi = 3.14159265358979323846; "
        "  Real d(start = 0, fixed = true), q(start = 0, fixed = true), "
        "    w(start = 157, fixed = true), th(start = 0, fixed = true), "
        "    lost(start = 0, fixed = true), energy = (J*w^2 + L*(d^2 + q^2))/2 + lost; "
        "  Real i[3], u[3], sp[3], sn[3], ip[3], im[3], dp, dn, a[3], b[3]; Boolean p[3], n[3]; "
        "equation "
        "  der(th) = 2*w; J*der(w) = -E/157*q; "
        "  for k in 1:3 loop "
        "    a[k] = sqrt(2/3)*cos(th - (k - 1)*2*pi/3); "
        "    b[k] = -sqrt(2/3)*sin(th - (k - 1)*2*pi/3); "
        "    i[k] = a[k]*d + b[k]*q; i[k] = ip[k] - im[k]; p[k] = sp[k] < 0; n[k] = sn[k] < 0; "
        "    u[k] - dp = sp[k]*(if p[k] then 1 else r); ip[k] = sp[k]*(if p[k] then g else 1); "
        "    dn - u[k] = sn[k]*(if n[k] then 1 else r); im[k] = sn[k]*(if n[k] then g else 1); "
        "  end for; "
        "  sum(u) = 0; dp - dn = Rl*sum(ip); "
        "  L*der(d) = 2*w*L*q - Ri*d - a*u; L*der(q) = -2*w*L*d - Ri*q + E*w/157 - b*u; "
        "  der(lost) = Ri*(d^2 + q^2) + Rl*sum(ip)^2 + (u - fill(dp, 3))*ip + (fill(dn, 3) - u)*im;"
        "end Machine;";
    double first = 0.0;
    for (int i = 0; i < STIFF_ONES; i++) {
        static const SaltusSolver stiff[] = {SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE,
                                             SALTUS_SOLVER_ADAMS, SALTUS_SOLVER_IDA};
        Trial *t = run_with(text, stiff[i], 0.05);
        trial_assert_value(t, "energy", 0.5 * 0.29 * 157.0 * 157.0, 1e-7);
        if (i == 0)
            first = trial_value(t, "w");
        else
            trial_assert_value(t, "w", first, 1e-6);
        for (long row = 0; row < saltus_run_row_count(trial_get_run(t)); row++)
            for (int k = 1; k <= 3; k++) {
                char s[20], off[20];
                snprintf(s, sizeof s, "sp[%d]", k);
                snprintf(off, sizeof off, "p[%d]", k);
                const double value = trial_value_at(t, s, row);
                // 1e5 times the tolerance of currents of 10 A
                if (fabs(value) > 1e-2)
                    assert_int_equal(trial_value_at(t, off, row) > 0.5, value < 0.0);
            }
        trial_end(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction),
        cmocka_unit_test(rectifier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
