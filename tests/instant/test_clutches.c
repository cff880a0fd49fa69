// SPDX-License-Identifier: MIT
//
// Random networks of inertias, gears of fixed ratio, springs, and ideal clutches that close and
// open at known times, several of them at once: against the motion by the matrix exponential of the
// constrained system and the jump by the projection that keeps momentum,
//
//   J w' = torque(w, phi) + G' lambda,  G w = 0:   w' = P J^-1 torque,  w+ = P w-,
//   P = I - J^-1 G' (G J^-1 G')^-1 G.

#include "instant/attempt.h"
#include "instant/chance.h"
#include "instant/matrix.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// How many may be refused today, and in the end; none may be wrong.
static const Requirement tree = {
    .family = "clutches", .cases = 100, .refused_today = 0, .refused_target = 0};
// A clutch more than a tree has: a constraint that others imply (its torque is not determined, the
// motion is), or that brings a loop of gears to rest.
static const Requirement ring = {
    .family = "clutches in a ring", .cases = 40, .refused_today = 0, .refused_target = 0};

enum { INERTIAS = 6, SPRINGS = 2, PHASES = 3, BREAKS = 2 * INERTIAS * PHASES };
enum { STATES = INERTIAS + SPRINGS + 1 };

// w[a] = ratio w[b]: a gear, or a clutch (ratio 1) while it is closed
typedef struct Link {
    int a, b;
    double ratio;
    bool is_clutch;
    int phases;
    double closes[PHASES], opens[PHASES];
} Link;

typedef struct Spring {
    int a, b;
    double k;
} Spring;

typedef struct Network {
    int inertias, links, springs;
    double inertia[INERTIAS], torque[INERTIAS], damping[INERTIAS], start[INERTIAS];
    bool is_fixed[INERTIAS];
    Link link[INERTIAS];
    Spring spring[SPRINGS];
    int form; // how the clutches are written
} Network;

static const double stop_time = 3.0;

// ---------------------------------------------------------------------------
// Random networks
// ---------------------------------------------------------------------------

// Times on a coarse grid, so that clutches act together often.
static void make_phases(Chance *c, Link *l)
{
    int t = 1 + chance_below(c, 8);
    while (l->phases < PHASES && t < 28) {
        const int end = t + 1 + chance_below(c, 9);
        l->closes[l->phases] = t / 10.0;
        l->opens[l->phases++] = end / 10.0;
        t = end + 1 + chance_below(c, 9);
    }
}

// A tree, so that no constraint is redundant.
static void make_link(Chance *c, Network *n, int b)
{
    Link *l = &n->link[n->links++];
    *l = (Link){.a = chance_below(c, b), .b = b, .ratio = 1.0, .is_clutch = !chance_is(c, 0.3)};
    if (l->is_clutch) {
        make_phases(c, l);
        return;
    }
    l->ratio = chance_rounded(c, 0.4, 3.0) * (chance_is(c, 0.3) ? -1.0 : 1.0);
    n->start[b] = n->start[l->a] / l->ratio;
    n->is_fixed[b] = false;
}

// Parallel to what is there.
static void close_ring(Chance *c, Network *n)
{
    const int b = 1 + chance_below(c, n->inertias - 1);
    Link *l = &n->link[n->links++];
    *l = (Link){.a = chance_below(c, b), .b = b, .ratio = 1.0, .is_clutch = true};
    make_phases(c, l);
}

static Network make_network(int seed, bool has_ring)
{
    Chance c = chance_from(1000u + (uint64_t)seed);
    Network n = {.inertias = 3 + chance_below(&c, INERTIAS - 2), .form = chance_below(&c, 5)};
    for (int i = 0; i < n.inertias; i++) {
        n.inertia[i] = chance_rounded(&c, 0.2, 4.0);
        n.torque[i] = chance_rounded(&c, -3.0, 3.0);
        n.damping[i] = chance_rounded(&c, 0.0, 1.0);
        n.start[i] = chance_rounded(&c, -5.0, 5.0);
        n.is_fixed[i] = true;
        if (i > 0)
            make_link(&c, &n, i);
    }
    n.springs = chance_below(&c, SPRINGS + 1);
    for (int i = 0; i < n.springs; i++) {
        const int a = chance_below(&c, n.inertias);
        const int b = (a + 1 + chance_below(&c, n.inertias - 1)) % n.inertias;
        n.spring[i] = (Spring){a, b, chance_rounded(&c, 0.5, 20.0)};
    }
    if (has_ring)
        close_ring(&c, &n);
    return n;
}

// ---------------------------------------------------------------------------
// As a Modelica model
// ---------------------------------------------------------------------------

static void write_condition(Writing *w, const Link *l, const char *clock)
{
    for (int k = 0; k < l->phases; k++)
        writing_add(w, "%s%s > %.1f and %s < %.1f", k ? " or " : "", clock, l->closes[k], clock,
                    l->opens[k]);
}

static void write_times(Writing *w, const double *times, int count)
{
    for (int k = 0; k < count; k++)
        writing_add(w, "%stime > %.1f", k ? ", " : "", times[k]);
}

// Five ways to write the same clutch.
static void write_clutch(Writing *w, const Network *n, int k)
{
    const Link *l = &n->link[k];
    if (n->form == 0) {
        writing_add(w, "  if ");
        write_condition(w, l, "time");
        writing_add(w, " then w%d = w%d; else c%d = 0; end if;\n", l->a, l->b, k);
        return;
    }
    if (n->form == 1) {
        writing_add(w, "  when {");
        write_times(w, l->closes, l->phases);
        writing_add(w, "} then closed%d = true; elsewhen {", k);
        write_times(w, l->opens, l->phases);
        writing_add(w, "} then closed%d = false; end when;\n", k);
    } else {
        writing_add(w, "  closed%d = ", k);
        write_condition(w, l, n->form == 4 ? "s" : "time");
        writing_add(w, ";\n");
    }
    if (n->form == 3)
        writing_add(w, "  0 = if closed%d then w%d - w%d else c%d;\n", k, l->a, l->b, k);
    else
        writing_add(w, "  if closed%d then w%d = w%d; else c%d = 0; end if;\n", k, l->a, l->b, k);
}

static void write_balance(Writing *w, const Network *n, int i)
{
    writing_add(w, "  %.2f*der(w%d) = %.2f - %.2f*w%d", n->inertia[i], i, n->torque[i],
                n->damping[i], i);
    for (int k = 0; k < n->links; k++) {
        if (n->link[k].a == i)
            writing_add(w, " + c%d", k);
        if (n->link[k].b == i)
            writing_add(w, " - (%.2f)*c%d", n->link[k].ratio, k);
    }
    for (int k = 0; k < n->springs; k++) {
        if (n->spring[k].a == i)
            writing_add(w, " - %.2f*phi%d", n->spring[k].k, k);
        if (n->spring[k].b == i)
            writing_add(w, " + %.2f*phi%d", n->spring[k].k, k);
    }
    writing_add(w, ";\n");
}

static void write_model(Writing *w, const Network *n)
{
    writing_clear(w);
    writing_add(w, "model Clutches\n");
    for (int i = 0; i < n->inertias; i++)
        writing_add(w, "  Real w%d(start = %.17g%s);\n", i, n->start[i],
                    n->is_fixed[i] ? ", fixed = true" : "");
    for (int k = 0; k < n->links; k++) {
        writing_add(w, "  Real c%d;\n", k);
        if (n->link[k].is_clutch && n->form > 0)
            writing_add(w, "  Boolean closed%d(start = false, fixed = true);\n", k);
    }
    for (int k = 0; k < n->springs; k++)
        writing_add(w, "  Real phi%d(start = 0, fixed = true);\n", k);
    if (n->form == 4)
        writing_add(w, "  Real s(start = 0, fixed = true);\n");
    writing_add(w, "equation\n");
    if (n->form == 4)
        writing_add(w, "  der(s) = 1;\n");
    for (int i = 0; i < n->inertias; i++)
        write_balance(w, n, i);
    for (int k = 0; k < n->springs; k++)
        writing_add(w, "  der(phi%d) = w%d - w%d;\n", k, n->spring[k].a, n->spring[k].b);
    for (int k = 0; k < n->links; k++) {
        const Link *l = &n->link[k];
        if (l->is_clutch)
            write_clutch(w, n, k);
        else
            writing_add(w, "  w%d = (%.2f)*w%d;\n", l->a, l->ratio, l->b);
    }
    writing_add(w, "end Clutches;\n");
}

// ---------------------------------------------------------------------------
// The reference
// ---------------------------------------------------------------------------

// Values just after each time at which a clutch acts: w, phi, 1.
typedef struct Reference {
    int count, states;
    double time[BREAKS + 1];
    double matrix[BREAKS + 1][STATES * STATES];
    double value[BREAKS + 1][STATES];
} Reference;

static bool is_closed(const Link *l, double t)
{
    for (int k = 0; k < l->phases; k++)
        if (t >= l->closes[k] - 1e-9 && t < l->opens[k] - 1e-9)
            return true;
    return !l->is_clutch;
}

// P of the links that hold after t.
static void make_projection(const Network *n, double t, double p[INERTIAS * INERTIAS])
{
    double g[INERTIAS][INERTIAS] = {{0}}, mass[INERTIAS * INERTIAS],
           right[INERTIAS * INERTIAS] = {0};
    int rows = 0;
    for (int k = 0; k < n->links; k++) {
        if (!is_closed(&n->link[k], t))
            continue;
        g[rows][n->link[k].a] = 1.0;
        g[rows++][n->link[k].b] = -n->link[k].ratio;
    }
    const int m = n->inertias;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++) {
            mass[i * rows + j] = 0.0;
            for (int k = 0; k < m; k++)
                mass[i * rows + j] += g[i][k] * g[j][k] / n->inertia[k];
        }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < m; j++)
            right[i * m + j] = g[i][j];
    assert_true(matrix_solve(rows, m, mass, right, 1e-12));
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            p[i * m + j] = i == j;
            for (int k = 0; k < rows; k++)
                p[i * m + j] -= g[k][i] / n->inertia[i] * right[k * m + j];
        }
}

// z' = A z with z = (w, phi, 1)
static void make_matrix(const Network *n, const double *p, double *matrix)
{
    const int m = n->inertias, size = m + n->springs + 1;
    double free_[STATES * STATES] = {0};
    for (int i = 0; i < m; i++) {
        free_[i * size + i] = -n->damping[i] / n->inertia[i];
        free_[i * size + size - 1] = n->torque[i] / n->inertia[i];
    }
    for (int k = 0; k < n->springs; k++) {
        const Spring *s = &n->spring[k];
        free_[s->a * size + m + k] -= s->k / n->inertia[s->a];
        free_[s->b * size + m + k] += s->k / n->inertia[s->b];
        free_[(m + k) * size + s->a] += 1.0;
        free_[(m + k) * size + s->b] -= 1.0;
    }
    memcpy(matrix, free_, sizeof free_);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < size; j++) {
            matrix[i * size + j] = 0.0;
            for (int k = 0; k < m; k++)
                matrix[i * size + j] += p[i * m + k] * free_[k * size + j];
        }
}

static void flow(const Reference *r, int k, double t, double *z)
{
    double e[STATES * STATES];
    matrix_exponential(r->states, r->matrix[k], t - r->time[k], e);
    matrix_apply(r->states, e, r->value[k], r->value[k], z);
}

static int compare_times(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int list_breaks(const Network *n, double *times)
{
    int count = 0;
    times[count++] = 0.0;
    for (int k = 0; k < n->links; k++)
        for (int i = 0; i < n->link[k].phases; i++) {
            times[count++] = n->link[k].closes[i];
            times[count++] = n->link[k].opens[i];
        }
    qsort(times, (size_t)count, sizeof *times, compare_times);
    int kept = 1;
    for (int i = 1; i < count; i++)
        if (times[i] > times[kept - 1] + 1e-9)
            times[kept++] = times[i];
    return kept;
}

static void make_reference(const Network *n, Reference *r)
{
    const int m = n->inertias;
    memset(r, 0, sizeof *r);
    r->states = m + n->springs + 1;
    r->count = list_breaks(n, r->time);
    double z[STATES] = {0};
    memcpy(z, n->start, (size_t)m * sizeof *z);
    z[r->states - 1] = 1.0;
    for (int k = 0; k < r->count; k++) {
        if (k > 0)
            flow(r, k - 1, r->time[k], z);
        double p[INERTIAS * INERTIAS];
        make_projection(n, r->time[k], p);
        make_matrix(n, p, r->matrix[k]);
        matrix_apply(m, p, z, NULL, z);
        memcpy(r->value[k], z, sizeof z);
    }
}

static void reference_at(const Reference *r, double t, bool is_before, double *z)
{
    int k = 0;
    while (k + 1 < r->count && r->time[k + 1] <= t + (is_before ? -1e-6 : 1e-6))
        k++;
    flow(r, k, t, z);
}

// ---------------------------------------------------------------------------
// Comparison
// ---------------------------------------------------------------------------

// Errors of a run at the tolerance 1e-9 stay below a thousand tolerances: the motion is damped, and
// a jump is a projection.
static const double bound = 1e-6;

static Outcome compare(const Network *n, const Reference *r, const Attempt *a,
                       char reason[REASON_SIZE])
{
    for (long row = 0; row < attempt_rows(a); row++) {
        const SaltusRow here = attempt_row(a, row);
        double z[STATES];
        reference_at(r, here.t, here.kind == SALTUS_ROW_BEFORE_EVENT, z);
        for (int i = 0; i < n->inertias; i++) {
            char name[16];
            snprintf(name, sizeof name, "w%d", i);
            const double value = attempt_value(a, name, row);
            if (fabs(value - z[i]) <= bound * (1.0 + fabs(z[i])))
                continue;
            snprintf(reason, REASON_SIZE, "%s = %.10g at %.10g, right is %.10g", name, value,
                     here.t, z[i]);
            return OUTCOME_WRONG;
        }
    }
    return OUTCOME_RIGHT;
}

static Outcome try_network(const void *data, const char *text, char reason[REASON_SIZE])
{
    const Network *n = data;
    static Reference r;
    make_reference(n, &r);
    Attempt *a = attempt_begin(text);
    Outcome outcome = OUTCOME_RIGHT;
    for (int k = 0; k < ATTEMPT_SOLVERS && outcome == OUTCOME_RIGHT; k++) {
        const AttemptDef def = {attempt_solvers[k], stop_time, 1e-9, 0.0, 0.0, 0.0};
        if (attempt_run(a, &def)) {
            outcome = compare(n, &r, a, reason);
            if (outcome != OUTCOME_RIGHT)
                attempt_blame(a, reason, REASON_SIZE);
        } else {
            attempt_explain(a, reason, REASON_SIZE);
            outcome = OUTCOME_REFUSED;
        }
    }
    attempt_end(a);
    return outcome;
}

static void try_family(const Requirement *requirement)
{
    Tally tally = tally_begin(requirement);
    static Writing text;
    int seed;
    while (tally_next(&tally, &seed)) {
        const Network n = make_network(seed, requirement == &ring);
        write_model(&text, &n);
        tally_try(&tally, seed, try_network, &n, text.text);
    }
    tally_end(&tally);
}

static void test_tree(void **state)
{
    (void)state;
    try_family(&tree);
}

static void test_ring(void **state)
{
    (void)state;
    try_family(&ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tree), cmocka_unit_test(test_ring)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
