// SPDX-License-Identifier: MIT
//
// Blocks of equations whose matrix has no inverse, or whose pivots vanish: solved where they have
// solutions, refused by name where not.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "model/trial.h"
#include "open/warnings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double rounding = 1e-12;

// The only warning of the run.
static const char *warning_of(const Trial *t)
{
    uint32_t index = 0;
    double time;
    const char *message = NULL;
    model_next_warning(trial_model(t), trial_get_run(t), &index, &time, NULL, &message);
    return message ? message : "";
}

// Coefficients that are zero with the parameters' values are no pivots: regular equations, with
// x = 3, y = z = 1.
static void pivots_that_are_zero(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M parameter Real a = 0, b = 0; Real x, y, z; equation "
                              "a*x + y + b*z = 1; x + a*y + z = 4; x + y + b*z = 4; end M;",
                              1.0);
    ASSERT_VALUE(t, "x", 3.0);
    ASSERT_VALUE(t, "y", 1.0);
    ASSERT_VALUE(t, "z", 1.0);
    assert_string_equal(warning_of(t), "");
    trial_end(t);
    t = trial_run_text("model M final parameter Real A[3, 3] = [0, 1, 0; 1, 0, 0; 0, 0, 2]; "
                       "Real w[3]; equation A*w = {1, 2, 3}; end M;",
                       1.0);
    ASSERT_VALUE(t, "w[1]", 2.0);
    ASSERT_VALUE(t, "w[2]", 1.0);
    ASSERT_VALUE(t, "w[3]", 1.5);
    trial_end(t);
}

// A state is not what only a vanishing parameter connects with the rest: y = sin(angle) i is zero,
// whatever i is, and 1 - cos(t) is x.
static void states_behind_zero(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M parameter Real angle = 0; parameter Real c = cos(angle), "
                              "s = sin(angle); Real i, y, x; equation y = s*i; x = c*i; "
                              "s*der(y) + c*der(x) = sin(time); initial equation i = 0; end M;",
                              1.0);
    trial_assert_value(t, "i", 1.0 - cos(1.0), 1e-6);
    trial_assert_value(t, "x", 1.0 - cos(1.0), 1e-6);
    ASSERT_VALUE(t, "y", 0.0);
    trial_end(t);
}

// The voltage u of a capacitance that a function computes from a coefficient c0, behind R = 1 with
// a load of 1: c du/dt = (sin t - u) - u. If c0 is zero, u = sin(t)/2 has no state; the function
// must be looked into to see that. Else u is the solution of a linear equation with c = c0.
static void check_capacitance(const char *algorithm, double c0)
{
    char text[2000];
    snprintf(text, sizeof text,
             "model M\n"
             "  function shape input Real u; input Real c; output Real y;\n"
             "  algorithm y := if u < 10 then c else c*exp(u); end shape;\n"
             "  function capacitance input Real c0; input Real u; output Real c; output Real d;\n"
             "  protected Real parts[3]; Real sum; Integer k;\n"
             "  algorithm d := c0 + 1; %s end capacitance;\n"
             "  parameter Real c0 = %g; Real u(start = 0), c, d, i;\n"
             "equation\n"
             "  (c, d) = capacitance(c0, u); i = c*der(u); sin(time) - u = i + u;\n"
             "%send M;\n",
             algorithm, c0, c0 > 0 ? "initial equation u = 0;\n" : "");
    Trial *t = trial_run_text(text, 1.0);
    // c u' + 2 u = sin t from 0
    const double a = 2.0, w = a * a + c0 * c0,
                 exact = c0 > 0 ? (a * sin(1.0) - c0 * cos(1.0) + c0 * exp(-a / c0)) / w
                                : sin(1.0) / 2.0;
    trial_assert_value(t, "u", exact, c0 > 0 ? 1e-5 : rounding);
    ASSERT_VALUE(t, "d", c0 + 1.0);
    trial_end(t);
}

static void capacitances_of_functions(void **state)
{
    (void)state;
    static const char *const algorithms[] = {
        "c := shape(u, c0);",
        "if u < 10 then c := c0; elseif u > 20 then c := c0*u; else c := c0/(1 + u^2); end if;",
        ("parts := {c0/2, c0/4, c0/4}; sum := 0; for j in 1:3 loop sum := sum + parts[j]; end for; "
         "c := sum;"),
        "k := 0; c := 0; while k < 2 loop c := c + c0/2; k := k + 1; end while;",
        "if u > 100 and c0 > 0 then c := u; else c := c0; end if;",
        "c := c0; if c0 < 1e9 then return; end if; c := u;",
        "parts := fill(c0, 3); k := integer(u) + 1; c := parts[1]; parts[k] := u;",
    };
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++)
        for (int k = 0; k < 2; k++)
            check_capacitance(algorithms[i], 0.5 * k);
}

// Two windings at right angles around one magnetic circuit: the cosine of pi/2 is 6e-17, and a
// current must not be computed by dividing by it. They are two circuits that know nothing of each
// other, each with i = V (1 - exp(-t R / L)) / R.
static void check_right_angles(const char *parameters)
{
    char text[1000];
    snprintf(text, sizeof text,
             "model M\n"
             "  %s\n"
             "  parameter Real L[2] = {0.5, 0.2};\n"
             "  Real i[2], v[2], P[2](each start = 0, each fixed = true), V[2], W[2, 2];\n"
             "equation\n"
             "  for k in 1:2 loop\n"
             "    W[k, :] = {c[k], s[k]}*i[k];\n"
             "    V[k] = W[1, k] + W[2, k];\n"
             "    V[k] = P[k]/L[k];\n"
             "    v[k] = c[k]*der(P[1]) + s[k]*der(P[2]);\n"
             "    v[k] + i[k] = k;\n"
             "  end for;\n"
             "end M;\n",
             parameters);
    Trial *t = trial_run_text(text, 1.0);
    trial_assert_value(t, "i[1]", 1.0 - exp(-2.0), 1e-6); // the relative tolerance
    trial_assert_value(t, "i[2]", 2.0 * (1.0 - exp(-5.0)), 2e-6);
    trial_end(t);
}

static void pivots_that_are_rounding(void **state)
{
    (void)state;
    check_right_angles("parameter Real a[2] = {0, 1.5707963267948966}, c[2] = cos(a), "
                       "s[2] = sin(a);");
    check_right_angles("parameter Real n = 3; final parameter Real c[2] = "
                       "{1, n*cos(1.5707963267948966)}, s[2] = {0, n*sin(1.5707963267948966)/3};");
    check_right_angles("constant Real c[2] = {1, cos(1.5707963267948966)}, s[2] = {0, 1};");
}

// Two resistances of zero, in parallel, between a source and a load: the currents add up to 4 A,
// and nothing says how they share it. The shortest solution is 2 and 2.
static void what_is_open(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M parameter Real r1 = 0, r2 = 0, R = 3; Real i1, i2, v; "
                              "equation 12 - v = r1*i1; 12 - v = r2*i2; v = R*(i1 + i2); end M;",
                              1.0);
    ASSERT_VALUE(t, "v", 12.0);
    ASSERT_VALUE(t, "i1", 2.0);
    ASSERT_VALUE(t, "i2", 2.0);
    assert_non_null(strstr(warning_of(t), "i1, i2: singular equations, which agree"));
    trial_end(t);
    // two sources of 12 and 11 V: a contradiction of 1 V
    trial_expect_error("model M parameter Real r1 = 0, r2 = 0, R = 3; Real i1, i2, v; equation\n"
                       "12 - v = r1*i1; 11 - v = r2*i2; v = R*(i1 + i2); end M;",
                       1.0, "contradicting equations for");
}

// A coefficient that is zero for a while, and says nothing then: the temperature of what does not
// flow is not 0 / 0.
static void nothing_flows(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Real q(start = 0, fixed = true), h; equation "
                              "der(q) = if time < 0.5 then 0 else 1; q*h = q*sin(time); end M;",
                              0.25);
    ASSERT_VALUE(t, "h", 0.0);
    assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
    ASSERT_VALUE(t, "h", sin(1.0));
    trial_end(t);
}

// Three inertias of 1, 2, 3 kg m2 that clutches join in a ring: 6 N m accelerate all of them by
// 1 rad/s2. The torques are known up to a constant, t2 - t1 = 2 and t3 - t2 = 3; the shortest have
// the sum zero. The clutches close one after the other; angular momentum is kept.
static void ring_of_clutches(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Real w1(start = 1, fixed = true), "
                              "w2(start = 0, fixed = true), w3(start = 0, fixed = true), "
                              "t1, t2, t3; equation der(w1) = 6 + t1 - t3; "
                              "2*der(w2) = t2 - t1; 3*der(w3) = t3 - t2; "
                              "if time > 1 then w1 = w2; else t1 = 0; end if; "
                              "if time > 2 then w2 = w3; else t2 = 0; end if; "
                              "if time > 3 then w3 = w1; else t3 = 0; end if; end M;",
                              4.0);
    // momentum 1 at the beginning and 6 N m for 4 s, of 6 kg m2 in all
    ASSERT_VALUE(t, "w1", 25.0 / 6.0);
    ASSERT_VALUE(t, "w3", 25.0 / 6.0);
    ASSERT_VALUE(t, "t1", -7.0 / 3.0);
    ASSERT_VALUE(t, "t2", -1.0 / 3.0);
    ASSERT_VALUE(t, "t3", 8.0 / 3.0);
    assert_non_null(strstr(warning_of(t), "t1, t2, t3: singular equations"));
    trial_end(t);
    // one that contradicts itself is none
    trial_expect_error("model M Real w1(start = 1, fixed = true), w2, w3, t1, t2, t3; "
                       "equation der(w1) = 6 + t1 - t3; 2*der(w2) = t2 - t1; "
                       "3*der(w3) = t3 - t2; w1 = w2; w2 = w3; "
                       "if time > 1 then w3 = w1 + 1; else t3 = 0; end if; end M;",
                       2.0, "cannot be entered");
    // and where motion is open, equations are missing
    trial_expect_error(
        "model M Real p(start = 1, fixed = true), q, r; equation der(p) = -q; r = p; "
        "if time < 1 then q = 2*r; else r = p; end if; end M;",
        2.0, "too few equations: 1 equation for 2 variables, p and q");
}

// A constraint that constrains nothing: then the motion itself is open, which is refused.
static void motion_that_is_open(void **state)
{
    (void)state;
    trial_expect_error("model M Real x(start = 0, fixed = true), y(start = 0, fixed = true), "
                       "u(start = 1, fixed = true), v(start = 0.5, fixed = true), lam; "
                       "Boolean b = time > 1; equation der(x) = u; der(y) = v; "
                       "der(u) = -lam*x; der(v) = -lam*y - 9.81; "
                       "if b then x^2 + y^2 = x^2 + y^2 + 0*lam; else lam = 0; end if; end M;",
                       2.0, "singular equations for y");
}

// A resistance between two open switches: no current flows, and its potentials are equal; of them
// the shortest are zero. Then the switches close.
static void floating_island(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M parameter Real R = 2; Real v1, v2, i, i1, i2; "
                              "Boolean closed = time > 0.5; "
                              "equation i = (v1 - v2)/R; i1 = i; i2 = i; "
                              "if closed then v1 = 10; else i1 = 0; end if; "
                              "if closed then v2 = 4; else i2 = 0; end if; end M;",
                              0.25);
    ASSERT_VALUE(t, "v1", 0.0);
    ASSERT_VALUE(t, "v2", 0.0);
    assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
    ASSERT_VALUE(t, "i", 3.0);
    trial_end(t);
}

// Two ideal diodes in parallel share the current.
static void parallel_diodes(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M parameter Real R = 2; Real v = 10*(1 - 2*time), i1, i2, s1(start = 1), "
        "s2(start = 1), u; Boolean on1 = s1 > 0, on2 = s2 > 0; equation u = v - R*(i1 + i2); "
        "if on1 then u = 0; i1 = s1; else i1 = 0; u = s1; end if; "
        "if on2 then u = 0; i2 = s2; else i2 = 0; u = s2; end if; end M;",
        0.25);
    ASSERT_VALUE(t, "i1", 1.25);
    ASSERT_VALUE(t, "i2", 1.25);
    assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
    ASSERT_VALUE(t, "i1", 0.0);
    ASSERT_VALUE(t, "u", -10.0);
    trial_end(t);
}

// ---- random systems
// ------------------------------------------------------------------------------

enum { MOST = 6 };

static int64_t random_below(uint64_t *seed, int64_t count)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(*seed >> 33) % count;
}

// Of n rows and m columns, by elimination without fractions (E. H. Bareiss, Math. Comp. 22, 1968):
// the numbers stay determinants of small integers, so this is exact.
static int exact_rank(int n, int m, int64_t a[MOST][MOST + 1])
{
    int rank = 0;
    int64_t last = 1;
    for (int c = 0; c < m && rank < n; c++) {
        int p = rank;
        while (p < n && a[p][c] == 0)
            p++;
        if (p == n)
            continue;
        for (int j = 0; j < m; j++) {
            const int64_t held = a[p][j];
            a[p][j] = a[rank][j];
            a[rank][j] = held;
        }
        for (int i = rank + 1; i < n; i++)
            for (int j = m; j-- > c;)
                a[i][j] = (a[i][j] * a[rank][c] - a[i][c] * a[rank][j]) / last;
        last = a[rank++][c];
    }
    return rank;
}

typedef struct Equations {
    int n;
    int64_t a[MOST][MOST + 1]; // the last column is the right side
} Equations;

// With a solution in whole numbers; half of them with a row that follows from others, of which some
// contradict these.
static Equations make_equations(uint64_t *seed)
{
    static const int64_t entries[] = {0, 0, 1, 2, -1, 3};
    Equations e = {.n = 2 + (int)random_below(seed, MOST - 1)};
    const int n = e.n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            e.a[i][j] = entries[random_below(seed, 6)];
    const bool is_redundant = random_below(seed, 2) == 0;
    for (int j = 0; j < n && is_redundant && n > 2; j++)
        e.a[n - 1][j] = 2 * e.a[0][j] - e.a[1][j];
    for (int j = 0; j < n; j++) {
        const int64_t x = random_below(seed, 7) - 3;
        for (int i = 0; i < n; i++)
            e.a[i][n] += e.a[i][j] * x;
    }
    e.a[n - 1][n] += is_redundant && random_below(seed, 3) == 0;
    return e;
}

static bool have_solution(const Equations *e)
{
    Equations matrix = *e, extended = *e;
    return exact_rank(e->n, e->n, matrix.a) == exact_rank(e->n, e->n + 1, extended.a);
}

static void write_model(const Equations *e, char *text, size_t size)
{
    const int n = e->n;
    size_t used =
        (size_t)snprintf(text, size, "model M Real x[%d]; parameter Real a[%d, %d] = [", n, n, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            used += (size_t)snprintf(text + used, size - used, "%d%s", (int)e->a[i][j],
                                     j < n - 1 ? ", " : (i < n - 1 ? "; " : "]; equation "));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            used += (size_t)snprintf(text + used, size - used, "%sa[%d, %d]*x[%d]", j ? " + " : "",
                                     i + 1, j + 1, j + 1);
        used += (size_t)snprintf(text + used, size - used, " = %d; ", (int)e->a[i][n]);
    }
    snprintf(text + used, size - used, "end M;");
}

// Equations with parameters, many of them zero: solved exactly if they have a solution.
static void random_equations(void **state)
{
    (void)state;
    enum { TRIALS = 60 };
    uint64_t seed = 3;
    int solved = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        char text[4000];
        const Equations e = make_equations(&seed);
        write_model(&e, text, sizeof text);
        Trial *t = trial_text(text);
        const bool is_solved = trial_run(t, 1.0) == SALTUS_OK;
        if (is_solved != have_solution(&e))
            fail_msg("%s: %s", is_solved ? "solved" : trial_error(t), text);
        for (int i = 0; i < e.n && is_solved; i++) {
            double sum = -(double)e.a[i][e.n];
            for (int j = 0; j < e.n; j++) {
                char name[16];
                snprintf(name, sizeof name, "x[%d]", j + 1);
                sum += (double)e.a[i][j] * trial_value(t, name);
            }
            // rounding, times the condition of matrices of small integers
            assert_true(fabs(sum) < 1e-10);
        }
        solved += is_solved;
        trial_end(t);
    }
    assert_true(solved > TRIALS / 2 && solved < TRIALS);
}

// Two ports above the levels of their tanks, with a pipe between them: nothing flows, and the
// pressure in the pipe is open. With both shut, the pressures nearest to the start values would
// open one; with that one open, nothing flows that would keep it open. So it counts as open, with
// a flow that stays zero. Once the upper tank runs over, z = l1 - 6 has z' = 2 - exp(z).
static void pipe_that_runs_dry(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M parameter Real head = 5; Real p1(start=1), p2(start=1), m, s1, s2; "
        "Real l1(start=2, fixed=true), l2(start=2, fixed=true); Boolean in1, in2, r1, r2; equation "
        "der(l1) = 1 - m; der(l2) = m; r1 = l1 >= 6; r2 = l2 >= 6; "
        "in1 = not r1 and s1 > 0; in2 = not r2 and s2 > 0; m = exp(p1 - p2 + head) - 1; "
        "if r1 then p1 = 1 - head + (l1 - 6); s1 = l1 - 6; elseif in1 then p1 = 1; s1 = -m; "
        "else m = 0; s1 = p1 - 1; end if; "
        "if r2 then p2 = l2 - 5; s2 = l2 - 6; elseif in2 then p2 = 1; s2 = m; "
        "else m = 0; s2 = p2 - 1; end if; end M;",
        6.0);
    const double z = -log(0.5 + 0.5 * exp(-4.0));
    // the tolerance of the run is 1e-6, and the tank forgets its errors
    trial_assert_value(t, "l1", 6.0 + z, 1e-6);
    trial_assert_value(t, "l2", 4.0 - z, 1e-6);
    trial_assert_value(t, "p2", 1.0, rounding);
    trial_end(t);
}

// The same with valves that are no modes, and a law of flow with a condition of its own, which is
// zero just where nothing flows.
static void valves_with_a_kink_between(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M parameter Real head = 5; Real p1(start=1), p2(start=1), m, s1, s2; "
                       "Boolean in1, in2; equation in1 = s1 > 0; in2 = s2 > 0; "
                       "m = (p1 - p2 + head)/sqrt(1 + abs(p1 - p2 + head)); "
                       "if in1 then p1 = 1; s1 = -m; else m = 0; s1 = p1 - 1; end if; "
                       "if in2 then p2 = 1; s2 = m; else m = 0; s2 = p2 - 1; end if; end M;",
                       1.0);
    ASSERT_VALUE(t, "m", 0.0);
    ASSERT_VALUE(t, "p1", trial_value(t, "p2") - 5.0);
    assert_true(trial_value(t, "p1") <= 1.0 + rounding && trial_value(t, "p2") <= 1.0 + rounding);
    trial_end(t);
}

// Ports as above, in Pa, with densities that depend on the pressures. `law`: of the flow q.
static void check_shut_pipe(const char *function, const char *variable, const char *law)
{
    char text[2000];
    snprintf(text, sizeof text,
             "model Port input Real level; Real p(start=1e5), m, s; Boolean regular = level >= 6, "
             "inflow = not regular and s > 0; equation "
             "if regular then p = 101325 + 1e4*(level - 6); s = level - 6; "
             "elseif inflow then p = 101325; s = m; "
             "else m = 0; s = (p - 101325)/101325*(6 - level); end if; end Port; %s "
             "model M Port a(level = 2), b(level = 2 + 0.1*time); Real t1, t2, r1, r2, q; "
             "%s equation "
             "t1 = 300 + 1e-8*a.p*abs(a.p)^0.01; r1 = 1000*(1 + 4.5e-10*(a.p - 1e5)) - 0.2*t1; "
             "t2 = 300 + 1e-8*b.p*abs(b.p)^0.01; r2 = 1000*(1 + 4.5e-10*(b.p - 1e5)) - 0.2*t2; "
             "a.m = -q; b.m = q; q = %s; end M;",
             function, variable, law);
    Trial *t = trial_run_text(text, 1.0);
    const double p = trial_value(t, "b.p"), r = trial_value(t, "r2");
    ASSERT_VALUE(t, "q", 0.0);
    assert_true(p <= 101325.0 * (1.0 + rounding));
    // both densities are within 1e-4 of each other
    trial_assert_value(t, "a.p", p - 5.0 * 9.81 * r, 1e-4);
    trial_end(t);
}

// What the simplified equations of homotopy lead to is not nearer to a mode than what was found in
// the one that asks for it.
static void shut_pipe_with_homotopy(void **state)
{
    (void)state;
    check_shut_pipe("", "Real dp;",
                    "homotopy(1e-5*dp/(1 + abs(dp)/1e3)^0.5, 1e-5*dp); "
                    "dp = a.p - b.p + 5*9.81*(r1 + r2)/2");
}

// The law is repeated as the equation that is missing. Pressures and densities beside it in a sum
// would leave more rounding in the Jacobian than the law has of a slope.
static void shut_pipe_with_branches(void **state)
{
    (void)state;
    check_shut_pipe("function pipe input Real dp, ra, rb; output Real q; protected Real d, r, f; "
                    "algorithm r := if dp + 5*9.81*ra > 0 then ra else rb; d := dp + 5*9.81*r; "
                    "f := 1e-6*r*(sqrt(abs(d) + 1e3) - sqrt(1e3)); "
                    "q := if d > 0 then f else -f; end pipe;",
                    "", "pipe(a.p - b.p, r1, r2)");
}

// What nothing determines in a mode that is entered later is said, too, with the time.
static void open_later(void **state)
{
    (void)state;
    Trial *t = trial_text("model M Real f, z, x(start = 0, fixed = true); equation der(x) = 1; "
                          "z = x; if time > 0.5 then 2*z = 2*x; else f = 1; end if; end M;");
    uint32_t index = 0;
    double time = NAN;
    const char *message;
    Arena *arena = arena_create(NULL);
    assert_int_equal(trial_run(t, 0.4), SALTUS_OK);
    assert_false(warnings_next(trial_model(t), trial_get_run(t), &index, &time, arena, &message));
    assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
    trial_assert_value(t, "f", 0.0, 0.0);
    index = 0;
    assert_true(warnings_next(trial_model(t), trial_get_run(t), &index, &time, arena, &message));
    assert_non_null(strstr(message, "f: singular equations, which agree, need not determine it"));
    assert_true(fabs(time - 0.5) <= 1e-12);
    arena_destroy(arena);
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pivots_that_are_zero),    cmocka_unit_test(pivots_that_are_rounding),
        cmocka_unit_test(states_behind_zero),      cmocka_unit_test(what_is_open),
        cmocka_unit_test(nothing_flows),           cmocka_unit_test(ring_of_clutches),
        cmocka_unit_test(floating_island),         cmocka_unit_test(random_equations),
        cmocka_unit_test(motion_that_is_open),     cmocka_unit_test(open_later),
        cmocka_unit_test(parallel_diodes),         cmocka_unit_test(capacitances_of_functions),
        cmocka_unit_test(pipe_that_runs_dry),      cmocka_unit_test(valves_with_a_kink_between),
        cmocka_unit_test(shut_pipe_with_homotopy), cmocka_unit_test(shut_pipe_with_branches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
