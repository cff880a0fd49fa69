// SPDX-License-Identifier: MIT
//
// Two and three balls in a row on strings that are slack or taut (cup and ball, Benveniste and
// others 2022), inelastic: when a string becomes taut an impulse runs through all strings that are
// taut, and may slacken some of them at the same instant. The reference solves the complementarity
// problems of the impulses and of the forces by trying all sets (there is one solution: the matrix
// is symmetric and positive definite), and integrates with Runge-Kutta steps of 0.4 ms.

#include "instant/attempt.h"
#include "instant/chance.h"
#include "instant/matrix.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// How many may be refused today, and in the end; none may be wrong.
static const Requirement two_strings = {"two strings", 30, 0, 0, {0}, {0}};
static const Requirement three_strings = {"three strings", 30, 0, 0, {0}, {165}};

enum { BALLS = 3, SAMPLES = 8 };
static const double gravity = 9.81, stop_time = 1.6, sample_interval = 0.2, step_size = 4e-4;

typedef struct Chain {
    int balls;
    double mass[BALLS], length[BALLS];
    double start[4 * BALLS]; // x, y, u, v of each ball
} Chain;

// ---------------------------------------------------------------------------
// Random chains, and their models
// ---------------------------------------------------------------------------

static Chain make_chain(uint64_t seed, int balls)
{
    Chance c = chance_from(3000u + seed);
    Chain n = {.balls = balls};
    double x = 0.0, y = 0.0;
    for (int k = 0; k < balls; k++) {
        const double angle = chance_between(&c, 0.0, 6.28), part = chance_between(&c, 0.3, 0.95);
        n.mass[k] = chance_rounded(&c, 0.3, 3.0);
        n.length[k] = chance_rounded(&c, 0.4, 1.2);
        x = n.start[4 * k] = round(1e3 * (x + part * n.length[k] * cos(angle))) / 1e3;
        y = n.start[4 * k + 1] = round(1e3 * (y + part * n.length[k] * sin(angle))) / 1e3;
        n.start[4 * k + 2] = chance_rounded(&c, -3.0, 3.0);
        n.start[4 * k + 3] = chance_rounded(&c, -3.0, 3.0);
    }
    return n;
}

static void write_ball(Writing *w, const Chain *n, int k)
{
    const bool has_next = k < n->balls;
    writing_add(w, "  der(x%d) = u%d;\n  der(y%d) = v%d;\n", k, k, k, k);
    writing_add(w, "  %.2f*der(u%d) = -lam%d*dx%d", n->mass[k - 1], k, k, k);
    if (has_next)
        writing_add(w, " + lam%d*dx%d", k + 1, k + 1);
    writing_add(w, ";\n  %.2f*der(v%d) = -%.2f*%.2f - lam%d*dy%d", n->mass[k - 1], k,
                n->mass[k - 1], gravity, k, k);
    if (has_next)
        writing_add(w, " + lam%d*dy%d", k + 1, k + 1);
    writing_add(w, ";\n");
    const double l = n->length[k - 1];
    writing_add(w, "  taut%d = if pre(taut%d) then lam%d > 0 else dx%d^2 + dy%d^2 >= %.2f^2;\n", k,
                k, k, k, k, l);
    writing_add(w, "  if taut%d then dx%d^2 + dy%d^2 = %.2f^2; else lam%d = 0; end if;\n", k, k, k,
                l, k);
}

static void write_model(Writing *w, const Chain *n)
{
    writing_clear(w);
    writing_add(w, "model Strings\n");
    for (int k = 1; k <= n->balls; k++) {
        const char *names = "xyuv";
        for (int j = 0; j < 4; j++)
            writing_add(w, "  Real %c%d(start = %.3f, fixed = true);\n", names[j], k,
                        n->start[4 * (k - 1) + j]);
        if (k == 1)
            writing_add(w, "  Real lam1, dx1 = x1, dy1 = y1;\n");
        else
            writing_add(w, "  Real lam%d, dx%d = x%d - x%d, dy%d = y%d - y%d;\n", k, k, k, k - 1, k,
                        k, k - 1);
        writing_add(w, "  Boolean taut%d(start = false, fixed = true);\n", k);
    }
    writing_add(w, "equation\n");
    for (int k = 1; k <= n->balls; k++)
        write_ball(w, n, k);
    writing_add(w, "end Strings;\n");
}

// ---------------------------------------------------------------------------
// The reference
// ---------------------------------------------------------------------------

// z = x, y, u, v of each ball. String k has the gap function phi = (|d|^2 - l^2) / 2 <= 0, its
// gradient d at ball k and -d at ball k - 1, and the force lambda d.
typedef struct Motion {
    const Chain *chain;
    unsigned taut;
    double t, z[4 * BALLS];
    double last, closest; // event, and distance of two events
} Motion;

static void string_of(const double *z, int k, double d[4])
{
    for (int j = 0; j < 4; j++)
        d[j] = z[4 * k + j] - (k ? z[4 * (k - 1) + j] : 0.0);
}

// Too long, and getting longer.
static bool is_overstretched(const Motion *m, const double *z, int k)
{
    double d[4];
    string_of(z, k, d);
    const double l = m->chain->length[k];
    return d[0] * d[0] + d[1] * d[1] - l * l > 2e-12 && d[0] * d[2] + d[1] * d[3] > 0.0;
}

// A = J M^-1 J' for all strings.
static void coupling(const Chain *n, const double *z, double a[BALLS][BALLS])
{
    for (int i = 0; i < n->balls; i++)
        for (int j = 0; j < n->balls; j++) {
            double p[4], q[4];
            string_of(z, i, p);
            string_of(z, j, q);
            const double product = p[0] * q[0] + p[1] * q[1];
            a[i][j] = 0.0;
            if (i == j)
                a[i][j] = product / n->mass[i] + (i ? product / n->mass[i - 1] : 0.0);
            else if (i - j == 1 || j - i == 1)
                a[i][j] = -product / n->mass[i < j ? i : j];
        }
}

// A y = b in the set, y = 0 outside.
static void solve_set(int n, double a[BALLS][BALLS], const double *b, unsigned set, double *y)
{
    double matrix[BALLS * BALLS];
    for (int i = 0; i < n; i++) {
        const bool in = set >> i & 1u;
        for (int j = 0; j < n; j++)
            matrix[i * n + j] = in && set >> j & 1u ? a[i][j] : i == j;
        y[i] = in ? b[i] : 0.0;
    }
    assert_true(matrix_solve(n, 1, matrix, y, 1e-14));
}

// y >= 0, b - A y <= 0, complementary, for those in `among`: the set with y > 0.
static unsigned complementary(int n, double a[BALLS][BALLS], const double *b, unsigned among,
                              double *y)
{
    unsigned best = 0;
    double least = INFINITY;
    for (unsigned set = among;; set = (set - 1u) & among) {
        double violation = 0.0;
        solve_set(n, a, b, set, y);
        for (int i = 0; i < n; i++) {
            double rest = b[i];
            for (int j = 0; j < n; j++)
                rest -= a[i][j] * y[j];
            if (among >> i & 1u)
                violation = fmax(violation, set >> i & 1u ? -y[i] : rest);
        }
        if (violation < least) {
            least = violation;
            best = set;
        }
        if (set == 0)
            break;
    }
    solve_set(n, a, b, best, y);
    return best;
}

static void add_force(const Chain *n, const double *z, const double *y, double *change)
{
    for (int k = 0; k < n->balls; k++) {
        double d[4];
        string_of(z, k, d);
        for (int j = 0; j < 2; j++) {
            change[4 * k + 2 + j] -= y[k] * d[j] / n->mass[k];
            if (k)
                change[4 * (k - 1) + 2 + j] += y[k] * d[j] / n->mass[k - 1];
        }
    }
}

// phi'' without forces: gravity pulls equally on both ends but of the first string.
static void free_acceleration(const Chain *n, const double *z, double *b)
{
    for (int k = 0; k < n->balls; k++) {
        double d[4];
        string_of(z, k, d);
        b[k] = d[2] * d[2] + d[3] * d[3] - (k == 0 ? gravity * d[1] : 0.0);
    }
}

static void derivative(const Motion *m, const double *z, double *dz, double *lambda)
{
    const Chain *n = m->chain;
    double a[BALLS][BALLS], b[BALLS];
    coupling(n, z, a);
    free_acceleration(n, z, b);
    solve_set(n->balls, a, b, m->taut, lambda);
    for (int k = 0; k < n->balls; k++) {
        dz[4 * k] = z[4 * k + 2];
        dz[4 * k + 1] = z[4 * k + 3];
        dz[4 * k + 2] = 0.0;
        dz[4 * k + 3] = -gravity;
    }
    add_force(n, z, lambda, dz);
}

static void step(const Motion *m, double h, double *out)
{
    const int n = 4 * m->chain->balls;
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double k[4 * BALLS] = {0}, lambda[BALLS];
    memcpy(out, m->z, sizeof m->z);
    for (int s = 0; s < 4; s++) {
        double z[4 * BALLS] = {0};
        for (int i = 0; i < n; i++)
            z[i] = m->z[i] + at[s] * h * k[i];
        derivative(m, z, k, lambda);
        for (int i = 0; i < n; i++)
            out[i] += weight[s] * h / 6.0 * k[i];
    }
}

// Strings that are overstretched, or that push.
static unsigned contradicting(const Motion *m, const double *z)
{
    double dz[4 * BALLS], lambda[BALLS];
    unsigned set = 0;
    derivative(m, z, dz, lambda);
    for (int k = 0; k < m->chain->balls; k++)
        if (m->taut >> k & 1u ? lambda[k] < -1e-11 : is_overstretched(m, z, k))
            set |= 1u << k;
    return set;
}

// Impulses of those that are as long as can be, then forces of those that stay so.
static void pass_event(Motion *m, unsigned arriving)
{
    const Chain *n = m->chain;
    double a[BALLS][BALLS], b[BALLS], y[BALLS];
    unsigned close = m->taut | arriving;
    coupling(n, m->z, a);
    for (int k = 0; k < n->balls; k++) {
        double d[4];
        string_of(m->z, k, d);
        b[k] = d[0] * d[2] + d[1] * d[3];
    }
    if (arriving & ~m->taut) {
        close = complementary(n->balls, a, b, close, y);
        add_force(n, m->z, y, m->z);
    }
    free_acceleration(n, m->z, b);
    m->taut = complementary(n->balls, a, b, close, y);
}

static void follow(Motion *m, double to)
{
    while (m->t < to - 1e-12) {
        double h = fmin(step_size, to - m->t), z[4 * BALLS];
        step(m, h, z);
        if (!contradicting(m, z)) {
            memcpy(m->z, z, sizeof z);
            m->t += h;
            continue;
        }
        double low = 0.0;
        while (h - low > 1e-15) {
            const double middle = (low + h) / 2.0;
            step(m, middle, z);
            *(contradicting(m, z) ? &h : &low) = middle;
            if (middle == low && middle == h)
                break;
        }
        step(m, h, z);
        const unsigned which = contradicting(m, z);
        memcpy(m->z, z, sizeof z);
        m->t += h;
        m->closest = fmin(m->closest, m->t - m->last);
        m->last = m->t;
        if (m->closest < 1e-5)
            return;
        pass_event(m, which & ~m->taut);
    }
}

// ---------------------------------------------------------------------------
// Comparison
// ---------------------------------------------------------------------------

typedef struct Expected {
    const Chain *of;
    double z[SAMPLES][4 * BALLS], bound[SAMPLES];
} Expected;

// false: events accumulate, as they do where two strings pull in turns, or nearly so.
static bool expect_from(const Chain *n, double shift, double z[SAMPLES][4 * BALLS])
{
    Motion m = {.chain = n, .closest = INFINITY, .last = -1.0};
    memcpy(m.z, n->start, sizeof m.z);
    m.z[0] += shift;
    for (int s = 0; s < SAMPLES; s++) {
        follow(&m, (s + 1) * sample_interval);
        memcpy(z[s], m.z, sizeof m.z);
        if (m.closest < 1e-5)
            return false;
    }
    return true;
}

// The run has the tolerance 1e-9; what a shift of the start by 1e-8 has become is how far its
// errors may have grown, with a thousandfold allowance for all the steps, above a floor of 1e-5. A
// string in the wrong state changes the values by their size. false: not a fair case.
static bool expect(const Chain *n, Expected *x)
{
    double shifted[SAMPLES][4 * BALLS], grown = 0.0;
    if (!expect_from(n, 0.0, x->z) || !expect_from(n, 1e-8, shifted))
        return false;
    for (int s = 0; s < SAMPLES; s++) {
        for (int i = 0; i < 4 * n->balls; i++)
            grown = fmax(grown, fabs(shifted[s][i] - x->z[s][i]));
        x->bound[s] = 1e-5 + 1000.0 * grown;
    }
    return x->bound[SAMPLES - 1] < 1e-2;
}

static Outcome compare(const void *expected, const Attempt *a, char *reason)
{
    const Expected *x = expected;
    const Chain *n = x->of;
    int s = 0;
    for (long row = 0; row < attempt_rows(a) && s < SAMPLES; row++) {
        const double t = attempt_row(a, row).t;
        if (fabs(t - (s + 1) * sample_interval) > 1e-9)
            continue;
        for (int i = 0; i < 4 * n->balls; i++) {
            char name[16];
            snprintf(name, sizeof name, "%c%d", "xyuv"[i % 4], i / 4 + 1);
            const double value = attempt_value(a, name, row), right = x->z[s][i];
            if (fabs(value - right) <= x->bound[s])
                continue;
            snprintf(reason, REASON_SIZE, "%s = %.8g at %.6g, right is %.8g (bound %.1e)", name,
                     value, t, right, x->bound[s]);
            return OUTCOME_WRONG;
        }
        s++;
    }
    if (s < SAMPLES)
        snprintf(reason, REASON_SIZE, "only %d samples", s);
    return s == SAMPLES ? OUTCOME_RIGHT : OUTCOME_WRONG;
}

static Outcome try_chain(const void *data, const char *text, char reason[REASON_SIZE])
{
    const Chain *n = data;
    Expected x;
    assert_true(expect(n, &x));
    x.of = n;
    const AttemptDef def = {.stop_time = stop_time, .tolerance = 1e-9, .interval = sample_interval};
    return attempt_by_all(text, def, compare, &x, reason);
}

// The first fair one of the seed.
static Chain make_fair_chain(int seed, int balls)
{
    Expected x;
    Chain n = make_chain((uint64_t)seed, balls);
    for (uint64_t k = 1; !expect(&n, &x); k++)
        n = make_chain((uint64_t)seed + 100000u * k, balls);
    return n;
}

static void try_family(const Requirement *requirement, int balls)
{
    Tally tally = tally_begin(requirement);
    static Writing text;
    int seed;
    while (tally_next(&tally, &seed)) {
        const Chain n = make_fair_chain(seed, balls);
        write_model(&text, &n);
        tally_try(&tally, seed, try_chain, &n, text.text);
    }
    tally_end(&tally);
}

static void test_two(void **state)
{
    (void)state;
    try_family(&two_strings, 2);
}

static void test_three(void **state)
{
    (void)state;
    try_family(&three_strings, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_two), cmocka_unit_test(test_three)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
