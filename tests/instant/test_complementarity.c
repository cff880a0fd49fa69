// SPDX-License-Identifier: MIT
//
// Random linear complementarity problems that change with time, e(t) = A y + z with y >= 0 >= z and
// y z = 0 for each pair: networks of resistors and diodes, without dynamics. A is positive
// definite, so that there is one solution at every time, found by trying all sets. Sources have
// zeros, and elements of A change, where they do not coincide, or at common instants.

#include "instant/attempt.h"
#include "instant/chance.h"
#include "instant/matrix.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

typedef enum Form { PARAMETRIC, AUTOMATON, TEXTBOOK, LEAKING } Form;

typedef struct Family {
    Requirement requirement; // how many may be refused today, and in the end; none may be wrong
    Form form;
    bool is_common; // zeros and changes at the same instants
} Family;

static const Family families[] = {
    {{"complementarity, parametric", 40, 0, 0, {0}, {0}}, PARAMETRIC, false},
    {{"complementarity, automaton", 40, 0, 0, {0}, {0}}, AUTOMATON, false},
    {{"complementarity, textbook", 40, 0, 0, {0}, {0}}, TEXTBOOK, false},
    {{"complementarity, leaking", 40, 0, 0, {0}, {0}}, LEAKING, false},
    {{"complementarity at common instants, parametric", 40, 0, 0, {0}, {0}}, PARAMETRIC, true},
    {{"complementarity at common instants, automaton", 40, 0, 0, {0}, {0}}, AUTOMATON, true},
    {{"complementarity at common instants, textbook", 40, 0, 0, {0}, {0}}, TEXTBOOK, true},
    {{"complementarity at common instants, leaking", 40, 2, 0, {0}, {0}}, LEAKING, true},
};

enum { PAIRS = 4 };
static const double stop_time = 2.0, sample_interval = 0.0907; // never at an eighth

typedef struct Problem {
    int pairs;
    double a[PAIRS][PAIRS];
    double amplitude[PAIRS], frequency[PAIRS], phase[PAIRS], base[PAIRS];
    double extra[PAIRS], from[PAIRS]; // to the diagonal, from that time on
    double leak;
    Form form;
} Problem;

// ---------------------------------------------------------------------------
// Random problems, and their models
// ---------------------------------------------------------------------------

static Problem make_problem(int seed, const Family *family)
{
    Chance c = chance_from(9000u + (uint64_t)seed);
    Problem n = {.pairs = 1 + chance_below(&c, PAIRS), .form = family->form};
    double root[PAIRS][PAIRS];
    n.leak = family->form == LEAKING ? 0.01 : 0.0;
    for (int i = 0; i < n.pairs; i++)
        for (int j = 0; j < n.pairs; j++)
            root[i][j] = chance_rounded(&c, -1.0, 1.0);
    for (int i = 0; i < n.pairs; i++)
        for (int j = 0; j < n.pairs; j++) {
            n.a[i][j] = i == j ? 0.3 : 0.0;
            for (int k = 0; k < n.pairs; k++)
                n.a[i][j] += root[i][k] * root[j][k];
        }
    for (int i = 0; i < n.pairs; i++) {
        const bool is_common = family->is_common && chance_is(&c, 0.8);
        n.amplitude[i] = chance_rounded(&c, 0.5, 3.0) * (chance_is(&c, 0.5) ? -1.0 : 1.0);
        n.frequency[i] = is_common ? 1 + chance_below(&c, 2) : chance_rounded(&c, 0.5, 2.0);
        n.phase[i] = is_common ? 0.0 : chance_rounded(&c, 0.05, 0.45);
        n.base[i] = is_common ? 0.0 : chance_rounded(&c, -0.5, 0.5);
        n.extra[i] = chance_is(&c, 0.5) ? chance_rounded(&c, 0.5, 2.0) : 0.0;
        n.from[i] = is_common ? (1 + chance_below(&c, 7)) / 4.0 : chance_rounded(&c, 0.1, 1.9);
    }
    return n;
}

static const char *const pair_texts[] = {
    [PARAMETRIC] =
        "  off[k] = s[k] < 0;\n"
        "    if off[k] then z[k] = s[k]; y[k] = 0; else z[k] = 0; y[k] = s[k]; end if;\n",
    [AUTOMATON] = "  on[k] = if pre(on[k]) then y[k] > 0 else z[k] > 0;\n"
                  "    if on[k] then z[k] = 0; else y[k] = 0; end if;\n",
    [TEXTBOOK] = "  off[k] = s[k] < 0;\n    z[k] = if off[k] then s[k] else 0;\n"
                 "    y[k] = if off[k] then 0 else s[k];\n",
    [LEAKING] = "  off[k] = s[k] < 0;\n    z[k] = s[k]*(if off[k] then 1 else 0.01);\n"
                "    y[k] = s[k]*(if off[k] then 0.01 else 1);\n",
};

static void write_model(Writing *w, const Problem *n)
{
    writing_clear(w);
    writing_add(w,
                "model Problem\n  constant Real w = 6.283185307179586;\n"
                "  Real x(start = 0, fixed = true), y[%d], z[%d], e[%d];\n",
                n->pairs, n->pairs, n->pairs);
    if (n->form == AUTOMATON)
        writing_add(w, "  Boolean on[%d](each start = false, each fixed = true);\n", n->pairs);
    else
        writing_add(w, "  Real s[%d];\n  Boolean off[%d];\n", n->pairs, n->pairs);
    writing_add(w, "equation\n  der(x) = y[1];\n  for k in 1:%d loop\n  %s  end for;\n", n->pairs,
                pair_texts[n->form]);
    for (int i = 0; i < n->pairs; i++) {
        writing_add(w, "  e[%d] = %.2f + (%.2f)*sin(w*(%.2f*time + %.2f));\n  e[%d] = z[%d]", i + 1,
                    n->base[i], n->amplitude[i], n->frequency[i], n->phase[i], i + 1, i + 1);
        for (int j = 0; j < n->pairs; j++)
            writing_add(w, " + (%.17g)*y[%d]", n->a[i][j], j + 1);
        if (n->extra[i] > 0.0)
            writing_add(w, " + (if time > %.2f then %.2f else 0)*y[%d]", n->from[i], n->extra[i],
                        i + 1);
        writing_add(w, ";\n");
    }
    writing_add(w, "end Problem;\n");
}

// ---------------------------------------------------------------------------
// The reference
// ---------------------------------------------------------------------------

// In the set y is free and z = leak y; outside z is free and y = leak z.
static double solve_set(const Problem *n, double t, unsigned set, double *y)
{
    const double turn = 2.0 * acos(-1.0);
    double matrix[PAIRS * PAIRS], s[PAIRS], violation = 0.0;
    for (int i = 0; i < n->pairs; i++) {
        s[i] = n->base[i] + n->amplitude[i] * sin(turn * (n->frequency[i] * t + n->phase[i]));
        for (int j = 0; j < n->pairs; j++) {
            const double a = n->a[i][j] + (i == j && t > n->from[i] ? n->extra[i] : 0.0);
            const bool in = set >> j & 1u;
            matrix[i * n->pairs + j] = (in ? 1.0 : n->leak) * a;
            if (i == j)
                matrix[i * n->pairs + j] += in ? n->leak : 1.0;
        }
    }
    assert_true(matrix_solve(n->pairs, 1, matrix, s, 1e-13));
    for (int i = 0; i < n->pairs; i++) {
        const bool in = set >> i & 1u;
        violation = fmax(violation, in ? -s[i] : s[i]);
        y[i] = in ? s[i] : n->leak * s[i];
    }
    return violation;
}

static void solve(const Problem *n, double t, double *y)
{
    unsigned best = 0;
    double least = INFINITY;
    for (unsigned set = 0; set < 1u << n->pairs; set++) {
        const double violation = solve_set(n, t, set, y);
        if (violation < least) {
            least = violation;
            best = set;
        }
    }
    solve_set(n, t, best, y);
}

// ---------------------------------------------------------------------------
// Comparison
// ---------------------------------------------------------------------------

// The problem is solved at every time by linear algebra: rounding only.
static const double bound = 1e-9;

static Outcome compare(const void *expected, const Attempt *a, char *reason)
{
    const Problem *n = expected;
    for (long row = 0; row < attempt_rows(a); row++) {
        const SaltusRow here = attempt_row(a, row);
        double y[PAIRS];
        if (here.kind != SALTUS_ROW_INTERVAL)
            continue;
        solve(n, here.t, y);
        for (int i = 0; i < n->pairs; i++) {
            char name[16];
            snprintf(name, sizeof name, "y[%d]", i + 1);
            const double value = attempt_value(a, name, row);
            if (fabs(value - y[i]) <= bound * (1.0 + fabs(y[i])))
                continue;
            snprintf(reason, REASON_SIZE, "%s = %.10g at %.6g, right is %.10g", name, value, here.t,
                     y[i]);
            return OUTCOME_WRONG;
        }
    }
    return OUTCOME_RIGHT;
}

static Outcome try_problem(const void *data, const char *text, char reason[REASON_SIZE])
{
    const AttemptDef def = {.stop_time = stop_time,
                            .tolerance = 1e-7,
                            .interval = sample_interval,
                            .max_step = stop_time / 50.0};
    return attempt_by_all(text, def, compare, data, reason);
}

static void try_family(void **state)
{
    const Family *family = *state;
    Tally tally = tally_begin(&family->requirement);
    static Writing text;
    int seed;
    while (tally_next(&tally, &seed)) {
        const Problem n = make_problem(seed, family);
        write_model(&text, &n);
        tally_try(&tally, seed, try_problem, &n, text.text);
    }
    tally_end(&tally);
}

int main(void)
{
    enum { COUNT = sizeof families / sizeof *families };
    struct CMUnitTest tests[COUNT];
    for (int k = 0; k < COUNT; k++)
        tests[k] = (struct CMUnitTest){.name = families[k].requirement.family,
                                       .test_func = try_family,
                                       .initial_state = (void *)(uintptr_t)&families[k]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
