// SPDX-License-Identifier: MIT
//
// Nothing is lost: polynomials with up to ten crossings in one step, at random, on grids, in
// clusters; waves that are much faster than the first long steps; with all solvers and locators.
//
// The state is a clock, x' = 1, which every solver integrates exactly and with steps as long as it
// is allowed to: what its event functions do is no business of its error control.

#include "support/hybrid.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

// Marsaglia's xorshift: the same numbers everywhere.
static uint64_t seed = 20261115;

static double random_between(double low, double high)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return low + (high - low) * ((double)(seed >> 11) / 9007199254740992.0);
}

static int random_integer(int low, int high)
{
    return (int)floor(random_between(low, high + 1.0));
}

static int clock_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = 1.0;
    return 0;
}

// ---------------------------------------------------------------------------
// Polynomials
// ---------------------------------------------------------------------------

enum { MOST_ROOTS = 10, BEGIN = 1, END = 4 };

typedef struct Roots {
    int count;
    double at[MOST_ROOTS]; // rising
} Roots;

// (x - r_0) (x - r_1) ...
static int polynomial(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    const Roots *roots = c->user;
    h[0] = 1.0;
    for (int i = 0; i < roots->count; i++)
        h[0] *= x[0] - roots->at[i];
    return 0;
}

// Its derivative, by the product rule.
static int polynomial_flow(const SaltusContext *c, double t, const double *x, const double *z,
                           const double *dx, double *dh)
{
    UNUSED_ARGUMENTS;
    const Roots *roots = c->user;
    dh[0] = 0.0;
    for (int k = 0; k < roots->count; k++) {
        double product = dx[0];
        for (int i = 0; i < roots->count; i++)
            product *= i == k ? 1.0 : x[0] - roots->at[i];
        dh[0] += product;
    }
    return 0;
}

static void sort_roots(Roots *roots)
{
    for (int i = 1; i < roots->count; i++)
        for (int k = i; k > 0 && roots->at[k] < roots->at[k - 1]; k--) {
            double later = roots->at[k - 1];
            roots->at[k - 1] = roots->at[k];
            roots->at[k] = later;
        }
}

// At random places that are no nearer to each other than `gap`.
static void scatter(Roots *roots, double from, double to, double gap)
{
    for (int i = 0; i < roots->count; i++) {
        bool free = false;
        while (!free) {
            roots->at[i] = random_between(from, to);
            free = true;
            for (int k = 0; k < i; k++)
                free = free && fabs(roots->at[k] - roots->at[i]) >= gap;
        }
    }
    sort_roots(roots);
}

// Kind 0: anywhere, 1: equally spaced, on grids that steps may have, 2: in a cluster.
static Roots make_roots(int kind)
{
    Roots roots = {.count = random_integer(1, MOST_ROOTS)};
    if (kind == 0) {
        scatter(&roots, 1.5, 3.5, 1e-3);
    } else if (kind == 1) {
        static const double spacings[] = {0.2, 0.1, 0.05, 0.025, 0.0125, 0.125, 0.0625, 0.03125};
        double spacing = spacings[random_integer(0, 7)];
        double first = random_integer(0, 1) ? 2.0 : random_between(1.5, 2.0);
        for (int i = 0; i < roots.count; i++)
            roots.at[i] = first + spacing * i;
    } else {
        roots.count = random_integer(2, 5);
        double width = pow(10.0, random_between(-3.0, -1.0));
        double center = random_between(1.6, 3.0);
        scatter(&roots, center, center + width, 1e-2 * width);
    }
    return roots;
}

static void turn(SaltusEvent *event)
{
    event->p[0] = -event->p[0]; // something that the solver must restart for
}

// How the events of a run are to be found.
typedef struct Way {
    SaltusSolver solver;
    SaltusLocate locate;
    bool restarts, has_flow;
} Way;

static const char *way_name(Way way)
{
    static char name[80];
    snprintf(name, sizeof name, "%s, %s%s%s", saltus_solver_name(way.solver),
             saltus_locate_name(way.locate), way.restarts ? ", restarts" : "",
             way.has_flow ? ", rates" : "");
    return name;
}

// Each root once, in order, to the resolution of time. Rounding of the product moves a root by
// about the product's own rounding, which is relative to it, and so by that of x - r: a few units
// of x.
static bool finds_all(Roots *roots, Way way, char *text, size_t size)
{
    SaltusEventDef event = {.name = "root", .action = way.restarts ? turn : NULL};
    SaltusModeDef mode =
        hybrid_mode("clock", 1, (double[]){BEGIN}, clock_rhs, 1, &event, polynomial);
    mode.event_flow = way.has_flow ? polynomial_flow : NULL;
    SaltusSystemDef def = hybrid_system(1, &mode);
    def.parameter_count = 1;
    def.parameters = (double[]){1.0};
    def.user = roots;
    SaltusOptions options = saltus_default_options();
    options.start_time = BEGIN;
    options.record = SALTUS_RECORD_NOTHING;
    options.method.solver = way.solver;
    options.method.locate = way.locate;
    options.method.step = 0.75; // of fixed steps
    Hybrid hybrid = hybrid_begin(&def, &options);
    bool good = saltus_run_advance(hybrid.run, END) == SALTUS_OK;
    double found[2 * MOST_ROOTS];
    int count = hybrid_times(hybrid.run, 0, found, 2 * MOST_ROOTS);
    snprintf(text, size, "%s: %d of %d roots, %g + %g ...", way_name(way), count, roots->count,
             roots->at[0], roots->count > 1 ? roots->at[1] - roots->at[0] : 0.0);
    good = good && count == roots->count;
    for (int i = 0; i < count && good; i++) {
        // Multistep solvers go on with the clock's own rounding: one unit a step.
        double bound = 64.0 * DBL_EPSILON * END;
        good = fabs(found[i] - roots->at[i]) <= bound;
        if (!good)
            snprintf(text, size, "%s: root %.17g at %.17g", way_name(way), roots->at[i], found[i]);
    }
    hybrid_end(&hybrid);
    return good;
}

static const SaltusSolver solvers[] = {
    SALTUS_SOLVER_RK4,   SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_RODAS,
    SALTUS_SOLVER_CVODE, SALTUS_SOLVER_ADAMS,  SALTUS_SOLVER_IDA};
enum { SOLVERS = sizeof solvers / sizeof solvers[0], LOCATORS = SALTUS_LOCATE_SUNDIALS };

static void test_polynomials(void **state)
{
    (void)state;
    enum { TRIALS = 120 };
    int failures = 0;
    char text[200];
    for (int trial = 0; trial < TRIALS; trial++) {
        Roots roots = make_roots(trial % 3);
        for (int s = 0; s < SOLVERS; s++) {
            for (int l = 0; l < LOCATORS; l++) {
                Way way = {solvers[s], (SaltusLocate)l, (trial + l) % 2 == 0, trial % 4 < 2};
                if (finds_all(&roots, way, text, sizeof text))
                    continue;
                failures++;
                print_message("kind %d, %s\n", trial % 3, text);
            }
        }
    }
    assert_int_equal(failures, 0);
}

// ---------------------------------------------------------------------------
// Waves
// ---------------------------------------------------------------------------

static int wave(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = sin(c->p[0] * x[0]);
    return 0;
}

// Zeros of sin(k x) in (0, 1), each once: k / pi of them, with steps that take no notice of them.
static void test_waves(void **state)
{
    (void)state;
    enum { TRIALS = 24 };
    static const double known[] = {199.719, 213.12}; // were lost in the third step
    SaltusEventDef event = {.name = "zero"};
    SaltusModeDef mode = hybrid_mode("clock", 1, (double[]){0.0}, clock_rhs, 1, &event, wave);
    SaltusSystemDef def = hybrid_system(1, &mode);
    def.parameter_count = 1;
    int failures = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        double k = trial < 2 ? known[trial] : pow(10.0, random_between(1.0, 3.2));
        def.parameters = &k;
        for (int s = 0; s < SOLVERS; s++) {
            SaltusOptions options = saltus_default_options();
            options.record = SALTUS_RECORD_NOTHING;
            options.method.solver = solvers[s];
            options.method.step = 0.25;
            Hybrid hybrid = hybrid_begin(&def, &options);
            assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
            long found = saltus_run_event_count(hybrid.run), expected = (long)floor(k / M_PI);
            // An event in the log is a crossing; they come in order, one half wave after the other.
            for (long i = 0; i < found && found == expected; i++)
                assert_close(saltus_run_event(hybrid.run, i).t, (double)(i + 1) * M_PI / k, 1e-13);
            failures += found != expected;
            if (found != expected)
                print_message("k = %.17g, %s: %ld of %ld\n", k, saltus_solver_name(solvers[s]),
                              found, expected);
            hybrid_end(&hybrid);
        }
    }
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polynomials),
        cmocka_unit_test(test_waves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
