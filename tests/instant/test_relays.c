// SPDX-License-Identifier: MIT
//
// Random linear systems with a relay, x' = A x + b u, u = -sign(c x), c b > 0, that cross their
// surface, slide on it while |c A x| < c b, and leave it. The reference follows Filippov: on the
// surface u = -(c A x) / (c b), so that x' = (I - b c / (c b)) A x; all by matrix exponentials.
//
// A relay with a hysteresis of 1e-3 switches fast instead and stays near that motion.

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

typedef enum Form { IF, SIGN, HYSTERESIS } Form;

// How many may be refused today, and in the end; none may be wrong.
static const Requirement requirements[] = {
    [IF] = {"relays, if", 40, 0, 0, {0}, {0}},
    [SIGN] = {"relays, sign", 40, 0, 0, {0}, {0}},
    [HYSTERESIS] = {"relays, hysteresis", 12, 0, 0, {0}, {0}},
};

// Errors of the tolerance 1e-9, or of the hysteresis, grow at most by exp(4 |A|), some hundred, in
// the time that is left.
static const double bounds[] = {[IF] = 1e-5, [SIGN] = 1e-5, [HYSTERESIS] = 3e-2};

static const char *const relay_texts[] = {
    [IF] = "  u = if s > 0 then -1 else 1;\n",
    [SIGN] = "  u = -sign(s);\n",
    [HYSTERESIS] = "  p = if pre(p) then s > -1e-3 else s > 1e-3;\n  u = if p then -1 else 1;\n",
};

enum { STATES = 3, SIZE = STATES + 1, SAMPLES = 20 };
static const double stop_time = 4.1, sample_interval = 0.2, scan = 1e-3;

typedef struct Relay {
    int states;
    double a[STATES][STATES], b[STATES], c[STATES], start[STATES];
    Form form;
} Relay;

// ---------------------------------------------------------------------------
// Random relays, and their models
// ---------------------------------------------------------------------------

static double product(const Relay *n, const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 0; i < n->states; i++)
        sum += x[i] * y[i];
    return sum;
}

static Relay make_relay(uint64_t seed)
{
    Chance c = chance_from(7000u + seed);
    Relay n = {.states = 1 + chance_below(&c, STATES)};
    do
        for (int i = 0; i < n.states; i++) {
            n.b[i] = chance_rounded(&c, -2.0, 2.0);
            n.c[i] = chance_rounded(&c, -2.0, 2.0);
        }
    while (product(&n, n.b, n.c) < 0.3);
    for (int i = 0; i < n.states; i++) {
        n.start[i] = chance_rounded(&c, -2.0, 2.0);
        for (int j = 0; j < n.states; j++)
            n.a[i][j] = chance_rounded(&c, -1.5, 1.5) - (i == j ? 0.5 : 0.0);
    }
    return n;
}

static void write_model(Writing *w, const Relay *n)
{
    writing_clear(w);
    writing_add(w, "model Relay\n  Real s, u;\n");
    if (n->form == HYSTERESIS)
        writing_add(w, "  Boolean p(start = %s, fixed = true);\n",
                    product(n, n->c, n->start) > 0.0 ? "true" : "false");
    for (int i = 0; i < n->states; i++)
        writing_add(w, "  Real x%d(start = %.2f, fixed = true);\n", i, n->start[i]);
    writing_add(w, "equation\n  s = 0");
    for (int i = 0; i < n->states; i++)
        writing_add(w, " + (%.2f)*x%d", n->c[i], i);
    writing_add(w, ";\n%s", relay_texts[n->form]);
    for (int i = 0; i < n->states; i++) {
        writing_add(w, "  der(x%d) = (%.2f)*u", i, n->b[i]);
        for (int j = 0; j < n->states; j++)
            writing_add(w, " + (%.2f)*x%d", n->a[i][j], j);
        writing_add(w, ";\n");
    }
    writing_add(w, "end Relay;\n");
}

// ---------------------------------------------------------------------------
// The reference
// ---------------------------------------------------------------------------

// u is 1 or -1, or it slides (0).
typedef struct Motion {
    const Relay *relay;
    int u;
    double t, x[SIZE]; // and 1
    double short_side; // the shortest time in one of the three
    double since;
    double step[3][SIZE * SIZE]; // exp(A scan) - I for u = -1, sliding, 1
    double matrix[3][SIZE * SIZE];
} Motion;

static double drift(const Relay *n, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < n->states; i++)
        sum += n->c[i] * product(n, n->a[i], x);
    return sum;
}

static void make_matrices(Motion *m)
{
    const Relay *n = m->relay;
    const int size = n->states + 1;
    const double cb = product(n, n->c, n->b);
    for (int u = -1; u <= 1; u++) {
        double *a = m->matrix[u + 1];
        for (int i = 0; i < n->states; i++) {
            for (int j = 0; j < n->states; j++) {
                a[i * size + j] = n->a[i][j];
                for (int k = 0; u == 0 && k < n->states; k++)
                    a[i * size + j] -= n->b[i] * n->c[k] * n->a[k][j] / cb;
            }
            a[i * size + n->states] = u * n->b[i];
        }
        matrix_exponential(size, a, scan, m->step[u + 1]);
    }
}

static void flow(const Motion *m, double h, double *x)
{
    const int size = m->relay->states + 1;
    double e[SIZE * SIZE];
    const double *used = m->step[m->u + 1];
    if (h != scan) {
        matrix_exponential(size, m->matrix[m->u + 1], h, e);
        used = e;
    }
    matrix_apply(size, used, m->x, m->x, x);
}

static bool contradicts(const Motion *m, const double *x)
{
    const Relay *n = m->relay;
    if (m->u == 0)
        return fabs(drift(n, x)) > product(n, n->c, n->b);
    return m->u * product(n, n->c, x) > 0.0;
}

// On the surface: to the side to which both flows point, or along it.
static void turn(Motion *m)
{
    const double cb = product(m->relay, m->relay->c, m->relay->b), ca = drift(m->relay, m->x);
    m->u = fabs(ca) < cb && m->u != 0 ? 0 : ca > 0.0 ? -1 : 1;
}

static void follow(Motion *m, double to)
{
    while (m->t < to) {
        double h = fmin(scan, to - m->t), low = 0.0, x[SIZE] = {0};
        flow(m, h, x);
        const bool is_event = contradicts(m, x);
        while (is_event && h - low > 1e-14) {
            const double middle = (low + h) / 2.0;
            flow(m, middle, x);
            *(contradicts(m, x) ? &h : &low) = middle;
        }
        flow(m, h, x);
        memcpy(m->x, x, sizeof x);
        m->t += h;
        if (is_event) {
            m->short_side = fmin(m->short_side, m->t - m->since);
            m->since = m->t;
            turn(m);
        }
    }
    m->t = to;
}

typedef struct Expected {
    const Relay *of;
    double x[SAMPLES][STATES], size;
} Expected;

// false: not a fair case: two events closer than twenty scans, or values that grow very large.
static bool expect(const Relay *n, Expected *e)
{
    static Motion m;
    m = (Motion){.relay = n, .short_side = INFINITY, .since = -1.0};
    memcpy(m.x, n->start, (size_t)n->states * sizeof *m.x);
    m.x[n->states] = 1.0;
    make_matrices(&m);
    if (fabs(product(n, n->c, m.x)) < 0.1)
        return false;
    m.u = product(n, n->c, m.x) > 0.0 ? -1 : 1;
    e->size = 1.0;
    for (int s = 0; s < SAMPLES; s++) {
        follow(&m, (s + 1) * sample_interval);
        memcpy(e->x[s], m.x, sizeof e->x[s]);
        for (int i = 0; i < n->states; i++)
            e->size = fmax(e->size, fabs(m.x[i]));
    }
    return m.since > 0.0 && m.short_side > 20.0 * scan && e->size < 20.0;
}

// ---------------------------------------------------------------------------
// Comparison
// ---------------------------------------------------------------------------

static Outcome compare(const void *expected, const Attempt *a, char *reason)
{
    const Expected *e = expected;
    const Relay *n = e->of;
    int s = 0;
    for (long row = 0; row < attempt_rows(a) && s < SAMPLES; row++) {
        if (fabs(attempt_row(a, row).t - (s + 1) * sample_interval) > 1e-9)
            continue;
        for (int i = 0; i < n->states; i++) {
            const char name[] = {'x', (char)('0' + i), '\0'};
            const double value = attempt_value(a, name, row);
            if (fabs(value - e->x[s][i]) <= bounds[n->form] * e->size)
                continue;
            snprintf(reason, REASON_SIZE, "%s = %.10g at %.6g, right is %.10g", name, value,
                     (s + 1) * sample_interval, e->x[s][i]);
            return OUTCOME_WRONG;
        }
        s++;
    }
    if (s < SAMPLES)
        snprintf(reason, REASON_SIZE, "only %d samples", s);
    return s == SAMPLES ? OUTCOME_RIGHT : OUTCOME_WRONG;
}

static Outcome try_relay(const void *data, const char *text, char reason[REASON_SIZE])
{
    Expected e;
    assert_true(expect(data, &e));
    e.of = data;
    const AttemptDef def = {.stop_time = stop_time,
                            .tolerance = 1e-9,
                            .interval = sample_interval,
                            .max_step = stop_time / 50.0};
    return attempt_by_all(text, def, compare, &e, reason);
}

// The first fair one of the seed.
static Relay make_fair_relay(int seed)
{
    Expected e;
    Relay n = make_relay((uint64_t)seed);
    for (uint64_t k = 1; !expect(&n, &e); k++)
        n = make_relay((uint64_t)seed + 100000u * k);
    return n;
}

static void try_form(Form form)
{
    Tally tally = tally_begin(&requirements[form]);
    static Writing text;
    int seed;
    while (tally_next(&tally, &seed)) {
        Relay n = make_fair_relay(seed);
        n.form = form;
        write_model(&text, &n);
        tally_try(&tally, seed, try_relay, &n, text.text);
    }
    tally_end(&tally);
}

static void test_if(void **state)
{
    (void)state;
    try_form(IF);
}

static void test_sign(void **state)
{
    (void)state;
    try_form(SIGN);
}

static void test_hysteresis(void **state)
{
    (void)state;
    try_form(HYSTERESIS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_if),
        cmocka_unit_test(test_sign),
        cmocka_unit_test(test_hysteresis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
