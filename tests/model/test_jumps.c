// SPDX-License-Identifier: MIT
//
// Jumps that the equations make at an event, in models of a few lines: right by a closed form, or
// refused by name, with an explicit, a Rosenbrock and a multistep solver.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const SaltusSolver solvers[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_RODAS,
                                       SALTUS_SOLVER_IDA};
enum { SOLVERS = 3 };

// What some hundred operations with numbers around 1 may lose.
static const double rounding = 1e-12;

typedef struct Expected {
    const char *name;
    double value;
} Expected;

// The values just after the last event, with each solver, and that there is one.
static void expect_after(const char *text, double stop_time, double bound, const Expected *expected,
                         int count)
{
    for (int k = 0; k < SOLVERS; k++) {
        Trial *t = trial_text(text);
        if (!trial_is_model(t))
            fail_msg("%s", trial_messages(t));
        trial_options(t)->method.solver = solvers[k];
        trial_options(t)->method.relative_tolerance = 1e-9;
        trial_options(t)->method.absolute_tolerance = 1e-12;
        if (trial_run(t, stop_time) != SALTUS_OK)
            fail_msg("%s", trial_error(t));
        const SaltusRun *r = trial_get_run(t);
        long row = saltus_run_row_count(r) - 1;
        while (row > 0 && saltus_run_row(r, row).kind != SALTUS_ROW_AFTER_EVENT)
            row--;
        assert_true(row > 0);
        for (int i = 0; i < count; i++) {
            const double value = trial_value_at(t, expected[i].name, row), e = expected[i].value;
            if (!(fabs(value - e) <= bound * (1.0 + fabs(e))))
                fail_msg("solver %d: %s = %.17g, not %.17g", k, expected[i].name, value, e);
        }
        trial_end(t);
    }
}

#define EXPECT_AFTER(text, stop_time, bound, ...)                                                  \
    do {                                                                                           \
        const Expected list_[] = {__VA_ARGS__};                                                    \
        expect_after(text, stop_time, bound, list_, (int)(sizeof list_ / sizeof list_[0]));        \
    } while (0)

// ---------------------------------------------------------------------------
// A constraint has another value after an event
// ---------------------------------------------------------------------------

// Two inertias of 1 and 3 whose speeds differ by 0, then by 2: 1 (w1 - 3) + 3 (w2 - 3) = 0. As an
// expression, an if-equation, a discrete variable; w1, then w2 is the state.
static void offset_that_steps(void **state)
{
    (void)state;
    static const char *const constraints[] = {
        "Real d = if time < 1 then 0 else 2; equation w1 = w2 + d;",
        "equation if time < 1 then w1 = w2; else w1 = w2 + 2; end if;",
        ("discrete Real d(start = 0, fixed = true); equation w1 = w2 + d; "
         "when time > 1 then d = 2; end when;")};
    static const char *const selections[] = {
        "Real w1(start = 3, fixed = true), w2, t;",
        "Real w1, w2(start = 3, fixed = true, stateSelect = StateSelect.always), t;"};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2; i++) {
            char text[512];
            snprintf(text, sizeof text, "model M %s %s der(w1) = -t; 3*der(w2) = t; end M;",
                     selections[i], constraints[k]);
            EXPECT_AFTER(text, 2.0, rounding, {"w1", 4.5}, {"w2", 2.5});
        }
}

// A part of the model has a constraint that steps while another one enters a mode: two clutches
// that have nothing to do with each other. 1 x1 + 3 x2 = 16.
static void step_beside_a_change(void **state)
{
    (void)state;
    EXPECT_AFTER(
        "model M Real w1(start = 1, fixed = true), w2(start = 5, fixed = true), t; "
        "Real x1(start = 1, fixed = true), x2(start = 5, fixed = true), f; "
        "Real d = if time < 1 then 0 else 2; equation "
        "der(w1) = t; 3*der(w2) = -t; if time >= 1 then w1 = w2; else t = 0; end if; "
        "der(x1) = f; 3*der(x2) = -f; if time >= 0.5 then x1 = x2 + d; else f = 0; end if; "
        "end M;",
        2.0, rounding, {"w1", 4.0}, {"w2", 4.0}, {"x1", 5.5}, {"x2", 3.5});
    // In one part: 1 w1 + 3 w2 + 2 x = 22 is kept, x = w2 + 1 then.
    EXPECT_AFTER("model M Real w1(start = 1, fixed = true), w2(start = 5, fixed = true), t; "
                 "Real x, f; Real d = if time < 1 then 2 else -1; equation "
                 "der(w1) = t; 3*der(w2) = -t + f; 2*der(x) = -f; x = w2 - d; "
                 "if time >= 1 then w1 = w2; else t = 0; end if; end M;",
                 2.0, rounding, {"w1", 20.0 / 6.0}, {"w2", 20.0 / 6.0}, {"x", 26.0 / 6.0});
}

// Capacitors of 1 and 3 in series on a source that steps from 0 to 12: the charge that flows is the
// same. A differential whose third shaft steps: w1 + w2 = 2 w3, and 1 w1 = 4 w2 is the torque.
static void sources_that_step(void **state)
{
    (void)state;
    EXPECT_AFTER("model M Real u1(start = 0, fixed = true), u2, i; "
                 "Real E = if time < 1 then 0 else 12; "
                 "equation der(u1) = i; 3*der(u2) = i; u1 + u2 = E; end M;",
                 2.0, rounding, {"u1", 9.0}, {"u2", 3.0});
    EXPECT_AFTER("model M Real w1(start = 0, fixed = true), w2, t; "
                 "Real w3 = if time < 1 then 0 else 10; "
                 "equation der(w1) = t; 4*der(w2) = t; w1 + w2 = 2*w3; end M;",
                 2.0, rounding, {"w1", 16.0}, {"w2", 4.0});
    // What follows from the derivative of something that steps: the impulse response.
    EXPECT_AFTER("model M Real y = if time < 1 then 0 else 3, f(start = 0, fixed = true); "
                 "equation 0.5*der(f) = der(y) - f; end M;",
                 1.0, rounding, {"y", 3.0}, {"f", 6.0});
}

// ---- random networks ----------------------------------------------------------------------------

enum { MOST_BODIES = 6 };

typedef struct Network {
    uint64_t seed;
    int bodies, constraints;
    double inertia[MOST_BODIES], speed[MOST_BODIES]; // speeds before the step
    double a[MOST_BODIES][MOST_BODIES];              // constraints: a w = d
    double before[MOST_BODIES], after[MOST_BODIES];  // d
} Network;

static int pick(Network *n, int count)
{
    n->seed = n->seed * 6364136223846793005u + 1442695040888963407u;
    return (int)((n->seed >> 33) % (uint64_t)count);
}

// Gauss, with pivots. False: singular.
static bool eliminate(int count, double m[MOST_BODIES][MOST_BODIES], double *x)
{
    for (int c = 0; c < count; c++) {
        int best = c;
        for (int r = c; r < count; r++)
            best = fabs(m[r][c]) > fabs(m[best][c]) ? r : best;
        if (fabs(m[best][c]) < 1e-9)
            return false;
        for (int k = 0; k < count; k++) {
            const double kept = m[c][k];
            m[c][k] = m[best][k];
            m[best][k] = kept;
        }
        const double kept = x[c];
        x[c] = x[best];
        x[best] = kept;
        for (int r = 0; r < count; r++) {
            const double factor = r == c ? 0.0 : m[r][c] / m[c][c];
            for (int k = c; k < count; k++)
                m[r][k] -= factor * m[c][k];
            x[r] -= factor * x[c];
        }
    }
    for (int c = 0; c < count; c++)
        x[c] /= m[c][c];
    return true;
}

// The last `constraints` bodies take the speeds that the others leave them. False: they cannot.
static bool make_network(Network *n)
{
    static const double inertias[] = {0.5, 1.0, 2.0, 3.5}, factors[] = {0.0, 0.0, 1.0, -1.0, 2.0};
    static const double offsets[] = {0.0, 1.0, -2.0, 3.0};
    n->bodies = 2 + pick(n, MOST_BODIES - 1);
    n->constraints = 1 + pick(n, n->bodies - 1);
    const int first = n->bodies - n->constraints;
    double m[MOST_BODIES][MOST_BODIES];
    for (int i = 0; i < n->bodies; i++) {
        n->inertia[i] = inertias[pick(n, 4)];
        n->speed[i] = 0.25 * (pick(n, 25) - 12);
    }
    for (int k = 0; k < n->constraints; k++) {
        n->before[k] = n->speed[first + k] = offsets[pick(n, 4)];
        n->after[k] = offsets[pick(n, 4)];
        for (int i = 0; i < n->bodies; i++) {
            n->a[k][i] = factors[pick(n, 5)];
            if (i >= first)
                m[k][i - first] = n->a[k][i];
            else
                n->speed[first + k] -= n->a[k][i] * n->speed[i];
        }
    }
    return eliminate(n->constraints, m, n->speed + first);
}

// Dw = J^-1 a' l with a J^-1 a' l = the steps of d: the impulses do no work on what a leaves free.
static void solve_network(const Network *n, double *speed)
{
    double m[MOST_BODIES][MOST_BODIES], l[MOST_BODIES];
    for (int k = 0; k < n->constraints; k++) {
        l[k] = n->after[k] - n->before[k];
        for (int j = 0; j < n->constraints; j++) {
            m[k][j] = 0.0;
            for (int i = 0; i < n->bodies; i++)
                m[k][j] += n->a[k][i] * n->a[j][i] / n->inertia[i];
        }
    }
    assert_true(eliminate(n->constraints, m, l));
    for (int i = 0; i < n->bodies; i++) {
        speed[i] = n->speed[i];
        for (int k = 0; k < n->constraints; k++)
            speed[i] += n->a[k][i] * l[k] / n->inertia[i];
    }
}

// kind 0: d as an expression, 1: as an if-equation, 2: as a discrete variable.
static void write_network(Network *n, int kind, char *text, size_t size)
{
    static const char *const selections[] = {"", ", stateSelect = StateSelect.prefer",
                                             ", stateSelect = StateSelect.avoid"};
    size_t used = (size_t)snprintf(text, size, "model M ");
#define WRITE(...) (used += (size_t)snprintf(text + used, size - used, __VA_ARGS__))
    for (int i = 0; i < n->bodies; i++)
        WRITE("Real w%d(start = %.17g, fixed = %s%s); ", i, n->speed[i],
              i < n->bodies - n->constraints ? "true" : "false", selections[pick(n, 3)]);
    for (int k = 0; k < n->constraints; k++) {
        WRITE("Real l%d; ", k);
        if (kind == 0)
            WRITE("Real d%d = if time < 1 then %g else %g; ", k, n->before[k], n->after[k]);
        else if (kind == 2)
            WRITE("discrete Real d%d(start = %g, fixed = true); ", k, n->before[k]);
    }
    WRITE("equation ");
    for (int i = 0; i < n->bodies; i++) {
        WRITE("%g*der(w%d) = 0", n->inertia[i], i);
        for (int k = 0; k < n->constraints; k++)
            if (n->a[k][i] != 0.0)
                WRITE(" + (%g)*l%d", n->a[k][i], k);
        WRITE("; ");
    }
    for (int k = 0; k < n->constraints; k++) {
        char sum[200] = "0";
        for (int i = 0; i < n->bodies; i++)
            if (n->a[k][i] != 0.0)
                snprintf(sum + strlen(sum), sizeof sum - strlen(sum), " + (%g)*w%d", n->a[k][i], i);
        if (kind == 1)
            WRITE("if time < 1 then %s = %g; else %s = %g; end if; ", sum, n->before[k], sum,
                  n->after[k]);
        else
            WRITE("%s = d%d; ", sum, k);
        if (kind == 2)
            WRITE("when time > 1 then d%d = %g; end when; ", k, n->after[k]);
    }
    WRITE("end M;");
#undef WRITE
}

// Inertias under constraints between their speeds that step, whatever the states are.
static void random_networks(void **state)
{
    (void)state;
    enum { NETWORKS = 60 };
    int right = 0;
    for (uint64_t seed = 1; right < NETWORKS; seed++) {
        Network n = {.seed = seed};
        char text[4096];
        double speed[MOST_BODIES];
        if (!make_network(&n))
            continue;
        solve_network(&n, speed);
        write_network(&n, (int)(seed % 3), text, sizeof text);
        Trial *t = trial_text(text);
        if (!trial_is_model(t))
            fail_msg("%s\n%s", text, trial_messages(t));
        trial_options(t)->method.solver = solvers[seed % SOLVERS];
        if (trial_run(t, 2.0) != SALTUS_OK)
            fail_msg("%s\n%s", text, trial_error(t));
        for (int i = 0; i < n.bodies; i++) {
            char name[16];
            snprintf(name, sizeof name, "w%d", i);
            if (!(fabs(trial_value(t, name) - speed[i]) <= 1e-10 * (1.0 + fabs(speed[i]))))
                fail_msg("%s\n%s = %.17g, not %.17g", text, name, trial_value(t, name), speed[i]);
        }
        trial_end(t);
        right++;
    }
}

// Two gears as branches of an if-equation, models/modes/Gearbox.mo: J1 D1 = -P, J2 D2 = 2 P, w1 = 2
// w2. With the speeds a and b before, w2 = (2 J1 a + J2 b) / (4 J1 + J2).
static void gear_that_is_shifted(void **state)
{
    (void)state;
    const double w1 = 300.0 + (10.0 - 5.0 / 3.5) / (0.2 + 1.5 / 12.25), w2 = w1 / 3.5;
    const double after = (2.0 * 0.2 * w1 + 1.5 * w2) / (4.0 * 0.2 + 1.5);
    for (int k = 0; k < SOLVERS; k++) {
        Trial *t = trial_file("modes/Gearbox.mo", NULL);
        trial_options(t)->method.solver = solvers[k];
        if (trial_run(t, 1.0) != SALTUS_OK)
            fail_msg("%s", trial_error(t));
        trial_assert_value(t, "w1", 2.0 * after, rounding);
        trial_assert_value(t, "w2", after, rounding);
        trial_end(t);
    }
}

// The same with a ratio that jumps in two equations: the torque's impulse meets a factor that jumps
// with it. Whatever the state is.
static void ratio_that_jumps(void **state)
{
    (void)state;
    static const char *const selections[] = {
        "Real w1(start = 3, fixed = true), w2",
        "Real w1, w2(start = 1, fixed = true, stateSelect = StateSelect.always)"};
    for (int k = 0; k < 2; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 "model M %s, t; Real i = if time < 1 then 3 else 1.5; "
                 "equation der(w1) = -t; 2*der(w2) = i*t; w1 = i*w2; end M;",
                 selections[k]);
        trial_expect_error(
            text, 2.0,
            "in the equation 2.0 * der(w2) = i * t, t makes an impulse just when its "
            "factor changes from 3 to 1.5");
    }
}

// A pendulum in Cartesian coordinates whose pivot begins to move at 0.5: relative to the pivot the
// bob keeps its tangential speed, and loses the radial one. The tangent is (-y, x).
static void pivot_that_begins_to_move(void **state)
{
    (void)state;
    for (int k = 0; k < SOLVERS; k++) {
        Trial *t = trial_text(
            "model M Real px = if time < 1 then 0 else 0.5*(time - 1); "
            "Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, l; "
            "equation der(x) = u; der(y) = v; der(u) = -l*(x - px); der(v) = -l*y - 9.81; "
            "(x - px)^2 + y^2 = 1; end M;");
        trial_options(t)->method.solver = solvers[k];
        trial_options(t)->method.relative_tolerance = 1e-9;
        assert_int_equal(trial_run(t, 2.0), SALTUS_OK);
        const SaltusRun *r = trial_get_run(t);
        long row = 0;
        while (saltus_run_row(r, row).kind != SALTUS_ROW_AFTER_EVENT ||
               saltus_run_row(r, row).t < 0.5)
            row++;
        const double x = trial_value_at(t, "x", row - 1), y = trial_value_at(t, "y", row - 1);
        const double u = trial_value_at(t, "u", row - 1), v = trial_value_at(t, "v", row - 1);
        const double s = -y * (u - 0.5) + x * v;
        if (!(fabs(trial_value_at(t, "u", row) - (0.5 - s * y)) <= 1e-9))
            fail_msg("u = %.17g, not %.17g", trial_value_at(t, "u", row), 0.5 - s * y);
        assert_true(fabs(trial_value_at(t, "v", row) - s * x) <= 1e-9);
        trial_end(t);
    }
}

// No finite impulse makes a rod shorter.
static void rod_that_gets_shorter(void **state)
{
    (void)state;
    trial_expect_error(
        "model M Real l = if time < 1 then 1 else 0.8; "
        "Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, f; "
        "equation der(x) = u; der(y) = v; der(u) = -f*x; der(v) = -f*y - 9.81; x^2 + y^2 = l^2; "
        "end M;",
        2.0, "would have to jump from 1 to 0.8");
}

// A condition on what jumps is that of the value after the jump: 2.5, where keeping w1 would
// give 1.
static void conditions_after_a_jump(void **state)
{
    (void)state;
    EXPECT_AFTER(
        "model M Real w1(start = 3, fixed = true), w2, t; Integer n(start = 0, fixed = true); "
        "Real d = if time < 1 then 0 else 2; "
        "equation der(w1) = -t; 3*der(w2) = t; w1 = w2 + d; "
        "when w2 < 2 then n = 1; elsewhen w2 < 2.75 then n = 2; end when; end M;",
        2.0, rounding, {"w2", 2.5}, {"n", 2.0});
}

// ---------------------------------------------------------------------------
// Conditions that the jump turns
// ---------------------------------------------------------------------------

// A body falls obliquely on a rough floor and stays on it. The impulse of friction stops it before
// the impulse of the floor is over: to slide on backwards would be wrong.
#define LANDING(speed)                                                                             \
    "model M Real y(start = 1, fixed = true), u(start = " speed ", fixed = true), "                \
    "v(start = -2, fixed = true), N, F; Boolean c(start = false, fixed = true); "                  \
    "equation der(y) = v; der(u) = F; der(v) = N - 9.81; "                                         \
    "F = if u > 0 then -0.3*N else 0.3*N; "                                                        \
    "if c then y = 0; else N = 0; end if; when y < 0 then c = true; end when; end M;"

#define RISING_FLOOR(speed)                                                                        \
    "model M Real v = if time < 1 then 0 else 5, u(start = " speed ", fixed = true), N, F; "       \
    "equation der(v) = N; der(u) = F; F = if u > 0 then -0.3*N else 0.3*N; end M;"

static void friction_that_turns(void **state)
{
    (void)state;
    trial_expect_error(LANDING("1"), 0.4, "N makes an impulse just when its factor changes");
    // Fast enough, it goes on sliding: u = 3 - 0.3 v.
    const double v = sqrt(4.0 + 2.0 * 9.81);
    EXPECT_AFTER(LANDING("3"), 0.3, 1e-9, {"u", 3.0 - 0.3 * v}, {"v", 0.0});
    // The same where the mode stays: the floor begins to rise.
    trial_expect_error(RISING_FLOOR("1"), 2.0, "N makes an impulse just when its factor changes");
    EXPECT_AFTER(RISING_FLOOR("3"), 1.0, rounding, {"u", 1.5}, {"v", 5.0});
}

// An offset of 2 is there as long as w1 is not above 4; with it, w1 is 4.5.
static void condition_that_undoes_its_jump(void **state)
{
    (void)state;
    trial_expect_error("model M Real w1(start = 3, fixed = true), w2, t; "
                       "Real d = if time < 1 or w1 > 4 then 0 else 2; "
                       "equation der(w1) = -t; 3*der(w2) = t; w1 = w2 + d; end M;",
                       2.0,
                       "decide about a jump that turns them, and no values agree with what "
                       "follows from them: w1 > 4.0");
}

// ---------------------------------------------------------------------------
// Restitution together with constraints
// ---------------------------------------------------------------------------

static double after_event(const Trial *t, const char *name, long event)
{
    const SaltusRun *r = trial_get_run(t);
    long row = 0;
    while (saltus_run_row(r, row).kind != SALTUS_ROW_AFTER_EVENT || event-- > 0)
        row++;
    return trial_value_at(t, name, row);
}

static double before_event(const Trial *t, const char *name, long event)
{
    const SaltusRun *r = trial_get_run(t);
    long row = 0;
    while (saltus_run_row(r, row).kind != SALTUS_ROW_BEFORE_EVENT || event-- > 0)
        row++;
    return trial_value_at(t, name, row);
}

// A double pendulum of masses 1 and 2 in Cartesian coordinates, whose second mass hits a wall with
// restitution 1/2. In angles from the vertical the mass matrix is (3, 2 c; 2 c, 2), c the cosine of
// their difference, and an impulse P on the second mass acts as P (cos a, cos b). %s: what makes
// u2 a state, or not; the second rod, which may break by the same impact.
static const char double_pendulum[] =
    "model M Real x1(start = -0.6, fixed = true), y1(start = -0.8), u1(start = 0, fixed = true), "
    "v1, x2(start = -0.8, fixed = true), f, g; Boolean broken(start = false, fixed = true); %s "
    "equation "
    "der(x1) = u1; der(y1) = v1; der(x2) = u2; der(y2) = v2; "
    "der(u1) = -f*x1 + g*(x2 - x1); der(v1) = -f*y1 + g*(y2 - y1) - 9.81; "
    "2*der(u2) = -g*(x2 - x1); 2*der(v2) = -g*(y2 - y1) - 19.62; "
    "x1^2 + y1^2 = 1; %s "
    "when x2 > 0.3 then reinit(u2, -0.5*pre(u2)); end when; end M;";

static void check_double_pendulum(const Trial *t)
{
    const double x1 = before_event(t, "x1", 0), y1 = before_event(t, "y1", 0);
    const double x2 = before_event(t, "x2", 0), y2 = before_event(t, "y2", 0);
    const double a[] = {-y1, y1 - y2}, sine[] = {x1, x2 - x1}; // of both angles
    const double c = a[0] * a[1] + sine[0] * sine[1], determinant = 6.0 - 4.0 * c * c;
    const double w[] = {(2.0 * a[0] - 2.0 * c * a[1]) / determinant,
                        (3.0 * a[1] - 2.0 * c * a[0]) / determinant};
    const double p = -1.5 * before_event(t, "u2", 0) / (a[0] * w[0] + a[1] * w[1]);
    const struct {
        const char *name;
        double jump;
    } expected[] = {{"u1", p * a[0] * w[0]},
                    {"v1", p * sine[0] * w[0]},
                    {"u2", p * (a[0] * w[0] + a[1] * w[1])},
                    {"v2", p * (sine[0] * w[0] + sine[1] * w[1])}};
    for (int i = 0; i < 4; i++) {
        const double jump =
            after_event(t, expected[i].name, 0) - before_event(t, expected[i].name, 0);
        if (!(fabs(jump - expected[i].jump) <= 1e-10))
            fail_msg("%s jumps by %.17g, not %.17g", expected[i].name, jump, expected[i].jump);
    }
}

static void pendulum_against_a_wall(void **state)
{
    (void)state;
    static const char *const selections[] = {
        "Real y2(start = -1.7), u2(start = 0, fixed = true), v2;",
        "Real y2(start = -1.7, stateSelect = StateSelect.prefer), "
        "u2(start = 0, fixed = true, stateSelect = StateSelect.avoid), "
        "v2(stateSelect = StateSelect.prefer);"};
    static const char *const rods[] = {
        "(x2 - x1)^2 + (y2 - y1)^2 = 1; broken = false;",
        ("if broken then g = 0; else (x2 - x1)^2 + (y2 - y1)^2 = 1; end if; "
         "broken = pre(broken) or u2 < -0.1;")};
    for (int k = 0; k < 4 * SOLVERS; k++) {
        char text[1024];
        snprintf(text, sizeof text, double_pendulum, selections[k % 2], rods[k / 2 % 2]);
        Trial *t = trial_text(text);
        if (!trial_is_model(t))
            fail_msg("%s", trial_messages(t));
        trial_options(t)->method.solver = solvers[k / 4];
        trial_options(t)->method.relative_tolerance = 1e-9;
        if (trial_run(t, 1.0) != SALTUS_OK)
            fail_msg("%s", trial_error(t));
        check_double_pendulum(t);
        trial_end(t);
    }
}

// A pendulum that hits a wall while its rope is not vertical: what is left of its speed fits the
// rope, u / v = -y / x.
static void rope_at_a_wall(void **state)
{
    (void)state;
    const double x = 0.5, y = -sqrt(0.75);
    // From (-0.6, -0.8), with a speed of 5 along the circle.
    const double speed = sqrt(25.0 + 2.0 * 9.81 * (-0.8 - y));
    const double before = speed * -y;
    EXPECT_AFTER("model M Real x(start = -0.6, fixed = true), y(start = -0.8), u(start = 4, "
                 "fixed = true), v, f; equation der(x) = u; der(y) = v; der(u) = -f*x; "
                 "der(v) = -f*y - 9.81; x^2 + y^2 = 1; "
                 "when x > 0.5 then reinit(u, -0.8*pre(u)); end when; end M;",
                 0.25, 1e-7, {"x", x}, {"u", -0.8 * before}, {"v", 0.8 * before * x / y});
}

// A law for an impulse that acts on several coordinates is a mode of an instant, whose force is the
// multiplier: a free rod hits the floor with its tip. 1/m + l^2 cos^2 / J = 1 + 3 cos^2 is what an
// impulse changes the speed of the tip by.
static void impact_as_a_mode(void **state)
{
    (void)state;
    const double c = cos(0.5), p = 1.5 / (1.0 + 3.0 * c * c);
    EXPECT_AFTER(
        "model M Real y(start = 2, fixed = true), phi(start = 0.5, fixed = true), "
        "v(start = -1, fixed = true), w(start = 0, fixed = true); "
        "Real h = y - sin(phi), s = v - cos(phi)*w, F; discrete Real s0(start = 0, fixed = true); "
        "Boolean impact(start = false, fixed = true); equation "
        "der(y) = v; der(phi) = w; der(v) = F; der(w)/3 = -cos(phi)*F; "
        "if impact then s = -0.5*s0; else F = 0; end if; "
        "when h < 0 then impact = true; s0 = pre(s); "
        "elsewhen pre(impact) then impact = false; s0 = 0; end when; end M;",
        1.6, rounding, {"v", p - 1.0}, {"w", -3.0 * c * p}, {"s", 0.5}, {"F", 0.0});
}

// The same with both tips, models/modes/FallingRod.mo. The first impact, from a height of 1 - sin
// 0.5 / 2: an impulse changes the speed of its tip by (1/m + l^2 cos^2 / J) P = (1 + 3 cos^2) P,
// that of the other one by (1 - 3 cos^2) P.
static void falling_rod(void **state)
{
    (void)state;
    const double speed = sqrt(2.0 * 9.81 * (1.0 - 0.5 * sin(0.5))), c = cos(0.5);
    const double p = 1.5 * speed / (1.0 + 3.0 * c * c);
    // (A multistep solver is ten times as far from the truth as its tolerance.)
    for (int k = 0; k < SOLVERS; k++) {
        Trial *t = trial_file("modes/FallingRod.mo", NULL);
        trial_options(t)->method.solver = solvers[k];
        trial_options(t)->method.relative_tolerance = 1e-9;
        trial_options(t)->method.absolute_tolerance = 1e-12;
        if (trial_run(t, 0.6) != SALTUS_OK)
            fail_msg("%s", trial_error(t));
        assert_true(fabs(after_event(t, "s[1]", 0) - 0.5 * speed) <= 1e-7);
        assert_true(fabs(after_event(t, "s[2]", 0) - (p * (1.0 - 3.0 * c * c) - speed)) <= 1e-7);
        // the second one, with the other tip
        assert_true(fabs(after_event(t, "s[2]", 1) + 0.5 * before_event(t, "s[2]", 1)) <= 1e-10);
        trial_end(t);
    }
}

// Two balls of masses 1 and 2 on ropes of length 1 whose pivots are 1.1 apart collide while both
// ropes hang aside, with restitution 1/2; the line between the balls is horizontal. An impulse P
// along it changes the speeds along it by P c^2 / m, c the cosine of the rope's angle.
static void cradle_on_ropes(void **state)
{
    (void)state;
    static const char text[] =
        "model M Real x(start = -0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), "
        "v, f, X(start = 0.5, fixed = true), Y, U(start = 0, fixed = true), V, g, F; "
        "discrete Real d(start = 0, fixed = true); Boolean impact(start = false, fixed = true); "
        "equation der(x) = u; der(y) = v; der(u) = -f*x - F; der(v) = -f*y - 9.81; "
        "der(X) = U; der(Y) = V; 2*der(U) = -g*X + F; 2*der(V) = -g*Y - 19.62; "
        "x^2 + y^2 = 1; X^2 + Y^2 = 1; "
        "if impact then U - u = -0.5*d; else F = 0; end if; "
        "when x - X > 0.1 then impact = true; d = pre(U) - pre(u); "
        "elsewhen pre(impact) then impact = false; d = 0; end when; "
        "initial equation Y = -sqrt(0.75); end M;";
    for (int k = 0; k < SOLVERS; k++) {
        Trial *t = trial_text(text);
        if (!trial_is_model(t))
            fail_msg("%s", trial_messages(t));
        trial_options(t)->method.solver = solvers[k];
        trial_options(t)->method.relative_tolerance = 1e-9;
        if (trial_run(t, 1.0) != SALTUS_OK)
            fail_msg("%s", trial_error(t));
        const double a = pow(before_event(t, "y", 0), 2.0), b = pow(before_event(t, "Y", 0), 2.0);
        const double u = before_event(t, "u", 0), U = before_event(t, "U", 0);
        const double p = 1.5 * (u - U) / (a + b / 2.0);
        assert_true(fabs(p) > 0.1);
        assert_true(fabs(after_event(t, "u", 0) - (u - p * a)) <= 1e-10);
        assert_true(fabs(after_event(t, "U", 0) - (U + p * b / 2.0)) <= 1e-10);
        trial_end(t);
    }
}

// models/modes/Woodpecker.mo. Each impact of the beak turns the woodpecker's speed by its
// restitution, whatever the sleeve does. If the sleeve is free, the first two rows of M D = (0, 0,
// -hS P) say what it does; if one of its edges is closed, it stays so and does not slide back:
// friction stops it, as it is slow.
static void check_beak(const Trial *t, long row)
{
    const SaltusRun *r = trial_get_run(t);
    static const double m = 0.0003 + 0.0045, a = 0.0045 * 0.010, b = 0.0045 * 0.015;
    static const double d = 5e-9 + 0.0045 * 0.010 * 0.010, c = 0.0045 * 0.010 * 0.015;
    const double before = trial_value_at(t, "wS", row), after = trial_value_at(t, "wS", row + 1);
    const double vy = trial_value_at(t, "vy", row + 1), wM = trial_value_at(t, "wM", row + 1);
    assert_true(fabs(after + 0.5 * before) <= 1e-9 * fabs(before));
    if (strstr(trial_mode_name(t, saltus_run_row(r, row).mode), "open2, open3")) {
        const double jump = after - before, determinant = m * d - a * a;
        const double first = (-b * d + a * c) / determinant * jump;
        const double second = (-m * c + a * b) / determinant * jump;
        assert_true(fabs(vy - trial_value_at(t, "vy", row) - first) <= 1e-9);
        assert_true(fabs(wM - trial_value_at(t, "wM", row) - second) <= 1e-7);
    } else {
        assert_true(fabs(wM) <= 1e-12 && fabs(vy) <= 1e-12);
    }
}

static void beak_of_the_woodpecker(void **state)
{
    (void)state;
    for (int k = 0; k < SOLVERS; k++) {
        Trial *t = trial_file("modes/Woodpecker.mo", NULL);
        trial_options(t)->method.solver = solvers[k];
        trial_options(t)->method.relative_tolerance = 1e-8;
        if (trial_run(t, 0.5) != SALTUS_OK)
            fail_msg("%s", trial_error(t));
        const SaltusRun *r = trial_get_run(t);
        int hits = 0;
        for (long i = 0; i + 1 < saltus_run_row_count(r); i++)
            if (saltus_run_row(r, i).kind == SALTUS_ROW_BEFORE_EVENT &&
                fabs(trial_value_at(t, "g1", i)) <= 1e-12 && trial_value_at(t, "wS", i) > 0.0) {
                check_beak(t, i);
                hits++;
            }
        assert_int_equal(hits, 6);
        trial_end(t);
    }
}

// Two coordinates with a mass matrix, and a third body on a bar between them. The impulse that
// gives v its value acts in v's own row, in whatever order, and with whatever sign, the rows stand:
// D_v + 3 D_w = 2 f, 4 D_u = -f, D_u = D_v + 2 D_w, so that 19 D_w = -9 D_v; and D_v = -3/2.
static void reinit_with_a_mass_matrix(void **state)
{
    (void)state;
    static const char *const rows[] = {"2*der(v) + der(w) = f; der(v) + 3*der(w) = 2*f;",
                                       "2*f = der(v) + 3*der(w); f = 2*der(v) + der(w);"};
    for (int k = 0; k < 2; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 "model M Real v(start = 1, fixed = true), w(start = 0, fixed = true), u, f; "
                 "equation %s 4*der(u) = -f; v + 2*w = u; "
                 "when time > 1 then reinit(v, -0.5*pre(v)); end when; end M;",
                 rows[k]);
        EXPECT_AFTER(text, 2.0, rounding, {"v", -0.5}, {"w", 13.5 / 19.0},
                     {"u", -0.5 + 27.0 / 19.0});
    }
    // No mass matrix: it is not known what acts where.
    trial_expect_error("model M Real v(start = 1, fixed = true), w(start = 0, fixed = true), u, f; "
                       "equation 2*der(v) + der(w) = f; 5*der(v) + 3*der(w) = 2*f; 4*der(u) = -f; "
                       "v + 2*w = u; when time > 1 then reinit(v, -0.5*pre(v)); end when; end M;",
                       2.0, "do not determine what w, u are");
}

// What other constraints determine cannot be had otherwise.
static void reinit_against_constraints(void **state)
{
    (void)state;
    trial_expect_error("model M Real a(start = 1, fixed = true), b, f, g; "
                       "equation der(a) = f; der(b) = g; a = 1 + time; b = 2*a; "
                       "when time > 1 then reinit(b, 5); end when; end M;",
                       2.0, "the value that reinit gives to b contradicts the constraint");
}

// ---------------------------------------------------------------------------
// Ideal diodes as expressions
// ---------------------------------------------------------------------------

// In line with a coil: i' + i = 5 sin 2 t, that is i = sin 2 t - 2 cos 2 t + 2 exp(-t), until i = 0
// at 2.5; then nothing until the voltage is positive again at pi.
#define DIODE "u = if on then 0 else s; i = if on then s else 0; on = s > 0; "

static double coil_current(double t)
{
    return sin(2.0 * t) - 2.0 * cos(2.0 * t) + 2.0 * exp(-t);
}

static void diode_and_coil(void **state)
{
    (void)state;
    for (int k = 0; k < SOLVERS; k++) {
        Trial *t =
            trial_text("model M Real i(start = 0, fixed = true), u, s(start = 0); "
                       "Boolean on; equation der(i) = 5*sin(2*time) - i - u; " DIODE "end M;");
        if (!trial_is_model(t))
            fail_msg("%s", trial_messages(t));
        trial_options(t)->method.solver = solvers[k];
        trial_options(t)->method.relative_tolerance = 1e-9;
        trial_options(t)->method.absolute_tolerance = 1e-12;
        assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
        trial_assert_value(t, "i", coil_current(1.0), 1e-7);
        assert_int_equal(trial_run(t, 3.0), SALTUS_OK);
        trial_assert_value(t, "i", 0.0, 0.0);
        trial_assert_value(t, "u", 5.0 * sin(6.0), 1e-12);
        const SaltusRun *r = trial_get_run(t);
        const double off = saltus_run_event(r, saltus_run_event_count(r) - 1).t;
        assert_true(off > 1.5 && off < 3.0 && fabs(coil_current(off)) <= 1e-7);
        const double pi = 3.14159265358979323846;
        assert_int_equal(trial_run(t, 3.2), SALTUS_OK);
        const double on = saltus_run_event(r, saltus_run_event_count(r) - 1).t;
        assert_true(fabs(on - pi) <= 1e-9);
        trial_end(t);
    }
}

// Before a capacitor of 2 and a resistor of 3: the voltage is the source's until 4 E' / 2 + E / 3 =
// 0, tan 2 t = -12; then it decays with the time constant 6.
static void diode_and_capacitor(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846, off = 0.5 * (pi - atan(12.0));
    for (int k = 0; k < SOLVERS; k++) {
        Trial *t = trial_text("model M Real c(start = 0, fixed = true), i, u, s(start = 0); "
                              "Boolean on; equation 2*der(c) = i - c/3; "
                              "u = 5*sin(2*time) - c; " DIODE "end M;");
        if (!trial_is_model(t))
            fail_msg("%s", trial_messages(t));
        trial_options(t)->method.solver = solvers[k];
        trial_options(t)->method.relative_tolerance = 1e-9;
        assert_int_equal(trial_run(t, 0.5), SALTUS_OK);
        trial_assert_value(t, "c", 5.0 * sin(1.0), rounding);
        assert_int_equal(trial_run(t, 2.5), SALTUS_OK);
        trial_assert_value(t, "c", 5.0 * sin(2.0 * off) * exp((off - 2.5) / 6.0), 1e-7);
        trial_end(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offset_that_steps),
        cmocka_unit_test(step_beside_a_change),
        cmocka_unit_test(sources_that_step),
        cmocka_unit_test(random_networks),
        cmocka_unit_test(gear_that_is_shifted),
        cmocka_unit_test(ratio_that_jumps),
        cmocka_unit_test(pivot_that_begins_to_move),
        cmocka_unit_test(rod_that_gets_shorter),
        cmocka_unit_test(conditions_after_a_jump),
        cmocka_unit_test(friction_that_turns),
        cmocka_unit_test(condition_that_undoes_its_jump),
        cmocka_unit_test(pendulum_against_a_wall),
        cmocka_unit_test(rope_at_a_wall),
        cmocka_unit_test(impact_as_a_mode),
        cmocka_unit_test(falling_rod),
        cmocka_unit_test(cradle_on_ropes),
        cmocka_unit_test(beak_of_the_woodpecker),
        cmocka_unit_test(reinit_with_a_mass_matrix),
        cmocka_unit_test(reinit_against_constraints),
        cmocka_unit_test(diode_and_coil),
        cmocka_unit_test(diode_and_capacitor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
