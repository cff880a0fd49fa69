// SPDX-License-Identifier: MIT
//
// Event location by change of the independent variable: task H1.
//
// M. Henon: On the numerical computation of Poincare maps, Physica 5D (1982). Near an event the
// system is integrated with h as independent variable, dx/dh = f/h', dt/dh = 1/h', from its present
// value to 0.

#include "report/c21.h"

#include "base/real.h"

#include <math.h>
#include <string.h>

static const char c7_file[] = "../c7/ConstrainedPendulum.mo";

static const struct {
    const char *label, *file, *model, *flag; // the Boolean that its events change
    double stop;
    size_t most; // events that are compared
} cases[] = {
    {"constrained pendulum (C7)", c7_file, "ConstrainedPendulum.Synchronised", "short", 10.0, 8},
    {"ball, dynamic contact", "Ball.mo", "Ball.SwitchingParts", "contact", 5.0, 19},
    {"rotating pendulum", "Pendulum.mo", "Pendulum.MaximalStateSpace", "falling", 3.0, 2},
};

static const struct {
    const char *label;
    SaltusLocate locate;
    int iterations;
} locators[] = {
    {"brent (default)", SALTUS_LOCATE_BRENT, 0}, {"bisection", SALTUS_LOCATE_BISECTION, 0},
    {"secant, once", SALTUS_LOCATE_SECANT, 1},   {"secant, iterated", SALTUS_LOCATE_SECANT, 0},
    {"tangent, once", SALTUS_LOCATE_TANGENT, 1}, {"tangent, iterated", SALTUS_LOCATE_TANGENT, 0},
    {"quadratic", SALTUS_LOCATE_QUADRATIC, 0},   {"henon", SALTUS_LOCATE_HENON, 0},
};

static LabRun *run_case(Benchmark *b, size_t i, SaltusMethod method)
{
    return benchmark_lab(b, &(LabSetup){.file = cases[i].file,
                                        .model = cases[i].model,
                                        .stop_time = cases[i].stop,
                                        .is_silent = true,
                                        .method = method});
}

static void compare_locators(Benchmark *b)
{
    static const char *const columns[] = {
        "system",     "locator",         "events",   "largest error in s",
        "iterations", "event functions", "fallbacks"};
    enum { COLUMNS = COUNT(columns), ROWS = COUNT(cases) * COUNT(locators), MOST = 19 };
    const char *cells[ROWS * COLUMNS];
    for (size_t i = 0; i < COUNT(cases); i++) {
        const LabEvent *exact[MOST], *found[MOST];
        LabRun *fine = run_case(b, i, lab_method(SALTUS_SOLVER_DOP853, 1e-13, 0.0));
        const size_t right = lab_changes(fine, cases[i].flag, NAN, exact, cases[i].most);
        for (size_t k = 0; k < COUNT(locators); k++) {
            SaltusMethod method = lab_method(SALTUS_SOLVER_DOPRI5, 1e-9, 0.0);
            method.locate = locators[k].locate;
            method.locate_iterations = locators[k].iterations;
            LabRun *run = run_case(b, i, method);
            const size_t count = lab_changes(run, cases[i].flag, NAN, found, cases[i].most);
            double largest = count == right ? 0.0 : NAN;
            for (size_t e = 0; e < cases[i].most && e < count && count == right; e++)
                largest = fmax(largest, fabs(found[e]->t - exact[e]->t));
            const char **cell = cells + COLUMNS * (i * COUNT(locators) + k);
            Document *d = b->document;
            cell[0] = cases[i].label;
            cell[1] = locators[k].label;
            cell[2] = document_format(d, "%zu", count);
            cell[3] = isnan(largest) ? "events differ" : document_format(d, "%.1e", largest);
            cell[4] = document_format(d, "%ld", run->statistics.locator_iterations);
            cell[5] = document_format(d, "%ld", run->statistics.h_evaluations);
            cell[6] = document_format(d, "%ld", run->statistics.fallbacks);
        }
    }
    document_table(b->document, DOCUMENT_BOTH,
                   &(DocumentTable){.id = "H1.locators",
                                    .caption = "H1: locators compared, dopri5 at 10^{-9}",
                                    .columns = columns,
                                    .column_count = COLUMNS,
                                    .cells = cells,
                                    .row_count = ROWS,
                                    .is_wide = true});
}

// ---------------------------------------------------------------------------
// Hénon's method by hand, for the constrained pendulum before it meets the pin
// ---------------------------------------------------------------------------

// d/dphi of (t, omega), with h = phi - phi_p as independent variable.
static void slope(double phi, double omega, double *dt, double *domega)
{
    const double g = 9.81, l = 1.0, d = 0.2, m = 1.02;
    *dt = 1.0 / omega;
    *domega = (-g / l * sin(phi) - d / m * omega) / omega;
}

// One step of the classical Runge-Kutta method over dphi.
static void henon_step(double *t, double *phi, double *omega, double dphi)
{
    double t1, w1, t2, w2, t3, w3, t4, w4;
    slope(*phi, *omega, &t1, &w1);
    slope(*phi + 0.5 * dphi, *omega + 0.5 * dphi * w1, &t2, &w2);
    slope(*phi + 0.5 * dphi, *omega + 0.5 * dphi * w2, &t3, &w3);
    slope(*phi + dphi, *omega + dphi * w3, &t4, &w4);
    *t += dphi / 6.0 * (t1 + 2.0 * t2 + 2.0 * t3 + t4);
    *omega += dphi / 6.0 * (w1 + 2.0 * w2 + 2.0 * w3 + w4);
    *phi += dphi;
}

// The state of the run at a time just before the event; returns the time that it has reached.
static double state_before(Benchmark *b, double t, double *phi, double *omega)
{
    LabRun *run =
        benchmark_lab(b, &(LabSetup){.file = c7_file,
                                     .model = "ConstrainedPendulum.Synchronised",
                                     .stop_time = t,
                                     .is_silent = true,
                                     .method = lab_method(SALTUS_SOLVER_DOP853, 1e-13, 0.0)});
    *phi = lab_last(run, "phi");
    *omega = lab_last(run, "omega");
    return run->end;
}

static void study_fractions(Benchmark *b, double event_time)
{
    static const double begins[] = {0.65, 0.5, 0.3, 0.1};
    static const int fractions[] = {1, 2, 4, 8, 64};
    static const char *const columns[] = {"begin in s", "1 step", "2",
                                          "4",          "8",      "64: continued in φ"};
    enum { COLUMNS = COUNT(columns) };
    const char *cells[COUNT(begins) * COLUMNS];
    const double pin = -REAL_PI / 12.0;
    for (size_t i = 0; i < COUNT(begins); i++) {
        double begin_phi, begin_omega;
        const double begin = state_before(b, begins[i], &begin_phi, &begin_omega);
        cells[COLUMNS * i] = document_format(b->document, "%.2f", begins[i]);
        for (size_t k = 0; k < COUNT(fractions); k++) {
            double t = begin, phi = begin_phi, omega = begin_omega;
            for (int n = 0; n < fractions[k]; n++)
                henon_step(&t, &phi, &omega, (pin - begin_phi) / fractions[k]);
            cells[COLUMNS * i + 1 + k] = document_format(b->document, "%.1e", t - event_time);
            if (i == 0 && k + 1 == COUNT(fractions)) // order 4, 64 steps over 0.07 rad
                findings_check(&b->findings, t, "s", event_time, 1e-10, "located by dop853",
                               "H1.henon.fractions");
        }
    }
    document_table(b->document, DOCUMENT_BOTH,
                   &(DocumentTable){.id = "H1.fractions",
                                    .caption = "H1: Hénon's method with `rk4` in one step, in "
                                               "fractions of it, and continued in the new "
                                               "variable: error of the first event of C7 in s, by "
                                               "the time at which the variable is changed",
                                    .columns = columns,
                                    .column_count = COLUMNS,
                                    .cells = cells,
                                    .row_count = COUNT(begins)});
    // Euler's method in the new variable is the tangent's zero: t + dt/dh (0 - h) = t - h/h'.
    double phi, omega, dt, domega;
    const double t = state_before(b, begins[0], &phi, &omega);
    slope(phi, omega, &dt, &domega);
    findings_check(&b->findings, t + dt * (pin - phi), "s", t - (phi - pin) / omega, 1e-15,
                   "tangent formula", "H1.euler_is_tangent");
}

// ---------------------------------------------------------------------------
// Where it cannot work, and what is bad
// ---------------------------------------------------------------------------

// Without damping, released at -phi_p on the other side, the pendulum turns exactly at the pin.
static void turn_at_pin(Benchmark *b)
{
    static const SaltusSetting values[] = {{"d", 0.0}, {"phi0", 0.26179938779914943654}};
    static const char *const columns[] = {"locator", "contacts with the pin", "fallbacks",
                                          "φ at 10 s in rad"};
    enum { COLUMNS = COUNT(columns) };
    const char *cells[COUNT(locators) * COLUMNS];
    for (size_t k = 0; k < COUNT(locators); k++) {
        const LabEvent *events[64];
        SaltusMethod method = lab_method(SALTUS_SOLVER_DOPRI5, 1e-9, 0.0);
        method.locate = locators[k].locate;
        method.locate_iterations = locators[k].iterations;
        LabRun *run = benchmark_lab(b, &(LabSetup){.file = c7_file,
                                                   .model = "ConstrainedPendulum.Synchronised",
                                                   .values = values,
                                                   .value_count = COUNT(values),
                                                   .is_silent = true,
                                                   .method = method});
        const char **cell = cells + COLUMNS * k;
        cell[0] = locators[k].label;
        cell[1] = document_format(b->document, "%zu", lab_changes(run, "short", 1.0, events, 64));
        cell[2] = document_format(b->document, "%ld", run->statistics.fallbacks);
        cell[3] = document_format(b->document, "%.6f", lab_last(run, "phi"));
    }
    document_table(b->document, DOCUMENT_PAGE,
                   &(DocumentTable){.id = "H1.turn",
                                    .caption =
                                        "H1: a pendulum that turns exactly at the pin: h and "
                                        "its derivative vanish together",
                                    .columns = columns,
                                    .column_count = COLUMNS,
                                    .cells = cells,
                                    .row_count = COUNT(locators)});
}

static void show_bad_example(Benchmark *b)
{
    static const double tolerances[] = {1e-3, 1e-6, 1e-9};
    static const char *const columns[] = {"tolerance", "error with events in rad",
                                          "error without in rad", "steps with", "steps without"};
    enum { COLUMNS = COUNT(columns) };
    const char *cells[COUNT(tolerances) * COLUMNS];
    LabSetup setup = {.file = c7_file,
                      .model = "ConstrainedPendulum.Tangential",
                      .is_silent = true,
                      .method = lab_method(SALTUS_SOLVER_DOP853, 1e-13, 0.0)};
    const double right = lab_last(benchmark_lab(b, &setup), "phi");
    for (size_t i = 0; i < COUNT(tolerances); i++) {
        setup.method = lab_method(SALTUS_SOLVER_DOPRI5, tolerances[i], 0.0);
        setup.model = "ConstrainedPendulum.Tangential";
        LabRun *with = benchmark_lab(b, &setup);
        setup.model = "ConstrainedPendulum.Unsynchronised";
        LabRun *without = benchmark_lab(b, &setup);
        const char **cell = cells + COLUMNS * i;
        Document *d = b->document;
        cell[0] = document_format(d, "%.0e", tolerances[i]);
        cell[1] = document_format(d, "%.1e", lab_last(with, "phi") - right);
        cell[2] = document_format(d, "%.1e", lab_last(without, "phi") - right);
        cell[3] = document_format(d, "%ld", with->statistics.steps);
        cell[4] = document_format(d, "%ld", without->statistics.steps);
    }
    document_table(b->document, DOCUMENT_PAGE,
                   &(DocumentTable){.id = "H1.unsynchronised",
                                    .caption = "H1: if-then-else that the solver does not know of, "
                                               "constrained pendulum at 10 s",
                                    .columns = columns,
                                    .column_count = COLUMNS,
                                    .cells = cells,
                                    .row_count = COUNT(tolerances)});
}

static void check_published(Benchmark *b)
{
    static const double a[] = {0.703459, 1.151780, 2.590418, 2.990529,
                               4.542741, 4.867488, 6.648707, 6.720384};
    static const SaltusSetting b_values[] = {{"d", 0.1}, {"phi0", -0.52359877559829887308}};
    const LabEvent *events[16];
    LabSetup setup = {.file = c7_file,
                      .model = "ConstrainedPendulum.Synchronised",
                      .is_silent = true,
                      .method = lab_method(SALTUS_SOLVER_DOP853, 1e-12, 0.0)};
    LabRun *run = benchmark_lab(b, &setup);
    size_t count = lab_changes(run, "short", NAN, events, 16);
    for (size_t i = 0; i < COUNT(a); i++) // six digits behind the point
        findings_check(&b->findings, i < count ? events[i]->t : NAN, "s", a[i], 5.1e-7,
                       "published solution", "H1.c7.a.t[%zu]", i + 1);
    if (count)
        study_fractions(b, events[0]->t);
    setup.values = b_values;
    setup.value_count = COUNT(b_values);
    const LabEvent *others[16];
    run = benchmark_lab(b, &setup);
    setup.method = lab_method(SALTUS_SOLVER_RODAS, 1e-12, 0.0);
    count = lab_changes(run, "short", NAN, events, 16);
    const size_t other = lab_changes(benchmark_lab(b, &setup), "short", NAN, others, 16);
    for (size_t i = 0; i < count && i < 16; i++)
        if (i == 0)
            findings_check(&b->findings, events[i]->t, "s", 0.187378, 5.1e-7, "published solution",
                           "H1.c7.b.t[%zu]", i + 1);
        else
            findings_check(&b->findings, events[i]->t, "s", i < other ? others[i]->t : NAN, 1e-9,
                           "rodas", "H1.c7.b.t[%zu]", i + 1);
    findings_check(&b->findings, (double)count, "", 7.0, 0.0, "published solution",
                   "H1.c7.b.events");
}

void c21_h1(Benchmark *b)
{
    document_text(
        b->document, DOCUMENT_BOTH,
        "In the step that contains a crossing, Hénon's method integrates the same "
        "equations with h as independent variable and lands on h = 0 in one step, with "
        "the order of the solver, no iteration and no interpolation. It is exact where "
        "the solver integrates the flow in h exactly (the ball without drag), and it "
        "cannot work where h' vanishes on the way: at each lift-off of the ball with "
        "dynamic contact the denominator is zero, not rarely but always, and at the start "
        "of the pendulum's fall it vanishes with its first derivative. These steps fall "
        "back to a bracketing method, and are counted. One step of a method of low order "
        "from far away is worse than an iteration; taken once, secant and tangent keep "
        "the error of the interpolation.");
    check_published(b);
    compare_locators(b);
    turn_at_pin(b);
    show_bad_example(b);
}
